"""Traces: what happened at somebody's work, one event a line (docs/lab.md).

The clock of a trace is the one on the wall where it was recorded: an offset of its times is not looked at.
"""

from datetime import UTC, datetime
from typing import Literal

import msgspec

from hub.contract.base import Message
from hub.contract.errors import UserError

TRACE_BYTES_MAX = 67_108_864
EVENTS_MAX = 50_000
REPOSITORIES_MAX = 20
FILES_MAX = 50
EXAMPLE = '{"at": "2026-03-02T09:10:00", "what": "edit", "repository": "shop", "files": ["a.py"]}'
NAMED_MAX = 5
"""So many bad lines are named; the rest is counted."""

What = Literal[
    "edit",
    "todo",
    "commit",
    "push",
    "pull",
    "upstream",
    "tests",
    "ci",
    "question",
    "message",
    "meeting",
    "foreseen",
    "here",
]


class BadTraceError(UserError):
    """A file is not a trace that can be replayed. The message names the lines."""

    code = "bad-trace"


class TraceEvent(Message):
    """One event, in `repository` where it belongs to one.

    `edit`, `todo`: these `files` were saved, or got a to-do comment (`text`). `commit`: all that was saved. `push`,
    `pull`. `upstream`: so many `commits` are new there. `tests`, `ci`: whether they `passed`. `question`: an agent
    ended its turn with `text`. `message`: the person said something to an agent. `meeting`: one called `text` begins
    in `minutes`, and lasts as long. `foreseen`: a predictor expects that the person wants `text`. `here`: any other
    sign of the person.
    """

    at: datetime
    what: What
    repository: str = ""
    files: tuple[str, ...] = ()
    text: str = ""
    passed: bool = True
    commits: int = 1
    minutes: int = 30


NEEDS_REPOSITORY = frozenset({"edit", "todo", "commit", "push", "pull", "upstream", "tests", "ci"})
_DECODER = msgspec.json.Decoder(TraceEvent)


def read_trace(content: bytes, name: str) -> tuple[TraceEvent, ...]:
    """Read JSON lines, in any order; empty ones are skipped. `name` is the file's, for what is said of it.

    Raises:
        BadTraceError: lines are no events, or the file is too large.
    """
    fix = f"Write one event per line: {EXAMPLE} (docs/lab.md)."
    if len(content) > TRACE_BYTES_MAX:
        raise BadTraceError(f"{name} is larger than {TRACE_BYTES_MAX} bytes.", fix="Replay it in parts.")
    events: list[TraceEvent] = []
    bad: list[str] = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        read = _read(line)
        if isinstance(read, str):
            bad.append(f"Line {number} of {name}: {read}.")
        else:
            events.append(read)
    if bad:
        more = f" And {len(bad) - NAMED_MAX} more." if len(bad) > NAMED_MAX else ""
        raise BadTraceError(" ".join(bad[:NAMED_MAX]) + more, fix=fix)
    return tuple(events)


def in_order(events: tuple[TraceEvent, ...], days_max: int) -> tuple[TraceEvent, ...]:
    """Return the events of the latest days of all traces together, in the order of time.

    Raises:
        BadTraceError: there is none, or they are of too many repositories.
    """
    if not events:
        raise BadTraceError(
            "There is nothing to replay in this folder.",
            fix="Name a folder that holds traces (trace*.jsonl), is a git repository, or holds some (docs/lab.md).",
        )
    if len({event.repository for event in events}) > REPOSITORIES_MAX:
        most = f"The traces are of more than {REPOSITORIES_MAX} repositories."
        raise BadTraceError(most, fix="Replay them in parts.")
    kept = set(sorted({event.at.date() for event in events})[-days_max:])
    ordered = sorted(events, key=lambda event: event.at)
    return tuple(event for event in ordered if event.at.date() in kept)[-EVENTS_MAX:]


def _read(line: bytes) -> TraceEvent | str:
    """Return the event, or why it is none."""
    try:
        event = _DECODER.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return str(error).rstrip(".")
    if event.what in NEEDS_REPOSITORY and not event.repository:
        return f"`{event.what}` belongs to a repository, and none is named"
    if len(event.files) > FILES_MAX:
        return f"it names more than {FILES_MAX} files"
    if not (0 < event.commits <= 1_000 and 0 < event.minutes <= 1_440):  # noqa: PLR2004  nobody has more
        return "`commits` is 1 to 1000 and `minutes` 1 to 1440"
    return msgspec.structs.replace(event, at=event.at.replace(tzinfo=UTC))
