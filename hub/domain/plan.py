"""What would run, resolved: the argv, the folder, the names it sees, and the files that say so.

Theory: a person approves what they see, so what they see has to be what is started. A plan is read from the world once
for the card and once more just before the start, by the same code; the card's hash covers it, and only what is equal
to what was permitted starts. What then runs is the permitted plan, never one that was read again.
"""

import hashlib
import json
import shlex
from functools import reduce
from itertools import pairwise
from typing import Any, Literal

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import Wording, as_said, counted, say
from hub.domain.worded import Worded
from hub.kit.text import file_size, visible

DIGEST_CHARS = 32
MESSAGE_CHARS_MAX = 4_000
NAMED_MAX = 4
"""So many changed things are named; the rest are counted."""


class DefiningFile(Value):
    """A file that says what runs, with its content's SHA-256; the path is as seen from the folder, or a full one."""

    path: str
    sha256: str


Became = Literal["added", "changed", "deleted", "renamed"]


class CommitFile(Value):
    """A file that a commit holds, and what becomes of it; `was` is its path before, where it moves.

    `size` and `size_before` are bytes, None where it does not exist; lines are None where nobody can count them.
    """

    path: str
    became: Became
    was: str = ""
    added: int | None = None
    removed: int | None = None
    size: int | None = None
    size_before: int | None = None

    @property
    def told(self) -> Wording:
        """What becomes of it, as a part of a sentence: `deletes hero.png (631 kB)`, `changes cart.py (+4 -1)`."""
        name = say("{was} to {path}", was=self.was, path=self.path) if self.was else say("{path}", path=self.path)
        size = self.size_before if self.became == "deleted" else self.size
        lines = "" if self.added is None else f"+{self.added} -{self.removed or 0}"
        facts = lines if self.became == "changed" and lines else "" if size is None else file_size(size)
        shown = f" ({facts})" if facts else ""
        match self.became:
            case "deleted":
                return say("deletes {file}{facts}", file=name, facts=shown)
            case "renamed":
                return say("renames {file}{facts}", file=name, facts=shown)
            case "added":
                return say("adds {file}{facts}", file=name, facts=shown)
            case "changed":
                return say("changes {file}{facts}", file=name, facts=shown)


class PlannedCommit(Value):
    """What a commit would hold: its message, its files, and the diff of them, which `is_cut` where there is more."""

    message: str
    files: tuple[CommitFile, ...]
    diff: str = ""
    is_cut: bool = False

    @property
    def told(self) -> Wording:
        """What becomes of its files, those first that are gone afterwards; a few are named, the rest counted."""
        ordered = sorted(self.files, key=lambda file: _ORDER.index(file.became))
        named = [file.told for file in ordered[:NAMED_MAX]]
        rest = len(ordered) - NAMED_MAX
        return _in_a_row([*named, *([say("and {files}", files=counted(rest, "more file"))] if rest > 0 else [])])


_ORDER: tuple[Became, ...] = ("deleted", "renamed", "added", "changed")


class PinnedRef(Value):
    """A name of git's, which moves, and the commit that it stood for."""

    name: str
    commit: str


class PassedCommits(Value):
    """Commits that would be pushed, or taken over: how many, the newest as `9f3c1de subject`, and files they touch.

    `files_more` are those that are not named.
    """

    count: int
    newest: tuple[str, ...]
    files: tuple[str, ...] = ()
    files_more: int = 0

    @property
    def told(self) -> Wording:
        """The files first, for they are what is passed on; names and subjects are quoted, as others word them."""
        more = [counted(self.files_more, "more file")] if self.files_more else []
        rest = self.count - len(self.newest)
        older = [say("{number} older", number=rest)] if rest > 0 else []
        return say(
            "{commits} touching {files} ({newest})",
            commits=counted(self.count, "commit"),
            files=_in_a_row([*map(shlex.quote, self.files), *more]),
            newest=_in_a_row([*map(shlex.quote, self.newest), *older]),
        )


def _in_a_row(files: list[str | Wording]) -> Wording:
    first, *others = files or [say("no file")]
    return reduce(lambda told, one: say("{told}, {one}", told=told, one=one), others, say("{one}", one=first))


