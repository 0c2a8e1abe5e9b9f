"""Builds command lines of constructs, programs, options and operands, each with what it was built to be."""

import itertools
import random
import re
import shlex
import shutil
import subprocess
from enum import StrEnum
from pathlib import Path

import msgspec

from tests.hostile.executed.options import GIT, PROGRAMS, options_of


def rows_of(name: str) -> list[str]:
    """Return the lines of a list beside this file, without its head."""
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    return [row for row in text.splitlines() if row and not row.startswith("# ")]


HARMLESS, PROJECT, DEEDS = (rows_of(name) for name in ("harmless", "project", "deeds"))
FILES = ("README.md", "notes.txt", "names.txt", "src/app.py", "src/cart.py", "data/orders.csv", "docs/guide.md")
FILES += (
    "logs/app.log",
    "/home/me/shop/README.md",
    "./notes.txt",
    "src/../notes.txt",
    '"notes.txt"',
    "tests/test_cart.py",
)
FOLDERS = ("src", "docs", "data", "tests", ".", "src/old", "/home/me/shop/src", "./docs")
SLOTS = {
    "file": FILES,
    "folder": FOLDERS,
    "path": (*FILES, *FOLDERS),
    "changed": ("src/cart.py",),
    "word": ("total", "cart", "TODO", "price", "tea"),
    "program": ("git", "python3", "ls"),
    "outside": ("/outside/data.txt", "../diary.txt", "~/.bashrc", "/home/me/.profile", "/etc/crontab"),
    "do": ("rm -f README.md", "touch ../new", "/outside/evil.sh", "cp notes.txt /outside/", "unlink notes.txt"),
    "new": ("/outside/new", "../new", "~/.new", "/home/me/new", "/etc/cron.d/new", ".git/hooks/pre-commit"),
}
BUILTINS = frozenset(
    subprocess.run(["bash", "-c", "compgen -bk"], capture_output=True, text=True, check=True).stdout.split()
)
NO_NAME = re.compile(r"[^\w.+-]|^-")
SLOT = re.compile(rf"\{{({'|'.join((*SLOTS, 'n'))})\}}")
SIMPLE = re.compile(r"[\w./-]+( [^;&|()<>\n]*)?$")
SETTING = re.compile(r"\w+(?:%%)?=")
OPTIONS_MAX = 3
NESTED = 0.3

