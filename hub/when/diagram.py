"""The picture and the table of docs/when.md, generated from the table of the machine."""

from hub.contract.words import Autonomy
from hub.when.machine import MOVES, Happening


def mermaid() -> str:
    """Return a mermaid state diagram of all moves that change the state."""
    lines = ["stateDiagram-v2", f"    [*] --> {Autonomy.WATCHING}"]
    for before in Autonomy:
        for after in Autonomy:
            causes = [cause for (state, cause), to in MOVES.items() if state is before and to is after is not before]
            if causes:
                lines.append(f"    {before} --> {after}: {', '.join(causes)}")
    return "\n".join(lines)


def table() -> str:
    """Return a markdown table of every pair; `=` stays, missing pairs are refused."""
    head = "| happening | " + " | ".join(Autonomy) + " |"
    rule = "|---" * (len(Autonomy) + 1) + "|"
    rows = [f"| {cause} | " + " | ".join(_cell(state, cause) for state in Autonomy) + " |" for cause in Happening]
    return "\n".join([head, rule, *rows])


def _cell(state: Autonomy, cause: Happening) -> str:
    after = MOVES.get((state, cause))
    if after is None:
        return "refused"
    return "=" if after is state else str(after)
