"""Does a person's grant cover what an agent is about to do? Every rail stands above it: what is grave always asks.

A command is covered call by call: each is in a grant that holds now, or only looks. What is left of the command without
the calls that are granted is read once more, by itself, and may do nothing but look: so nothing hides behind them.
"""

import posixpath
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.contract.words import Risk
from hub.domain.permission_grant import CallPattern, PermissionGrant, PermissionPattern
from hub.may.grant_patterns import (
    NEVER,
    PLAIN_NAME,
    deleted_paths,
    fits_file,
    is_only_looking,
    is_within,
    site_of,
)
from hub.may.moments import age_of
from hub.screening.acts import read_act
from hub.screening.commands import read_command
from hub.screening.commands.calls import CommandCall, calls_of, without
from hub.screening.tool_input import is_loose

GRANTS_MAX = 100
"""Grants that are kept; of more the oldest ends."""
FOLDERS_MAX = 4
_PATH = re.compile(r"^-\w(?=[/~.])|^[\w-]+=")
"""What may stand before a path in a word: `-I/usr/include`, `--root=/etc`."""
_FLAG = re.compile(r"-([A-Za-z])\1*|--[A-Za-z][A-Za-z-]*")
"""A word that can hold no name of a file: `-q`, `-vv`, `--quiet`."""
_OUT = re.compile(r"\.\./|(?:^|/)\.\.$|^[/~]|[:,=@]/")


def grants_for(grants: Sequence[PermissionGrant], asked: Permission, now: datetime) -> tuple[PermissionGrant, ...]:
    """Return the grants on which this needs no question; nothing where a person is to be asked."""
    live = [one for one in grants if _holds(one, now) and _is_about(one.pattern, asked)]
    is_more = asked.left_out or asked.unknown_fields or asked.other_files or any(map(is_loose, asked.settings))
    if not live or is_more:
        return ()
    reading = read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)
    if not NEVER.isdisjoint(reading.effects) or reading.risk is Risk.HIGH:
        return ()
    used = _same(live, asked) or (_alike(live, asked) if reading.understood or asked.act is Act.OTHER else ())
    allowed = {Effect.READS}.union(*(one.pattern.effects for one in used))
    return used if allowed.issuperset(reading.effects) else ()


def covers(pattern: PermissionPattern, asked: Permission, now: datetime) -> bool:
    """Say whether a grant of this pattern alone would cover what was asked."""
    until = now + timedelta(days=1)
    grant = PermissionGrant(id="", pattern=pattern, label="", made_at=now, expires_at=until, card_id="", by="")
    return bool(grants_for((grant,), asked, now))


def paths_in(asked: Permission) -> tuple[str, ...]:
    """Return the paths that a request names, in full, for whoever can look whether they lead elsewhere."""
    folder = asked.folder
    if asked.act in {Act.EDIT, Act.READ}:
        return (posixpath.normpath(posixpath.join(folder, asked.target)),) if asked.target else ()
    if asked.act is not Act.COMMAND:
        return ()
    folders = [folder]
    found: list[str] = []
    for call in calls_of(asked.text).calls:
        words = call.words[1:]
        if call.words[0] == "cd" and words:
            folders = [*folders, *(posixpath.join(one, words[0]) for one in folders)][:FOLDERS_MAX]
        found += [posixpath.normpath(posixpath.join(one, _PATH.sub("", word))) for word in words for one in folders]
    return tuple(dict.fromkeys(found))


def _holds(grant: PermissionGrant, now: datetime) -> bool:
    return now < grant.expires_at and age_of(grant.made_at, now) is not None


def _is_about(pattern: PermissionPattern, asked: Permission) -> bool:
    """Say whether agent, tool and folder are those of the pattern."""
    folder = posixpath.normpath(asked.folder) if asked.folder.startswith("/") else ""
    same = (pattern.agent, pattern.act) == (asked.agent, asked.act)
    return bool(folder) and same and pattern.tool == asked.tool and is_within(folder, pattern.place)


