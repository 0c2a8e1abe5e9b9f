"""Which patterns a person is offered for what an agent asks: narrow ones, read from what is on the card.

Theory: a grant covers a class of calls, so the class must be one that a person can read in a line and that no word of
an agent widens later. What is grave is never offered; what may do anything (unknown code, messages, the system) is
offered word for word only; deleting by what is deleted; the rest by its program, options and operands. A pattern keeps
the effects that were on the card, and what fits it may have no other.
"""

import posixpath
import re

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.contract.phrasing import Phrasing
from hub.contract.words import Risk
from hub.domain.canonical import visible
from hub.domain.permission_grant import CallPattern, PermissionPattern
from hub.domain.worded import Worded
from hub.screening.acts import ActReading, read_act
from hub.screening.commands.calls import CommandCall, calls_of
from hub.screening.commands.operands import is_secret, is_system
from hub.screening.effects import HARMLESS

NEVER = frozenset({Effect.READS_SECRETS, Effect.PAYS, Effect.CHANGES_PERMISSIONS, Effect.TOUCHES_PRODUCTION})
"""A person is asked about these each time, whatever they let an agent do."""
WORD_FOR_WORD = frozenset({Effect.RUNS_UNKNOWN_CODE, Effect.MESSAGES, Effect.CHANGES_SYSTEM})
"""These may be granted for one command as it stands, and for none that is like it."""
DELETERS = frozenset({"rm", "rmdir", "unlink"})
TEXT_CHARS_MAX = 2_000
"""A longer command is not granted: nobody knows it again."""
FIXED_OPERANDS = 1
"""Of the operands of a command, such as `origin` behind `git push`: so many stay, the rest may be other names."""
PLAIN_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*")
_PAGE = re.compile(r"(https?)://([A-Za-z0-9.:\[\]-]+)(?:[/?#][^\s\\]*)?")
WILD = re.compile(r"[*?\[\]{}~$`!]")
_HOME = re.compile(r"(?:/(?:home|Users)/[^/]+|/root)(?:/\..*)?|/var/tmp|/[^/]*")
"""A home, what is hidden in one, a folder that everybody has: no project."""
_MILD = HARMLESS | {Effect.LEAVES_THE_MACHINE}


def _why(code: str, text: str) -> Worded:
    return Worded(text=text, wording=Phrasing(code=f"asked_each.{code}"))


_ANOTHER = _why("another", "A plan or a question is another one each time.")
_TOO_GRAVE = _why("too_grave", "This is too grave to be allowed beforehand.")
_NO_PROJECT = _why("no_project", "A grant holds in a project's folder, and this agent works in none.")
_TOO_LONG = _why("too_long", "It is too long to be known again.")
_NO_PAGE = _why("no_page", "It names no page of a site.")
_OUTSIDE = _why("outside", "The file is outside the project's folder.")


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
        case Act.FETCH:
            return (_of_site(asked, reading),)
    return (_exactly(asked, reading),)


def why_not(asked: Permission) -> Worded | None:
    """Say why this is asked about each time; None where it may be granted."""
    reading = _read(asked)
    place = posixpath.normpath(asked.folder) if asked.folder else ""
    if asked.act in {Act.PLAN, Act.QUESTION}:
        return _ANOTHER
    if not NEVER.isdisjoint(reading.effects) or reading.risk is Risk.HIGH:
        return _TOO_GRAVE
    if not place.startswith("/") or _HOME.fullmatch(place) or (is_system(place) and not _is_project_of(place)):
        return _NO_PROJECT
    if asked.left_out or len(asked.text) > TEXT_CHARS_MAX:
        return _TOO_LONG
    return _too_wide(asked, place)


def fits_file(target: str, folder: str, paths: tuple[str, ...]) -> bool:
    """Say whether a file is in one of these folders, and not one that holds secrets."""
    path = posixpath.normpath(posixpath.join(folder, target))
    return not target.startswith("~") and not is_secret(path) and any(is_within(path, one) for one in paths)


def is_within(path: str, folder: str) -> bool:
    """Say whether a path is a folder or in it, both written out in full."""
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


def deleted_paths(call: CommandCall, folder: str) -> tuple[str, ...] | None:
    """Return in full what a call deletes; None where its words do not say it."""
    if any(map(WILD.search, call.operands)):
        return None
    return tuple(posixpath.normpath(posixpath.join(folder, one)) for one in call.operands)


