"""What names say of themselves: `make deploy`, `npm run db:reset`, `./send-mail.sh`, `acme users list`, `pdfinfo`."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import dropwhile, pairwise, takewhile
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
    r"|.*-(?:analyzer|bench|dashboard|docs|mock|score|server|ui|validator|watcher)|.*(?:serve|httpd)|(?!s)[a-z]{1,2}top"
)
"""Programs called so look, compare, check, serve, or turn one file into another: `pdfinfo`, `lspci`, `md2html`."""
_UNDONE = re.compile(r"(?:no|without|skip|dry|ignore|exclude)-")
"""Options that say what is *not* done: `--no-delete`."""
_SHOWS = re.compile(
    r"--?(?:list|show|print|status|info|inspect|describe|query|search|count|check|diff|get|dump|display|scan|lint|audit|test)"
    r"[-a-z]*(?:=.*)?"
)
_TRIAL = r"(?:dry-?run|what-?if|noop|no-act|simulate|just-print)"
_NO = re.compile(r"false|none|no|off|n|f|0", re.IGNORECASE)
_TRIES = re.compile(rf"--?{_TRIAL}(?:=(?!(?:{_NO.pattern})$).*)?", re.IGNORECASE)
_TRIES_NOT = re.compile(rf"--no-{_TRIAL}(?:=.*)?|--?{_TRIAL}=(?:{_NO.pattern})", re.IGNORECASE)
_ASKS = re.compile(r"--?(?:help|version|usage)|-[hHV?]")
_SERVES = re.compile(r"--(?:serve|dev|hot|live-?reload|port)(?:=.*)?")
_HERE = re.compile(r"(?:https?://)?(?:localhost|127\.0\.0\.1)(?::\d+)?(?:/[\w./-]*)?")
_REMOTE = re.compile(r"://[^/]")
_PLACE_HERE = rf"\d+|\./[\w./-]*|{_HERE.pattern}"
_STAYS_HERE = re.compile(rf"--?[A-Za-z][A-Za-z-]*(?:=?(?:{_PLACE_HERE}|true|false))?|{_PLACE_HERE}")
"""What a local server is told, or who asks one, and nothing else: no host, no address, no name that may be one, nor any
in an option (`--peer=example.org`, `-hexample.org`)."""
_RUNNABLE = re.compile(r"\w[\w./-]*\.(?:py|m?[jt]sx?|rb|go|rs|php|java|kts?)")
_LISTS = frozenset({"list", "ls", "status", "version", "scan"})
_FLAGS = frozenset({"push", "upload", "deploy"})
"""Options that name a thing as well, but stand for a deed when they are all of the option."""
_APPLIES = re.compile(r"--auto-?(?:apply|approve|deploy|publish)(?:=true)?")
_CONFIGURATIONS = frozenset({"config", "configure", "configuration"})
_SETS = frozenset({"--edit", "--unset", "--unset-all", "--add", "--append", "--set", "--replace-all", "--remove"})
_SET_WORDS = frozenset(
    {"set", "add", "unset", "edit", "append", "use", "activate", "import", "delete", "remove", "rename"}
)
_TARGETS = frozenset(
    {"account", "auth", "buildx", "cluster", "connection", "context", "namespace", "org"}
    | {"profile", "project", "server", "stack", "subscription", "team", "workspace"}
)
_CHOOSES = frozenset({"select", "set", "switch", "use", "activate"})
"""Words by which a tool is told on what its later calls work, and what is chosen."""
_KEY_AND_VALUE = 2
"""Two words behind `config` name what is set and to what; the end counts as one more."""
_TESTS = frozenset({"test", "tests", "spec", "e2e", "unit"})
_PARTS = frozenset({"plugin", "module", "extension", "integration", "addon"})
_ADDS = frozenset({"add", "install", "i", "run", "update", "upgrade", "exec", "get", "link"})
_ITSELF = re.compile(r"self[-_:]?(?:update|upgrade|install)|(?:upgrade|update|reinstall|install)-all")
_RENEWS = frozenset({"update", "upgrade", "install"})
_KEYS = frozenset({"key", "keys"})
_ASKS_ALONE = re.compile(r"-[vl]|--list")
_SHELL_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|ps1|bat|cmd)$", re.IGNORECASE)
_TURNS = re.compile(r".*[a-z]2[a-z]+")
"""Programs called so turn one file into another."""
_STARTS = frozenset({"start", "install"})
_STORES = frozenset({"db", "database", "databases", "migrate", "migration", "migrations"})
_AFRESH = frozenset(
    {"fresh", "refresh", "redo", "undo", "clear", "clean", "empty", "recreate", "rebuild", "sync", "prune"}
)
"""What a task does to a database that loses its rows, though elsewhere the same word loses nothing."""


def by_name(name: str, *, production: bool = True) -> Effect | None:
    """Return what a name's verb says, or None; beside `test`, `check` or `build` only a deed at its head speaks."""
    if not _NAME.fullmatch(name) or name.istitle():
        return None
    words = _words(name)
    said = words[:1] if any(word_effects("(quiet)", word) for word in words) else words
    if said != words and _names_thing(name):
        return None
    found = next((effect for word in said for effect in word_effects("(verb)", word)), None)
    if found is None and said == words and _loses_rows(words):
        return Effect.DELETES
    if found is None and said == words and production and is_production(name) and not _STARTS.intersection(words):
        return Effect.TOUCHES_PRODUCTION
    return found


