"""The pictures and tables of docs/card-states.md, docs/when.md and docs/world.md, made from the tables of moves."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from hub.contract.words import Autonomy, MoveReason, Status
from hub.contract.world import AgentStatus
from hub.domain import card_states, world_states
from hub.when import machine

S = TypeVar("S", bound=StrEnum)


def life_picture() -> str:
    """A card's moves with their reasons."""
    moves = card_states.MOVES

    def reasons(before: Status, after: Status) -> list[str]:
        return [reason for (state, reason), to in moves.items() if state is before and to is after]

    left = {state for state, _ in moves}
    return _picture((Status.PENDING,), Status, reasons, [state for state in Status if state not in left])


def life_table() -> str:
    """Every pair of a card's state and a reason; an empty cell is a move that is refused."""
    rows = ((reason, [card_states.MOVES.get((state, reason), "") for state in Status]) for reason in MoveReason)
    return _table("reason", Status, rows)


def autonomy_picture() -> str:
    """All moves of the machine of autonomy that change its state."""

    def causes(before: Autonomy, after: Autonomy) -> list[str]:
        return [cause for (state, cause), to in machine.MOVES.items() if state is before and to is after is not before]

    return _picture((Autonomy.WATCHING,), Autonomy, causes)


def autonomy_table() -> str:
    """Every pair of a state and a happening; `=` stays, missing pairs are refused."""

    def cell(state: Autonomy, cause: machine.Happening) -> str:
        after = machine.MOVES.get((state, cause))
        return "refused" if after is None else "=" if after is state else after

    rows = ((cause, [cell(state, cause) for state in Autonomy]) for cause in machine.Happening)
    return _table("happening", Autonomy, rows)


def session_picture() -> str:
    """All moves of a session of the world log."""

    def moves(before: AgentStatus, after: AgentStatus) -> list[str]:
        return [""] if (before, after) in world_states.MOVES else []

    ends = [status for status in AgentStatus if not world_states.next_of(status)]
    return _picture(world_states.FIRST, AgentStatus, moves, ends)


def session_table() -> str:
    """What may follow (yes) which status; an empty cell is refused."""
    befores = (None, *AgentStatus)
    rows = (
        (after, ["yes" if world_states.may_follow(before, after) else "" for before in befores])
        for after in AgentStatus
    )
    return _table("next, where it is", ["not known", *AgentStatus], rows)


def _picture(
    first: Sequence[S], states: Iterable[S], named: Callable[[S, S], list[str]], ends: Sequence[S] = ()
) -> str:
    every = tuple(states)
    moves = [(before, after, found) for before in every for after in every if (found := named(before, after))]
    lines = (f"    {before} --> {after}: {', '.join(found)}".removesuffix(": ") for before, after, found in moves)
    return "\n".join(
        ["stateDiagram-v2", *(f"    [*] --> {one}" for one in first), *lines, *(f"    {end} --> [*]" for end in ends)]
    )


def _table(corner: str, columns: Iterable[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    names = tuple(columns)
    lines = (f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows)
    return "\n".join([f"| {corner} | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|", *lines])
