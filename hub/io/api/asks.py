"""`ask`: an agent or script asks a person for approval of something of its own, and may wait for the answer."""

import asyncio
import hashlib
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from hub.contract.api import AnswerReply, AskReply, AskRequest, Prediction
from hub.contract.base import Message
from hub.contract.topics import is_segment
from hub.contract.words import Status
from hub.domain.requests import Ask, Refused, Withdraw
from hub.domain.storage import Client
from hub.io.access.in_person import names_of_person
from hub.io.access.tokens import LOCAL_ID, is_by_hand
from hub.io.api.call import Call, Nothing, fresh_key
from hub.io.api.cards import find, view
from hub.io.api.local_caller import share_of, shares_of
from hub.io.http.errors import NameTakenError
from hub.io.http.loop_requests import ask_loop
from hub.kit.foreign_names import is_reserved, name_in_quotes, plain_name
from hub.loop.asks import ask_id, is_asked_by
from hub.loop.refusals import unknown_card

KEY_CHARS_MAX = 48
WAIT_S_MAX = 300
ASKER_DEFAULT = "script"


class AskQuery(Message):
    """Query of `GET /api/v1/ask/{id}`: how many seconds to wait for an answer."""

    wait: Annotated[int, Meta(ge=0, le=WAIT_S_MAX)] = 0


async def ask(call: Call[AskRequest, Nothing]) -> AskReply | Refused:
    """Put a question before the person; with `waitS`, answer when they have, or after that time."""
    body, whose = call.body, _whose(call)
    key = safe_key(call.key or body.idempotency_key)
    request = Ask(
        key=key,
        client=whose,
        share=share_of(whose, call.caller_pid),
        asker=shown_name(call.client, body.asker, call.to.access.clients()),
        question=body.question,
        details=body.details,
        risk=body.risk,
        timeout_s=body.timeout_s,
    )
    with call.to.waiting.for_card(ask_id(whose, key), whose if body.wait_s else "") as settled:
        reply = await ask_loop(call.parts.hub_api, request, AnswerReply)
        if isinstance(reply, Refused):
            return reply
        return await _wait(call, reply.prediction, settled, body.wait_s)


async def asked(call: Call[Nothing, AskQuery]) -> AskReply | Refused:
    """Say how a question of one's own stands; with `wait`, answer when it is settled, or after that time."""
    card_id = call.path["id"]
    with call.to.waiting.for_card(card_id, _whose(call) if call.query.wait else "") as settled:
        card = await find(call.parts, card_id)
        if card is None or not is_asked_by(card, _whose(call), shares_of(_whose(call), call.caller_pid)):
            return unknown_card(card_id)
        return await _wait(call, await view(call.parts, card), settled, call.query.wait)


async def withdraw(call: Call[Nothing, Nothing]) -> AskReply | Refused:
    """Take a question of one's own back; it disappears everywhere."""
    card_id = call.path["id"]
    if not is_segment(card_id):
        return unknown_card(card_id)
    whose = _whose(call)
    gone = Withdraw(card_id=card_id, client=whose, shares=shares_of(whose, call.caller_pid))
    reply = await ask_loop(call.parts.hub_api, gone, AnswerReply)
    return reply if isinstance(reply, Refused) else _reply(reply.prediction)


def shown_name(client: Client | None, said: str, others: Iterable[Client]) -> str:
    """Return who asks, as the person reads it: the name that the client was given, and beside it what it calls itself.

    Nobody passes for Pulse, for the person or for another client; the person's own terminal may say anything else.

    Raises:
        NameTakenError: it calls itself what another is called.
    """
    own = "" if client is None or is_by_hand(client) else client.name
    taken = {plain_name(one.name) for one in others if client is None or one.id != client.id}
    if plain_name(said) != plain_name(own) and (is_reserved(said, *names_of_person()) or plain_name(said) in taken):
        raise NameTakenError(f"{said!r} is not a name you may ask as.", fix="Ask under another name.")
    if not own or said == ASKER_DEFAULT or plain_name(said) == plain_name(own):
        return own or said
    return f"{own} (as {name_in_quotes(said)})"


def safe_key(key: str | None) -> str:
    """Return a key that may be part of an id and of a topic: itself where it can be, else its hash."""
    if key is None:
        return fresh_key()
    if is_segment(key) and len(key) <= KEY_CHARS_MAX:
        return key
    return hashlib.sha256(key.encode()).hexdigest()[:KEY_CHARS_MAX]


def _whose(call: Call[AskRequest, Nothing] | Call[Nothing, AskQuery] | Call[Nothing, Nothing]) -> str:
    return LOCAL_ID if call.client is None else call.client.id


async def _wait(
    call: Call[AskRequest, Nothing] | Call[Nothing, AskQuery], shown: Prediction, settled: asyncio.Event, wait_s: int
) -> AskReply:
    if shown.status is Status.PENDING and wait_s > 0:
        try:
            await asyncio.wait_for(settled.wait(), wait_s)
        except TimeoutError:
            return _reply(shown)
        card = await find(call.parts, shown.id)
        return _reply(shown if card is None else await view(call.parts, card))
    return _reply(shown)


def _reply(shown: Prediction) -> AskReply:
    return AskReply(
        prediction=shown,
        answered=shown.settled is not None,
        approved=shown.status in {Status.CONFIRMED, Status.EXECUTED},
    )
