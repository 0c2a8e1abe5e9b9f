"""The picture in docs/life.md is the table of moves."""

import re

from hub.contract.words import Status
from hub.domain.card_states import MOVES
from tests.house.source import ROOT

PAGE = ROOT / "docs" / "life.md"


def picture() -> str:
    """A mermaid state diagram of all moves."""
    lines = ["stateDiagram-v2", f"    [*] --> {Status.PENDING}"]
    for before in Status:
        for after in Status:
            reasons = [reason for (start, reason), end in MOVES.items() if (start, end) == (before, after)]
            if reasons:
                lines.append(f"    {before} --> {after}: {', '.join(reasons)}")
    ends = [status for status in Status if not any(start is status for start, _ in MOVES)]
    return "\n".join([*lines, *(f"    {end} --> [*]" for end in ends)])


def test_the_picture_is_the_table() -> None:
    drawn = re.search(r"```mermaid\n(.*?)\n```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert drawn is not None
    assert drawn.group(1) == picture(), f"put this into docs/life.md:\n{picture()}"
