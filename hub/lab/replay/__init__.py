"""Replays: recorded work goes once more through the real loop under a virtual clock, before scripted persons.

What Pulse would have said is set beside plain rules for saying it (docs/lab.md). Pure: traces in, figures out.
"""

from hub.lab.replay.days import Costs, Figure
from hub.lab.replay.history import HISTORY_FORMAT, read_history
from hub.lab.replay.observed import read_observed
from hub.lab.replay.report import ReplayReport, report_of
from hub.lab.replay.trace import BadTraceError, TraceEvent, read_trace

__all__ = [
    "HISTORY_FORMAT",
    "BadTraceError",
    "Costs",
    "Figure",
    "ReplayReport",
    "TraceEvent",
    "read_history",
    "read_observed",
    "read_trace",
    "report_of",
]
