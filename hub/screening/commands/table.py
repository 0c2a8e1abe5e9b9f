"""The table of programs: which line of programs.txt fits a call, and which options options.txt knows to be harmless.

Each file's head tells its grammar. They are read once, with the first command.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.resources import files

from hub.contract.effects import Effect
from hub.screening.commands import operands as classes
from hub.screening.commands.limits import PROGRAMS_REMEMBERED_MAX
from hub.screening.effects import HARMLESS

_PROGRAMS = "programs.txt"
_OPTIONS = "options.txt"
_VERSION = re.compile(r"[-.@]\d")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SHORTENED_CHARS = 2
"""What is cut shorter begins too many subcommands to be taken for one, or is an alias: `npm t`."""
_FAMILIES = ("mkfs*", "newfs*", "fsck.*")
_FILE_DEEDS = frozenset({"fills", "copies", "empties", "rewrites"})
_EFFECTS = {
    "read": Effect.READS,
    "secret": Effect.READS_SECRETS,
    "write": Effect.WRITES_IN_WORKSPACE,
    "run": Effect.RUNS_PROJECT_CODE,
    "unknown": Effect.RUNS_UNKNOWN_CODE,
    "delete": Effect.DELETES,
    "leave": Effect.LEAVES_THE_MACHINE,
    "message": Effect.MESSAGES,
    "pay": Effect.PAYS,
    "permit": Effect.CHANGES_PERMISSIONS,
    "system": Effect.CHANGES_SYSTEM,
    "production": Effect.TOUCHES_PRODUCTION,
}


class OptionKind(StrEnum):
    """What the value of an option is that is known to be harmless."""

    FLAG = "flag"
    OPTIONAL = "optional"
    """It may have a value that is data, only behind `=`."""
    DATA = "data"
    READ = "read"
    """The name of a file that is read."""
    WRITTEN = "written"
    """The name of a file that is written."""


_KINDS = {"=": OptionKind.DATA, "?": OptionKind.OPTIONAL, "<": OptionKind.READ, ">": OptionKind.WRITTEN}


@dataclass(slots=True)
class Arguments:
    """The words behind a program: options with their values, operands, and where each operand stands.

    `given` holds each option once as it was written, with its value; `options` also a cluster as a whole (`-rf`).
    """

    options: dict[str, list[str]] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    given: list[tuple[str, str]] = field(default_factory=list)
    early: int = 0
    """How many of `given` stand before the first operand: they are the program's own, not its subcommand's."""

    def operand(self, word: str, at: int) -> None:
        """Add an operand and its place."""
        self.early = self.early if self.operands else len(self.given)
        self.operands.append(word)
        self.places.append(at)

    def option(self, name: str, value: str = "") -> None:
        """Add an option; a long one is known in lower case."""
        self.options.setdefault(_lowered(name), []).append(value)
        self.given.append((_lowered(name), value))

    def values(self) -> list[str]:
        """Return every operand and every option's value."""
        return self.operands + [value for values in self.options.values() for value in values if value]


Test = Callable[[Arguments], bool]


_ALWAYS_READ = frozenset({"stdin", "sed", "awk", "shown"})
"""What is read as code, or shown, whatever a program is asked for."""


