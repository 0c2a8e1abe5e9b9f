"""Which patterns a person is offered for what an agent asks: narrow ones, read from what is on the card.

Theory: a grant is for what was seen. A call is alike in program, subcommand, exactly its options, its folder, host and
branch; only what is known to be data, and files of the chosen places, may be others. What is grave is never offered,
nor what says what runs by itself; what may do anything (unknown code, messages, the system) is offered word for word
only. A pattern keeps the effects that were on the card, and what fits it may have no other.
"""

import posixpath
import re

from hub.contract.effects import Effect
from hub.contract.permission import Act, CallField, Permission
from hub.contract.phrasing import Phrasing
from hub.contract.words import Risk
from hub.domain.canonical import visible
from hub.domain.permission_grant import FORM, CallPattern, PermissionPattern
from hub.domain.worded import Worded
from hub.may.plain_lines import PlacedCall, placed_calls
from hub.may.rule_files import changes_rules, is_open, steps_up
from hub.may.variations import varied
from hub.screening.acts import ActReading, read_act
from hub.screening.commands import read_command
from hub.screening.commands.operands import is_secret, is_system
from hub.screening.rule_files import names_rules

NEVER = frozenset({Effect.READS_SECRETS, Effect.PAYS, Effect.CHANGES_PERMISSIONS, Effect.TOUCHES_PRODUCTION})
"""A person is asked about these each time, whatever they let an agent do."""
WORD_FOR_WORD = frozenset({Effect.RUNS_UNKNOWN_CODE, Effect.MESSAGES, Effect.CHANGES_SYSTEM})
"""These may be granted for one command as it stands, and for none that is like it."""
DELETERS = frozenset({"rm", "rmdir", "unlink"})
TEXT_CHARS_MAX = 2_000
"""A longer command is not granted: nobody knows it again."""
_BRANCH = re.compile(r"(?!HEAD$)[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*")
_PUSHES = re.compile(r"\bgit\b[^;&|\n]*\bpush\b")
_PAGE = re.compile(r"(https?)://([A-Za-z0-9.:\[\]-]+)(/[^\s\\?#]*)?")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+(?:[/?#][^\s\\]*)?")
_FREE = frozenset({"timeout", "timeout_ms", "timeoutMs"})
"""Settings that say no more than how long something may take."""
_OFF = frozenset({"", "false", "null", "none", "0"})
WILD = re.compile(r"[*?\[\]{}~$`!]")
_HOME = re.compile(r"(?:/(?:home|Users)/[^/]+|/root)(?:/\..*)?|/var/tmp|/[^/]*")
"""A home, what is hidden in one, a folder that everybody has: no project."""


def _why(code: str, text: str) -> Worded:
    return Worded(text=text, wording=Phrasing(code=f"asked_each.{code}"))


_ANOTHER = _why("another", "Every plan or question is different.")
_TOO_GRAVE = _why("too_grave", "This is too serious to allow in advance.")
_NO_PROJECT = _why("no_project", "Permissions apply to a project folder, and this agent is not working in one.")
_TOO_LONG = _why("too_long", "It is too long to recognise again.")
_NO_PAGE = _why("no_page", "It names no website.")
_RULES = _why("rules", "It touches files that decide what runs automatically, or what an agent may do.")
_OPEN_ENDED = _why(
    "open_ended", "It writes files that it does not name, and one of them may decide what runs automatically."
)
_NO_BRANCH = _why("no_branch", "It does not say which branch it pushes, or where.")
_SETTINGS = _why("settings", "Settings outside its text affect how it runs.")
_UNKNOWN_FIELDS = _why("unknown_fields", "It has fields that Pulse does not recognise.")
_OUTSIDE = _why("outside", "The file is outside the project folder.")


def patterns_for(asked: Permission) -> tuple[PermissionPattern, ...]:
    """Return what may be granted on this card, the wider first; nothing where `why_not` says why."""
    if why_not(asked):
        return ()
    reading = _read(asked)
    match asked.act:
        case Act.COMMAND:
            return (*_of_alike(asked, reading), _exactly(asked, reading))
        case Act.EDIT | Act.READ:
            return (_of_files(asked, reading),)
        case Act.FETCH if site_of(asked.target):
            return (_pattern(asked, reading, site=site_of(asked.target)),)
    return (_exactly(asked, reading),)


def why_not(asked: Permission) -> Worded | None:
    """Return why this is asked about each time; None where it may be granted."""
    reading = _read(asked)
    place = posixpath.normpath(asked.folder) if asked.folder else ""
    if asked.act in {Act.PLAN, Act.QUESTION}:
        return _ANOTHER
    if asked.act is not Act.FETCH and any(map(names_rules, _names(asked, place))):
        return _RULES
    if not NEVER.isdisjoint(reading.effects) or reading.risk is Risk.HIGH:
        return _TOO_GRAVE
    if not place.startswith("/") or _HOME.fullmatch(place) or (is_system(place) and not _is_project_of(place)):
        return _NO_PROJECT
    if asked.left_out or len(asked.text) > TEXT_CHARS_MAX:
        return _TOO_LONG
    if asked.unknown_fields:
        return _UNKNOWN_FIELDS
    if any(one.value.lower() not in _OFF for one in settings_of(asked)):
        return _SETTINGS
    return _rules(asked, place) or _too_wide(asked, place)


def settings_of(asked: Permission) -> tuple[CallField, ...]:
    """Return the settings of how a tool runs that have to be the same, in the order of their names."""
    return tuple(sorted((one for one in asked.settings if one.name not in _FREE), key=lambda one: one.name))


def targets_of(asked: Permission) -> tuple[str, ...]:
    """Return all files that a request names, the target first."""
    return (asked.target, *asked.other_files)


def fits_file(target: str, folder: str, paths: tuple[str, ...]) -> bool:
    """Return True if a file is in one of these folders, and holds neither secrets nor rules."""
    path = posixpath.normpath(posixpath.join(folder, target))
    is_fit = not target.startswith("~") and not steps_up(target) and not is_secret(path)
    return is_fit and any(is_within(path, one) and is_open(path, one) for one in paths)


def is_within(path: str, folder: str) -> bool:
    """Say whether a path is a folder or in it, both written out in full."""
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


def site_of(address: str) -> str:
    """Return scheme and host of a page; empty for what is no page, names a user, or carries a question."""
    found = _PAGE.fullmatch(address)
    return f"{found[1]}://{found[2].lower()}" if found else ""


def is_only_looking(call: PlacedCall) -> bool:
    """Return True if a call may stand beside others: every word of it is understood, it only reads, and stays here."""
    reading = read_command(call.source, call.folder)
    return reading.understood and reading.stays and reading.effects == (Effect.READS,)


def _read(asked: Permission) -> ActReading:
    return read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)


def _names(asked: Permission, place: str) -> list[str]:
    """Return what may name files: a command, a tool's input, or the files of an edit or a read."""
    if asked.act in {Act.EDIT, Act.READ}:
        return [posixpath.join(place, one) for one in targets_of(asked)]
    return [asked.text]


def _rules(asked: Permission, place: str) -> Worded | None:
    """Return why a command is asked about each time that changes what runs by itself, or pushes who knows what."""
    if _read(asked).is_open_ended:
        return _OPEN_ENDED
    if asked.act is not Act.COMMAND:
        return None
    calls = placed_calls(asked.text, place)
    if changes_rules(asked.text, [call.words for call in calls]):
        return _RULES
    if not calls and _PUSHES.search(asked.text):
        return _NO_BRANCH
    return next((_NO_BRANCH for call in calls if call.words[:2] == ("git", "push") and not _says_branch(call)), None)


def _says_branch(call: PlacedCall) -> bool:
    """Return True if a push names its remote and its branches: else it depends on where the folder stands."""
    remote, *branches = [word for word in call.words[2:] if not word.startswith("-")] or [""]
    return bool(remote) and bool(branches) and all(map(_BRANCH.fullmatch, branches))


def _too_wide(asked: Permission, place: str) -> Worded | None:
    if asked.act is Act.FETCH:
        return None if _ADDRESS.fullmatch(asked.target) else _NO_PAGE
    if asked.act in {Act.EDIT, Act.READ}:
        fits = (
            is_within(folder, place) and fits_file(one, place, (folder,))
            for one, folder in zip(targets_of(asked), _folders_of(asked), strict=True)
        )
        return None if all(fits) else _OUTSIDE
    if asked.act is not Act.COMMAND or Effect.DELETES not in _read(asked).effects:
        return None
    calls = placed_calls(asked.text, place)
    for words, folder, source in ((one.words, one.folder, one.source) for one in calls or _guessed(asked.text, place)):
        if words[0] not in DELETERS:
            continue
        operands = [word for word in words[1:] if not word.startswith("-")]
        if any(map(WILD.search, operands)):
            return _deleting(source, "deletes whatever is there at the time", "asked_each.at_the_time")
        deleted = [posixpath.normpath(posixpath.join(folder, one)) for one in operands]
        if not all(is_within(one, place) and one != place for one in deleted):
            return _deleting(source, "deletes more than part of this folder", "asked_each.more_than_a_part")
    return None


def _guessed(text: str, place: str) -> list[PlacedCall]:
    """Return the pieces of a line that is not plain, as far as blanks and joints tell them."""
    pieces = [piece.split() for piece in re.split(r"[;&|\n]+", text)]
    return [PlacedCall(words=tuple(one), folder=place, source=" ".join(one), is_fed=False) for one in pieces if one]


def _deleting(source: str, does: str, code: str) -> Worded:
    source = visible(source)
    text = f"“{source}” {does}, so Pulse always asks."
    return Worded(text=text, wording=Phrasing(code=code, values={"command": source}))


def _is_project_of(place: str) -> bool:
    """Say whether a folder below /opt, /srv or /var is deep enough to be one project's."""
    parts = place.strip("/").split("/")
    return parts[0] in {"opt", "srv", "var"} and len(parts) > len(("srv", "project"))


def _pattern(asked: Permission, reading: ActReading, **what: object) -> PermissionPattern:
    return PermissionPattern(
        agent=asked.agent,
        act=asked.act,
        tool=asked.tool,
        place=posixpath.normpath(asked.folder),
        effects=reading.effects,
        settings=settings_of(asked),
        form=FORM,
        **what,  # type: ignore[arg-type]  # the one of its fields that says what
    )


def _exactly(asked: Permission, reading: ActReading) -> PermissionPattern:
    return _pattern(
        asked, reading, text=asked.text if asked.act is Act.COMMAND else "\n".join((*targets_of(asked), asked.text))
    )


def _of_files(asked: Permission, reading: ActReading) -> PermissionPattern:
    folders = _folders_of(asked)
    files = [folder for one, folder in zip(targets_of(asked), folders, strict=True) if folder.endswith(f"/{one}")]
    if any(not posixpath.splitext(one)[1] for one in files):
        return _exactly(asked, reading)  # in words it could not be told from a folder
    return _pattern(asked, reading, paths=tuple(dict.fromkeys(folders)))


def _folders_of(asked: Permission) -> list[str]:
    """Return which files are like each: those of its folder, and of what lies beside the whole project only itself."""
    place = posixpath.normpath(asked.folder)
    paths = [posixpath.normpath(posixpath.join(place, one)) for one in targets_of(asked)]
    return [
        path if asked.act is Act.EDIT and posixpath.dirname(path) == place else posixpath.dirname(path)
        for path in paths
    ]


def _of_alike(asked: Permission, reading: ActReading) -> tuple[PermissionPattern, ...]:
    """Return the pattern of commands like this one; nothing where only the very same would be alike."""
    if not reading.understood or not WORD_FOR_WORD.isdisjoint(reading.effects):
        return ()
    place = posixpath.normpath(asked.folder)
    calls = placed_calls(asked.text, place)
    telling = [call for call in calls if not is_only_looking(call)] or calls
    if not telling or any(call.is_fed or not is_within(call.folder, place) for call in telling):
        return ()
    return (_pattern(asked, reading, calls=tuple(dict.fromkeys(map(_call_pattern, telling)))),)


def _call_pattern(call: PlacedCall) -> CallPattern:
    """Return what is like one call."""
    found, effects = varied(call.words), read_command(call.source, call.folder).effects
    if found is None:
        return CallPattern(words=call.words, rest="same", effects=effects, folder=call.folder)
    paths: tuple[str, ...] = (call.folder,)
    if found.kind == "seen":
        paths = tuple(posixpath.normpath(posixpath.join(call.folder, one)) for one in found.files)
    return CallPattern(
        words=found.words,
        rest="alike",
        effects=effects,
        options=found.options,
        operands=found.operands,
        paths=() if found.kind == "same" else paths,
        folder=call.folder,
        bare=not found.files,
    )