def _loses_rows(words: list[str]) -> bool:
    """Return True if a name is that of a task which empties a database, or takes a migration back: `migrate:fresh`."""
    is_back = "down" in words and any(word.startswith("migrat") for word in words)
    return is_back or not (_STORES.isdisjoint(words) or _AFRESH.isdisjoint(words))


def is_quiet(name: str) -> bool:
    """Return True if a task of this name only builds or looks."""
    return any(word_effects("(quiet)", word) for word in _words(name)) or _is_look(name)


def runs_tests(words: Iterable[str]) -> bool:
    """Return True if the first word that builds, looks or tests says that it tests: `rails test`, `run test:e2e`."""
    named = _words(next(filter(is_quiet, words), ""))
    return next((word for word in named if word_effects("(quiet)", word)), "") in _TESTS


class SaidOfItself(NamedTuple):
    """What a program that nobody knows says of itself: a deed, that it only shows something, or that it only tries."""

    verb: Effect | None
    shows: bool
    tries: bool
    writes: bool


def said_of_stranger(program: str, rest: Sequence[str]) -> SaidOfItself:
    """Return what the name of a program that nobody knows, and the words behind it, say.

    Where a secret is named, only a list is a look; where the computer's own files are, nothing is.
    """
    options = [one for one in takewhile(lambda one: one != "--", rest) if one.startswith("-")]
    named = list(takewhile(lambda one: one[:1] != "-", dropwhile(lambda one: one[:1] == "-", rest)))
    verb, quiet = said_by(named, options)
    own = by_name(program, production=False)
    verb = verb if quiet and own and _names_thing(program) else own or verb
    called_so = _LOOKS.fullmatch(program) and not _names_thing(program)
    called_so = called_so and not any(map(_is_change, _subcommands(named)))
    is_closed = verb or is_delicate((program, *named)) or any(map(_reaches_out, rest))
    is_closed = is_closed or any(map(_SHELL_SCRIPT.search, named[:1]))
    shows = bool(quiet or called_so or _serves(rest) or _runs_script(named, options)) and not is_closed
    return SaidOfItself(verb, shows, tries(options, rest), _TURNS.fullmatch(program) is not None)


def _serves(rest: Sequence[str]) -> bool:
    """Return True if options start a local server, or an operand is one, and nothing is named that may be elsewhere."""
    return any(_SERVES.fullmatch(one) or _HERE.fullmatch(one) for one in rest) and all(map(_STAYS_HERE.fullmatch, rest))


def _runs_script(named: Sequence[str], options: Sequence[str]) -> bool:
    """Return True if scripts of the project are run, with no option that may say where: `chainlit run app.py -w`."""
    plain = all(len(one) == len("-x") or _SERVES.fullmatch(one) for one in options)
    return plain and len(named) > 1 and named[0] == "run" and all(map(_RUNNABLE.fullmatch, named[1:]))


def _reaches_out(word: str) -> bool:
    """Return True if a word names another machine or the computer's own files, or has a server answer to everybody."""
    value = word.partition("=")[2] or word
    return (
        is_system(value)
        or value.startswith("..")
        or "0.0.0.0" in value  # noqa: S104  looked for, not bound
        or (bool(_REMOTE.search(word)) and not _HERE.fullmatch(value))
    )


def brings_in(operands: Sequence[str]) -> bool:
    """Return True if subcommands have a program fetch a part of it, or a newer one of itself, to be run.

    A part is named behind them: `plugin install x`; `module run` alone may be a task of the project.
    """
    if len(operands) == 1:
        return _ITSELF.fullmatch(operands[0]) is not None
    words = [one.lower() for one in takewhile(_SUBCOMMAND.fullmatch, operands[: SUBCOMMANDS_MAX + 1])]
    renews = words[:1] == ["self"] and not _RENEWS.isdisjoint(words[1:2])
    return (
        renews
        or any(map(_ITSELF.fullmatch, words[:1]))
        or any(
            of.removesuffix("s") in _PARTS and deed in _ADDS and len(operands) > at
            for at, (of, deed) in enumerate(pairwise(words), start=2)
        )
    )