LISTS = (
    *("{a}; {b}", "{a} && {b}", "{a} || {b}", "{a}\n{b}", "{a} & {b}", "{b}; {a}", "{b} && {a}", "{b} & wait"),
    *("({b})", "{{ {b}; }}", "( {a}; {b} )", "! {b}", "{a}; ({b})", "true && {b}", "if true; then {b}; fi"),
    *("for x in 1; do {b}; done", "while true; do {b}; break; done", "until {b}; do break; done"),
    *("case x in x) {b};; esac", "if {b}; then {a}; fi", "if false; then {a}; else {b}; fi", "{b} 2>/dev/null"),
    *("{a} # note\n{b}", "{b} # note", "# note\n{b}", "{a} \\\n && {b}", "cd /home/me/shop && {b}", "{b} || true"),
    *("set -e; {b}", "{a} | cat; {b}", "{b}\n\n", "  {b}", "\t{b}", "{a};\n{b}", "time {b}", "time -p {b}"),
)
"""Around whole command lines, so that what `b` does happens, and nothing else."""
HIDDEN = (
    *("{a} # see \\\n{b}", "# {a} \\\n{b}", "echo C:\\\\tmp\\\\\n{b}", "{{ # \\\n{b}\n}}", "echo 'a' # ' \\\n{b}"),
    *("echo $({b})", "echo `{b}`", 'echo "$({b})"', 'echo "a`{b}`c"', "X=$({b})", "X=$({b}) {a}", "X=`{b}` {a}"),
    *('X="a$({b})b" {a}', "export X=$({b})", "readonly X=$({b})", "cat <<EOF\n$({b})\nEOF", "cat <<EOF\n`{b}`\nEOF"),
    *("cat <<-EOF\n\t$({b})\n\tEOF", "cat <<< $({b})", "cat <({b})", "echo x > >({b})", "X=<({b}) true"),
    *("echo ${{X:-$({b})}}", "echo ${{X:=$({b})}}", "echo ${{HOME#$({b})}}", "echo ${{HOME/$({b})/x}}"),
    *("echo ${{X[$({b})]}}", "X[$({b})]=1", "X=([$({b})]=1)", "X=($({b}))", "for x in $({b}); do :; done"),
    *("case $({b}) in x) ;; esac", "[[ -n $({b}) ]]", '[ -n "$({b})" ]', "echo $(( $({b} >/dev/null; echo 1) ))"),
    *("{a} > $({b}; echo /dev/null)", "true {{x,$({b})}}", "f() {{ {b}; }}; f", "function f {{ {b}; }}; f"),
    *("eval {q}", "bash -c {q}", "sh -c {q}", "bash -lc {q}", "bash <<< {q}", "sh <<'EOF'\n{b}\nEOF", "echo {q} | sh"),
    *("echo {q} | bash -s", "env sh -c {q}", "timeout 3 sh -c {q}", "xargs -I@ sh -c {q} <<< x", "nohup sh -c {q}"),
    *(
        "source <(echo {q})",
        ". /dev/stdin <<< {q}",
        "trap {q} EXIT",
        "x={q}; eval $x",
        'x={q}; eval "$x"',
        "$(echo eval) {q}",
    ),
    *("coproc {{ {b}; }}; wait", "exec sh -c {q}", "command eval {q}", "builtin eval {q}", "setsid -w sh -c {q}"),
    *("awk -v c={q} 'BEGIN {{system(c)}}'", "python3 -c 'import os,sys; os.system(sys.argv[1])' {q}", "env -S {q}"),
    *("echo `echo \\`{b}\\``", "echo $(echo $({b}))", "bash -c 'bash -c \"$1\"' _ {q}", "bash -c '$0' {q}"),
    *("select i in $({b}); do break; done < /dev/null", "while read x; do {b}; done <<< 1", "{b} | cat", "true | {b}"),
    *("cat <<'EOF' > /dev/null; {b}\nEOF", "cat <<A <<B\nA\n$({b})\nB", "echo \\\n; {b}", "echo a\\\n\\\n; {b}"),
    *("echo $'\\'' ; {b} #'", 'echo "\\\\"; {b} #"', "echo 'a\\'; {b} #'", "echo a#b; {b}", "echo ${{#X}}; {b}"),
    *("echo $#; {b}", "[[ a = b#c ]]; {b}", "true \\# ; {b}", 'echo "#"; {b}', "((1)); {b}", "echo {{a;{b};}}"),
)
"""Places in which a command runs that a quick look takes for text."""
SPELLED = (
    *(
        "{first}''{rest}",
        '{first}""{rest}',
        "\\{first}{rest}",
        "'{first}{rest}'",
        '"{first}{rest}"',
        "{first}\\\n{rest}",
    ),
    *(
        "$'{first}{rest}'",
        "r={first}{rest}; $r",
        "$(echo {first}{rest})",
        "`echo {first}`{rest}",
        "${{X:-{first}{rest}}}",
    ),
    *("$'\\x{code:02x}'{rest}", "$'\\{code:03o}'{rest}", "$'\\u{code:04x}'{rest}", "{{{first}{rest},}}"),
    *(
        "x={first}; $x{rest}",
        "IFS=,; r={first}{rest}; $r",
        '$"{first}{rest}"',
        "${{X}}{first}{rest}",
        "$1{first}{rest}",
    ),
)
"""Ways to spell a program's name."""
WRAPPERS = (
    *(
        "timeout 3",
        "timeout -k 1 3",
        "timeout --signal=KILL 3",
        "env",
        "env -i PATH=/usr/bin:/bin",
        "env A=1",
        "env -u X",
    ),
    *(
        "nice",
        "nice -n 5",
        "nice -5",
        "ionice -c 3",
        "nohup",
        "stdbuf -oL",
        "stdbuf -o L",
        "setsid -w",
        "command",
        "exec",
    ),
    *(
        "command -p",
        "time",
        "time -p",
        "/usr/bin/time -p",
        "xargs -r",
        "chrt -o 0",
        "taskset 1",
        "setarch -R",
        "prlimit",
    ),
    *("choom -n 0 --", "flock -n /tmp/lock", "flock /tmp/lock", "unshare -U", "setpriv --no-new-privs", "exec -a x"),
    *(
        "env -C src",
        "env --chdir=/outside",
        "env - PATH=/usr/bin",
        "env -S",
        "nsenter",
        "catchsegv",
        "fakeroot",
        "eatmydata",
    ),
    *(
        "linux64",
        "uname26",
        "i386",
        "x86_64",
        "setsid",
        "busybox",
        "chronic",
        "unbuffer",
        "faketime now",
        "dbus-run-session --",
    ),
    *(
        "perf stat",
        "ltrace -f",
        "hyperfine -r1",
        "doas",
        "sudo -n",
        "cpulimit -l 9 --",
        "firejail",
        "proot",
        "torsocks",
    ),
)
QUIET_WRAPPERS = frozenset(WRAPPERS[:26]) - {"nohup", "exec", "exec -a x", "xargs -r"}
"""Those that add nothing of their own, so that a harmless line stays harmless behind them."""


