"""The world log over HTTP: lines are said, sessions asked for and answered, and each reader is told what is new."""

import asyncio
from functools import partial
from typing import Annotated

from msgspec import Meta

from hub.contract.base import Message
from hub.contract.world import is_session_id
from hub.contract.world_api import (
    RECENT_MAX,
    SHOWN_MAX,
    WorldAgentBody,
    WorldAnswer,
    WorldCheckBody,
    WorldEventBody,
    WorldLines,
    WorldPath,
    WorldRespondBody,
    WorldSessionsAnswer,
    WorldSessionView,
)
from hub.domain.requests import Refused
from hub.domain.storage import Client
from hub.domain.world_bodies import line_of
from hub.domain.world_queries import WorldSessionsByIds
from hub.domain.world_requests import (
    GROUPS,
    ORIGIN_SIGN,
    LookAtWorld,
    RespondToSession,
    SayWorld,
    SessionGroup,
    WorldSaid,
    WorldShown,
)
from hub.io.access.in_person import is_in_person
from hub.io.access.tokens import AGENT_ID, LOCAL_ID, RUN_ID, UNPROVEN_ID
from hub.io.api.asks import safe_key
from hub.io.api.call import Call, Nothing
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.io.world.place import WorldFiles
from hub.io.world.recent import recent as last_lines
from hub.io.world.shown import line_view
from hub.loop.world import UnknownSessionError, WorldOffError
from hub.loop.world_views import session_view

AGENTS_HERE = frozenset({AGENT_ID, RUN_ID})
HERE = frozenset({LOCAL_ID, UNPROVEN_ID, *AGENTS_HERE})
"""Who comes over the hub's own socket: programs of the person's on this machine, which can write the file itself."""


class SessionsQuery(Message):
    """Query of `GET /api/v1/world/sessions`: which ones, all of them where it is left out, and how many."""

    kind: SessionGroup | None = None
    limit: Annotated[int, Meta(ge=1, le=SHOWN_MAX)] = 100


class RecentQuery(Message):
    """Query of `GET /api/v1/world/recent`: how many of the last lines."""

    n: Annotated[int, Meta(ge=1, le=RECENT_MAX)] = 20


async def say(call: Call[WorldEventBody, Nothing] | Call[WorldAgentBody, Nothing]) -> WorldAnswer | Refused:
    """Write a fact into the world log, or where a session is: one that is new with `start`, or one of the caller's."""
    whose, key = LOCAL_ID if call.client is None else call.client.id, call.key or call.body.idempotency_key
    client = f"{whose}{ORIGIN_SIGN}{call.caller_origin}" if whose in AGENTS_HERE and call.caller_origin else whose
    request = SayWorld(
        line=line_of(call.body), client=client, key="" if key is None else safe_key(key), is_here=whose in HERE
    )
    return _answer(await ask_loop(call.parts.hub_api, request, WorldSaid))


async def sessions(call: Call[Nothing, SessionsQuery]) -> WorldSessionsAnswer | Refused:
    """List sessions as they are now, those heard of last first."""
    reply = await ask_loop(call.parts.hub_api, LookAtWorld(), WorldShown)
    if isinstance(reply, Refused):
        return reply
    kind = call.query.kind
    found = [one for one in reply.sessions if kind is None or one.status in GROUPS[kind]]
    shown = tuple(session_view(one) for one in found[: call.query.limit])
    return WorldSessionsAnswer(sessions=shown, more=len(found) - len(shown))


async def session(call: Call[Nothing, Nothing]) -> WorldSessionView | Refused:
    """Show one session as it is now, also one that ended long ago."""
    name, parts = call.path["id"], call.parts
    reply = await ask_loop(parts.hub_api, LookAtWorld(), WorldShown)
    if isinstance(reply, Refused):
        return reply
    found = next((one for one in reply.sessions if one.id == name), None)
    if found is None and is_session_id(name):
        found = (await parts.store.read(WorldSessionsByIds(user=parts.user, ids=(name,)))).get(name)
    if found is None:
        raise UnknownSessionError(fix="GET /api/v1/world/sessions lists them.")
    return session_view(found)


async def respond(call: Call[WorldRespondBody, Nothing]) -> WorldAnswer | Refused:
    """Answer a session that failed, as a person; it is tried again with these words."""
    name = call.path["id"]
    if not is_session_id(name):
        raise UnknownSessionError(fix="GET /api/v1/world/sessions lists them.")
    request = RespondToSession(session=name, text=call.body.text, in_person=is_in_person(call.client))
    return _answer(await ask_loop(call.parts.hub_api, request, WorldSaid))


async def recent(call: Call[Nothing, RecentQuery]) -> WorldLines:
    """Return the last lines of the log, oldest first."""
    files = _files(call.parts)
    lines = await asyncio.to_thread(last_lines, files.log, call.query.n)
    return WorldLines(lines=tuple(map(line_view, lines)))


async def check(call: Call[WorldCheckBody, Nothing]) -> WorldLines:
    """Return what is new for a reader; it stays new until its `batch` is handed back as `done`."""
    _files(call.parts)
    body, checks = call.body, call.to.world
    if checks is None:
        raise WorldOffError
    reader = reader_of(call.client, body.reader)
    found = await asyncio.to_thread(partial(checks.check, reader, most=body.most, done=body.done))
    return WorldLines(lines=tuple(map(line_view, found.lines)), has_more=found.has_more, batch=found.batch)


async def path(call: Call[Nothing, Nothing]) -> WorldPath:
    """Say where the log lies on the machine of this Pulse."""
    files = call.parts.world
    if files is None:
        raise WorldOffError
    return WorldPath(path=str(files.log), enabled=call.parts.hub_api.policy().world.enabled)


def reader_of(client: Client | None, said: str) -> str:
    """Return who reads: programs on this machine by the name they say, a token's by its token too."""
    return said if client is None or client.id in HERE else f"{said}@{client.id}"


def _answer(reply: WorldSaid | Refused) -> WorldAnswer | Refused:
    if isinstance(reply, Refused):
        return reply
    shown = None if reply.session is None else session_view(reply.session)
    return WorldAnswer(session=shown, repeated=reply.repeated, card_id=reply.card_id or None)


def _files(parts: ApiParts) -> WorldFiles:
    """Return where the log lies.

    Raises:
        WorldOffError: there is none.
    """
    if parts.world is None or not parts.hub_api.policy().world.enabled:
        raise WorldOffError(fix="Set `world.enabled = true` in the settings file.")
    return parts.world