def _same(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    said = asked.text if asked.act is Act.COMMAND else f"{asked.target}\n{asked.text}"
    folder = posixpath.normpath(asked.folder)
    return tuple(one for one in live if one.pattern.text == said and one.pattern.text and one.pattern.place == folder)[
        :1
    ]


def _alike(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    match asked.act:
        case Act.COMMAND:
            return _command(live, asked)
        case Act.EDIT | Act.READ:
            return tuple(one for one in live if fits_file(asked.target, asked.folder, one.pattern.paths))[:1]
        case Act.FETCH:
            site = site_of(asked.target)
            return tuple(one for one in live if site and one.pattern.site == site)[:1]
    return ()


def _command(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    folders = [posixpath.normpath(asked.folder)]
    used: list[PermissionGrant] = []
    granted: list[CommandCall] = []
    for call in calls_of(asked.text).calls:
        if call.words[0] == "cd":
            folders = _moved(folders, call)
            if not folders:
                return ()
            continue
        found = next((one for one in live if _is_granted(one.pattern, call, folders)), None)
        if found is not None:
            used.append(found)
            granted.append(call)
        elif not is_only_looking(call):
            return ()
    if not used or any(not is_within(one, grant.pattern.place) for one in folders for grant in used):
        return ()
    rest = read_command(without(asked.text, tuple(granted)))
    return tuple(dict.fromkeys(used)) if rest.understood and set(rest.effects) <= {Effect.READS} else ()


def _moved(folders: list[str], call: CommandCall) -> list[str]:
    """Return where the command may be after `cd`: it may have failed; nothing where that cannot be told."""
    if not call.is_plain or len(call.words) != len(("cd", "folder")) or not re.fullmatch(r"[\w./ @+-]+", call.words[1]):
        return []
    if call.words[1].startswith("-"):
        return []
    moved = [posixpath.normpath(posixpath.join(one, call.words[1])) for one in folders]
    both = list(dict.fromkeys([*folders, *moved]))
    return both if len(both) <= FOLDERS_MAX else []


def _is_granted(pattern: PermissionPattern, call: CommandCall, folders: list[str]) -> bool:
    if not call.is_plain or not call.understood or call.runs == "words":
        return False
    return any(_fits(one, call, pattern.place, folders) for one in pattern.calls)


def _fits(alike: CallPattern, call: CommandCall, place: str, folders: list[str]) -> bool:
    """Say whether a call is like that of the pattern, wherever of these folders it runs."""
    if call.words[: len(alike.words)] != alike.words or not set(alike.effects).issuperset(call.effects):
        return False
    if alike.rest == "inside":
        words = call.words[len(alike.words) :]
        stays = call.runs == "" and all(_stays(word, place, folders) for word in words)
        return stays and (not alike.paths or _is_held(words, alike.paths, folders))
    if call.settled != len(alike.words) or call.options != alike.options:
        return False
    if alike.rest == "paths":
        found = [deleted_paths(call, one) for one in folders]
        return bool(call.operands) and all(
            paths is not None and all(any(is_within(path, one) for one in alike.paths) for path in paths)
            for paths in found
        )
    fixed = len(alike.operands)
    if call.operands[:fixed] != alike.operands:
        return False
    free = call.operands[fixed:]
    return not free if alike.rest == "same" else bool(free) and all(map(PLAIN_NAME.fullmatch, free))


def _is_held(words: Sequence[str], paths: Sequence[str], folders: list[str]) -> bool:
    """Say whether a call names something in these paths, and nothing but that: what is no plain flag counts as a path.

    A call that names nothing is about the whole folder.
    """
    named = [word for word in words if not _FLAG.fullmatch(word)]
    full = [posixpath.normpath(posixpath.join(one, word)) for word in named for one in folders]
    return bool(full) and all(any(is_within(path, one) for one in paths) for path in full)


def _stays(word: str, place: str, folders: list[str]) -> bool:
    """Say whether a word names nothing outside the place."""
    path = _PATH.sub("", word)
    if "://" in path:
        return False
    if not _OUT.search(path):
        return True
    if path.startswith("~") or re.search(r"[:,=@]/", path):
        return False
    return all(is_within(posixpath.normpath(posixpath.join(one, path)), place) for one in folders)