@dataclass(slots=True, frozen=True)
class TableRule:
    """One line of the table."""

    words: tuple[tuple[str, ...], ...]
    tests: tuple[Test, ...]
    effects: tuple[Effect, ...]
    also: tuple[tuple[str, ...], ...]
    otherwise: bool
    options: frozenset[str] = frozenset()
    """Those of which one must be there, whatever its value."""
    by_value: bool = False
    """Whether it speaks of what an operand or a value is: no closer line makes that harmless."""
    deeds: tuple[tuple[str, ...], ...] = ()
    """What it does to files beyond those that its operands name: `fills`, `copies`, `empties`, `rewrites`."""

    @property
    def closeness(self) -> int:
        """How much must be there for this line to fit."""
        return len(self.words) + len(self.tests)

    @property
    def rewrites(self) -> bool:
        """Whether it only says that the files which are named are rewritten, not what its options do."""
        return any(deed[0] == "rewrites" for deed in self.deeds)

    @property
    def is_fed(self) -> bool:
        """Whether it only says in which language the program reads what it is fed."""
        return not self.effects and all(said[0] == "stdin" for said in self.also)

    def as_language(self, kinds: frozenset[str] | None) -> "TableRule":
        """Return what it says of the words that the program runs, of some kinds or of all but the names of tasks."""
        also = (said for said in self.also if (said[0] in kinds if kinds else said[0] != "script"))
        return replace(self, effects=(), also=tuple(also))

    @property
    def _is_look_at_any(self) -> bool:
        """Whether this harmless line takes any word before the one that says so: `* list*`."""
        return len(self.words) > 1 and self.words[0] == ("*",) and HARMLESS.issuperset(self.effects)

    def is_deed_beside(self, look: "TableRule") -> bool:
        """Return True if this line names a word that does harm where another takes any: `copy list.txt`, `* list*`."""
        return not HARMLESS.issuperset(self.effects) and any(
            "*" not in own and "*" in other for own, other in zip(self.words, look.words, strict=False)
        )

    def fits(self, arguments: Arguments) -> bool:
        """Return True if this line is about a call with these arguments."""
        operands = arguments.operands
        if len(operands) < len(self.words):
            return False
        for at, alternatives in enumerate(self.words):  # a loop, for this is asked of every line of a program
            if not _any(alternatives, operands[at]):
                return False
        for test in self.tests:
            if not test(arguments):
                return False
        return not (self._is_look_at_any and any(map(_is_deed, operands[: len(self.words) - 1])))


