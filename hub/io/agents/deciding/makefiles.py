"""What make runs for some targets: the rules that lead there, and the makefiles that they stand in.

The reader understands rules, includes, and variables that are set once and to plain words. Whatever is computed
(functions, `define`, `!=`, a variable with several values), and whatever lets make rewrite a makefile before it reads
it, is unclear. Both branches of a condition count. Source: GNU make manual, sections 3 (makefiles), 6 and 10.
"""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.provenance import say
from hub.io.agents.deciding.lines import HARMLESS_SETTINGS
from hub.io.agents.deciding.look import DecidingFiles
from hub.sense.how_to_test import MAKEFILES

EXPANDED_MAX = 16
"""So often a line is expanded; variables that name each other in a circle end there."""
EXPANDED_CHARS_MAX = 4_000
RULES_MAX = 2_000
TARGETS_MAX = 500
REMADE_FROM = (
    ".sh", ".c", ".cc", ".C", ".cpp", ".p", ".f", ".F", ".m", ".r", ".s", ".S", ".mod", ".sym", ".o", ".y", ".l", ".w",
    ".web", ".cweb", ".tex", ".texi", ".texinfo", ".txinfo", ".ch", ".lm", ".ym", ".def", ".a", ",v",
)  # fmt: skip
"""Endings from which make's own rules make a file: a Makefile.sh becomes the Makefile, x.c becomes x.o."""
CHOOSING = frozenset({
    "SHELL", ".SHELLFLAGS", "PATH", "MAKE", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MAKEFILE_LIST", "HOME", "VPATH",
    ".RECIPEPREFIX", ".DEFAULT_GOAL", "BASH_ENV", "ENV", "LD_PRELOAD", "LD_LIBRARY_PATH", ".LIBPATTERNS", "IFS",
    "VIRTUAL_ENV",
})  # fmt: skip
"""Variables that choose the shell, where programs are found, or how make reads."""
ORDINARY = frozenset({
    ".PHONY", ".SILENT", ".PRECIOUS", ".INTERMEDIATE", ".SECONDARY", ".DELETE_ON_ERROR", ".IGNORE", ".NOTPARALLEL",
})  # fmt: skip
"""Targets with a point that change neither how make reads nor what it runs; all others do, or are suffix rules."""
_CONDITION = re.compile(r"\s*(ifeq|ifneq|ifdef|ifndef|else|endif)\b")
_INCLUDE = re.compile(r"(-include|sinclude|include)\s+(.*)")
_RUNS = re.compile(
    r"\$[({]\s*(shell|eval|file|guile)\b|^\t\s*\S|\\#|\r|"
    r"^\s*((override|export|private)\s+)*(define|load|-load|vpath|undefine)\b"
)
"""What runs as make reads, or reads otherwise than line by line; also where a line's end is hard to tell."""
_ASSIGNMENT = re.compile(
    r"((?:(?:export|override|private)\s+)*)([^\s:#=+?!]+)\s*(:::|::|:|\+|\?|!)?=\s*(.*)", re.DOTALL
)
_VARIABLE = re.compile(r"\$\(([A-Za-z0-9_.-]+)\)|\$\{([A-Za-z0-9_.-]+)\}|\$([@])")


class MakeRule(Value):
    """One rule: its targets, what comes before them, and the lines of its recipe."""

    targets: tuple[str, ...]
    before: tuple[str, ...] = ()
    recipe: tuple[str, ...] = ()


