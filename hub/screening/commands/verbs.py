"""What names say of themselves: `make deploy`, `npm run db:reset`, `./send-mail.sh`, `acme users list`, `pdfinfo`."""

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_production, is_system, names_secret
from hub.screening.commands.table import word_effects

SUBCOMMANDS_MAX = 3
"""`acme project users delete`: so many words behind a program may say what it does."""
HELP_WORDS_MAX = 4
"""`gh cs code --help`: where more words stand before it, it may be meant for something else."""
_WORD = re.compile(r"[A-Za-z][a-z]*|[A-Z]+")
_NAME = re.compile(r"[\w./:@+\\-]{1,80}")
_SUBCOMMAND = re.compile(r"[A-Za-z]+(?:[:_-][A-Za-z]+)*")
_LOOKS = re.compile(
    r"(?:list|get|show|print|check|is|find|count|view)-.+|ls[a-z]{2,7}|.*[a-z]2[a-z]+"
    r"|.*(?:info|stats?|probe|lint|linter|fmt|check|checker|diff|grep|cat|view|viewer|sums?|tree|tests?|detect|query)"
)
"""Programs called so look, compare, check, or turn one file into another: `pdfinfo`, `lspci`, `sha3sum`, `md2html`."""
_UNDONE = re.compile(r"(?:no|without|skip|dry|ignore|exclude)-")
"""Options that say what is *not* done: `--no-delete`."""
_SHOWS = re.compile(
    r"--?(?:list|show|print|status|info|inspect|describe|query|search|count|check|diff|get|dump|display)[-a-z]*(?:=.*)?"
)
_TRIES = re.compile(r"--?(?:dry-?run|what-?if|noop|no-act|simulate|just-print)(?:=(?!false|none|0).*)?")
_ASKS = re.compile(r"--?(?:help|version|usage)|-[hHV?]")
_LISTS = frozenset({"list", "ls", "status", "version"})
_ASKS_ALONE = re.compile(r"-[vl]|--list")
_STARTS = frozenset({"start", "install"})


def by_name(name: str, *, production: bool = True) -> Effect | None:
    """Return what a name's verb says, or None; beside `test`, `check` or `build` only a deed at its head speaks."""
    if not _NAME.fullmatch(name) or name.istitle():
        return None
    words = _words(name)
    said = words[:1] if any(word_effects("(quiet)", word) for word in words) else words
    if said != words and _names_thing(name):
        return None
    found = next((effect for word in said for effect in word_effects("(verb)", word)), None)
    if found is None and said == words and production and is_production(name) and not _STARTS.intersection(words):
        return Effect.TOUCHES_PRODUCTION
    return found


def is_quiet(name: str) -> bool:
    """Say whether a task of this name only builds or looks."""
    return any(word_effects("(quiet)", word) for word in _words(name)) or _is_look(name)


class SaidOfItself(NamedTuple):
    """What a program that nobody knows says of itself: a deed, that it only shows something, or that it only tries."""

    verb: Effect | None
    shows: bool
    tries: bool


def said_of_stranger(program: str, rest: Sequence[str]) -> SaidOfItself:
    """Return what the name of a program that nobody knows, and the words behind it, say.

    Where a secret is named, only a list is a look; where the computer's own files are, nothing is.
    """
    options = [one for one in takewhile(lambda one: one != "--", rest) if one.startswith("-")]
    named = list(takewhile(lambda one: one[:1] != "-", dropwhile(lambda one: one[:1] == "-", rest)))
    verb, quiet = said_by(named, options)
    verb = by_name(program, production=False) or verb
    is_delicate = any(map(names_secret, (program, *named))) and _LISTS.isdisjoint(rest)
    reaches = any(is_system(one.partition("=")[2] or one) for one in rest)
    shows = (quiet or _LOOKS.fullmatch(program) is not None) and verb is None and not is_delicate and not reaches
    return SaidOfItself(verb, shows, tries(options, rest))


def tries(options: Sequence[str], words: Sequence[str]) -> bool:
    """Say whether options ask what would be done without doing it, or, as a call's last word, for help or a list."""
    alone = len(words) == 1 and any(map(_ASKS_ALONE.fullmatch, options))
    asks = len(words) <= HELP_WORDS_MAX and any(map(_ASKS.fullmatch, set(options).intersection(words[-1:])))
    return alone or asks or any(map(_TRIES.fullmatch, options))


def said_by(words: Iterable[str], options: Iterable[str]) -> tuple[Effect | None, bool]:
    """Return what subcommands and options say would be done, and whether they say that it is only a look.

    A thing's name yields to a look behind it (`release list`), a deed does not (`users delete list`); options speak
    only of deeds, for `--message` and `--release` name things.
    """
    verb, quiet, deed = None, False, False
    for word in _subcommands(words):
        found = by_name(word, production=False)
        if found:
            verb, quiet, deed = verb or found, False, deed or not _names_thing(word)
        elif _is_look(word) or (is_quiet(word) and verb is None):
            verb, quiet = verb if deed else None, not deed
    for option in options:
        name = option.lstrip("-").partition("=")[0]
        if option.startswith("--") and not _UNDONE.match(name) and not _names_thing(name):
            verb = verb or by_name(name, production=False)
        quiet = quiet or _SHOWS.fullmatch(option) is not None
    return verb, quiet and verb is None


def only_shows(words: Sequence[str], options: Iterable[str]) -> bool:
    """Say whether a program that would do harm is asked to show something, and nothing else."""
    _, quiet = said_by(words, options)
    return quiet and (not words or any(map(_is_look, _subcommands(words)[:2])))


def _subcommands(words: Iterable[str]) -> list[str]:
    return list(takewhile(_SUBCOMMAND.fullmatch, words))[:SUBCOMMANDS_MAX]


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(re.split(r"[/\\]", name.rstrip("/\\"))[-1])]


def _is_look(name: str) -> bool:
    words = _words(name)
    return any(word_effects("(look)", word) for word in (*words[:1], *words[-1:]))


def _names_thing(name: str) -> bool:
    return any(word_effects("(thing)", word) for word in _words(name))