@dataclass(slots=True)
class ProgramEntry:
    """What the table says of one program."""

    rules: list[TableRule] = field(default_factory=list)
    takes: list[tuple[tuple[tuple[str, ...], ...], frozenset[str]]] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    subcommands: frozenset[str] = frozenset()
    """All that it has, where the table lists them: another word is none of the project's."""
    anywhere: set[str] = field(default_factory=set)
    """Operands of which a line speaks wherever they stand."""
    is_: set[str] = field(default_factory=set)
    """What else the tables say of it, in a word; the heads of both files say what those mean."""
    unvalued: set[str] = field(default_factory=set)
    """Options that never take the next word as their value: a line that names one means `-i.bak` or `--inspect=x`."""
    makes: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    """Subcommands whose operands are files or folders that they make."""
    away: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    """Subcommands that read what may be elsewhere."""
    harmless: list[tuple[tuple[tuple[str, ...], ...], dict[str, OptionKind]]] = field(default_factory=list)
    """By subcommand, the options that are known to do no more than the program does without them."""
    disputed: bool = False
    """Whether the tables say of an option both that it has a value and that it has none."""
    are_flags: bool = False
    """Whether such an option is read as having none."""

    @property
    def has_subcommands(self) -> bool:
        """Whether the words behind its name say what it does; to others they are names of files."""
        return any(one.isalpha() for rule in self.rules for alternatives in rule.words for one in alternatives)

    def arguments(self, words: list[str], *, stop: int | None = None) -> Arguments:
        """Read the words behind the program's name; what takes a value may hang on the subcommand.

        What follows `stop` operands is not read: it is a command of its own, with options of its own.
        """
        general = frozenset[str]().union(*(names for prefix, names in self.takes if not prefix))
        found = self._read(words, general, stop)
        special = [names for prefix, names in self.takes if prefix and starts(prefix, found.operands)]
        return self._read(words, general.union(*special), stop) if special else found

    def names(self, word: str) -> bool:
        """Return True if a word is a subcommand that a line names, or if any may be one."""
        if not self.subcommands or word in self.subcommands:
            return True
        return any(_any(rule.words[0], word) and "*" not in rule.words[0] for rule in self.rules if rule.words)

    def completions(self, word: str) -> list[str]:
        """Return the subcommands that a word may be cut short for; none if a line names it, or it is too short.

        Each part between colons may be cut short by itself: `doc:fix:load`. Of a task's path the last part counts.
        """
        kebab = _CAPITAL.sub("-", word).lower()  # npm takes `distTag` for `dist-tag`
        kebab = kebab.rpartition(":")[2] if "tasks" in self.is_ else kebab
        listed = {one for rule in self.rules for one in (rule.words or ((),))[0]} | self.subcommands
        parted = self.anywhere if ":" in kebab else set[str]()
        if "shortens" not in self.is_ or len(kebab) < _SHORTENED_CHARS or (kebab in listed and kebab == word):
            return []
        whole = (_completed(kebab.split(":"), one.removesuffix("*")) for one in listed | parted)
        return sorted(one for one in whole if one)

    def readings(self, words: list[str]) -> tuple["ProgramEntry", ...]:
        """Return the entry, once more for the other way to read these words where the tables do not agree on an option.

        A line of programs.txt speaks of several programs, and what has a value in one of them may be a flag in another:
        `pnpm -w exec rm` runs `rm`, `npm -w app test` tests `app`.
        """
        if not self.disputed or not any(word.startswith("-") for word in words):
            return (self,)
        flags = replace(self, are_flags=True)
        return (self,) if flags.arguments(words) == self.arguments(words) else (self, flags)

    def _is_flag(self, option: str, found: Arguments) -> bool:
        """Return True if an option that may have a value stands behind a subcommand, or none, of which it is a flag."""
        return self.are_flags and any(
            options.get(option) is OptionKind.FLAG and starts(prefix, found.operands)
            for prefix, options in self.harmless
        )

    def harmless_options(self, arguments: Arguments, *, early: bool = False) -> dict[str, OptionKind] | None:
        """Return the options that are known for a call with these operands; None where the table lists none.

        Those before the subcommand, ``early``, are the program's own: `git -c x=y switch` is not `git switch -c x`.
        """
        fitting = [
            options
            for prefix, options in self.harmless
            if not prefix or (not early and starts(prefix, arguments.operands))
        ]
        return {name: kind for options in fitting for name, kind in options.items()} if fitting else None

    def says_of(self, option: str, arguments: Arguments) -> bool:
        """Return True if a line about such a call says what an option does, whatever its value."""
        rules = (rule for rule in self.rules if not rule.rewrites and starts(rule.words, arguments.operands))
        return any(option in rule.options for rule in rules)

    def _read(self, words: list[str], takes: frozenset[str], stop: int | None) -> Arguments:
        found, at, whole = Arguments(), 0, "whole" in self.is_
        if "bundled" in self.is_ and words and re.fullmatch(r"[A-Za-z]+", words[0]):
            at = self._bundle(found, words, takes)
        while at < len(words):
            word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
            name, equals, value = word.partition("=")
            if stop is not None and len(found.operands) > stop:
                found.operands += words[at:]
                found.places += range(at, len(words))
                break
            if word == "--":
                found.option("--")
                for place in range(at + 1, len(words)):
                    found.operand(words[place], place)
                break
            if not word.startswith("-") or word == "-" or (found.operands and "ordered" in self.is_):
                found.operand(word, at)
            elif equals and (word.startswith("--") or name in self.known or name in takes or whole):
                found.option(name, value)
            elif self._takes(word, takes, found):
                found.option(word, following)
                at += 1
            elif word.startswith("--") or len(word) == len("-x") or word.lower() in self.known or whole:
                found.option(word)
            else:
                at += self._cluster(found, word, following, takes)
            at += 1
        return found

    def _takes(self, word: str, takes: frozenset[str], found: Arguments) -> bool:
        return (word in takes or _lowered(word) in takes) and not self._is_flag(_lowered(word), found)

    def _cluster(self, found: Arguments, word: str, following: str, takes: frozenset[str]) -> int:
        """Read `-rf` as `-r -f` and `-XPOST` as `-X POST`; return how many further words it takes."""
        found.options.setdefault(word.lower(), []).append("")
        for at, letter in enumerate(word[1:], start=2):
            if self._takes(f"-{letter}", takes, found):
                found.option(f"-{letter}", word[at:] or following)
                return 0 if word[at:] else 1
            if not word[at : at + 1].isalnum():
                found.option(f"-{letter}", word[at:])  # `-B/place`: what is no letter belongs to the one before it
                return 0
            found.option(f"-{letter}")
        return 0

    @staticmethod
    def _bundle(found: Arguments, words: list[str], takes: frozenset[str]) -> int:
        """Read the first word of `tar xzfC a.tgz out`, whose values follow in turn; return how many words it takes."""
        at = 1
        for letter in words[0]:
            valued = f"-{letter}" in takes and at < len(words)
            found.option(f"-{letter}", words[at] if valued else "")
            at += valued
        return at


