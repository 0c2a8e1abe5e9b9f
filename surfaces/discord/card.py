"""One card as this surface knows it, and what is said beside the cards. Pure."""

from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.events import CostApproaching, DigestReady, Paused, Resumed
from hub.contract.surface import CardDelivery, Loudness
from hub.contract.words import GRANTING, Verb
from hub.kit.chat.card import ChatCard
from hub.kit.digests import heading, opening
from hub.kit.phrase_files import phrases
from hub.kit.questions import questions_of

SAY = phrases()


def voted(card: ChatCard) -> tuple[Verb, ...]:
    """Return what can be said to a card by a vote: a question is no matter of yes or no."""
    is_question = bool(questions_of(card.prediction.permission))
    return tuple(verb for verb in card.verbs if not (is_question and verb in GRANTING))


class Note(Value):
    """Something to say that is no card: a cost cap, a pause. Posted once, never changed."""

    delivery_id: str
    title: str
    text: str
    tone: Literal["plain", "warn", "bad", "good"]
    loudness: Loudness
    to_log: bool = False


def note_of(delivery: CardDelivery) -> Note | None:
    """Return what is to be said beside the cards, if anything."""
    made = Note(delivery_id=delivery.delivery_id, title="", text="", tone="warn", loudness=delivery.loudness)
    match delivery.event:
        case CostApproaching(window=window, spent_usd=spent, cap_usd=cap):
            text = f"{SAY.say('cost', spent=spent, cap=cap)}. {SAY.say('cost.then')}"
            return replace(made, title=f"💸 {SAY.title(f'cost.{window}')}", text=text)
        case Paused(reason=reason):
            said = reason if delivery.privacy == "full" else ""
            return replace(made, title=SAY.fill("⏸️ {=Paused}"), text=said or SAY.say("paused.means"), to_log=True)
        case Resumed():
            text = SAY.say("resumed.means")
            return replace(made, title=SAY.fill("▶️ {=Resumed}"), text=text, tone="good", to_log=True)
        case DigestReady(cards=()) as digest if opened := opening(digest, SAY):
            title = f"👋 {SAY.put(heading(digest))}"
            return replace(made, title=title, text="\n".join(opened), tone="plain", to_log=True)
        case _:
            return None
