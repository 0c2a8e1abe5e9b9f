"""Does a person's grant cover what an agent is about to do? Every rail stands above it: what is grave always asks.

A command is covered call by call: each is in a grant that holds now, word for word but for what is known to be data or
a file of the chosen places, or may stand beside it because it surely only looks. A line that is not plain, and a call
that is fed by another, is covered word for word or not at all.
"""

import posixpath
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.domain.permission_grant import FORM, CallPattern, PermissionGrant, PermissionPattern
from hub.may.grant_patterns import (
    fits_file,
    is_only_looking,
    is_within,
    settings_of,
    site_of,
    targets_of,
    why_not,
)
from hub.may.moments import age_of
from hub.may.plain_lines import PlacedCall, placed_calls
from hub.may.rule_files import is_open, steps_up
from hub.may.variations import varied
from hub.screening.acts import read_act
from hub.screening.commands.operands import is_secret
from hub.screening.powershell import as_bash, is_powershell

GRANTS_MAX = 100
"""Grants that are kept; of more the oldest ends."""
_VALUE_OF = re.compile(r"^-\w(?=[/~.])|^[\w-]+=")
"""What may stand before a path in a word: `-I/usr/include`, `--root=/etc`."""
_APART = re.compile(r"[\s;&|<>()'\"`$=]+")
"""What may stand between the words of a line that is not plain."""
_FILE = re.compile(r"(?P<path>[\w./][\w./@+-]*?)(?:::[\w\[\]., :-]+)?")
"""A file or folder, and behind it which test of it."""


def grants_for(grants: Sequence[PermissionGrant], asked: Permission, now: datetime) -> tuple[PermissionGrant, ...]:
    """Return the grants on which this needs no question; nothing where a person is to be asked."""
    live = [one for one in grants if _holds(one, now) and _is_about(one.pattern, asked)]
    if not live or why_not(asked) is not None or (asked.other_files and asked.act is not Act.EDIT):
        return ()
    used = _same(live, asked) or _alike(live, asked)
    reading = read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)
    allowed = {Effect.READS}.union(*(one.pattern.effects for one in used))
    return used if allowed.issuperset(reading.effects) else ()


def covers(pattern: PermissionPattern, asked: Permission, now: datetime) -> bool:
    """Return True if a grant of this pattern alone would cover what was asked."""
    until = now + timedelta(days=1)
    grant = PermissionGrant(id="", pattern=pattern, label="", made_at=now, expires_at=until, card_id="", by="")
    return bool(grants_for((grant,), asked, now))


def paths_in(asked: Permission) -> tuple[str, ...]:
    """Return the paths that a request names, in full, so that it can be checked where they lead."""
    folder = asked.folder
    if asked.act in {Act.EDIT, Act.READ}:
        return tuple(posixpath.normpath(posixpath.join(folder, one)) for one in targets_of(asked) if one)
    if asked.act is not Act.COMMAND:
        return ()
    found: list[str] = []
    calls = placed_calls(asked.text, folder)
    if not calls:
        found = [posixpath.normpath(posixpath.join(folder, word)) for word in _APART.split(asked.text) if word]
    for call in calls:
        words = [_VALUE_OF.sub("", word.partition("::")[0]) for word in call.words[1:]]
        found += [call.folder, *(posixpath.normpath(posixpath.join(call.folder, word)) for word in words)]
    return tuple(dict.fromkeys(found))


def _holds(grant: PermissionGrant, now: datetime) -> bool:
    return grant.pattern.form == FORM and now < grant.expires_at and age_of(grant.made_at, now) is not None


def _is_about(pattern: PermissionPattern, asked: Permission) -> bool:
    """Return True if agent, tool and folder are those of the pattern."""
    folder = posixpath.normpath(asked.folder) if asked.folder.startswith("/") else ""
    same = (pattern.agent, pattern.act) == (asked.agent, asked.act)
    same = same and (pattern.tool, pattern.settings) == (asked.tool, settings_of(asked))
    return bool(folder) and same and is_within(folder, pattern.place)


def _same(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    said = asked.text if asked.act is Act.COMMAND else "\n".join((*targets_of(asked), asked.text))
    folder = posixpath.normpath(asked.folder)
    return tuple(one for one in live if one.pattern.text == said and one.pattern.text and one.pattern.place == folder)[
        :1
    ]


def _alike(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    match asked.act:
        case Act.COMMAND:
            return _command(live, asked)
        case Act.EDIT | Act.READ:
            return _files(live, asked)
        case Act.FETCH:
            site = site_of(asked.target)
            return tuple(one for one in live if site and one.pattern.site == site)[:1]
    return ()


def _files(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    used = [
        next((one for one in live if fits_file(file, asked.folder, one.pattern.paths)), None)
        for file in targets_of(asked)
    ]
    return () if None in used else tuple(dict.fromkeys(one for one in used if one is not None))


def _command(live: Sequence[PermissionGrant], asked: Permission) -> tuple[PermissionGrant, ...]:
    used: list[PermissionGrant] = []
    if is_powershell(asked.tool) and as_bash(asked.text) != asked.text:
        return ()  # its calls are parted otherwise than they are here
    for call in placed_calls(asked.text, asked.folder):
        found = next((one for one in live if _is_granted(one.pattern, call)), None)
        if found is not None:
            used.append(found)
        elif not is_only_looking(call):
            return ()
    return tuple(dict.fromkeys(used))


def _is_granted(pattern: PermissionPattern, call: PlacedCall) -> bool:
    if call.is_fed or not is_within(call.folder, pattern.place):
        return False
    return any(_fits(one, call) for one in pattern.calls)


def _fits(alike: CallPattern, call: PlacedCall) -> bool:
    """Return True if a call is like that of the pattern."""
    if alike.folder != call.folder:
        return False
    if alike.rest == "same":
        return call.words == alike.words
    found = varied(call.words)
    if found is None or alike.rest != "alike":
        return False
    if (found.words, found.options, found.operands) != (alike.words, alike.options, alike.operands):
        return False
    return all(_is_in(word, call.folder, alike.paths) for word in found.files) if found.files else alike.bare


def _is_in(word: str, folder: str, paths: Sequence[str]) -> bool:
    """Return True if a word names a file that is one of these or in them, and that may be let through with them."""
    found = _FILE.fullmatch(word)
    if found is None or steps_up(found["path"]):
        return False
    path = posixpath.normpath(posixpath.join(folder, found["path"]))
    return not is_secret(path) and any(is_within(path, one) and is_open(path, one) for one in paths)
