"""`ask`: an agent or script asks a person for approval of something of its own, and may wait for the answer."""

import asyncio
import hashlib
from typing import Annotated

from msgspec import Meta

from hub.contract.api import AskReply, AskRequest, Prediction
from hub.contract.base import Message
from hub.contract.topics import is_segment
from hub.contract.words import Source, Status
from hub.domain.canonical import visible
from hub.domain.requests import Ask, Refused, Taken, Withdraw
from hub.io.http.ask_desk import ask_desk
from hub.io.http.call import Call, Nothing, fresh_key
from hub.io.http.cards import find, view
from hub.io.http.errors import KeyReusedError
from hub.loop.asks import ask_id
from hub.loop.refusals import unknown_card

KEY_CHARS_MAX = 48
WAIT_S_MAX = 300


class AskQuery(Message):
    """Query of `GET /api/v1/ask/{id}`: how many seconds to wait for an answer."""

    wait: Annotated[int, Meta(ge=0, le=WAIT_S_MAX)] = 0


async def ask(call: Call[AskRequest, Nothing]) -> AskReply | Refused:
    """Put a question before the person; with `waitS`, answer when they have, or after that time."""
    body = call.body
    key = safe_key(call.key or body.idempotency_key)
    request = Ask(
        key=key,
        asker=body.asker,
        question=body.question,
        details=body.details,
        risk=body.risk,
        timeout_s=body.timeout_s,
    )
    with call.to.waiting.for_card(ask_id(key)) as settled:
        reply = await ask_desk(call.parts.desk, request, Taken)
        if isinstance(reply, Refused):
            return reply
        if reply.repeated and reply.prediction.prompt != visible(body.question):
            raise KeyReusedError(fix="Use a key of its own for each question.")
        return await _wait(call, reply.prediction, settled, body.wait_s)


async def asked(call: Call[Nothing, AskQuery]) -> AskReply | Refused:
    """Say how a question stands; with `wait`, answer when it is settled, or after that time."""
    card_id = call.path["id"]
    with call.to.waiting.for_card(card_id) as settled:
        card = await find(call.parts, card_id)
        if card is None or card.proposal.source is not Source.ASK:
            return unknown_card(card_id)
        return await _wait(call, await view(call.parts, card), settled, call.query.wait)


async def withdraw(call: Call[Nothing, Nothing]) -> AskReply | Refused:
    """Take a question back; it disappears everywhere."""
    card_id = call.path["id"]
    if not is_segment(card_id):
        return unknown_card(card_id)
    reply = await ask_desk(call.parts.desk, Withdraw(card_id=card_id), Taken)
    return reply if isinstance(reply, Refused) else _reply(reply.prediction)


def safe_key(key: str | None) -> str:
    """Return a key that may be part of an id and of a topic: itself where it can be, else its hash."""
    if key is None:
        return fresh_key()
    if is_segment(key) and len(key) <= KEY_CHARS_MAX:
        return key
    return hashlib.sha256(key.encode()).hexdigest()[:KEY_CHARS_MAX]


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
