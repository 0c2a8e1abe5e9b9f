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

from tests.hostile.executed.options import LETTERS, options_of


def rows_of(name: str) -> list[str]:
    """Return the lines of a list, without its head; its signs for new lines are such."""
    text = (Path(__file__).parent / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return [row.replace("⏎", "\n") for row in text.split("\n") if row and not row.startswith("#: ")]


HARMLESS, PROJECT, DEEDS = (rows_of(name) for name in ("harmless", "project", "deeds"))
FILES = (
    *("README.md", "notes.txt", "names.txt", "src/app.py", "src/cart.py", "data/orders.csv", "docs/guide.md"),
    *(
        "logs/app.log",
        "/home/me/shop/README.md",
        "./notes.txt",
        "src/../notes.txt",
        '"notes.txt"',
        "tests/test_cart.py",
    ),
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
SLOT = re.compile(rf"\{{({'|'.join((*SLOTS, 'n', 'fresh'))})\}}")
SIMPLE = re.compile(r"[\w./-]+( [^;&|()<>\n]*)?$")
SETTING = re.compile(r"\w+(?:%%)?=")
OPTIONS_MAX = 3
SHUFFLED, PLACED, ABBREVIATED, CLUSTERED, VALUED = 0.2, 0.2, 0.2, 0.2, 0.6
"""How often blind words stand in any order, a construct around them, an option is cut short, joined, has a value."""
SET = 0.2
"""How often a setting stands before a line with blind options, or before one that was built for anything else."""
NESTED, PLAIN, LISTED, WRAPPED, SPELT = 0.3, 0.3, 0.5, 0.6, 0.9
"""How often a construct stands around another, and up to where a draw leaves a line as it is, joins it, wraps it."""

AROUND, HIDDEN, SPELLED, VALUES, SETTINGS = (
    rows_of(name) for name in ("around", "hidden", "spelled", "values", "settings")
)
QUIET_WRAPPERS, WRAPPERS = rows_of("quiet_wrappers"), rows_of("wrappers")
LOOKS = tuple(name for name in rows_of("programs") if shutil.which(name.split()[0]))
NEAR_HARMLESS = (
    *('echo "$({b})"', "{b} | head -{n}", "{b} | sort | uniq -c", 'X=$({b}); echo "$X"', "{b} | wc -l"),
    *("{b} | grep -c x", "bash -lc {q}", "{b} > /dev/null 2>&1"),
)


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
    """Draws lines by a random number generator of its own; the same seed gives the same lines.

    `looks`: of so many of the programs that mostly look, drawn once, options are drawn blindly; of all without it.
    """

    def __init__(self, seed: int, looks: int | None = None) -> None:
        self._random = random.Random(seed)  # noqa: S311  the same lines for the same seed
        rows = [[part.strip() for part in row.split(";", 2)] for row in HARMLESS]
        self._harmless = [row for row in rows if is_installed(row[0].split()[0])]
        self._project = [row for row in PROJECT if is_installed(program_of(row))]
        self._deeds = [row for row in DEEDS if is_installed(program_of(row))]
        self._quiet = [row for row in QUIET_WRAPPERS if is_installed(row.split()[0])]
        self._looks = LOOKS if looks is None else self._random.sample(LOOKS, min(looks, len(LOOKS)))
        self._wrappers = self._quiet + [row for row in WRAPPERS if is_installed(row.split()[0])]

    @staticmethod
    def left_out() -> list[str]:
        """Return the programs that are not installed here, so that no line runs them."""
        named = {row.split()[0] for row in HARMLESS}
        named |= {program_of(row) for row in (*PROJECT, *DEEDS)}
        named |= {row.split()[0] for row in (*QUIET_WRAPPERS, *WRAPPERS)}
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
        words = [choose(self._looks)]
        behind = [self._blind(words[0]) for _ in range(choose((0, 1, 1, 2)))]
        behind += [shlex.quote(choose(VALUES)) for _ in range(choose((0, 0, 1)))]
        behind += [choose(FILES) for _ in range(choose((0, 1, 1, 2)))]
        if self._random.random() < SHUFFLED:
            self._random.shuffle(behind)
        text = self._set(" ".join((*words, *behind)))
        return Line(text=self._put(choose(AROUND), text) if self._random.random() < PLACED else text, built=Built.OTHER)

    def _blind(self, program: str) -> str:
        """Return an option: perhaps cut short, or several in one word, or with a value."""
        choose, chance = self._random.choice, self._random.random()
        option, value = choose(options_of(program) or LETTERS), shlex.quote(choose(VALUES))
        if option.startswith("--"):
            option = option[: self._random.randint(4, len(option))] if chance < ABBREVIATED else option
            return f"{option}{choose(('=', ' '))}{value}" if self._random.random() < VALUED else option
        option += choose(LETTERS)[1:] if chance < CLUSTERED else ""
        return f"{option}{choose((' ', ''))}{value}" if self._random.random() < VALUED else option

    def _line(self, built: Built) -> Line:
        text = self._atom(built)
        text = self._set(text) if built is Built.OTHER else text
        while True:
            text = self._around(text, built)
            if self._random.random() > NESTED:
                return Line(text=text, built=built)

    def _set(self, text: str) -> str:
        """Return a line, now and then with a setting before it, for it alone or for all that follows."""
        if self._random.random() > SET:
            return text
        setting = self._random.choice(SETTINGS)
        return self._random.choice((f"{setting} {text}", f"export {setting}; {text}", f"env {setting} {text}"))

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
        return SLOT.sub(lambda match: self._slot(match[1]), text)

    def _slot(self, name: str) -> str:
        if name == "n":
            return str(self._random.randint(1, 40))
        if name == "fresh":
            return str(self._random.randint(1_000, 999_999))
        return self._random.choice(SLOTS[name])

    def _around(self, text: str, built: Built) -> str:
        chance = self._random.random()
        is_harmless = built is Built.HARMLESS
        if chance < PLAIN or "\n" in text or "<<" in text:
            return text
        if chance < LISTED:
            return self._put(self._random.choice(AROUND), text)
        if chance < WRAPPED and SIMPLE.match(text) and program_of(text) not in BUILTINS:
            wrapper = self._random.choice(self._quiet if is_harmless else self._wrappers)
            return f"{wrapper} {shlex.quote(text) if wrapper == 'env -S' else text}"
        name, _, rest = text.partition(" ")
        if not is_harmless and chance > SPELT and len(name) > 1 and name.isalpha() and is_installed(name):
            letter = ord(name[0])
            slots = {"first": name[0], "rest": name[1:], "hex": f"{letter:02x}", "octal": f"{letter:03o}"}
            return f"{put(self._random.choice(SPELLED), slots | {'unicode': f'{letter:04x}'})} {rest}"
        return self._put(self._random.choice(NEAR_HARMLESS if is_harmless else HIDDEN), text)

    def _put(self, construct: str, text: str) -> str:
        other = self._looking()
        while "\n" in other:
            other = self._looking()
        return put(construct, {"a": other, "b": text, "q": shlex.quote(text), "n": str(self._random.randint(1, 40))})


def put(construct: str, slots: dict[str, str]) -> str:
    """Return a construct with its slots filled."""
    return re.sub(r"\{(\w+)\}", lambda match: slots.get(match[1], match[0]), construct)
