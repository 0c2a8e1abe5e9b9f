"""A grant in words: what it lets an agent do, where and until when. What cannot be said in a line is not offered.

Each sentence is told in English and as a code; what has no code (several folders at once) is told in English alone.
"""

import posixpath
import shlex

from hub.contract.permission import Act
from hub.contract.phrasing import Phrasing
from hub.domain.canonical import visible
from hub.domain.permission_grant import CallPattern, PermissionPattern
from hub.domain.worded import Worded
from hub.kit.text import counted, listed, one_line

LABEL_CHARS_MAX = 180
CALLS_SAID_MAX = 120


def label_of(pattern: PermissionPattern, end: Worded) -> Worded | None:
    """Say what an agent may do from now on, until that end; None where that takes more than a line."""
    what, place = matter_of(pattern), place_of(pattern)
    if what is None:
        return None
    said = f"Allow {what.text} in {place}, until {end.text}"
    wording = Phrasing(code="grant.label", values={"place": place}, parts={"end": end.wording}, about=what.wording)
    return Worded(text=said, wording=wording) if len(said) <= LABEL_CHARS_MAX else None


def matter_of(pattern: PermissionPattern) -> Worded | None:
    """Say what is covered, without where and until when; None where that takes too many words."""
    if pattern.calls:
        calls = tuple(_call(one, pattern.place) for one in pattern.calls)
        said = listed(calls)
        return _told("calls", said, names=calls) if len(said) <= CALLS_SAID_MAX else None
    if pattern.site:
        site = visible(pattern.site)
        return _told("pages", f"pages of {site}", site=site)
    if pattern.paths:
        return _files(pattern)
    if pattern.act is Act.COMMAND:
        return _told("command", "this line word for word")
    tool = visible(pattern.tool)
    return _told("tool", f"exactly this use of {tool}", tool=tool)


def place_of(pattern: PermissionPattern) -> str:
    """Return the name of the folder in which it holds."""
    return visible(posixpath.basename(pattern.place))


def covered_words(approved: int, refused: int, answers: int) -> Worded | None:
    """Say how a grant would have answered what the person answered last; None where they answered nothing yet."""
    if not answers:
        return None
    if not approved + refused:
        return Worded(text="You have not answered a request like this before.", wording=Phrasing(code="covered.new"))
    no = f"{counted(refused, 'request')} you dismissed" if refused else "nothing you dismissed"
    text = f"Would have covered {approved} of your last {counted(answers, 'answer')}, and {no}."
    values = {"approved": str(approved), "answers": str(answers)}
    code = "covered.of_one" if answers == 1 else "covered.of_several"
    return Worded(text=text, wording=Phrasing(code=code, values=values, about=_refused(refused)))


def summary_of(pattern: PermissionPattern) -> str:
    """Return one line for a list: a command that is covered word for word is shown."""
    return summary_told(pattern).text


def summary_told(pattern: PermissionPattern) -> Worded:
    """Return that line with its code."""
    what = _word_for_word(pattern) if pattern.text else matter_of(pattern)
    agent, place = visible(pattern.agent), place_of(pattern)
    about = None if what is None else what.wording
    wording = Phrasing(code="grant.summary", values={"agent": agent, "place": place}, about=about)
    return Worded(text=f"{agent}: {what.text if what is not None else ''} in {place}", wording=wording)


def _word_for_word(pattern: PermissionPattern) -> Worded:
    text = one_line(visible(pattern.text), CALLS_SAID_MAX)
    return _told("exactly", f"“{text}”, word for word,", text=text)


def _files(pattern: PermissionPattern) -> Worded:
    verb, form = ("changes to", "edit") if pattern.act is Act.EDIT else ("reading", "read")
    inside = [posixpath.relpath(one, pattern.place) for one in pattern.paths]
    if all(posixpath.splitext(one)[1] for one in inside):
        files = tuple(visible(one) for one in inside)
        return _told(f"{form}_at", f"{verb} {listed(files)}", names=files)
    folders = tuple(visible(one) for one in inside if one != ".")
    said = f"{verb} {listed(['all files' if one == '.' else f'files in {visible(one)}' for one in inside])}"
    if len(folders) < len(inside):
        return _told(f"{form}_all", said)
    return _told(f"{form}_in", said, names=folders)


def _told(form: str, text: str, /, *, names: tuple[str, ...] = (), **values: str) -> Worded:
    return Worded(text=text, wording=Phrasing(code=f"grant.{form}", listed=names, values=values))


def _refused(count: int) -> Phrasing:
    form = "nothing" if not count else "refused_one" if count == 1 else "refused"
    return Phrasing(code=f"covered.{form}", values={"number": str(count)} if count else {})


def _call(alike: CallPattern, place: str) -> str:
    """Return a call as it would be written: `…` stands for a value, and at the end for files of its folder."""
    words = [*map(shlex.quote, alike.words), *alike.options, *map(shlex.quote, alike.operands)]
    free = ["…"] if alike.folder in alike.paths else []
    inside = [posixpath.relpath(one, alike.folder) for one in alike.paths if one != alike.folder]
    goes = [] if alike.folder == place else ["cd", shlex.quote(posixpath.relpath(alike.folder, place)), "&&"]
    return f"`{visible(' '.join([*goes, *words, *free, *inside]))}`"