def _completed(parts: list[str], name: str) -> str:
    """Return a name whose parts begin with these; empty if they do not. One that begins with `*` is the last part."""
    ending = name.lstrip("*").removeprefix(":")
    whole = name.split(":") if name == ending else [*parts[:-1], ending]
    pairs = list(zip(parts, whole, strict=False))
    begins = all(each.startswith(part) and each[len(part) :][:1] not in {"-", "_"} for part, each in pairs)
    return ":".join(whole) if ending and begins and len(parts) == len(whole) else ""


def _lowered(name: str) -> str:
    return name if len(name) == len("-x") else name.lower()


def _any(alternatives: tuple[str, ...], operand: str) -> bool:
    lowered = operand.lower()
    return any(fnmatchcase(lowered, one) if "*" in one or "?" in one else lowered == one for one in alternatives)


def starts(prefix: tuple[tuple[str, ...], ...], operands: list[str]) -> bool:
    """Return True if operands begin with these words, of each of which there may be several."""
    return len(operands) >= len(prefix) and all(_any(one, operands[at]) for at, one in enumerate(prefix))


def _option(token: str) -> tuple[frozenset[str], Test]:
    """Return an option's names and the test that one of them is there, with one of its values where it names some.

    Behind `!=` stand values that do not count; `@loopback` stands for all values of that class.
    """
    names, equals, values = token.partition("=")
    is_other = names.endswith("!")
    wanted = frozenset(map(_lowered, names.removesuffix("!").split(",")))
    patterns = tuple(one for one in wanted if "*" in one)
    listed = tuple(values.lower().split("|"))
    of_class = classes.CLASSES.get(values[1:]) if values.startswith("@") else None

    def is_meant(value: str) -> bool:
        return of_class([value], [value]) if of_class else _any(listed, value)

    def test(arguments: Arguments) -> bool:
        fitting = wanted & arguments.options.keys()
        if patterns:
            fitting |= {name for name in arguments.options if _any(patterns, name)}
        given = [value for name in fitting for value in arguments.options[name]]
        return any(is_meant(value) != is_other for value in given) if equals else bool(given)

    return wanted, test


def _not(test: Test) -> Test:
    return lambda arguments: not test(arguments)


def _class(name: str, behind: int) -> Test:
    check = classes.CLASSES[name]
    return lambda arguments: check(arguments.operands[behind:], arguments.values())


def _anywhere(token: str) -> Test:
    alternatives = tuple(token.lower().split("|"))
    return lambda arguments: any(_any(alternatives, operand) for operand in arguments.operands)


def _left(behind: int, *, some: bool) -> Test:
    return lambda arguments: (len(arguments.operands) > behind) == some


