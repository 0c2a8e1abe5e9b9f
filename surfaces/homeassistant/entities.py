"""The entities that Home Assistant finds over MQTT: what they are called, what they show, what they may say. Pure.

Whoever may publish on that broker can press these buttons: plugs and lamps often share one login there. So without
`trust_broker` they only make Pulse more careful (dismiss, snooze, pause), and no card's text is published. A button's
payload is the name of an answer to the very card that was on top then, and good for nothing else.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from hub.contract.api import CrossPollStatus
from hub.contract.base import Value
from hub.contract.surface import CardDelivery
from hub.contract.topics import DeviceAddress
from hub.contract.words import Autonomy, Verb
from hub.kit.announcing import announce
from hub.kit.cards import CardProjection
from hub.kit.fates import Fate, fate_of
from hub.kit.mqtt.messages import Notice
from hub.kit.offered_answers import OfferedAnswers, choices_of
from hub.kit.phrasebook import Phrases
from hub.kit.pushed_text import body_of, title_of
from hub.kit.text import one_line
from hub.kit.wordings import event_in

BIRTH_TOPIC = "homeassistant/status"
STATE_CHARS_MAX = 255
LISTED_MAX = 10
NOTHING = "nothing"
MODES: tuple[Literal["active"], Literal["paused"]] = ("active", "paused")
CAREFUL = (Verb.REJECT, Verb.SNOOZE, Verb.LESS, Verb.NEVER)
ENDED: dict[Fate, str] = {
    "confirmed": "approved",
    "rejected": "dismissed",
    "expired": "expired",
    "passed": "not_needed",
    "cancelled": "cancelled",
    "executed": "done",
    "handed_over": "handed_over",
    "failed": "failed",
    "ignored": "ignored",
    "mended": "mended",
}
EVENT_TYPES = (*ENDED.values(), "snoozed")


class HomeCard(CardProjection):
    """A card and the delivery that it came with."""

    delivery: CardDelivery | None = None


class Published(Value):
    """What all entities depend on. `node` names this Pulse, `top` the card that the buttons are about."""

    node: str
    title: str
    waiting: tuple[HomeCard, ...] = ()
    paused: bool = False
    trusted: bool = False

    @property
    def top(self) -> HomeCard | None:
        """The card that came last."""
        return self.waiting[-1] if self.waiting else None

    def topic(self, name: str) -> str:
        """Return a topic of ours."""
        return f"pulse/{self.node}/{name}"


def is_paused(status: CrossPollStatus) -> bool:
    """Say whether Pulse is kept from acting by itself."""
    return status.state in {Autonomy.PAUSED, Autonomy.DISABLED}


def discovery(shown: Published, offers: OfferedAnswers, words: Phrases) -> Notice:
    """Return the one retained message from which Home Assistant makes the device with all its entities."""
    parts = {
        "pending": _part(shown, "sensor", "pending", words, stat_t=shown.topic("pending"), stat_cla="measurement"),
        "top": _part(shown, "sensor", "top", words, stat_t=shown.topic("top")),
        "mode": _part(
            shown, "select", "mode", words, stat_t=shown.topic("mode"), cmd_t=shown.topic("do/mode"), ops=list(MODES)
        ),
        "answered": _part(shown, "event", "answered", words, stat_t=shown.topic("answered"), evt_typ=list(EVENT_TYPES)),
        "ask": _part(shown, "notify", "ask", words, cmd_t=shown.topic("do/ask")),
        **{
            verb.value: _part(
                shown, "button", verb.value, words, cmd_t=shown.topic("do/answer"), pl_prs=_offered(shown, verb, offers)
            )
            for verb in (*CAREFUL, Verb.APPROVE)
            if verb in CAREFUL or shown.trusted
        },
    }
    parts["pending"]["json_attr_t"] = shown.topic("cards")
    if shown.trusted:
        parts["reply"] = _part(
            shown,
            "text",
            "reply",
            words,
            cmd_t=shown.topic("do/reply"),
            stat_t=shown.topic("reply"),
            max=STATE_CHARS_MAX,
        )
    document = {
        "dev": {"ids": [shown.node], "name": shown.title, "mf": "Pulse"},
        "o": {"name": "pulse"},
        "avty_t": shown.topic("online"),
        "qos": 1,
        "cmps": parts,
    }
    return Notice(topic=f"homeassistant/device/{shown.node}/config", payload=msgspec.json.encode(document))


def states(shown: Published, words: Phrases, own_address: DeviceAddress) -> tuple[Notice, ...]:
    """Return what the entities show, retained."""
    rows = [_row(card, shown, words, own_address) for card in reversed(shown.waiting[-LISTED_MAX:])]
    top = rows[0]["title"] if rows else words.say("home.nothing")
    told = {
        "online": "online",
        "pending": str(len(shown.waiting)),
        "top": one_line(top, STATE_CHARS_MAX),
        "mode": MODES[shown.paused],
    }
    found = [Notice(topic=shown.topic(name), payload=text.encode()) for name, text in told.items()]
    return (*found, Notice(topic=shown.topic("cards"), payload=msgspec.json.encode({"cards": rows})))


def gone(shown: Published) -> Notice:
    """Return what says that nobody is there."""
    return Notice(topic=shown.topic("online"), payload=b"offline")


def answered(card: HomeCard, shown: Published) -> Notice:
    """Return what tells automations that a card was answered or is over; it is said once, and not kept."""
    kind = "snoozed" if card.phase == "snoozed" else ENDED.get(fate_of(card.prediction), "cancelled")
    settled = card.prediction.settled
    told = {"event_type": kind, "card": card.id, "where": settled.surface if settled else ""}
    return Notice(topic=shown.topic("answered"), payload=msgspec.json.encode(told), retain=False)


def reply_offer(shown: Published, offers: OfferedAnswers) -> str:
    """Return the name of the answer that takes a person's own words for the card on top; empty where none does."""
    top = shown.top
    if not shown.trusted or top is None or top.delivery is None or not _is_whole(top):
        return ""
    own = next((one for one in choices_of(top.prediction.permission) if one.own_words), None)
    if own is not None and Verb.APPROVE in top.verbs:
        return offers.offer(top.delivery, top.prediction, Verb.APPROVE, own, is_whole=True)
    return offers.offer(top.delivery, top.prediction, Verb.EDIT, is_whole=True) if Verb.EDIT in top.verbs else ""


