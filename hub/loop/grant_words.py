"""A grant in words: what it lets an agent do, where and until when. What cannot be said in a line is not offered."""

import posixpath

from hub.contract.permission import Act
from hub.domain.canonical import visible
from hub.domain.permission_grant import CallPattern, PermissionPattern
from hub.kit.text import counted, listed, one_line

LABEL_CHARS_MAX = 180
CALLS_SAID_MAX = 120


def label_of(pattern: PermissionPattern, until: str) -> str:
    """Say what an agent may do from now on; empty where that takes more than a line."""
    what = matter_of(pattern)
    said = f"Always allow {what} in {place_of(pattern)}, until {until}"
    return said if what and len(said) <= LABEL_CHARS_MAX else ""


def matter_of(pattern: PermissionPattern) -> str:
    """Say what is covered, without where and until when."""
    if pattern.calls:
        said = listed([_call(one, pattern.place) for one in pattern.calls])
        return said if len(said) <= CALLS_SAID_MAX else ""
    if pattern.site:
        return f"pages of {visible(pattern.site)}"
    if pattern.paths:
        verb = "changes to" if pattern.act is Act.EDIT else "reading"
        return f"{verb} {listed([_folder(one, pattern.place) for one in pattern.paths])}"
    return "exactly this command" if pattern.act is Act.COMMAND else f"exactly this use of {visible(pattern.tool)}"


def place_of(pattern: PermissionPattern) -> str:
    """Return the name of the folder in which it holds."""
    return visible(posixpath.basename(pattern.place))


def covered_words(approved: int, refused: int, answers: int) -> str:
    """Say how a grant would have answered what the person answered last; empty where they answered nothing yet."""
    if not answers:
        return ""
    if not approved + refused:
        return "You have not answered the like before."
    no = f"and {counted(refused, 'request')} that you refused" if refused else "and nothing that you refused"
    return f"Would have covered {approved} of your last {counted(answers, 'answer')}, {no}."


def summary_of(pattern: PermissionPattern) -> str:
    """Return one line for a list: a command that is covered word for word is shown."""
    matter = matter_of(pattern)
    if pattern.text:
        matter = f"“{one_line(visible(pattern.text), CALLS_SAID_MAX)}”, word for word,"
    return f"{visible(pattern.agent)}: {matter} in {place_of(pattern)}"


def _call(alike: CallPattern, place: str) -> str:
    words = [*alike.words]
    if alike.rest == "paths":
        inside = [posixpath.relpath(one, place) for one in alike.paths]
        return f"`{visible(' '.join([*words, *_options(alike), *inside]))}`"
    if alike.rest == "inside":
        return f"`{visible(' '.join(words))} …`"
    more = ["…"] if alike.rest == "names" else []
    return f"`{visible(' '.join([*words, *_options(alike), *alike.operands, *more]))}`"


def _options(alike: CallPattern) -> list[str]:
    """Return the options as they were written: `-rf`, and not each of its letters again."""
    written = [one.removesuffix("=") for one in alike.options]
    clusters = [one for one in written if len(one) > len("-x") and not one.startswith("--") and "=" not in one]
    letters = {f"-{letter}" for one in clusters for letter in one[1:]}
    return [one for one in written if one not in letters]


def _folder(path: str, place: str) -> str:
    inside = posixpath.relpath(path, place)
    return "all files" if inside == "." else f"files in {visible(inside)}"
