"""What a session cost, as its agent says: in a file that Pulse names, or in the last line of its output."""

import math
import os
import stat
from pathlib import Path

import msgspec

from hub.domain.policy import USD

FILE_BYTES_MAX = 4_096
COST_USD_MAX = 100_000.0
"""A larger figure is an error of the agent's, and is not booked."""


class _CostFile(msgspec.Struct):
    """`{"costUsd": 0.12}`."""

    usd: float = msgspec.field(name="costUsd")


class _LastLine(msgspec.Struct):
    """The closing line of agents that print JSON, such as `claude -p --output-format json`."""

    usd: float = msgspec.field(name="total_cost_usd")


def reported_cost_microusd(cost_file: Path, output: str) -> int | None:
    """Return the cost in micro-dollars; None if the agent reported none, or nothing that can be right.

    Args:
        cost_file: where the agent may have written `{"costUsd": …}`; this one counts if both are there.
        output: what the agent printed.
    """
    from_file = _decode(_read(cost_file), _CostFile)
    return from_file if from_file is not None else _decode(_last_line(output), _LastLine)


def _decode(text: bytes, shape: type[_CostFile | _LastLine]) -> int | None:
    """Take the figure out of a JSON text, if it is a possible one."""
    if not text.startswith(b"{"):
        return None
    try:
        usd = msgspec.json.decode(text, type=shape).usd
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    possible = math.isfinite(usd) and 0 <= usd <= COST_USD_MAX
    return round(usd * USD) if possible else None


def _last_line(output: str) -> bytes:
    """Return the last line that says something."""
    text = output.rstrip()
    return text[text.rfind("\n") + 1 :].strip().encode("utf-8", "replace")


def _read(path: Path) -> bytes:
    """Read a small ordinary file; a link, a pipe or a huge one gives nothing, and never blocks."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        return file.read(FILE_BYTES_MAX).strip()
