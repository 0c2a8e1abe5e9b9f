"""What was read of the world log's file, for whoever takes the lines in: plain values, whatever file it was."""

from enum import StrEnum

from hub.contract.base import Value
from hub.domain.world import WorldLine


class LogGap(StrEnum):
    """What happened to the log behind our back: what was there may have been lost before it was read."""

    CUT = "cut"
    REPLACED = "replaced"
    GONE = "gone"
    VANISHED = "vanished"
    """Lines that Pulse had written were gone before they were read back."""


class LogRead(Value):
    """Lines in order, the cursor to keep with what comes of them, whether there is more, and what befell the log.

    `half_bytes` stand behind the last whole line: somebody has not written their line to its end yet.
    """

    lines: tuple[WorldLine, ...]
    cursor: bytes
    has_more: bool = False
    gaps: tuple[LogGap, ...] = ()
    half_bytes: int = 0
