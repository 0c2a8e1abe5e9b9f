"""A grant as a person wants it narrower than it was proposed: only these files and folders. Never wider.

Theory: what was proposed is the bound. A path has to be in what the pattern is about already; a call that is held to
paths covers fewer calls, and none that it did not cover before.
"""

import posixpath
from collections.abc import Sequence

from msgspec.structs import replace

from hub.contract.phrasing import Phrasing
from hub.domain.canonical import visible
from hub.domain.permission_grant import CallPattern, PermissionPattern
from hub.domain.worded import Worded
from hub.kit.text import ELLIPSIS, one_line
from hub.may.grant_patterns import WILD, is_within
from hub.screening.commands.operands import is_secret

NO_PATHS = Worded(
    text="This involves no files of its own, so it cannot be limited to particular files.",
    wording=Phrasing(code="grant_path.none"),
)
PATH_SHOWN_MAX = 120


def paths_proposed(pattern: PermissionPattern) -> tuple[str, ...]:
    """Return the files and folders, in full, that a pattern may be held to parts of; nothing where it has none."""
    if pattern.paths:
        return pattern.paths
    if not all(one.paths for one in pattern.calls):
        return ()
    return tuple(dict.fromkeys(path for one in pattern.calls for path in one.paths))


def narrowed(pattern: PermissionPattern, paths: Sequence[str]) -> PermissionPattern | Worded:
    """Return the pattern held to these paths, which count from its folder; or why it cannot be."""
    if not paths:
        return pattern
    proposed = paths_proposed(pattern)
    if not proposed:
        return NO_PATHS
    for one in paths:
        why = _unfit(one, pattern.place, proposed)
        if why is not None:
            return why
    full = tuple(dict.fromkeys(_in_full(one, pattern.place) for one in paths))
    if pattern.paths:
        return replace(pattern, paths=full)
    held = tuple(one for one in (_held(call, full) for call in pattern.calls) if one is not None)
    return replace(pattern, calls=held)


def _unfit(path: str, place: str, proposed: Sequence[str]) -> Worded | None:
    if not path.strip() or visible(path) != path or path.startswith("~") or WILD.search(path):
        return _why(path, "unclear", "is not a single file or folder.")
    full = _in_full(path, place)
    if is_secret(full):
        return _why(path, "secret", "contains secrets, so Pulse always asks.")
    if not any(is_within(full, one) for one in proposed):
        return _why(path, "outside", "is not part of what was offered.")
    return None


def _why(path: str, code: str, text: str) -> Worded:
    shown = one_line(visible(path), PATH_SHOWN_MAX) or ELLIPSIS
    return Worded(text=f"“{shown}” {text}", wording=Phrasing(code=f"grant_path.{code}", values={"path": shown}))


def _held(call: CallPattern, full: tuple[str, ...]) -> CallPattern | None:
    mine = tuple(path for path in full if any(is_within(path, one) for one in call.paths))
    return replace(call, paths=mine, bare=False) if mine else None


def _in_full(path: str, place: str) -> str:
    return posixpath.normpath(posixpath.join(place, path))