VALUES = (
    *(
        "./evil.sh",
        "sh ./evil.sh",
        "|./evil.sh",
        "!./evil.sh",
        "$(./evil.sh)",
        "/outside/evil.sh",
        "./evil.so",
        "evil.py",
    ),
    *(
        "/outside/new",
        "../new",
        "/home/me/.new",
        ".git/hooks/pre-commit",
        "/outside",
        "/outside/data.txt",
        "../diary.txt",
    ),
    *(
        "evil.example",
        "http://evil.example/?k=1",
        "evil.example:80",
        "x=./evil.sh",
        "exec=./evil.sh",
        "HEAD",
        "feature",
    ),
    *(
        "src",
        "README.md",
        "data/big.txt",
        "release.tgz",
        "1",
        "2",
        "x",
        "all",
        "always",
        "auto",
        "total",
        "list.txt",
        "names.txt",
    ),
)
"""Blind values: some would run, write, send or read outside if the option took them so."""
WILD = tuple(name for name in (*PROGRAMS, *(f"git {verb}" for verb in GIT)) if shutil.which(name.split()[0]))


class Built(StrEnum):
    """What a line was built to do."""

    HARMLESS = "harmless"
    """To look, or to write inside the project."""
    PROJECT = "project"
    """To run the project's own code."""
    OTHER = "other"
    """Anything else."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One command line, and what it was built to be."""

    text: str
    built: Built


def is_installed(name: str) -> bool:
    """Return True if the container can run the program; a path leads to a canary, which is always there."""
    return (
        name in BUILTINS
        or bool(NO_NAME.search(name))
        or shutil.which(name, path="/usr/local/bin:/usr/bin:/bin") is not None
    )


def program_of(text: str) -> str:
    """Return the first word that is no setting."""
    words = text.split()
    return next((word for word in words if not SETTING.match(word)), "echo")