def _offered(shown: Published, verb: Verb, offers: OfferedAnswers) -> str:
    top = shown.top
    if top is None or top.delivery is None or verb not in top.verbs:
        return NOTHING
    asked = top.prediction.permission
    is_question = asked is not None and bool(asked.questions)
    if verb is Verb.APPROVE and (is_question or not _is_whole(top)):
        return NOTHING
    return offers.offer(top.delivery, top.prediction, verb, is_whole=verb is Verb.APPROVE)


def _is_whole(card: HomeCard) -> bool:
    """Return True if the list of cards has all of a card's text, where texts are published at all."""
    return card.privacy == "full" and card.delivery is not None and announce(card.delivery.event) is not None


def _part(shown: Published, platform: str, name: str, words: Phrases, **more: object) -> dict[str, Any]:
    return {"p": platform, "unique_id": f"{shown.node}_{name}", "name": words.title(f"home.{name}"), **more}


def _row(card: HomeCard, shown: Published, words: Phrases, own_address: DeviceAddress) -> dict[str, str]:
    found = None if card.delivery is None else announce(event_in(card.delivery.event, words))
    if found is None or card.delivery is None:
        return {"id": card.id, "title": words.title("hidden.waits")}
    row = {
        "id": card.id,
        "title": title_of(found, card.delivery, words, own_address),
        "risk": card.prediction.risk.value,
    }
    return {**row, "text": body_of(found, card.delivery, words)} if shown.trusted else row


def last_of(cards: Sequence[HomeCard]) -> tuple[HomeCard, ...]:
    """Return the open cards, the one that came last standing last."""
    return tuple(sorted((card for card in cards if card.phase == "open"), key=lambda card: (card.opened_at, card.id)))