def _rule(tokens: list[str], says: str, found: ProgramEntry) -> TableRule:
    words: list[tuple[str, ...]] = []
    tests: list[Test] = []
    otherwise, options, valued, by_value = False, frozenset[str](), frozenset[str](), False
    for part in tokens:
        body = part.removeprefix("!")
        if part == "else":
            otherwise = True
            continue
        if body[0] == "-":
            names, test = _option(body)
            found.known |= names
            valued |= names - found.unvalued if "=" in body else frozenset()
            options |= names if "=" not in body and part == body else frozenset()
            by_value |= "=" in body and part == body
        elif body[0] == "@":
            test = _class(body[1:], len(words))
            by_value |= part == body
        elif body[0] == "~":
            test = _anywhere(body[1:])
            found.anywhere |= {*body[1:].lower().split("|")}
            by_value |= part == body
        elif body in {".", "+"}:
            test = _left(len(words), some=body == "+")
        else:
            words.append(tuple(body.lower().split("|")))
            continue
        tests.append(_not(test) if part[0] == "!" else test)
    found.takes += [(tuple(words), valued)] if valued else []
    plain, *also = re.split(r"\s*>", says)
    effects = tuple(_EFFECTS[name] for name in plain.split())
    directives = [tuple(each.split()) for each in also]
    deeds = tuple(each for each in directives if each[0] in _FILE_DEEDS)
    read = tuple(each for each in directives if each[0] not in _FILE_DEEDS)
    return TableRule(tuple(words), tuple(tests), effects, read, otherwise, options, by_value, deeds)


@cache
def _lines(file: str) -> dict[str, list[str]]:
    """Read a file: every program's lines, without its name."""
    lines: dict[str, list[str]] = {}
    for line in files(__package__).joinpath(file).read_text(encoding="utf-8").splitlines():
        names, _, rest = line.partition(" ")
        if names and not names.startswith("#"):
            for name in names.split("|"):
                lines.setdefault(name, []).append(rest)
    return lines


@cache
def _compiled(name: str) -> ProgramEntry:
    """Compile one program's lines; most programs of the table are never met."""
    found = ProgramEntry()
    for line in _lines(_OPTIONS).get(name, []):
        _add_options(found, line)
    for line in _lines(_PROGRAMS).get(name, []):
        head, colon, says = f" {line}".partition(" : ")
        tokens = head.split()
        if colon:
            found.rules += [_rule(part.split(), says, found) for part in f"{head} ".split(" ; ")]
        elif "knows" in tokens:
            found.subcommands |= {*tokens[1:]}
        elif "takes" not in tokens:
            found.is_ |= {*tokens}
        else:
            at = tokens.index("takes")
            found.takes.append((tuple(tuple(word.split("|")) for word in tokens[:at]), frozenset(tokens[at + 1 :])))
    valued = frozenset[str]().union(*(names for _, names in found.takes))
    flags = (name for _, options in found.harmless for name, kind in options.items() if kind is OptionKind.FLAG)
    found.disputed = not valued.isdisjoint(flags)
    return found


def _add_options(found: ProgramEntry, line: str) -> None:
    """Add a line of options.txt."""
    head, _, said = f" {line}".partition(" : ")
    prefix = tuple(tuple(word.split("|")) for word in head.split())
    given = said.split()
    found.is_ |= {one for one in given if one[0] not in "-+"} - {"makes", "away"}
    found.makes += [prefix] if "makes" in given else []
    found.away += [prefix] if "away" in given else []
    options = dict(map(_option_kind, (one for one in given if one[0] in "-+")))
    if options:
        found.known |= options.keys()
        unvalued = {one for one, kind in options.items() if kind in {OptionKind.FLAG, OptionKind.OPTIONAL}}
        found.unvalued |= unvalued
        found.harmless.append((prefix, options))
        found.takes.append((prefix, frozenset(options.keys() - unvalued)))


