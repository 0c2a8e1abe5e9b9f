"""A file that is left empty is lost, by whatever name it is emptied."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
EMPTYING = r"""
z
1,$c x
N;d
$!N;d
g
D
0,$d
{d}
1,$ { z }
/[[:print:]]/d
/^/d
/[^~]/d
\,.,d
/$/c\
/zz9/!d;d
s/[^\n]*//
s/./x/g
s/\(.*\)/x/
s|^.*$||
y/a/b/;s/.*//
""".strip().splitlines()
EDITING = r"""
/foo/d
/^$/d
/^\s*#/d
1,3d
/a/{N;d}
$!N;s/\n/ /
G
1!G;h;$!d
s/ *$//
s/\(a\)b/\1/g
1i x
3c\x
s/.*/# &/
/foo/!d
/\(^\|,\)foo/d
""".strip().splitlines()
QUIETLY_EMPTYING = ("1p", "$p", "1,3p", "=", "d", "'i x'", "s/a/b/")
QUIETLY_EDITING = ("2,$p", "/a/,/b/!p", "/foo/p", "p", "s/a/b/;p", "1!p", "3,${p}")
ASKING = (
    'for f in src/*; do echo > "$f"; done',
    "for f in src/*.py; do printf '' > \"$f\"; done",
    'for f in src/*.py; do head -c0 "$f" > "$f"; done',
    "echo -n > src/app.py",
    "printf %s > src/app.py",
    "cat < /dev/null > src/app.py",
    "tee src/app.py < /dev/null",
    "tee src/*.py <<< ''",
    ": | tee src/app.py",
    ": | cat | tee src/app.py",
    *(f"exec {sign} src/app.py" for sign in (">", "3>", "&>", "{fd}>", "2>")),
    *(
        f"{silent} > src/app.py"
        for silent in ("set -e", "shopt -s nullglob", "trap : EXIT", "declare x=1", "umask 022")
    ),
    *(
        f"{wrapper} > src/app.py"
        for wrapper in (
            "command :",
            "builtin :",
            "env A=1 true",
            "time true",
            "nice -n 5 true",
            "timeout 5 cd x",
            "eval :",
            "sh -c :",
        )
    ),
    *(f"{builtin} > src/app.py" for builtin in ("pushd x", "popd", "read x", "mapfile x", "let x=1", "eval", "disown")),
    *(f"{look} > src/app.py" for look in ("git add .", "git status", "git -C x config a b", "which -s x", "du -s x")),
    "bash -c 'cd src; true' > src/app.py",
    "clean() { :; }; clean > src/app.py",
    "{ :; } > src/app.py",
    ": &> src/app.py",
    "sort src/app.py | tee src/app.py",
    "cat ./src/app.py | sed s/a/b/ | tee src/app.py",
    "tr a b < src/app.py | sponge | tee src//app.py",
    "uniq src/app.py src/app.py",
    "xxd ./src/app.py src/app.py",
    "git merge-file src/app.py src/app.py /dev/null",
    "head -c 0 README.md > src/app.py",
    "sed -i d src/app.py",
    "sed -i '1,$d' src/*.py",
    "sed -i '/./d' src/app.py",
    "sed -i -e 's/.*//' src/app.py",
    "sed -i -n '' src/app.py",
    "sed -i Q src/app.py",
    *(f"sed -i '{script}' src/app.py" for script in EMPTYING),
    *(f"sed -n -i {script} src/app.py" for script in QUIETLY_EMPTYING),
    *(
        f"sed -i '{script}' src/app.py"
        for script in ("z", "1,$c x", "N;d", "$!N;d", "g", "D", "0,$d", "{d}", "1,$ { z }")
    ),
    *(
        f"sed -i '{script}' src/app.py"
        for script in ("/[[:print:]]/d", "/^/d", "/[^~]/d", "\\,.,d", "/$/c\\", "/zz9/!d;d")
    ),
    *(
        f"sed -i '{script}' src/app.py"
        for script in ("s/[^\\n]*//", "s/./x/g", "s/\\(.*\\)/x/", "s|^.*$||", "y/a/b/;s/.*//")
    ),
    "sed -ni 1p src/app.py",
    "sed -E -i 's/(.+)//' src/app.py",
    "awk 0 src/app.py > src/app.py",
    "jq .a data.json > data.json",
    "awk -i inplace 0 src/app.py",
    "gawk -i inplace '{n++} END {n=0}' src/*.py",
    "sort /dev/null -o src/app.py",
    "shuf -n0 -o src/app.py src/app.py",
    "uniq /dev/null src/app.py",
    "install -m644 /dev/null src/app.py",
    "ln -sf /dev/null src/app.py",
    "rsync /dev/null src/app.py",
    "dd if=/dev/null of=src/app.py",
    "dd of=src/app.py count=0",
    "xxd -r /dev/null src/app.py",
    "sponge src/app.py < /dev/null",
    "dos2unix -n /dev/null src/app.py",
    "iconv -o src/app.py /dev/null",
    "find . -name '*.py' -exec sed -i d {} +",
    "find . -type f -exec dd of={} count=0 \\;",
    "find . -name '*.py' -exec tee {} \\;",
    # what prints nothing, or only finds or compares
    *(f"{command} > src/app.py" for command in ("test -f x", "cd src", "mkdir -p x", "head -0 x", "sort /dev/null")),
    *(
        f"{command} > src/app.py"
        for command in ("grep nothing x", "find . -name zzz", "diff a a", "cmp a a", "ls zzz*")
    ),
    "find . -name zzz -fprint src/app.py",
    "sed -n '/zzz/w src/app.py' x",
    "dd if=/dev/urandom of=src/app.py count=1",
    "head -c 99 /dev/urandom > src/app.py",
    "ln -sf x src/app.py",
    "perl -pi -e 's/.*//s' src/app.py",
    "find . -name '*.py' -exec perl -i -pe 'undef $_' {} +",
    "ruby -i -pe '$_=\"\"' src/app.py",
    # the same file for each that is found
    "find . -name '*.py' -exec sort -o {} x \\;",
    "find . -name '*.py' -exec dd if=x of={} \\;",
    "find . -name '*.py' -exec curl -o {} http://localhost/x \\;",
    "find . -name '*.py' -exec sed -n 'w {}' x \\;",
    "find . -name '*.py' -exec git checkout {} \\;",
    "find src -type f | xargs tee",
    "ls src | xargs -I{} tee src/{}",
    "ls src/*.py | parallel tee {}",
    # what is told to print nothing, whose output takes the place of a file
    *(
        f"{command} > notes"
        for command in (
            "grep -q x f",
            "grep -v '' f",
            "grep x f | grep -vE '.*'",
            "sort -c f",
            "sort --check f",
            "comm -123 a b",
            "cmp -s a b",
            "jq empty a.json",
            "jq -n empty",
            "python -c ''",
            "python3 -c pass",
            "perl -ne '' f",
            "node -e ''",
            "ruby -e ''",
            "grep x notes",
            "sed -n '' notes",
        )
    ),
    "grep -q x f | tee notes",
    # lines of a file, or none, in the place of code
    *(
        f"{command} > src/app.py"
        for command in ("sort nothing", "uniq x", "cut -d: -f1 x", "wc -l x", "nl x", "comm a b", "grep x f | sort")
    ),
    "grep x f | cat > src/app.py",
    "sort x | tee src/app.py",
    # an output that goes elsewhere
    "echo x > src/app.py > b.txt",
    "echo x > notes >&2",
    "echo x > notes >> b.txt",
    "echo x > notes > /dev/null",
    "make 2> src/app.py",
    "perl -i -ne '' src/app.py",
    "ruby -i -ne '' src/app.py",
    # inline code
    *(
        f'python -c "{code}"'
        for code in (
            "open('src/a.py', 'w')",
            "open('src/a.py', mode='w').close()",
            "open('src/a.py', 'wb').write(b'')",
            "with open('src/a.py', 'w') as f: pass",
            "f = open('src/a.py', 'w+'); f.close()",
            "import pathlib; pathlib.Path('src/a.py').open('w')",
            "import pathlib; pathlib.Path('src/a.py').write_text('')",
            "import glob; [open(f, 'w').close() for f in glob.glob('src/*.py')]",
            "import shutil; shutil.copyfile('/dev/null', 'src/a.py')",
        )
    ),
    "node -e \"require('fs').writeFileSync('src/a.js', '')\"",
    "ruby -e \"File.write('src/a.rb', '')\"",
)
NOT_KNOWN = ("parallel cp x {} ::: src/*.py", "parallel cp x ::: src/*.py")
SILENT = (
    "grep -v foo a.txt > b.txt",
    "find . -name '*.py' > files.txt",
    "diff a.py b.py > changes.patch",
    "dd if=/dev/zero of=test.img bs=1M count=10",
    "ln -sf x current",
    "perl -pi -e 's/a.*/b/' src/app.py",
    "find . -name '*.md' -exec pandoc {} -o {}.html \\;",
    "parallel gzip ::: a.log b.log",
    "parallel wc -l ::: src/*.py",
    *(
        f'python -c "{code}"'
        for code in (
            "open('a.txt', 'w').write('x')",
            "with open('a.txt', 'w') as f: f.write('x')",
            "f = open('a.txt', 'w'); f.write('x'); f.close()",
            "import csv; w = csv.writer(open('a.csv', 'w')); w.writerow([1])",
            "open('src/shop/__init__.py', 'w').close()",
        )
    ),
    "node -e \"require('fs').writeFileSync('a.txt', 'x')\"",
    "echo hello > src/app.py",
    "echo x >&2 > notes",
    "echo x > /dev/null > notes",
    "make > out.txt 2>&1",
    "make 2> err.txt > out.txt",
    "cp a b 2> err.log",
    "grep -c x f > count.txt",
    "grep -v x f > rest.txt",
    "sort x > sorted.txt",
    "jq .a a.json > b.json",
    "perl -pe '' f > g",
    "python -c 'print(1)' > g",
    "ls src/*.ts | sed 's/.*/export/' | sort > src/index.ts",
    "comm -12 a b > both.txt",
    "echo > src/shop/__init__.py",
    "printf '' > src/shop/__init__.py",
    "echo -n '' > .gitkeep",
    "echo '' >> notes.txt",
    "printf '%s\\n' a b > list.txt",
    'printf "$HEADER" > list.txt',
    "cat a.txt b.txt > c.txt",
    "cat a.txt > /dev/null",
    "cat < a.txt > b.txt",
    "sort a.txt -o a.txt",
    "find . -name '*.txt' -exec sort -u {} -o {} \\;",
    "find . -name '*.txt' -exec sort -o {} -u {} \\;",
    "sort -o a.txt a.txt b.txt",
    "diff /dev/null src/app.py",
    "grep -n shop src/app.py /dev/null",
    "cp a.txt b.txt",
    "ln -s ../a.txt b.txt",
    "install -m644 a.txt build/a.txt",
    "tee out.log <<< hello",
    "make 2>&1 | tee build.log",
    "echo x | tee -a notes.txt",
    "sed -i '/^#/d' src/app.py",
    "sed -i '$d' src/app.py",
    "sed -i '1d' src/app.py",
    *(f"sed -i '{script}' src/app.py" for script in EDITING),
    *(f"sed -n -i '{script}' src/app.py" for script in QUIETLY_EDITING),
    *(
        f"sed -i '{script}' src/app.py"
        for script in ("/foo/d", "/^$/d", "/^\\s*#/d", "1,3d", "/a/{N;d}", "$!N;s/\\n/ /", "G")
    ),
    *(
        f"sed -i '{script}' src/app.py"
        for script in ("s/ *$//", "s/\\(a\\)b/\\1/g", "1i x", "3c\\x", "s/.*/# &/", "/foo/!d")
    ),
    *(
        f"sed -n -i '{script}' src/app.py"
        for script in ("2,$p", "/a/,/b/!p", "/foo/p", "p", "s/a/b/;p", "1!p", "3,${p}")
    ),
    "exec > build.log 2>&1",
    "exec 3> out.txt",
    "set -e; make > build.log",
    "set -o > options.txt",
    "sort names.txt | tee sorted.txt",
    "uniq names.txt unique.txt",
    "git merge-file -p a.py b.py /dev/null",
    "git merge-file a.py b.py c.py",
    "sed -i 's/a.*//' src/app.py",
    "sed -n '1,20p' src/app.py > head.txt",
    "gawk -i inplace '{print $1}' data.csv",
    "awk 'NR > 1' data.csv > rows.csv",
    "awk '{s += $1} END {print s}' data.csv > sum.txt",
    "head -n 10 data.csv > few.csv",
    "dd if=/dev/zero of=disk.img bs=1 count=0 seek=10M",
    "curl -s -o /dev/null http://localhost:8000/",
    "git diff --no-index /dev/null src/app.py",
    "jq . data.json > pretty.json",
    "tail -n +2 data.csv > rows.csv",
    "find . -name '*.py' -exec sed -i 's/a/b/' {} +",
)


@pytest.mark.parametrize("command", ASKING)
def test_a_file_that_is_emptied_is_lost(command: str) -> None:
    assert Effect.DELETES in read_command(command, folder=FOLDER).effects


def test_a_file_that_is_written_for_each_input_is_not_known() -> None:
    for command in NOT_KNOWN:
        assert is_unknown(read_command(command, folder=FOLDER)), command


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
