"""Traces of ProactiveBench as they are published: what was seen at a desktop, and what a model would have offered then.

The first offer of each moment is what a predictor foresees there; whether the recorded person took it is not read.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec
from msgspec import field

from hub.contract.base import Value
from hub.lab.replay.trace import EVENTS_MAX, TRACE_BYTES_MAX, BadTraceError, TraceEvent


class Observation(Value):
    """What was seen; `time` is in seconds since 1970."""

    time: str
    event: str


class Offered(Value):
    """What was offered just then."""

    candidate_task: tuple[str, ...] = ()


class ObservedMoment(Value):
    """One moment of such a trace."""

    observation: Observation
    agent_response: Offered = field(default_factory=Offered)


_DECODER = msgspec.json.Decoder(tuple[ObservedMoment, ...])


def read_observed(content: bytes, name: str) -> tuple[TraceEvent, ...]:
    """Read one file.

    Raises:
        BadTraceError: it is no such trace, or too large.
    """
    fix = "Remove the file, or write a trace (docs/lab.md)."
    if len(content) > TRACE_BYTES_MAX:
        raise BadTraceError(f"{name} is larger than {TRACE_BYTES_MAX} bytes.", fix="Replay it in parts.")
    try:
        return tuple(event for moment in _DECODER.decode(content)[:EVENTS_MAX] for event in _events(moment))
    except (msgspec.DecodeError, UnicodeError, ValueError, OverflowError, OSError, RecursionError) as error:
        raise BadTraceError(f"{name} is not a ProactiveBench trace: {error}.", fix=fix) from error


def _events(moment: ObservedMoment) -> Iterator[TraceEvent]:
    at = datetime.fromtimestamp(float(moment.observation.time), UTC)
    yield TraceEvent(at=at, what="here", text=moment.observation.event)
    if moment.agent_response.candidate_task:
        yield TraceEvent(at=at, what="foreseen", text=moment.agent_response.candidate_task[0])