class Makefile:
    """The makefiles that one call of make reads."""

    def __init__(self, look: DecidingFiles, folder: Path, given: dict[str, str]) -> None:
        self._look = look
        self._folder = folder
        self._variables: dict[str, set[str]] = {name: {value} for name, value in given.items()}
        self._given = frozenset(given)
        self._rules: list[MakeRule] = []
        self._read: list[str] = []

    def read(self, name: str, *, needed: bool = True) -> None:
        """Read a makefile and those that it includes."""
        if name in self._read:
            return
        self._read.append(name)
        text = self._look.text(self._folder / name)
        if text is None:
            if needed:
                self._look.doubt(say("{name}, which make reads, is not there yet", name=name))
            return
        self._parse(name, text)

    def run(self, goals: tuple[str, ...], line: Callable[[str], None]) -> None:
        """Follow the goals, or the first target, and hand on each line of a recipe that they lead to."""
        for name in self._read:
            self._may_be_made_first(name)
        waiting = list(goals or self._first())
        seen: set[str] = set()
        while waiting:
            goal = waiting.pop(0)
            if goal in seen:
                continue
            seen.add(goal)
            if len(seen) > TARGETS_MAX or any(sign in goal for sign in "$%*?[~("):
                self._look.doubt(say("the target {goal} is computed", goal=goal[:60]))
                return
            waiting += self._follow(goal, line)

    def _follow(self, goal: str, line: Callable[[str], None]) -> list[str]:
        rules = [rule for rule in self._rules if any(_means(target, goal) for target in rule.targets)]
        lines = [text for rule in rules for text in rule.recipe]
        if not lines and not self._is_phony(goal):
            self._may_be_made_from(goal)
        for text in lines:
            line(self._expanded(text, goal).lstrip("@-+ \t"))
        return [self._expanded(name, goal) for rule in rules for name in rule.before]

    def _is_phony(self, goal: str) -> bool:
        return any(".PHONY" in rule.targets and goal in rule.before for rule in self._rules)

    def _first(self) -> tuple[str, ...]:
        names = (name for rule in self._rules for name in rule.targets if "%" not in name)
        first = next((name for name in names if not name.startswith(".") or "/" in name), "")
        return (first,) if first else ()

    def _may_be_made_first(self, name: str) -> None:
        """Note a makefile that make may write before it reads it."""
        self._may_be_made_from(name)
        targets = [target for rule in self._rules for target in rule.targets]
        if any("$" in target or _means(target, name) for target in targets):
            self._look.doubt(say("make may make {name} before it reads it", name=name))

    def _may_be_made_from(self, name: str) -> None:
        """Note a file that make's own rules may write, or run something for, from one that nobody hashed."""
        path = self._folder / name
        beside = {path.with_name(f"{stem}{ending}") for stem in {path.name, path.stem} for ending in REMADE_FROM}
        kept = {path.parent / place.format(path.name) for place in ("RCS/{}", "RCS/{},v", "SCCS/s.{}", "s.{}")}
        source = min((each for each in (beside | kept) - {path} if each.exists()), default=None)
        if source is not None:
            self._look.doubt(
                say(
                    "make may make {name} from {source} by a rule of its own",
                    name=name,
                    source=self._look.name_of(source),
                )
            )

    def _parse(self, name: str, text: str) -> None:
        current, recipe = MakeRule(targets=()), list[str]()
        for line in (*_joined(text), None):
            if line is not None and current.targets and line.startswith("\t"):
                recipe.append(line[1:])
                continue
            bare = "" if line is None else _without_comment(line)
            if line is not None and not _RUNS.search(line) and (not bare or _CONDITION.match(line)):
                continue
            if current.targets:
                self._rules.append(replace(current, recipe=(*current.recipe, *recipe)))
            current, recipe = MakeRule(targets=()), []
            if len(self._rules) > RULES_MAX:
                self._look.doubt(say("{name} has more than {limit} rules", name=name, limit=RULES_MAX))
                return
            if line is not None:
                current = self._statement(name, line, bare)

    def _statement(self, name: str, line: str, bare: str) -> MakeRule:
        """Take one line that is no recipe's; return the rule that it begins, one without targets for none."""
        included, assigned = _INCLUDE.fullmatch(bare), _ASSIGNMENT.fullmatch(bare)
        if _RUNS.search(line):
            self._look.doubt(say("{name} computes what it does: {line}", name=name, line=line.strip()[:60]))
        elif included:
            self._include(name, self._expanded(included.group(2), ""), needed=included.group(1) == "include")
        elif assigned:
            self._assign(name, *assigned.groups(default=""))
        elif bare.split(maxsplit=1)[0] in {"export", "unexport"}:
            self._hand_on(name, bare.split()[1:])
        else:
            return self._rule(name, bare)
        return MakeRule(targets=())

    def _rule(self, name: str, line: str) -> MakeRule:
        head, colon, rest = line.partition(":")
        targets = tuple(self._expanded(head.removesuffix("&"), "").split())
        rest = rest.removeprefix(":")
        assigned = _ASSIGNMENT.fullmatch(rest.strip())
        if assigned:
            exported, variable, _, value = assigned.groups(default="")
            self._assign(name, exported, variable, "+", value)
            return MakeRule(targets=())
        needs, semicolon, inline = rest.partition(";")
        if not colon or ":" in needs or any(each.startswith(".") and "/" not in each for each in {*targets} - ORDINARY):
            self._look.doubt(say("{name} has a line that is not a plain rule: {line}", name=name, line=line[:60]))
        before = tuple(word for word in self._expanded(needs, "").split() if word != "|")
        return MakeRule(
            targets=targets, before=before, recipe=(inline.strip(),) if semicolon and inline.strip() else ()
        )

    def _include(self, name: str, words: str, *, needed: bool) -> None:
        if any(sign in words for sign in "$*?[~"):
            self._look.doubt(say("{name} includes what is computed: {words}", name=name, words=words[:60]))
            return
        for word in words.split():
            self.read(word, needed=needed)

    def _assign(self, name: str, before: str, variable: str, kind: str, value: str) -> None:
        if kind == "!" or variable in CHOOSING or "$" in variable:
            self._look.doubt(
                say("{name} sets {variable}, which may choose what runs", name=name, variable=variable[:60])
            )
        if "export" in before:
            self._hand_on(name, [variable])
        if variable not in self._given:
            more = {"\0"} if kind == "+" else set()
            self._variables.setdefault(variable, set()).update({value.strip(), *more})

    def _hand_on(self, name: str, variables: list[str]) -> None:
        """Take note of variables that the commands get in their environment; none named is all of them."""
        if not variables or not HARMLESS_SETTINGS.issuperset(variables):
            self._look.doubt(
                say("{name} hands on {variables}", name=name, variables=" ".join(variables)[:60] or "all its variables")
            )

    def _expanded(self, text: str, goal: str) -> str:
        """Replace the variables that have one value; what is left of `$` is unclear where it matters."""
        for _ in range(EXPANDED_MAX):
            if len(text) > EXPANDED_CHARS_MAX:
                return f"{text[:60]}$"
            replaced = _VARIABLE.sub(lambda found: self._value(found, goal), text.replace("$$", "\1"))
            replaced = replaced.replace("\1", "$$")
            if replaced == text:
                break
            text = replaced
        return text

    def _value(self, found: re.Match[str], goal: str) -> str:
        name = found.group(1) or found.group(2) or found.group(3)
        if name == "MAKE":
            return "make"
        if name == "@":
            return goal or found.group(0)
        value = next(iter(values)) if len(values := self._variables.get(name, set())) == 1 else None
        return found.group(0) if value is None or len(value) > EXPANDED_CHARS_MAX else value


