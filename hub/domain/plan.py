"""What would run, resolved: the argv, the folder, the names it sees, and the files that say so.

Theory: a person approves what they see, so what they see has to be what is started. A plan is read from the world once
for the card and once more just before the start, by the same code; the card's hash covers it, and only what is equal
to what was permitted starts. What then runs is the permitted plan, never one that was read anew.
"""

import hashlib
import json
import shlex
from typing import Any, Literal

import msgspec

from hub.contract.base import Value

DIGEST_CHARS = 32
NAMED_MAX = 4
"""So many changed things are named; the rest are counted."""


class DefiningFile(Value):
    """A file that says what runs, with its content's SHA-256; the path is as seen from the folder, or a full one."""

    path: str
    sha256: str


class Plan(Value, tag="plan"):
    """What would be started.

    `argv` is empty where Pulse starts no program (its own playbooks, an `address`); `{prompt}` and `{session}` stand
    for what is filled in. `environment` is what it sees beyond the everyday (PATH, HOME, the locale): names, and
    NAME=value where the value is ours. `script` is what the command stands for where that is a line in a file: a script
    of package.json, a recipe of a Makefile. `containment` says what will hold a program that is started; empty where
    Pulse starts none, and in plans from before it was kept. `then` is what Pulse runs afterwards to prove it done.
    `unclear` says why `defined_by` may not be every file that decides what runs; empty where it is.
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

    @property
    def doubt(self) -> str:
        """Why it cannot be known which files decide what runs, now or afterwards; empty where all are known."""
        return self.unclear or ("" if self.then is None else self.then.doubt)

    def with_argv(self, of: "Plan") -> "Plan":
        """Return this plan with another one's arguments."""
        return msgspec.structs.replace(self, argv=of.argv, prompt=of.prompt)


class CannotPlan(Value, tag="cannot-plan"):
    """It cannot be told what would run; `why` says what happened and what to do."""

    why: str


AnyPlan = Plan | CannotPlan


def digest_of(plan: AnyPlan | None) -> str:
    """Return the digest of a plan: 32 hexadecimal digits of a SHA-256 over all of it."""
    text = json.dumps(_kept(plan), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _kept(plan: AnyPlan | None) -> Any:  # noqa: ANN401  whatever JSON can hold
    """Return what a digest covers; a plan without doubt has the digest that it had before doubts were kept."""
    fields = msgspec.to_builtins(plan)
    for each in (fields, fields.get("then")) if isinstance(plan, Plan) else ():
        if each and not each["unclear"]:
            del each["unclear"]
    return fields


def shape_of(plan: Plan) -> str:
    """Return the digest of a plan without the content of the files that say so: the same command, in the same place.

    Somebody who lets a shape run alone has not let every content of those files run: that is what a consent to the
    whole plan is for (`hub/may/gate.py`).
    """
    return digest_of(_shape(plan))


def _shape(plan: Plan) -> Plan:
    then = None if plan.then is None else _shape(plan.then)
    return msgspec.structs.replace(plan, defined_by=(), script="", containment="", then=then, unclear="")


def needs_consent(plan: AnyPlan | None) -> bool:
    """Whether a program or somebody else's service would do it; Pulse's own reading needs no first consent."""
    return not isinstance(plan, Plan) or bool(plan.argv or plan.address)


def in_words(plan: Plan) -> str:
    """Return a plan as one line: the command as a shell would be given it, and its folder's name."""
    if plan.address:
        what = f"POST {plan.address}"
    else:
        what = shlex.join(_nearer(plan)) if plan.argv else f"Pulse's own {plan.playbook}"
    place = plan.folder.rstrip("/").rpartition("/")[2]
    whole = f"{what} in {place}" if place else what
    return f"{whole}, then {in_words(plan.then)}" if plan.then is not None else whole


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
    names += ["what cannot be known of it"] if before.unclear != after.unclear else []
    more = f" and {len(names) - NAMED_MAX} more" if len(names) > NAMED_MAX else ""
    return f"{', '.join(names[:NAMED_MAX])}{more}"


def _parts(before: Plan, after: Plan) -> tuple[tuple[str, bool], ...]:
    return (
        ("the agent", _agent(before) != _agent(after)),
        ("the command", before.argv != after.argv),
        ("the folder", before.folder != after.folder),
        ("the names in its environment", before.environment != after.environment),
        ("its containment", before.containment != after.containment),
        ("how the tests are run", before.then != after.then),
    )


def _agent(plan: Plan) -> tuple[str, ...]:
    return (plan.playbook, plan.address, plan.prompt)


def _files(before: Plan, after: Plan) -> list[str]:
    old = {file.path: file.sha256 for file in before.defined_by}
    new = {file.path: file.sha256 for file in after.defined_by}
    gone = [f"{path} (gone)" for path in old if path not in new]
    return [f"{path}{'' if path in old else ' (new)'}" for path in new if new[path] != old.get(path)] + gone