class Plan(Value, tag="plan"):
    """What would be started.

    `argv` is empty where Pulse starts no program (its own playbooks, an `address`); `{prompt}` and `{session}` stand
    for what is filled in. `environment` is what it sees beyond the everyday (PATH, HOME, the locale): names, and
    NAME=value where the value is ours. `script` is what the command stands for where that is a line in a file: a script
    of package.json, a recipe of a Makefile. `containment` says what will hold a program that is started; empty where
    Pulse starts none, and in plans from before it was kept. `then` is what Pulse runs afterwards to prove it done.
    `unclear` says why `defined_by` may not be every file that decides what runs; empty where it is. `commit` is what
    would be committed, where that is what runs. `containment_worded` and `unclear_worded` say those two as codes; no
    digest covers them. `refs` are the names of git's that it depends on, each with the commit that was looked at, and
    `passes` what of those commits would be pushed or taken over.
    """

    playbook: str = ""
    argv: tuple[str, ...] = ()
    address: str = ""
    folder: str = ""
    prompt: Literal["argument", "input", "none"] = "none"
    environment: tuple[str, ...] = ()
    defined_by: tuple[DefiningFile, ...] = ()
    script: str = ""
    containment: str = ""
    then: "Plan | None" = None
    unclear: str = ""
    commit: PlannedCommit | None = None
    containment_worded: Worded | None = None
    unclear_worded: Worded | None = None
    refs: tuple[PinnedRef, ...] = ()
    passes: PassedCommits | None = None

    @property
    def doubt(self) -> str:
        """Why it cannot be known which files decide what runs, now or afterwards; empty where all are known."""
        return self.unclear or ("" if self.then is None else self.then.doubt)

    @property
    def doubt_worded(self) -> Worded | None:
        """That as a code, if it has one."""
        return self.unclear_worded if self.unclear or self.then is None else self.then.doubt_worded

    def with_message(self, message: str) -> "Plan":
        """Return the plan of the same commit with another message."""
        if self.commit is None:
            return self
        argv = tuple(message if before == "--message" else word for before, word in pairwise(("", *self.argv)))
        return msgspec.structs.replace(self, argv=argv, commit=msgspec.structs.replace(self.commit, message=message))

    def held(self, how: Wording) -> "Plan":
        """Return the plan with what will hold its program."""
        return msgspec.structs.replace(self, containment=how.text, containment_worded=how.worded)

    def doubted(self, why: Wording) -> "Plan":
        """Return the plan with why it may not be known which files decide what it runs."""
        return msgspec.structs.replace(self, unclear=why.text, unclear_worded=why.worded)

    def with_argv(self, of: "Plan") -> "Plan":
        """Return this plan with another one's arguments."""
        return msgspec.structs.replace(self, argv=of.argv, prompt=of.prompt)


class CannotPlan(Value, tag="cannot-plan"):
    """It cannot be told what would run; `why` says what happened and what to do, `why_worded` the same as a code."""

    why: str
    why_worded: Worded | None = None

    @property
    def told(self) -> Wording:
        """The reason with its code."""
        return as_said(self.why, None if self.why_worded is None else self.why_worded.wording)


AnyPlan = Plan | CannotPlan


def cannot(why: Wording) -> CannotPlan:
    """Return why it cannot be told what would run."""
    return CannotPlan(why=why.text, why_worded=why.worded)