def chosen(look: DecidingFiles, folder: Path) -> str:
    """Return the makefile that make takes where none is named, and keep the digests of those that lie beside it."""
    there = [name for name in MAKEFILES if look.text(folder / name) is not None]
    return there[0] if there else ""


def _means(target: str, goal: str) -> bool:
    """Return True if a rule's target may stand for this goal; `%` is anything."""
    if "%" in target:
        return fnmatchcase(goal, re.sub(r"[*?[]", "?", target).replace("%", "*"))
    return target.removeprefix("./") == goal.removeprefix("./")


def _without_comment(line: str) -> str:
    """Return a line without its comment; behind a semicolon a recipe begins, whose `#` is the shell's."""
    bare = line.partition("#")[0]
    return (line if ";" in bare else bare).strip()


def _joined(text: str) -> list[str]:
    """Return a text's lines, each with those that continue it.

    A recipe's go to the shell as they are, which joins them without a space, and not in quotes or behind a comment:
    there the backslash stays, and the line is not plain.
    """
    lines: list[str] = []
    waiting = ""
    for line in text.split("\n"):
        is_recipe = (waiting or line).startswith("\t")
        more = line.removeprefix("\t") if waiting and is_recipe else line.lstrip(" \t") if waiting else line
        whole = f"{waiting}{more}"
        if (len(whole) - len(whole.rstrip("\\"))) % 2 == 0:
            lines.append(whole)
            waiting = ""
        elif is_recipe:
            waiting = whole if any(sign in whole for sign in "'\"#") else whole[:-1]
        else:
            waiting = f"{whole[:-1].rstrip()} "
    return [*lines, waiting]
