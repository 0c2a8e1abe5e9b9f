"""From a delivery to what Home Assistant's app shows on a phone and its watch. Pure.

The app's relay, Google and Apple can read it; how much is said is the device's privacy. What lets something risky run
needs an unlocked phone, and nothing that lets run stands beside a text that was cut.
"""

from typing import Any, Literal

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.surface import LOUD, CardDelivery, Loudness
from hub.contract.topics import DeviceAddress
from hub.contract.words import GRANTING, Risk, Verb
from hub.kit.cards import card_of, is_over
from hub.kit.gateway.parcel import subject_of
from hub.kit.offered_answers import OfferedAnswers, choices_of
from hub.kit.phrasebook import Phrases, capital
from hub.kit.pushed_text import PushedText, fitted, page_of, pushed_text
from hub.kit.text import cut, json_bytes

CLEAR = "clear_notification"
ACTION = "PULSE_"
ACTIONS_MAX = 10
"""More than iOS shows; Android shows the first three."""
LABEL_CHARS_MAX = 60
GROUP = "pulse"
LEVELS: dict[Loudness, str] = {"silent": "passive", "badge": "passive", "notify": "active", "alert": "time-sensitive"}
Importance = Literal["low", "default", "high"]
IMPORTANCE: dict[Loudness, Importance] = {"silent": "low", "badge": "low", "notify": "default", "alert": "high"}


class PhonePush(Value):
    """What the notify service of a phone is called with."""

    message: str
    data: dict[str, Any]
    title: str = ""


def render(
    delivery: CardDelivery,
    offers: OfferedAnswers,
    words: Phrases,
    own_address: DeviceAddress,
    bytes_max: int,
    *,
    page: str = "",
) -> PhonePush | None:
    """Make the notification of a delivery; None where there is nothing to show."""
    tag = f"{GROUP}-{subject_of(delivery.event)}"
    if is_over(delivery.event):
        return PhonePush(message=CLEAR, data={"tag": tag})
    said = pushed_text(delivery, words, own_address)
    if said is None:
        return None
    leads_to = page_of(page, delivery) if said.elsewhere else ""
    said = fitted(said, bytes_max, json_bytes)
    card = card_of(delivery.event)
    return PhonePush(
        title=said.title,
        message=said.body or said.title,
        data={
            "tag": tag,
            "group": GROUP,
            "channel": f"Pulse ({IMPORTANCE[delivery.loudness]})",
            "importance": IMPORTANCE[delivery.loudness],
            **({"ttl": 0, "priority": "high"} if delivery.loudness in LOUD else {}),
            **({"url": leads_to, "clickAction": leads_to} if leads_to else {}),
            "push": {"interruption-level": LEVELS[delivery.loudness]},
            "actions": [] if card is None else _actions(delivery, card, said, offers, words),
        },
    )


def _actions(
    delivery: CardDelivery, card: Prediction, said: PushedText, offers: OfferedAnswers, words: Phrases
) -> list[dict[str, Any]]:
    found = []
    is_guarded = card.risk is not Risk.LOW
    for verb in said.verbs:
        choices = choices_of(card.permission, LABEL_CHARS_MAX) if verb is Verb.APPROVE else ()
        for choice in choices:
            name = offers.offer(delivery, card, verb, choice, is_whole=said.is_whole)
            label = words.title("home.own") if choice.own_words else cut(choice.label, LABEL_CHARS_MAX)
            asks = {"behavior": "textInput", "textInputPlaceholder": label} if choice.own_words else {}
            found.append({"action": ACTION + name, "title": label, "authenticationRequired": is_guarded, **asks})
        if not choices and not _has_questions(card, verb):
            name = offers.offer(delivery, card, verb, is_whole=said.is_whole)
            action = {"action": ACTION + name, "title": capital(words.say(verb.value))}
            found.append({**action, "authenticationRequired": is_guarded and verb in GRANTING})
    return found[:ACTIONS_MAX]


def _has_questions(card: Prediction, verb: Verb) -> bool:
    """Several questions at once have no buttons; a plain yes would answer none of them."""
    return verb is Verb.APPROVE and card.permission is not None and bool(card.permission.questions)