def digest_of(plan: AnyPlan | None) -> str:
    """Return the digest of a plan: 32 hexadecimal digits of a SHA-256 over all of it."""
    text = json.dumps(_kept(plan), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _kept(plan: AnyPlan | None) -> Any:  # noqa: ANN401  whatever JSON can hold
    """Return what a digest covers; a plan without one of `_ADDED` has the digest from before that was kept."""
    fields = msgspec.to_builtins(plan)
    if isinstance(plan, CannotPlan):
        del fields["why_worded"]
    for each in (fields, fields.get("then")) if isinstance(plan, Plan) else ():
        if each:
            del each["containment_worded"], each["unclear_worded"]
        for name in _ADDED:
            if each and not each[name]:
                del each[name]
    return fields


_ADDED = ("unclear", "commit", "refs", "passes")


def unpinned(plan: Plan) -> Plan:
    """Return a plan with the names of its refs in place of their commits: the same work whenever it is done."""
    argv = plan.argv
    for ref in plan.refs:
        argv = tuple(word.replace(ref.commit, ref.name) for word in argv)
    return msgspec.structs.replace(plan, argv=argv, refs=(), passes=None)


def shape_of(plan: Plan) -> str:
    """Return the digest of a plan without the content of the files that say so: the same command, in the same place.

    Somebody who lets a shape run alone has not let every content of those files run: that is what a consent to the
    whole plan is for (`hub/may/gate.py`).
    """
    return digest_of(_shape(plan))


def _shape(plan: Plan) -> Plan:
    then = None if plan.then is None else _shape(plan.then)
    return msgspec.structs.replace(
        unpinned(plan),
        defined_by=(),
        script="",
        containment="",
        then=then,
        unclear="",
        commit=None,
        containment_worded=None,
    )


def is_message(words: str) -> bool:
    """Return True if this can be a commit's message as it is: lines of text, or empty where one is to be proposed.

    Invisible characters are refused: the person could not see what they approve.
    """
    return len(words) <= MESSAGE_CHARS_MAX and visible(words, "\n") == words


def needs_consent(plan: AnyPlan | None) -> bool:
    """Whether a program or somebody else's service would do it; Pulse's own reading needs no first consent."""
    return not isinstance(plan, Plan) or bool(plan.argv or plan.address)


def in_words(plan: Plan) -> str:
    """Return a plan as one line: the command as a shell would be given it, and its folder's name."""
    return line_of(plan).text


def line_of(plan: Plan) -> Wording:
    """Return that line with its code."""
    command = command_of(plan)
    what = say("{command}", command=command) if command else say("Pulse's own {playbook}", playbook=plan.playbook)
    place = plan.folder.rstrip("/").rpartition("/")[2]
    whole = say("{what} in {place}", what=what, place=place) if place else what
    for files in (told.told for told in (plan.commit, plan.passes) if told is not None):
        whole = say("{whole}: {files}", whole=whole, files=files)
    return say("{whole}, then {after}", whole=whole, after=line_of(plan.then)) if plan.then is not None else whole


def command_of(plan: Plan) -> str:
    """Return what is run or called, with which its line begins; empty where Pulse starts no program."""
    if plan.address:
        return f"POST {plan.address}"
    return shlex.join(_nearer(plan)) if plan.argv else ""


def _nearer(plan: Plan) -> tuple[str, ...]:
    """Shorten a program inside the folder to its place there; all others keep their whole path."""
    program, *others = plan.argv
    inside = f"{plan.folder.rstrip('/')}/"
    return (f"./{program.removeprefix(inside)}" if plan.folder and program.startswith(inside) else program, *others)


def difference(before: Plan, after: AnyPlan) -> str:
    """Name what is not as it was, for a person; empty if all of it is."""
    if before == after:
        return ""
    if isinstance(after, CannotPlan):
        return after.why.rstrip(".")
    names = [words for words, changed in _parts(before, after) if changed]
    names += _files(before, after)
    names += _moved(before, after)
    names += ["what is unknown about it"] if before.unclear != after.unclear else []
    names += ["the commit that it follows"] if not names and before.commit != after.commit else []
    more = f" and {len(names) - NAMED_MAX} more" if len(names) > NAMED_MAX else ""
    return f"{', '.join(names[:NAMED_MAX])}{more}"


def _parts(before: Plan, after: Plan) -> tuple[tuple[str, bool], ...]:
    return (
        ("the agent", _agent(before) != _agent(after)),
        ("the command", unpinned(before).argv != unpinned(after).argv),
        ("the folder", before.folder != after.folder),
        ("the names in its environment", before.environment != after.environment),
        ("its sandbox", before.containment != after.containment),
        ("what runs after it", before.then != after.then),
    )


def _agent(plan: Plan) -> tuple[str, ...]:
    return (plan.playbook, plan.address, plan.prompt)


def _moved(before: Plan, after: Plan) -> list[str]:
    """Name the refs that stand for other commits, and those that were not looked at before."""
    known = {ref.name: ref.commit for ref in before.refs}
    return [ref.name for ref in after.refs if known.get(ref.name) != ref.commit]


def _files(before: Plan, after: Plan) -> list[str]:
    old = {file.path: file.sha256 for file in before.defined_by}
    new = {file.path: file.sha256 for file in after.defined_by}
    gone = [f"{path} (gone)" for path in old if path not in new]
    return [f"{path}{'' if path in old else ' (new)'}" for path in new if new[path] != old.get(path)] + gone
