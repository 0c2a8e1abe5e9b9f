"""The picture and the table of docs/world.md, generated from the table of a session's life."""

from hub.contract.world import AgentStatus
from hub.domain.world_states import FIRST, MOVES, may_follow, next_of


def mermaid() -> str:
    """Return a mermaid state diagram of all moves; what leads nowhere is an end."""
    moves = [f"    {before} --> {after}" for before in AgentStatus for after in AgentStatus if (before, after) in MOVES]
    ends = [f"    {status} --> [*]" for status in AgentStatus if not next_of(status)]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {FIRST}", *moves, *ends])


def table() -> str:
    """Return a markdown table: what may follow (yes) which status; an empty cell is refused."""
    head = "| next, where it is | not known | " + " | ".join(AgentStatus) + " |"
    rule = "|---" * (len(AgentStatus) + 2) + "|"
    return "\n".join([head, rule, *(_row(after) for after in AgentStatus)])


def _row(after: AgentStatus) -> str:
    cells = ("yes" if may_follow(before, after) else "" for before in (None, *AgentStatus))
    return f"| {after} | " + " | ".join(cells) + " |"