def site_of(address: str) -> str:
    """Return scheme and host of a page; empty for what is no page, or names a user."""
    found = _PAGE.fullmatch(address)
    return f"{found[1]}://{found[2].lower()}" if found else ""


def is_only_looking(call: CommandCall) -> bool:
    """Say whether a call beside others may be there or not: it only reads."""
    return call.understood and call.effects == (Effect.READS,) and call.runs != "words"


def _read(asked: Permission) -> ActReading:
    return read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)


def _too_wide(asked: Permission, place: str) -> Worded | None:
    if asked.act is Act.FETCH:
        return None if site_of(asked.target) else _NO_PAGE
    if asked.act in {Act.EDIT, Act.READ}:
        return None if fits_file(asked.target, place, (place,)) else _OUTSIDE
    if asked.act is not Act.COMMAND or Effect.DELETES not in _read(asked).effects:
        return None
    for call in calls_of(asked.text).calls:
        if call.words[0] not in DELETERS:
            continue
        deleted = deleted_paths(call, place)
        if deleted is None:
            return _deleting(call, "deletes whatever is there at the time", "asked_each.at_the_time")
        if not all(is_within(one, place) and one != place for one in deleted):
            return _deleting(call, "deletes more than a part of this folder", "asked_each.more_than_a_part")
    return None


def _deleting(call: CommandCall, does: str, code: str) -> Worded:
    source = visible(call.source)
    text = f"“{source}” {does}, so it is asked about each time."
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
        **what,  # type: ignore[arg-type]  # the one of its fields that says what
    )


def _exactly(asked: Permission, reading: ActReading) -> PermissionPattern:
    return _pattern(asked, reading, text=asked.text if asked.act is Act.COMMAND else f"{asked.target}\n{asked.text}")


def _of_files(asked: Permission, reading: ActReading) -> PermissionPattern:
    folder = posixpath.dirname(posixpath.normpath(posixpath.join(asked.folder, asked.target)))
    return _pattern(asked, reading, paths=(folder,))


def _of_site(asked: Permission, reading: ActReading) -> PermissionPattern:
    return _pattern(asked, reading, site=site_of(asked.target))


def _of_alike(asked: Permission, reading: ActReading) -> tuple[PermissionPattern, ...]:
    """Return the pattern of commands like this one; nothing where only the very same would be alike."""
    if not reading.understood or not WORD_FOR_WORD.isdisjoint(reading.effects):
        return ()
    calls = [call for call in calls_of(asked.text).calls if call.words[0] != "cd"]
    telling = [call for call in calls if not is_only_looking(call)] or calls
    place = posixpath.normpath(asked.folder)
    moves = any(call.words[0] == "cd" for call in calls_of(asked.text).calls)
    made = [_call_pattern(call, "" if moves else place) for call in telling]
    kept = tuple(dict.fromkeys(one for one in made if one is not None))
    return (_pattern(asked, reading, calls=kept),) if kept and None not in made else ()


def _call_pattern(call: CommandCall, place: str) -> CallPattern | None:
    """Return what is like one call; `place` is empty where the command goes to another folder first."""
    words = call.words[: call.settled]
    if not call.is_plain or not call.settled or call.runs == "words":
        return None
    if call.words[0] in DELETERS:
        paths = deleted_paths(call, place) if place and call.operands else None
        return None if not paths else _bound(call, "paths", paths=paths)
    if HARMLESS.issuperset(call.effects) and call.runs != "task":
        return CallPattern(words=words, rest="inside", effects=call.effects)
    free = call.operands[FIXED_OPERANDS:]
    is_mild = _MILD.issuperset(call.effects) and call.runs != "task"
    if is_mild and free and all(map(PLAIN_NAME.fullmatch, free)):
        return _bound(call, "names", operands=call.operands[:FIXED_OPERANDS])
    return None if any(map(WILD.search, call.operands)) else _bound(call, "same", operands=call.operands)


def _bound(call: CommandCall, rest: str, **what: tuple[str, ...]) -> CallPattern:
    return CallPattern(
        words=call.words[: call.settled],
        rest=rest,  # type: ignore[arg-type]  # one of its three words
        effects=call.effects,
        options=call.options,
        **what,
    )
