"""How the store in memory answers what is asked about the world log."""

from collections.abc import Callable
from typing import Any

from hub.domain.world import WorldSession
from hub.domain.world_log_state import LoggedOut
from hub.domain.world_queries import (
    KnownOwnLines,
    OwnLinesAmong,
    WorldLinesOut,
    WorldPlace,
    WorldPlaceOf,
    WorldSessions,
    WorldSessionsBetween,
    WorldSessionsByIds,
)
from tests.fakes.store_tables import Tables


def _mine(tables: Tables, user: str) -> list[WorldSession]:
    return [one for (whose, _), one in tables.world_sessions.items() if whose == user]


def sessions(query: WorldSessions, tables: Tables) -> tuple[WorldSession, ...]:
    """Return those in some statuses, those heard of last first."""
    found = [one for one in _mine(tables, query.user) if one.status in query.statuses]
    if query.before is not None:
        found = [one for one in found if (one.heard_at, one.id) < query.before]
    found.sort(key=lambda one: (one.heard_at, one.id), reverse=True)
    return tuple(found[: max(query.limit, 0)])


def sessions_by_ids(query: WorldSessionsByIds, tables: Tables) -> dict[str, WorldSession]:
    """Return several by id."""
    return {one.id: one for one in _mine(tables, query.user) if one.id in query.ids}


def sessions_between(query: WorldSessionsBetween, tables: Tables) -> tuple[WorldSession, ...]:
    """Return those that lived within a span."""
    found = [
        one
        for one in _mine(tables, query.user)
        if one.started_at < query.end and (one.is_open or one.heard_at >= query.start)
    ]
    return tuple(sorted(found, key=lambda one: (one.started_at, one.id))[: max(query.limit, 0)])


def lines_out(query: WorldLinesOut, tables: Tables) -> tuple[LoggedOut, ...]:
    """Return the lines that wait, oldest first."""
    mine = [out for (user, _), out in tables.world_lines.items() if user == query.user]
    return tuple(mine[: max(query.limit, 0)])


def own_lines(query: OwnLinesAmong, tables: Tables) -> KnownOwnLines:
    """Return which of some lines are the hub's own, and since when that is known."""
    mine = {digest: at for (whose, digest), at in tables.own_lines.items() if whose == query.user}
    return KnownOwnLines(since=next(iter(mine.values()), None), digests=frozenset(mine.keys() & {*query.digests}))


def place_of(query: WorldPlaceOf, tables: Tables) -> WorldPlace:
    """Return how far the log was read."""
    return tables.world_places.get(query.user, WorldPlace())


ANSWERS: dict[type, Callable[[Any, Tables], object]] = {
    WorldSessions: sessions,
    WorldSessionsByIds: sessions_by_ids,
    WorldSessionsBetween: sessions_between,
    WorldLinesOut: lines_out,
    WorldPlaceOf: place_of,
    OwnLinesAmong: own_lines,
}
