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
from hub.contract.surface import CardDelivery
from hub.contract.words import GRANTING, Risk, Verb
from hub.kit.announcing import Announcement, announce
from hub.kit.digests import in_lines
from hub.kit.gateway.parcel import subject_of
from hub.kit.naming import place_of
from hub.kit.permissions import effects_said, shortened
from hub.kit.phrasebook import Phrase, Phrases
from hub.kit.text import cut, json_bytes
from surfaces.web.payload import Notification, NotificationData, Payload

PLAIN_BYTES_MAX = 3_993
TTL_S_MIN, TTL_S_MAX = 1, 2_592_000
"""Windows' push service refuses 0 (its cache policy then contradicts it), and nobody takes more than 30 days."""
TOPIC_CHARS = 32
TITLE_CHARS_MAX = 120
SURFACE = "browser"
OFFERED = frozenset({Verb.APPROVE, Verb.REJECT, Verb.UNDO, Verb.STOP, Verb.RETRY})
"""What a button can say; the other verbs need the page."""
UNSEEN_OFFERED = OFFERED - GRANTING

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
    found = announce(card.event)
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


def _title(found: Announcement, card: CardDelivery, reader: Reader) -> str:
    """Say what it is and where it belongs, or only that there is something; nothing of the card's own text."""
    words = reader.words
    if card.privacy == "nothing":
        return words.title("hidden.waits" if found.waits else "hidden.news")
    title = words.put(_where(found, reader.device))
    return cut(f"{title}: {place_of(found.card, words)}" if found.card else title, TITLE_CHARS_MAX)


def _where(found: Announcement, device: str) -> Phrase:
    """What was answered here needs no "in the browser"."""
    settled = found.card.settled if found.card else None
    is_here = settled is not None and (settled.surface, settled.device) == (SURFACE, device)
    if settled is None or not is_here or "where" not in found.title.values:
        return found.title
    return Phrase(name=f"{settled.verb.value}.done")


def _body(found: Announcement, card: CardDelivery, words: Phrases) -> str:
    """Say what may be seen on this device."""
    if card.privacy != "full":
        return ""
    if found.digest:
        return in_lines(found.digest, words)
    if found.detail:
        return words.put(found.detail)
    elsewhere = (
        words.title("in_person", card=found.card_id) if found.waits and found.card and found.card.in_person else ""
    )
    permission = found.card.permission if found.waits and found.card else None
    effects = f"⚠️ {effects_said(permission, words)}" if permission is not None and permission.effects else ""
    return "\n".join(filter(None, (elsewhere, found.prompt, effects, found.text)))


def _payload(card: CardDelivery, found: Announcement, reader: Reader, at: datetime) -> Payload:
    badge = msgspec.UNSET if reader.pending is None else reader.pending
    data = NotificationData(
        delivery_id=card.delivery_id,
        event=type_of(card.event),
        card_id=found.card_id,
        card_hash=found.card.card_hash if found.card else "",
        token=card.token,
        verbs=_offered(card),
        risk=found.card.risk if found.card else Risk.LOW,
        loudness=card.loudness,
        expires_at=card.expires_at,
        at=at,
        lang=reader.words.language,
    )
    notification = Notification(
        title=_title(found, card, reader),
        body=_body(found, card, reader.words),
        lang=reader.words.language,
        is_silent=card.loudness in {"silent", "badge"},
        tag=subject_of(card.event),
        navigate=f"{reader.origin}/#card={data.card_id}" if data.card_id else f"{reader.origin}/",
        app_badge=badge,
        data=_without_token(data) if not data.verbs else data,
    )
    return Payload(notification=notification, app_badge=badge)


def _offered(card: CardDelivery) -> tuple[Verb, ...]:
    if card.privacy == "nothing" or not card.token:
        return ()
    offered = OFFERED if card.privacy == "full" else UNSEEN_OFFERED
    return tuple(verb for verb in card.verbs if verb in offered)


def _without_token(data: NotificationData) -> NotificationData:
    return replace(data, token="", verbs=())


def _encoded(payload: Payload, asked: Permission | None, bytes_max: int) -> bytes | None:
    """Encode within the budget: whole, else with a shorter body, else with none, else without the token."""
    whole = msgspec.json.encode(payload)
    if len(whole) <= bytes_max:
        return whole
    note = payload.notification
    unread = tuple(verb for verb in note.data.verbs if verb in UNSEEN_OFFERED)
    data = replace(note.data, verbs=unread) if unread else _without_token(note.data)
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