def configures(operands: Sequence[str], options: Collection[str]) -> bool:
    """Return True if a tool is told to change its configuration, by which it may run or send something later.

    `config KEY` reads, `config KEY VALUE` sets; a look that is named beside it is one (`config list`).
    """
    word, *rest = [*operands, ""]
    if word.lower() not in _CONFIGURATIONS or "--local" in options:
        return False  # what is the project's own is judged by the file that it lies in
    if not _SETS.isdisjoint(options):
        return True
    first = next(iter(_words(rest[0])), "") if rest[0] else ""
    return first in _SET_WORDS or (word.lower() == "config" and len(rest) > _KEY_AND_VALUE and not _is_look(rest[0]))


def chooses_target(operands: Sequence[str]) -> bool:
    """Return True if a tool is told on what its later calls work: `workspace select prod`, `account set`."""
    words = [one.lower() for one in takewhile(_SUBCOMMAND.fullmatch, operands[:SUBCOMMANDS_MAX])]
    return any(thing in _TARGETS and deed.partition("-")[0] in _CHOOSES for thing, deed in pairwise(words))


def applies(options: Iterable[str]) -> bool:
    """Return True if options have a plan carried out that would only be shown without them."""
    return any(map(_APPLIES.fullmatch, options))


def only_lists(words: Sequence[str]) -> bool:
    """Return True if a program that knows secrets is only asked which there are."""
    return len(words) == 1 and words[0] in _LISTS


def is_delicate(words: Sequence[str]) -> bool:
    """Return True if words name a secret, and do not only ask which there are."""
    return any(names_secret(word) or word in _KEYS for word in words) and _LISTS.isdisjoint(words)


def tries(options: Sequence[str], words: Sequence[str]) -> bool:
    """Return True if options ask what would be done without doing it, or, as a call's last word, for help or a list."""
    alone = len(words) == 1 and any(map(_ASKS_ALONE.fullmatch, options))
    asks = len(words) <= HELP_WORDS_MAX and any(map(_ASKS.fullmatch, set(options).intersection(words[-1:])))
    return alone or asks or rehearses(options, words)


def rehearses(options: Iterable[str], words: Sequence[str]) -> bool:
    """Return True if options ask what would be done without doing it, and nothing takes that back."""
    taken_back = any(map(_TRIES_NOT.fullmatch, words)) or any(
        _TRIES.fullmatch(word) and _NO.fullmatch(following) for word, following in pairwise(words)
    )
    return any(map(_TRIES.fullmatch, options)) and not taken_back


def said_by(words: Iterable[str], options: Collection[str]) -> tuple[Effect | None, bool]:
    """Return what subcommands and options say would be done, and whether they say that it is only a look.

    A thing's name yields to a look behind it (`release list`), a deed does not (`users delete list`), and no look is
    left beside a change (`docs create`); options speak only of deeds, for `--message` and `--release` name things.
    """
    verb, quiet, deed = None, False, False
    for word in _subcommands(words):
        found = by_name(word, production=False)
        if found:
            verb, quiet, deed = verb or found, False, deed or not _names_thing(word)
        elif _is_change(word):
            quiet, deed = False, True
        elif _is_look(word) or (is_quiet(word) and verb is None):
            verb, quiet = verb if deed else None, not deed
    for option in options:
        name = option.lstrip("-").partition("=")[0]
        if option.startswith("--") and not _UNDONE.match(name) and (name in _FLAGS or not _names_thing(name)):
            verb = verb or by_name(name, production=False)
        quiet = quiet or _SHOWS.fullmatch(option) is not None
    verb = verb or (Effect.TOUCHES_PRODUCTION if applies(options) else None)
    return verb, quiet and verb is None


def plain_deed(words: Sequence[str]) -> Effect | None:
    """Return what a single word says that is a deed, and neither names a thing nor may be part of a name."""
    deeds = (by_name(word, production=False) for word in words if word.isalpha() and not _names_thing(word))
    return next(deeds, None)


def only_shows(words: Sequence[str], options: Collection[str]) -> bool:
    """Return True if a program that would do harm is asked to show something, and nothing else."""
    _, quiet = said_by(words, options)
    return quiet and not is_delicate(words) and (not words or any(map(_is_look, _subcommands(words)[:2])))


def _subcommands(words: Iterable[str]) -> list[str]:
    return list(takewhile(_SUBCOMMAND.fullmatch, words))[:SUBCOMMANDS_MAX]


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(re.split(r"[/\\]", name.rstrip("/\\"))[-1])]


def _is_look(name: str) -> bool:
    words = _words(name)
    return name.endswith("info") or any(word_effects("(look)", word) for word in (*words[:1], *words[-1:]))


def _is_change(name: str) -> bool:
    words = _words(name)
    return bool(words) and bool(word_effects("(change)", words[0]))


def _names_thing(name: str) -> bool:
    return any(word_effects("(thing)", word) for word in _words(name))
