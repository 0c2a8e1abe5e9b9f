"""An agent hands in an idea: it lies beside Pulse's own, and comes before the person when it is worth that."""

import asyncio
from datetime import datetime

from hub.contract.suggestions import SuggestionAnswer, SuggestionRequest
from hub.domain.canonical import digest
from hub.domain.requests import Refused
from hub.io.access.tokens import LOCAL_ID
from hub.io.api.asks import safe_key, shown_name
from hub.io.api.call import Call, Nothing
from hub.io.home.folder import HomeFullError
from hub.io.home.private_files import NO_SPACE
from hub.io.home.suggestion_box import hand_in
from hub.io.http.errors import NoBoxError
from hub.sense.suggested_lines import SuggestedLine

ID_CHARS = 24


async def suggest(call: Call[SuggestionRequest, Nothing]) -> SuggestionAnswer | Refused:
    """Take an idea; the same key, or without one the same words, is the same idea.

    Raises:
        NoBoxError: this hub has no folder of its own.
        HomeFullError: the disk is full.
    """
    body, home = call.body, call.parts.home
    if home is None:
        raise NoBoxError
    whose = LOCAL_ID if call.client is None else call.client.id
    agent = shown_name(call.client, body.asker, call.to.access.clients())
    key = call.key or body.idempotency_key
    name = digest(whose, agent, safe_key(key) if key else body.idea.strip())[:ID_CHARS]
    line = SuggestedLine(id=name, client=whose, agent=agent, idea=body.idea, why=body.why, at=_now(call))
    try:
        handed = await asyncio.to_thread(hand_in, home, line)
    except OSError as error:
        if error.errno in NO_SPACE:
            raise HomeFullError from error
        raise NoBoxError(f"The box cannot be written: {error.strerror}.") from error
    return _too_often() if handed == "too-often" else SuggestionAnswer(id=name, repeated=handed == "known")


def _now(call: Call[SuggestionRequest, Nothing]) -> datetime:
    return call.parts.clock.now()


def _too_often() -> Refused:
    return Refused(
        code="suggested-too-often",
        status=429,
        detail="Too many ideas were submitted within an hour; this one was not accepted.",
        fix="Suggest the most valuable ones later; ask about what you need to know now.",
    )