def _option_kind(said: str) -> tuple[str, OptionKind]:
    kind = _KINDS.get(said[-1]) if len(said) > len("-x") else None
    return _lowered(said[:-1] if kind else said), kind or OptionKind.FLAG


@lru_cache(maxsize=PROGRAMS_REMEMBERED_MAX)
def _listed(name: str) -> str | None:
    """Return under which name the table has a program: without its ending and its version."""
    plain = name.lower().removesuffix(".exe")
    families = [one for one in _FAMILIES if fnmatchcase(plain, one)]
    names = (plain, plain.rstrip("0123456789."), _VERSION.split(plain)[0], *families)
    return next((one for one in names if one in _lines(_PROGRAMS) or one in _lines(_OPTIONS)), None)


def program(name: str) -> ProgramEntry | None:
    """Return what the table says of a program, by its name without folder, or None where it says nothing."""
    listed = _listed(name)
    return _compiled(listed) if listed else None


@cache
def _section(name: str) -> dict[str, tuple[Effect, ...]]:
    return {word: rule.effects for rule in _compiled(name).rules for word in rule.words[0]}


def word_effects(section: str, word: str) -> tuple[Effect, ...]:
    """Return what the table says of a word in names: `(verb)` is what it would do, `(quiet)` what makes it harmless."""
    return _section(section).get(word, ())


def _is_deed(word: str) -> bool:
    """Return True if a word says that something is done, and cannot name a thing: `restart list`."""
    lowered = word.lower()
    is_deed = word_effects("(verb)", lowered) or word_effects("(change)", lowered)
    return bool(is_deed) and not word_effects("(thing)", lowered)


def fitting(found: ProgramEntry, arguments: Arguments) -> list[TableRule]:
    """Return the lines that fit; those with `else` only where nothing else did."""
    lines = [rule for rule in found.rules if not rule.otherwise and rule.fits(arguments)]
    specific = [rule for rule in lines if (rule.words or rule.tests) and not rule.deeds and not rule.is_fed]
    return lines if specific else lines + [rule for rule in found.rules if rule.otherwise and rule.fits(arguments)]


def counting(found: ProgramEntry, arguments: Arguments) -> list[TableRule]:
    """Return the lines that count: all that fit, or the closest ones where they are harmless (`git rm --cached`).

    Those that say what happens to files stand beside the others, and take the place of none; and whatever a closer
    line says, what a program reads as code it runs (`sed -i '1e ./x'`), unless it only looks (`command -v x`).
    """
    rules = fitting(found, arguments)
    closest = max((rule.closeness for rule in rules if rule.effects and not rule.deeds), default=0)
    nearest = [rule for rule in rules if rule.closeness == closest and not rule.deeds]
    harmless = all(HARMLESS.issuperset(rule.effects) for rule in nearest)
    if not harmless:
        return rules
    by_option = any(rule.options for rule in nearest)  # else what an option does is not told by a subcommand
    only_looks = all(effect is Effect.READS for rule in nearest for effect in rule.effects)
    count: list[TableRule] = []
    for rule in rules:
        if (
            rule.deeds
            or rule.closeness >= closest
            or all(rule.is_deed_beside(one) for one in nearest)
            or (rule.by_value and not HARMLESS.issuperset(rule.effects))
            or (rule.options and not by_option and Effect.READS not in rule.effects)
        ):
            count.append(rule)
        elif rule.also:
            count.append(rule.as_language(_ALWAYS_READ if only_looks else None))
    return count


def may_be_projects(tool: str) -> bool:
    """Return True if a project may have a tool of this name; what only reads or writes files comes from elsewhere."""
    known = program(tool)
    own = {Effect.READS, Effect.WRITES_IN_WORKSPACE}
    return known is not None and any(
        rule.also or not own.issuperset(rule.effects) for rule in known.rules if not rule.tests
    )