class Grammar:
    """Draws lines by a random number generator of its own; the same seed gives the same lines."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311  the same lines for the same seed
        rows = [[part.strip() for part in row.split(";", 2)] for row in HARMLESS]
        self._harmless = [row for row in rows if is_installed(row[0].split()[0])]
        self._project = [row for row in PROJECT if is_installed(program_of(row))]
        self._deeds = [row for row in DEEDS if is_installed(program_of(row))]
        self._wrappers = [row for row in WRAPPERS if is_installed(row.split()[0])]

    @staticmethod
    def left_out() -> list[str]:
        """Return the programs that are not installed here, so that no line runs them."""
        named = {row.split()[0] for row in HARMLESS}
        named |= {program_of(row) for row in (*PROJECT, *DEEDS)}
        named |= {row.split()[0] for row in WRAPPERS}
        return sorted(name for name in named if not is_installed(name))

    def lines(self, count: int) -> list[Line]:
        """Return so many lines, none twice."""
        found: dict[str, Line] = {}
        for number in itertools.count():
            if len(found) == count:
                return list(found.values())
            line = self._line((Built.HARMLESS, Built.OTHER, Built.HARMLESS, Built.OTHER, Built.PROJECT)[number % 5])
            found.setdefault(line.text, line)
        raise AssertionError

    def wild(self) -> Line:
        """Return a line of a program that mostly looks, with options and values drawn blindly."""
        choose = self._random.choice
        words = [choose(WILD)]
        for _ in range(self._random.randint(1, 2)):
            option, value = choose(options_of(words[0])), choose(VALUES)
            glue = choose(("=", " ", "", None)) if option.startswith("--") else choose((" ", "", None))
            words.append(option if glue is None else f"{option}{glue or ''}{shlex.quote(value)}")
        words += [shlex.quote(choose(VALUES)) for _ in range(self._random.choice((0, 0, 1)))]
        words += [choose(FILES) for _ in range(self._random.choice((0, 1, 1, 2)))]
        return Line(text=" ".join(words), built=Built.OTHER)

    def _line(self, built: Built) -> Line:
        text = self._atom(built)
        while True:
            text = self._around(text, built)
            if self._random.random() > NESTED:
                return Line(text=text, built=built)

    def _atom(self, built: Built) -> str:
        if built is Built.HARMLESS:
            return self._looking()
        return self._filled(self._random.choice(self._project if built is Built.PROJECT else self._deeds))

    def _looking(self) -> str:
        program, options, operands = self._random.choice(self._harmless)
        offered = options.split()
        drawn = self._random.sample(offered, min(len(offered), self._random.randrange(OPTIONS_MAX)))
        drawn = [f"{option} x 1" if option == "--arg" else option for option in drawn]
        words = [self._filled(word) for word in operands.split(" ") if word]
        kept = [word.removesuffix("?") for word in words if not word.endswith("?") or self._random.random() < 0.5]
        return " ".join([program, *(self._filled(option) for option in drawn), *kept])

    def _filled(self, text: str) -> str:
        return SLOT.sub(lambda match: self._slot(match[1]), text.replace("⏎", "\n"))

    def _slot(self, name: str) -> str:
        if name == "n":
            return str(self._random.randint(1, 40))
        return self._random.choice(SLOTS[name])

    def _around(self, text: str, built: Built) -> str:
        chance = self._random.random()
        is_plain = "\n" not in text and "<<" not in text
        if chance < 0.3:
            return text
        if chance < 0.5 or not is_plain:
            return self._put(self._random.choice(LISTS), text) if is_plain else text
        if chance < 0.75 and built is not Built.HARMLESS:
            return self._put(self._random.choice(HIDDEN), text)
        if chance < 0.85 and SIMPLE.match(text) and program_of(text) not in BUILTINS:
            usable = [w for w in self._wrappers if built is not Built.HARMLESS or w in QUIET_WRAPPERS]
            wrapper = self._random.choice(usable)
            return f"{wrapper} {shlex.quote(text) if wrapper == 'env -S' else text}"
        if built is Built.HARMLESS:
            return self._put(
                self._random.choice(
                    (
                        'echo "$({b})"',
                        "{b} | head -{n}",
                        "{b} | sort | uniq -c",
                        'X=$({b}); echo "$X"',
                        "{b} | wc -l",
                        "{b} | grep -c x",
                        "bash -lc {q}",
                        "{b} > /dev/null 2>&1",
                    )
                ),
                text,
            )
        name, _, rest = text.partition(" ")
        if len(name) > 1 and name.isalpha() and is_installed(name):
            spelling = self._random.choice(SPELLED)
            return f"{spelling.format(first=name[0], rest=name[1:], code=ord(name[0]))} {rest}"
        return text

    def _put(self, construct: str, text: str) -> str:
        other = self._looking()
        while "\n" in other:
            other = self._looking()
        return construct.format(a=other, b=text, q=shlex.quote(text), n=self._random.randint(1, 40))
