"""From a delivery to one message for ntfy's JSON API. Pure.

The server reads it, and so does Google where the app gets its messages by it. A topic that anybody may read is told no
more than `on_open_topic`; what is hidden cannot be answered, so nobody who reads along can say anything for the person.
"""

from typing import Any

import msgspec

from hub.contract.base import Value
from hub.contract.surface import CardDelivery, Loudness, Privacy
from hub.contract.topics import DeviceAddress
from hub.contract.words import Verb
from hub.kit.cards import card_of, is_over
from hub.kit.gateway.parcel import subject_of
from hub.kit.offered_answers import OfferedAnswers, choices_of
from hub.kit.phrasebook import Phrases
from hub.kit.pushed_text import PushedText, fitted, narrower, page_of, pushed_text
from hub.kit.questions import questions_of
from hub.kit.text import cut, json_bytes
from hub.kit.wordings import worded

MESSAGE_BYTES_MAX = 4_096
"""The server makes an attachment of what is longer."""
ACTIONS_MAX = 3
LABEL_CHARS_MAX = 40
ELSEWHERE = ("question.elsewhere", "question.more")
PRIORITY: dict[Loudness, int] = {"silent": 2, "badge": 1, "notify": 4, "alert": 5}


class NtfyPush(Value):
    """One message, or (`clears`) the end of one; the next with the same `sequence` takes its place."""

    sequence: str
    body: dict[str, Any]
    clears: bool = False


class Replies(Value):
    """Where answers go."""

    url: str
    topic: str

    def __repr__(self) -> str:
        return "Replies(…)"


def render(
    delivery: CardDelivery,
    offers: OfferedAnswers,
    words: Phrases,
    own_address: DeviceAddress,
    *,
    replies: Replies,
    seen: Privacy,
    bytes_max: int,
    page: str = "",
) -> NtfyPush | None:
    """Make the message of a delivery, without its topic; `seen` is the most that may be read there."""
    delivery = msgspec.structs.replace(delivery, privacy=narrower(delivery.privacy, seen))
    sequence = f"pulse-{subject_of(delivery.event)}"
    if is_over(delivery.event):
        return NtfyPush(sequence=sequence, body={}, clears=True)
    said = pushed_text(delivery, words, own_address)
    if said is None:
        return None
    spare = max(json_bytes(f"\n{words.title(name)}") for name in ELSEWHERE) if questions_of(said.permission) else 0
    leads_to = page_of(page, delivery) if said.elsewhere and delivery.privacy == "full" else ""
    is_led = bool(said.elsewhere)
    said = fitted(said, bytes_max - spare, json_bytes)
    body: dict[str, Any] = {
        "title": said.title,
        "message": said.body or said.title,
        "priority": PRIORITY[delivery.loudness],
        "sequence_id": sequence,
    }
    actions = [] if not said.verbs else _actions(delivery, said, offers, words, replies)
    if not is_led and (note := _elsewhere(said, words)):
        body["message"] = f"{body['message']}\n{note}"
    if leads_to:
        body["click"] = leads_to
    return NtfyPush(sequence=sequence, body={**body, "actions": actions} if actions else body)


def _actions(
    delivery: CardDelivery, said: PushedText, offers: OfferedAnswers, words: Phrases, replies: Replies
) -> list[dict[str, Any]]:
    card = card_of(delivery.event)
    if card is None:
        return []
    choices = choices_of(card.permission, LABEL_CHARS_MAX) if Verb.APPROVE in said.verbs else ()
    named = [
        (
            cut(worded(choice.label_worded, choice.label, words), LABEL_CHARS_MAX),
            offers.offer(delivery, card, Verb.APPROVE, choice, is_whole=said.is_whole),
        )
        for choice in choices
        if not choice.own_words
    ]
    has_questions = card.permission is not None and bool(card.permission.questions)
    verbs = (verb for verb in said.verbs if not (verb is Verb.APPROVE and has_questions))

    def _named(verb: Verb) -> tuple[str, str]:
        return words.title(verb.value), offers.offer(delivery, card, verb, is_whole=said.is_whole)

    named = [*named[: ACTIONS_MAX - 1], *(_named(v) for v in verbs)]
    return [
        {
            "action": "http",
            "label": label,
            "url": f"{replies.url}/{replies.topic}",
            "method": "POST",
            "headers": {"Firebase": "no", "Cache": "yes"},
            "body": name,
            "clear": False,
        }
        for label, name in named[:ACTIONS_MAX]
    ]


def _elsewhere(said: PushedText, words: Phrases) -> str:
    """Say where a question is answered that these few buttons do not answer, or not in every way."""
    if not said.body or not questions_of(said.permission):
        return ""
    count = (
        sum(not one.own_words for one in choices_of(said.permission, LABEL_CHARS_MAX))
        if Verb.APPROVE in said.verbs
        else 0
    )
    if count and count < ACTIONS_MAX:
        return ""
    return words.title("question.more" if count else "question.elsewhere")


def refusal(message: str, subject: str) -> NtfyPush:
    """Say in the place of a card why an answer to it did not count."""
    sequence = f"pulse-{subject}"
    return NtfyPush(sequence=sequence, body={"message": message, "priority": 3, "sequence_id": sequence})
