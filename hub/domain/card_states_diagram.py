"""The picture and the table of docs/life.md, generated from the table of a suggestion's life."""

from hub.contract.words import MoveReason, Status
from hub.domain.card_states import MOVES


def mermaid() -> str:
    """Return a mermaid state diagram of all moves, with their reasons; what leads nowhere is an end."""
    lines = ["stateDiagram-v2", f"    [*] --> {Status.PENDING}"]
    for before in Status:
        for after in Status:
            reasons = [reason for (state, reason), to in MOVES.items() if state is before and to is after]
            if reasons:
                lines.append(f"    {before} --> {after}: {', '.join(reasons)}")
    left = {state for state, _ in MOVES}
    lines += [f"    {state} --> [*]" for state in Status if state not in left]
    return "\n".join(lines)


def table() -> str:
    """Return a markdown table of every pair; an empty cell is a move that is refused."""
    head = "| reason | " + " | ".join(Status) + " |"
    rule = "|---" * (len(Status) + 1) + "|"
    rows = [f"| {reason} | " + " | ".join(_cell(state, reason) for state in Status) + " |" for reason in MoveReason]
    return "\n".join([head, rule, *rows])


def _cell(state: Status, reason: MoveReason) -> str:
    return MOVES.get((state, reason), "")
