"""Lines for the tests of the log's files."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import AgentLine, WorldEvent, WorldLine
from hub.io.world.cursor import LogCursor
from hub.io.world.reading import BYTES_MAX, LogBatch, read_on

NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)


def event(text: str, second: int | None = None) -> WorldEvent:
    at = None if second is None else NOON + timedelta(seconds=second)
    return WorldEvent(at=at, source="bash", identifier=LogText("test"), text=LogText(text))


def agent(status: AgentStatus, session: str = "abc123", text: str = "x", need: str = "") -> AgentLine:
    return AgentLine(status=status, session=session, text=LogText(text), need=LogText(need))


def said(lines: tuple[WorldLine, ...]) -> list[str]:
    """The words of events; the kind of what is none."""
    return [untrusted(line.text) if isinstance(line, WorldEvent) else type(line).__name__ for line in lines]


def said_in(batch: LogBatch) -> list[str]:
    return said(tuple(each.line for each in batch.lines))


def echo(path: Path, text: str) -> None:
    """What `echo text >> path` does, without its new line."""
    with path.open("ab", buffering=0) as file:
        file.write(text.encode())


def all_from(path: Path, cursor: LogCursor, *, lines_max: int = 3, bytes_max: int = BYTES_MAX) -> LogBatch:
    """Read on, in small parts, until there is no more."""
    batches = [read_on(path, cursor, lines_max=lines_max, bytes_max=bytes_max)]
    while batches[-1].has_more:
        batches.append(read_on(path, batches[-1].cursor, lines_max=lines_max, bytes_max=bytes_max))
        assert len(batches) < 1_000
    return LogBatch(
        lines=tuple(line for batch in batches for line in batch.lines),
        cursor=batches[-1].cursor,
        gaps=tuple(gap for batch in batches for gap in batch.gaps),
    )
