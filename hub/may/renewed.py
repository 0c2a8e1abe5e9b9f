"""What becomes of a grant that was made when options were free: what is left of it by today's rules, or nothing.

Theory: nobody may be held to more than they would be offered today. What was granted is written out again as a request,
and what Pulse offers for that is what is left, if it does no more than before. What cannot be written out (any branch,
any words of a program) ends.
"""

import posixpath
import re
import shlex

from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.domain.permission_grant import FORM, CallPattern, PermissionPattern
from hub.may.grant_patterns import is_within, patterns_for
from hub.may.variations import varied

_CLUSTER = re.compile(r"-[^-]{2,}")


def renewed(pattern: PermissionPattern) -> PermissionPattern | None:
    """Return a pattern of an older form in today's, which covers no more; None where nothing is left of it."""
    if pattern.form == FORM:
        return pattern
    if pattern.text:
        is_command = pattern.act is Act.COMMAND
        target, _, text = ("", "", pattern.text) if is_command else pattern.text.partition("\n")
        exactly = patterns_for(_asked(pattern, text, target))[-1:]
        return replace(pattern, form=FORM) if exactly and _does_no_more(exactly[0], pattern) else None
    if pattern.paths:
        files = (patterns_for(_asked(pattern, target=posixpath.join(path, "x"))) for path in pattern.paths)
        kept = [path for path, found in zip(pattern.paths, files, strict=True) if found and found[0].paths == (path,)]
        return replace(pattern, paths=tuple(kept), form=FORM) if kept else None
    if pattern.site:
        return replace(pattern, form=FORM)
    return _commands(pattern)


def _commands(pattern: PermissionPattern) -> PermissionPattern | None:
    lines = [line for call in pattern.calls if (line := _line(call, pattern.place))]
    offered = patterns_for(_asked(pattern, " && ".join(lines))) if lines else ()
    found = next((one for one in offered if one.calls), None)
    return found if found is not None and _does_no_more(found, pattern) else None


def _does_no_more(left: PermissionPattern, before: PermissionPattern) -> bool:
    return {Effect.READS, *before.effects}.issuperset(left.effects)


def _line(call: CallPattern, place: str) -> str:
    """Return a call of the first form as it may have been written; nothing where what was seen is not kept."""
    inside = [posixpath.relpath(one, place) for one in call.paths if is_within(one, place)]
    match call.rest:
        case "inside" if varied(call.words) is not None:
            return shlex.join([*call.words, *inside])
        case "same" | "paths":
            return shlex.join([*call.words, *_written(call.options), *call.operands, *inside])
    return ""


def _written(options: tuple[str, ...]) -> list[str]:
    """Return options as they were written: `-rf`, and not each of its letters again."""
    pairs = [one.partition("=") for one in options]
    letters = {f"-{letter}" for name, _, _ in pairs if _CLUSTER.fullmatch(name) for letter in name[1:]}
    kept = [(name, value) for name, _, value in pairs if name not in letters]
    return [
        word
        for name, value in kept
        for word in ([f"{name}={value}"] if value and name.startswith("--") else [name, value] if value else [name])
    ]


def _asked(pattern: PermissionPattern, text: str = "", target: str = "") -> Permission:
    return Permission(
        agent=pattern.agent, tool=pattern.tool, act=pattern.act, text=text, target=target, folder=pattern.place
    )
