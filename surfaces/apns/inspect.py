"""Shows the exact request that a delivery would become, with nothing secret in it."""

from datetime import datetime

import msgspec

from hub.contract.address import ApnsAddress
from hub.contract.base import Message
from hub.contract.surface import CardDelivery
from hub.kit.phrase_files import phrases
from surfaces.apns.alert import To
from surfaces.apns.board import Board
from surfaces.apns.complication import face_push, way_of
from surfaces.apns.config import server_of, topic_for
from surfaces.apns.push import Push, headers_of
from surfaces.apns.render import WATCH, render_alert, render_beside
from surfaces.apns.sentences import strings
from surfaces.apns.settings import Config

SAMPLE_TOKEN = "00" * 32
HIDDEN = "…"


class Question(Message):
    """What `python -m surfaces.apns inspect` reads from its standard input; without an address it makes one up."""

    card: CardDelivery
    surface: str = "phone"
    address: ApnsAddress | None = None


def inspect(question: Question, config: Config, now: datetime) -> str:
    """Return every request that a delivery becomes, as text; tokens are left out."""
    address = question.address or ApnsAddress(token=SAMPLE_TOKEN, environment=config.environment)
    words = strings(phrases(address.lang))
    to = To(address=address, topic=address.topic or topic_for(config, question.surface), words=words, pending=1)
    card = question.card
    pushes = [
        render_alert(question.surface, card, to, was_shown=True, at=now, now=now),
        render_beside(question.surface, card, to, now=now),
        _face(card, to, now) if question.surface == WATCH else None,
    ]
    environment = config.environment if address.environment == "unknown" else address.environment
    host = server_of(config, environment).host
    shown = [_request(push, host, card.token) for push in pushes if push is not None]
    return "\n\n".join(shown) if shown else "Nothing is sent: it has expired, or this surface does not show it."


def _face(card: CardDelivery, to: To, now: datetime) -> Push:
    board = Board()
    board.grant("inspected", card)
    board.hear(card.event, now)
    way = way_of(to, may_spend=True)
    face = board.face("inspected")
    return face_push(face, to, way, privacy=card.privacy, push_id=SAMPLE_TOKEN[:32], now=now)


def _request(push: Push, host: str, action_token: str) -> str:
    fields = headers_of(push, host=host, authorization=f"bearer {HIDDEN}")
    lines = [f"{name!s}: {str(value).replace(push.token, HIDDEN)}" for name, value in fields]
    pretty = msgspec.json.format(push.payload, indent=2).decode()
    if action_token:
        pretty = pretty.replace(action_token, f"{HIDDEN} ({len(action_token)} characters)")
    return "\n".join((*lines, f"({len(push.payload)} bytes)", pretty))
