"""The world log in the store: its sessions, the lines that are to stand in it, and how far it was read."""

from collections.abc import Callable, Iterable
from heapq import merge
from itertools import islice
from typing import Any

from hub.domain.world import AgentLine, WorldEvent, WorldSession
from hub.domain.world_lines import digest_of
from hub.domain.world_log_state import AddWorldLine, DropWorldLines, LoggedOut, PutSession, PutWorldPlace, WorldIntake
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
from hub.io.store.codec import body_of, list_of, moment_of, text_of, value_of
from hub.io.store.errors import StoreDamagedError
from hub.io.store.known_rows import known_row
from hub.io.store.limits import WORLD_LINES_MAX, WORLD_OWN_LINES_MAX, WORLD_SESSIONS_MAX
from hub.io.store.operations import Operation
from hub.io.store.session import QuerySession, Row, SqlValue

KINDS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Sessions that are over or not, and begun over the wire or not: each kind has its own bound."""
LATEST = "9999"
"""Later than every moment, as text."""


def put_session(change: PutSession) -> tuple[Operation, ...]:
    """Add or replace a session."""
    session = change.session
    values: dict[str, SqlValue] = {
        "user_id": change.user,
        "id": session.id,
        "ended": int(not session.is_open),
        "owned": int(bool(session.owner)),
        "status": session.status.value,
        "started_at": text_of(session.started_at),
        "heard_at": text_of(session.heard_at),
        "body": body_of(session),
    }
    return (Operation("put_session", values, keeps=known_row(change.user, session, values)),)


def put_place(change: PutWorldPlace) -> tuple[Operation, ...]:
    """Keep how far the log was read; with it go the oldest sessions where there are too many."""
    values: dict[str, SqlValue] = {"user_id": change.user, "place": change.cursor, "intake": body_of(change.intake)}
    return (Operation("put_world_place", values), *(_drop_old(change.user, *kind) for kind in KINDS))


def _drop_old(user: str, ended: int, owned: int) -> Operation:
    values: dict[str, SqlValue] = {"user_id": user, "ended": ended, "owned": owned, "kept": WORLD_SESSIONS_MAX}
    return Operation("drop_old_sessions", values)


def add_line(change: AddWorldLine) -> tuple[Operation, ...]:
    """Let a line wait until it was seen in the log."""
    values: dict[str, SqlValue] = {"user_id": change.user, "id": change.out.id, "body": body_of(change.out)}
    old: dict[str, SqlValue] = {"user_id": change.user, "kept": WORLD_LINES_MAX}
    added = (Operation("add_world_line", values), Operation("drop_old_world_lines", old))
    line = change.out.line
    if not isinstance(line, AgentLine | WorldEvent) or line.at is None:
        return added
    own: dict[str, SqlValue] = {"user_id": change.user, "digest": digest_of(line), "at": text_of(line.at)}
    kept: dict[str, SqlValue] = {"user_id": change.user, "kept": WORLD_OWN_LINES_MAX}
    return (*added, Operation("add_own_line", own), Operation("drop_old_own_lines", kept))


def drop_lines(change: DropWorldLines) -> tuple[Operation, ...]:
    """Forget lines that were seen in the log."""
    return (Operation("drop_world_lines", {"user_id": change.user, "ids": list_of(change.ids)}),)


def sessions(query: WorldSessions, session: QuerySession) -> tuple[WorldSession, ...]:
    """Return those in some statuses, those heard of last first; each status has them in order, so few are looked at."""
    most = max(query.limit, 0)
    heard_at, id_ = (LATEST, "") if query.before is None else (text_of(query.before[0]), query.before[1])
    found = (
        session.rows(
            "sessions_in_status", user_id=query.user, status=status.value, limit=most, heard_at=heard_at, id=id_
        )
        for status in dict.fromkeys(query.statuses)
    )
    return _sessions(query.user, session, islice(merge(*found, reverse=True), most))


def sessions_by_ids(query: WorldSessionsByIds, session: QuerySession) -> dict[str, WorldSession]:
    """Return several by id."""
    rows = session.rows("sessions_by_ids", user_id=query.user, ids=list_of(query.ids))
    return {str(id_): session.value(WorldSession, query.user, body) for id_, body in rows}


def sessions_between(query: WorldSessionsBetween, session: QuerySession) -> tuple[WorldSession, ...]:
    """Return those that lived within a span; one that is not over lives still."""
    since, until = text_of(query.start), text_of(query.end)
    ended = session.rows("sessions_ended_since", user_id=query.user, since=since, until=until)
    alive = session.rows("sessions_not_ended", user_id=query.user, until=until)
    return _sessions(query.user, session, sorted([*ended, *alive])[: max(query.limit, 0)])


def lines_out(query: WorldLinesOut, session: QuerySession) -> tuple[LoggedOut, ...]:
    """Return the lines that wait, oldest first."""
    return session.bodies(LoggedOut, "world_lines_out", user_id=query.user, limit=max(query.limit, 0))


def own_lines(query: OwnLinesAmong, session: QuerySession) -> KnownOwnLines:
    """Return which of some lines are Pulse's own, and since when that is known."""
    first = session.rows("own_lines_since", user_id=query.user)
    found = session.rows("own_lines_among", user_id=query.user, digests=list_of(query.digests))
    since = moment_of(str(first[0][0])) if first else None
    return KnownOwnLines(since=since, digests=frozenset(str(digest) for (digest,) in found))


def place_of(query: WorldPlaceOf, session: QuerySession) -> WorldPlace:
    """Return how far the log was read."""
    rows = session.rows("world_place", user_id=query.user)
    if not rows:
        return WorldPlace()
    ((cursor, intake),) = rows
    if not isinstance(cursor, bytes):
        raise StoreDamagedError(
            "How far the world log was read is unreadable.", fix="Stop Pulse and put a backup in its place."
        )
    return WorldPlace(cursor=cursor, intake=value_of(WorldIntake, str(intake)))


def _sessions(user: str, session: QuerySession, rows: Iterable[Row]) -> tuple[WorldSession, ...]:
    return tuple(session.value(WorldSession, user, body) for _, _, body in rows)


OPERATIONS: dict[type, Callable[[Any], tuple[Operation, ...]]] = {
    PutSession: put_session,
    PutWorldPlace: put_place,
    AddWorldLine: add_line,
    DropWorldLines: drop_lines,
}
ANSWERS: dict[type, Callable[[Any, QuerySession], object]] = {
    WorldSessions: sessions,
    WorldSessionsByIds: sessions_by_ids,
    WorldSessionsBetween: sessions_between,
    WorldLinesOut: lines_out,
    WorldPlaceOf: place_of,
    OwnLinesAmong: own_lines,
}
