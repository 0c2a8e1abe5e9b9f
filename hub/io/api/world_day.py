"""One day of the world log: who did what and when, what was waited for, and where nothing was heard."""

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta

from hub.contract.base import Message, Value
from hub.contract.world_api import SHOWN_MAX
from hub.contract.world_day import SEARCH_CHARS_MAX, WorldDayAnswer
from hub.domain.world import AgentLine, WorldEvent, WorldLine
from hub.domain.world_day import DayBounds
from hub.domain.world_lines import digest_of, session_of
from hub.domain.world_queries import OwnLinesAmong, WorldSessionsBetween
from hub.io.api.call import Call, Nothing
from hub.io.api.endpoint import API, Endpoint
from hub.io.world.day import DayText, read_day
from hub.loop.world_day_views import day_view
from hub.sense import day_of

_ONE_DAY = timedelta(days=1)


class DayQuery(Message):
    """Query of `GET /api/v1/world/day`: which day, today where none is named, and what is to stand in it."""

    day: date | None = None
    search: Annotated[str, Meta(max_length=SEARCH_CHARS_MAX)] = ""


async def world_day(call: Call[Nothing, DayQuery]) -> WorldDayAnswer:
    """Return a day in the person's time zone, read from the log and from what is known of its sessions."""
    parts, now = call.parts, call.parts.clock.now()
    zone = parts.hub_api.policy().zone
    day = call.query.day or now.astimezone(ZoneInfo(zone)).date()
    bounds = bounds_of_day(day, zone, now)
    sessions = await parts.store.read(
        WorldSessionsBetween(user=parts.user, start=bounds.since, end=bounds.until, limit=SHOWN_MAX)
    )
    known = {one.id: one for one in sessions}
    read = await asyncio.to_thread(_read, parts.world.log if parts.world else None, bounds)
    own = await parts.store.read(OwnLinesAmong(user=parts.user, digests=read.digests))
    found = await asyncio.to_thread(
        partial(
            day_of,
            read.lines,
            known,
            bounds,
            own=own,
            search=call.query.search.strip(),
            cut_at=read.cut_at,
        )
    )
    return await asyncio.to_thread(day_view, found, day, zone, known)


def bounds_of_day(day: date, zone: str, now: datetime) -> DayBounds:
    """Return when a day begins and ends where the person is; it may have 23 or 25 hours."""
    begin, end = (_midnight(one, zone) for one in (day, day + _ONE_DAY if day < date.max else day))
    return DayBounds(since=begin, until=end, now=now)


def _midnight(day: date, zone: str) -> datetime:
    try:
        return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, time(), UTC)


class _DayLines(Value):
    """The lines of a day, with the digests of those that the hub may have written itself."""

    lines: tuple[WorldLine, ...]
    digests: tuple[str, ...]
    cut_at: datetime | None


def _read(log: Path | None, bounds: DayBounds) -> _DayLines:
    """Read the lines; that takes too long to be done where requests come in."""
    text = read_day(log, bounds.since, bounds.until) if log else DayText()
    lines = tuple(text.lines())
    told = (line for line in lines if isinstance(line, AgentLine | WorldEvent) and session_of(line))
    return _DayLines(lines=lines, digests=tuple(filter(None, map(digest_of, told))), cut_at=text.cut_at)


WORLD_DAY_ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(path=f"{API}/world/day", handler=world_day, answers=(WorldDayAnswer,), query=DayQuery, load="heavy"),
)
