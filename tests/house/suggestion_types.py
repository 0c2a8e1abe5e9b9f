"""Which value types one suggestion's values pass on their way: from idea and card over message, surface and answer to
run, report and history. Read from the code, so that the figure can be had again:

    .venv/bin/python -m tests.house.suggestion_types

An instance of such a type speaks of one suggestion. It either *copies* values, field by field: one that tells which
suggestion it is (`WHICH`) and at least one more of those that the suggestion has at its stations (`ORIGINS`). Or it
*holds* one that is on the way whole, as a field of its own or by inheriting from it; a collection of many is no step of
one, and a question to the store brings nothing along. `NOT_ON_IT` names what would be taken for one, and why it is not.
"""

import ast
import functools
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from tests.house.source import SHIPPED, name_of, nodes, python_files, short

SUGGESTION = "hub/domain/suggestion.py"
ORIGINS = {
    "Candidate": SUGGESTION,
    "Proposal": SUGGESTION,
    "Card": SUGGESTION,
    "Answer": SUGGESTION,
    "Permit": "hub/domain/judgement.py",
    "Prediction": "hub/contract/api.py",
}
WHICH = frozenset({"card_id", "card_hash", "execution_id", "prompt"})
EVERYBODYS = frozenset({"id", "user", "at", "by", "key", "version", "args", "drive", "sensor", "surface", "device"})
"""Names of theirs that a hundred other types have as well."""
NO_VALUES = frozenset({"Protocol", "TypedDict", "Query"})
MANY = frozenset(
    {"tuple", "dict", "list", "set", "frozenset", "Mapping", "Sequence", "Literal", "Callable", "BoundedMap"}
)
NOT_ON_IT = {
    "about a task, a session, a drive, a grant or a word of the person's that only names its card": {
        "AddMute", "AgentView", "DayLane", "GrantView", "Handed", "KeptPush", "MutationView", "MuteRequest", "MuteView",
        "OverRequest", "PermissionGrant", "PutSession", "PutTask", "SessionQuestion", "SessionRun", "Spawning",
        "StandingYes", "Task", "TaskSaved", "TaskView", "TrainModel", "Wake", "WakeView", "WorldAnswer", "WorldSaid",
        "WorldSession", "WorldSessionView",
    },
    "everything that is there at once, or any event, request, reply or change whatsoever": {
        "ChannelNow", "Changed", "Cycle", "Facts", "LastChange", "Next", "Numbered", "RequestArrived", "Respond",
        "Stamped", "State", "Tell", "Turn", "WatchedFile",
    },
    "an error on its way to a client": {"Problem", "RpcError", "RpcFailure", "Trouble"},
    "a program of its own: what screening is tried with, what a model is taught": {"AskedFor", "Miss"},
}  # fmt: skip


Meant = tuple[str, str]


class Place(NamedTuple):
    """Where a type stands."""

    file: str
    name: str

    @property
    def meant(self) -> Meant:
        """Its package and its name: within a package a name means one thing (`test_class_names.py`)."""
        top, _, rest = self.file.partition("/")
        return f"{top}/{rest.partition('/')[0]}" if top == "surfaces" else top, self.name


class Found(NamedTuple):
    """A type's fields with their annotations, and the names of its bases."""

    fields: Mapping[str, ast.expr]
    bases: frozenset[str]


@functools.cache
def product() -> dict[Place, Found]:
    """Return every class with fields that is shipped, or that inherits them."""
    found = {}
    for path in python_files(*SHIPPED):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                bases = frozenset(name_of(one.value if isinstance(one, ast.Subscript) else one) for one in node.bases)
                parts = (one for one in node.body if isinstance(one, ast.AnnAssign))
                fields = {one.target.id: one.annotation for one in parts if isinstance(one.target, ast.Name)}
                if not bases & NO_VALUES:
                    found[Place(short(path), node.name)] = Found(fields, bases)
    return found


def unions() -> dict[Meant, set[str]]:
    """Return the members of every named union."""
    found = {}
    for path in python_files(*SHIPPED):
        for node in nodes(path):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as union):
                    found[Place(short(path), name).meant] = set(single(union))
    return found


def single(annotation: ast.expr) -> Iterator[str]:
    """Yield the names of the types of which a field has one at the most."""
    match annotation:
        case ast.Name() | ast.Attribute():
            yield name_of(annotation)
        case ast.BinOp(left=left, right=right):
            yield from single(left)
            yield from single(right)
        case ast.Subscript(value=outer, slice=ast.Tuple(elts=[kind, *_])) if name_of(outer) == "Annotated":
            yield from single(kind)
        case ast.Subscript(value=outer, slice=inner) if name_of(outer) not in MANY:
            yield from single(inner)


def copying(types: Mapping[Place, Found]) -> set[Place]:
    """Return the types that copy a suggestion's values, name by name."""
    origins = {Place(file, name) for name, file in ORIGINS.items()}
    values = WHICH.union(*(types[one].fields for one in origins)) - EVERYBODYS
    named = {
        one for one, found in types.items() if WHICH & found.fields.keys() and len(values & found.fields.keys()) > 1
    }
    return {one for one in origins | named if one.name not in left_out()}


def on_the_way(types: Mapping[Place, Found]) -> set[Place]:
    """Return those that copy or hold a suggestion's values."""
    members, found = unions(), copying(types)
    defined = {one.meant for one in types} | members.keys()
    parts = {
        one: _parts(type_, members, one.meant[0], defined) for one, type_ in types.items() if one.name not in left_out()
    }
    while more := {one for one, held in parts.items() if held & {each.meant for each in found}} - found:
        found |= more
    return found


def left_out() -> frozenset[str]:
    """Return the names that are not counted."""
    return frozenset().union(*NOT_ON_IT.values())


def _parts(found: Found, members: Mapping[Meant, set[str]], package: str, defined: Collection[Meant]) -> set[Meant]:
    """Return what a type holds or inherits from: a name of its own package, else of the hub."""

    def meant(name: str) -> Meant:
        return (package if (package, name) in defined else "hub", name)

    held = {meant(name) for annotation in found.fields.values() for name in single(annotation)}
    inner = {meant(name) for one in held for name in members.get(one, ())}
    return held | inner | {meant(name) for name in found.bases}


def main() -> None:
    """Print the types with their number, and how many there are where a suggestion is shown on one surface alone."""
    types = product()
    copies, every = copying(types), on_the_way(types)
    sys.stdout.writelines(
        f"{'copies' if one in copies else 'holds ':6} {one.file}  {one.name}\n" for one in sorted(every)
    )
    packages = Counter(one.meant[0] for one in every)
    ways = ", ".join(f"{name} {number}" for name, number in sorted(packages.items()))
    sys.stdout.write(f"{len(every)} value types ({ways}); {len(copies)} copy its values by name.\n")


if __name__ == "__main__":
    main()
