"""One day of the world log: who did what and when, what was waited for, and where nothing was heard."""

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta

from hub.contract.base import Message
from hub.contract.world_api import SHOWN_MAX
from hub.contract.world_day import SEARCH_CHARS_MAX, WorldDayAnswer
from hub.domain.world import WorldSession
from hub.domain.world_day import DayBounds, WorldDay
from hub.domain.world_queries import WorldSessionsBetween
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
    known = await parts.store.read(
        WorldSessionsBetween(user=parts.user, start=bounds.since, end=bounds.until, limit=SHOWN_MAX)
    )
    found = await asyncio.to_thread(
        _found, parts.world.log if parts.world else None, known, bounds, call.query.search.strip()
    )
    return await asyncio.to_thread(day_view, found, day, zone)


def bounds_of_day(day: date, zone: str, now: datetime) -> DayBounds:
    """Return when a day begins and ends where the person is; it may have 23 or 25 hours."""
    begin, end = (_midnight(one, zone) for one in (day, day + _ONE_DAY if day < date.max else day))
    return DayBounds(since=begin, until=end, now=now)


def _midnight(day: date, zone: str) -> datetime:
    try:
        return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, time(), UTC)


def _found(log: Path | None, known: tuple[WorldSession, ...], bounds: DayBounds, search: str) -> WorldDay:
    """Read and fold; that takes too long to be done where requests come in."""
    text = read_day(log, bounds.since, bounds.until) if log else DayText()
    return day_of(text.lines(), {one.id: one for one in known}, bounds, search=search, cut_at=text.cut_at)


WORLD_DAY_ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(path=f"{API}/world/day", handler=world_day, answers=(WorldDayAnswer,), query=DayQuery, load="heavy"),
)
