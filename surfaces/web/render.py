"""From a delivery to one push message. Pure: the time, the words and the size budget are arguments.

A push service takes bodies of 4,096 bytes; encryption adds 103 (RFC 8188, RFC 8291), so 3,993 are ours. What does not
fit is cut from the body, between characters as a person sees them; of a command, what is dangerous stays. The token is
sent whole or not at all, and what lets something run is offered only with a text that is shown whole: nobody approves
what they could not read.
"""

import base64
import hashlib
import math
from datetime import datetime
from typing import Literal

import msgspec
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.events import DigestReady, PredictionNew, PredictionReturned, type_of
from hub.contract.permission import Permission
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.topics import DeviceAddress
from hub.contract.words import GRANTING, Risk, Verb
from hub.kit.announcing import Announcement, announce
from hub.kit.gateway.parcel import subject_of
from hub.kit.permissions import shortened
from hub.kit.phrasebook import Phrases
from hub.kit.pushed_text import UNSEEN_OFFERED, body_of, offered, title_of
from hub.kit.questions import pressed_question, questions_of
from hub.kit.text import cut, json_bytes
from hub.kit.wordings import event_in, question_said
from surfaces.web.payload import Notification, NotificationChoice, NotificationData, Payload

PLAIN_BYTES_MAX = 3_993
TTL_S_MIN, TTL_S_MAX = 1, 2_592_000
"""Windows' push service refuses 0 (its cache policy then contradicts it), and nobody takes more than 30 days."""
TOPIC_CHARS = 32
SURFACE = "browser"
BUTTONS_MAX = 2

Urgency = Literal["very-low", "low", "normal", "high"]


class Push(Value):
    """One message before encryption, with the headers of RFC 8030 that go with it. `tag` names what it is about."""

    body: bytes
    ttl_s: int
    urgency: Urgency
    topic: str
    tag: str


class Reader(Value):
    """Who gets the message: the page's origin and words, the device's name, and how many cards wait (None: unknown)."""

    origin: str
    words: Phrases
    device: str = ""
    pending: int | None = None


def render(card: CardDelivery, reader: Reader, *, at: datetime, now: datetime, bytes_max: int) -> Push | None:
    """Make the push message of a delivery.

    Args:
        card: the delivery.
        reader: who gets it.
        at: when the hub found it.
        now: the present moment.
        bytes_max: the size budget of the JSON text in bytes.

    Returns:
        The message; None where there is nothing to show: expired, no text for it, or a budget too small for its names.
    """
    found = announce(event_in(card.event, reader.words))
    left_s = (card.expires_at - now).total_seconds()
    if found is None or left_s <= 0:
        return None
    asked = found.card.permission if found.card else None
    body = _encoded(_payload(card, found, reader, at), asked, bytes_max)
    if body is None:
        return None
    ttl_s = max(TTL_S_MIN, min(TTL_S_MAX, math.floor(left_s)))
    tag = subject_of(card.event)
    return Push(body=body, ttl_s=ttl_s, urgency=_urgency(card), topic=topic_of(tag), tag=tag)


def topic_of(tag: str) -> str:
    """Return the RFC 8030 topic: 32 characters of URL-safe base64 from which the tag cannot be read."""
    return base64.urlsafe_b64encode(hashlib.sha256(tag.encode()).digest())[:TOPIC_CHARS].decode()


def _payload(card: CardDelivery, found: Announcement, reader: Reader, at: datetime) -> Payload:
    asked = found.card.permission if found.card and found.waits else None
    badge = msgspec.UNSET if reader.pending is None else reader.pending
    data = NotificationData(
        delivery_id=card.delivery_id,
        event=type_of(card.event),
        card_id=found.card_id,
        card_hash=found.card.card_hash if found.card else "",
        token=card.token,
        verbs=_verbs(card, asked),
        risk=found.card.risk if found.card else Risk.LOW,
        loudness=card.loudness,
        expires_at=card.expires_at,
        at=at,
        lang=reader.words.language,
        asks=True if questions_of(asked) and card.privacy != "nothing" else msgspec.UNSET,
        choices=_choices(card, asked, reader.words) or msgspec.UNSET,
    )
    notification = Notification(
        title=title_of(found, card, reader.words, DeviceAddress(surface=SURFACE, device=reader.device)),
        body=body_of(found, card, reader.words),
        lang=reader.words.language,
        is_silent=card.loudness not in LOUD,
        tag=subject_of(card.event),
        navigate=f"{reader.origin}/#card={data.card_id}" if data.card_id else f"{reader.origin}/",
        app_badge=badge,
        data=data if data.verbs or data.choices else _without_token(data),
    )
    return Payload(notification=notification, app_badge=badge)


def _verbs(card: CardDelivery, asked: Permission | None) -> tuple[Verb, ...]:
    """A plain yes answers no question."""
    return tuple(verb for verb in offered(card) if not (questions_of(asked) and verb in GRANTING))


def _choices(card: CardDelivery, asked: Permission | None, words: Phrases) -> tuple[NotificationChoice, ...]:
    """Return the choices, where two buttons have room for all of them."""
    question = pressed_question(asked)
    if question is None or Verb.APPROVE not in offered(card) or len(question.choices) > BUTTONS_MAX:
        return ()
    said = question_said(question, words).choices
    return tuple(
        NotificationChoice(
            question=question.id, label=one.label, title=msgspec.UNSET if told.label == one.label else told.label
        )
        for one, told in zip(question.choices, said, strict=True)
    )


def _without_token(data: NotificationData) -> NotificationData:
    return replace(data, token="", verbs=(), choices=msgspec.UNSET)


def _encoded(payload: Payload, asked: Permission | None, bytes_max: int) -> bytes | None:
    """Encode within the budget: whole, else with a shorter body, else with none, else without the token."""
    whole = msgspec.json.encode(payload)
    if len(whole) <= bytes_max:
        return whole
    note = payload.notification
    unread = tuple(verb for verb in note.data.verbs if verb in UNSEEN_OFFERED)
    data = replace(note.data, verbs=unread, choices=msgspec.UNSET) if unread else _without_token(note.data)
    for kept in (data, _without_token(data)):
        bare = replace(payload, notification=replace(note, data=kept, body=""))
        left = bytes_max - len(msgspec.json.encode(bare))
        if left >= 0:
            body = shortened(asked, note.body, left, json_bytes) if asked else cut(note.body, left, json_bytes)
            return msgspec.json.encode(replace(bare, notification=replace(bare.notification, body=body)))
    return None


def _urgency(card: CardDelivery) -> Urgency:
    """Say how much it matters: iOS shows at once only what is high; what nobody is asked for may wait for a charger."""
    match card.loudness:
        case "alert":
            return "high"
        case "notify":
            return "high" if isinstance(card.event, PredictionNew | PredictionReturned | DigestReady) else "normal"
        case _:
            return "low"
