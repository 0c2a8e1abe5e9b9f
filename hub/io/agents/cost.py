"""What a session cost and used, as its agent says: in a file that Pulse names, or in the last line of its output."""

import math
import os
import stat
from pathlib import Path
from typing import TypeVar

import msgspec

from hub.contract.base import Value
from hub.domain.policy import USD

T = TypeVar("T", bound=msgspec.Struct)

FILE_BYTES_MAX = 4_096
TOKENS_MAX = 10**12
COST_USD_MAX = 100_000.0
"""A larger figure is an error of the agent's, and is not booked."""


class Usage(Value):
    """What a session used, as far as its agent said, and by what the agent knows it again."""

    cost_microusd: int | None = None
    tokens: int | None = None
    conversation: str = ""


class _UsageFile(msgspec.Struct):
    """`{"costUsd": 0.12, "tokens": 3200}`; either may be missing."""

    usd: float | None = msgspec.field(name="costUsd", default=None)
    tokens: int | None = None


class _Tokens(msgspec.Struct):
    """The `usage` of the common model services: what was read, also from a cache, and what was written."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


class _LastLine(msgspec.Struct):
    """The closing line of agents that print JSON, such as `claude -p --output-format json`."""

    usd: float | None = msgspec.field(name="total_cost_usd", default=None)
    usage: _Tokens | None = None


def reported_usage(usage_file: Path, output: str) -> Usage:
    """Return what the agent reported; None for what it did not, or for what can not be right.

    Args:
        usage_file: where the agent may have written `{"costUsd": …, "tokens": …}`; each figure there counts before the
            one in the output.
        output: what the agent printed.
    """
    told = _decode(_read(usage_file), _UsageFile) or _UsageFile()
    printed = _decode(_last_line(output), _LastLine) or _LastLine()
    cost, tokens = _microusd(told.usd), _possible(told.tokens)
    return Usage(
        cost_microusd=_microusd(printed.usd) if cost is None else cost,
        tokens=_possible(_sum(printed.usage)) if tokens is None else tokens,
    )


def _decode(text: bytes, shape: type[T]) -> T | None:
    if not text.startswith(b"{"):
        return None
    try:
        return msgspec.json.decode(text, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _microusd(usd: float | None) -> int | None:
    possible = usd is not None and math.isfinite(usd) and 0 <= usd <= COST_USD_MAX
    return round(usd * USD) if usd is not None and possible else None


def _possible(tokens: int | None) -> int | None:
    return tokens if tokens is not None and 0 <= tokens <= TOKENS_MAX else None


def _sum(usage: _Tokens | None) -> int | None:
    if usage is None:
        return None
    read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
    return read + usage.output_tokens


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
