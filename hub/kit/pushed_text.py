"""What a notification says of a delivery, and what may be answered beside that text: one for all that push. Pure.

Nobody approves what they could not read: what lets something run is offered only where the whole text is shown.
"""

from collections.abc import Callable

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.permission import Permission
from hub.contract.surface import CardDelivery, Privacy
from hub.contract.topics import DeviceAddress
from hub.contract.words import GRANTING, Verb
from hub.kit.announcing import Announcement, announce
from hub.kit.cards import card_id_of
from hub.kit.changed import changed_text
from hub.kit.digests import in_lines
from hub.kit.naming import elsewhere_said, place_of
from hub.kit.permissions import effects_line, shortened
from hub.kit.phrasebook import Phrase, Phrases
from hub.kit.questions import questions_of, questions_text
from hub.kit.shown import sayable
from hub.kit.text import cut, visible
from hub.kit.wordings import asked_said, event_in, question_said

TITLE_CHARS_MAX = 120
OFFERED = frozenset({Verb.APPROVE, Verb.REJECT, Verb.UNDO, Verb.STOP, Verb.RETRY})
"""What a button can say; the other verbs need a page."""
UNSEEN_OFFERED = OFFERED - GRANTING


class PushedText(Value):
    """A notification as text, the verbs that may be answered beside just that text, and whether it is all of it.

    `elsewhere` says where a yes counts to what may only be refused here; it stands below the text and is never cut.
    """

    title: str
    body: str
    verbs: tuple[Verb, ...]
    permission: Permission | None = None
    is_whole: bool = False
    elsewhere: str = ""


def pushed_text(delivery: CardDelivery, words: Phrases, own_address: DeviceAddress) -> PushedText | None:
    """Put a delivery into words as far as its privacy allows; None where it is not worth a notification."""
    found = announce(event_in(delivery.event, words))
    if found is None:
        return None
    return PushedText(
        title=title_of(found, delivery, words, own_address),
        body=body_of(found, delivery, words),
        verbs=offered(delivery),
        permission=found.card.permission if found.card else None,
        is_whole=delivery.privacy == "full",
        elsewhere=_elsewhere(found, delivery, words),
    )


def _elsewhere(found: Announcement, delivery: CardDelivery, words: Phrases) -> str:
    """Say where a card is approved to which this device may only say no; empty where its text already says so."""
    card = found.card
    is_refusable = Verb.REJECT in delivery.verbs and not GRANTING.intersection(delivery.verbs)
    if card is None or not found.waits or delivery.privacy == "nothing" or not is_refusable:
        return ""
    if elsewhere_said(card, words) or (card.permission is not None and card.permission.dialog_only):
        return ""
    return words.title("question.elsewhere" if questions_of(card.permission) else "approve.elsewhere")


def page_of(page: str, delivery: CardDelivery) -> str:
    """Return the address of a card on the page; empty where no phone reaches the page."""
    card_id = card_id_of(delivery.event)
    return f"{page.rstrip('/')}/#card={card_id}" if page and card_id else ""


def fitted(text: PushedText, room: int, size: Callable[[str], int] = len) -> PushedText:
    """Return it with a body of at most `room`, as `size` counts; beside one that is cut nothing is let run."""
    end = f"\n{text.elsewhere}" if text.elsewhere else ""
    room -= size(end) if end else 0
    if size(text.body) <= room:
        return replace(text, body=f"{text.body}{end}".strip("\n"), elsewhere="")
    asked = text.permission
    body = shortened(asked, text.body, room, size) if asked else cut(text.body, room, size)
    return replace(text, elsewhere="", body=body + end, verbs=sayable(text.verbs, is_whole=False), is_whole=False)


def title_of(found: Announcement, delivery: CardDelivery, words: Phrases, own_address: DeviceAddress) -> str:
    """Say what it is and where it belongs, or only that there is something; nothing of the card's own text."""
    if delivery.privacy == "nothing":
        return words.title("hidden.waits" if found.waits else "hidden.news")
    title = words.put(_where(found, own_address))
    return cut(f"{title}: {place_of(found.card, words)}" if found.card else title, TITLE_CHARS_MAX)


def body_of(found: Announcement, delivery: CardDelivery, words: Phrases) -> str:
    """Say what may be seen on this device."""
    if delivery.privacy != "full":
        return ""
    if found.digest:
        return in_lines(found.digest, words)
    if found.detail:
        return words.put(found.detail)
    elsewhere = elsewhere_said(found.card, words) if found.waits and found.card else ""
    why_not = found.card.cannot_run if found.waits and found.card else ""
    effects = effects_line(found.card, words) if found.waits else ""
    said = found.prompt and changed_text(found.card, words, found.prompt)
    prompt = (_asked(found.card, words) if found.waits and found.card else "") or said
    return "\n".join(filter(None, (why_not, elsewhere, prompt, effects, found.text)))


def _asked(card: Prediction, words: Phrases) -> str:
    """Return the hub's own question, or questions whose choices say what they mean; empty where the prompt says all."""
    asked = questions_of(card.permission)
    is_described = any(choice.description for one in asked for choice in one.choices)
    return (
        visible(questions_text(question_said(one, words) for one in asked)) if is_described else asked_said(card, words)
    )


def offered(delivery: CardDelivery) -> tuple[Verb, ...]:
    """Return the verbs that a button may say beside what this device may show."""
    if delivery.privacy == "nothing" or not delivery.token:
        return ()
    verbs = sayable(delivery.verbs, is_whole=delivery.privacy == "full")
    return tuple(verb for verb in verbs if verb in OFFERED)


def narrower(one: Privacy, other: Privacy) -> Privacy:
    """Return which of the two shows less."""
    order: tuple[Privacy, ...] = ("nothing", "title", "full")
    return min(one, other, key=order.index)


def _where(found: Announcement, own_address: DeviceAddress) -> Phrase:
    """What was answered here needs no "in the browser"."""
    settled = found.card.settled if found.card else None
    is_here = settled is not None and (settled.surface, settled.device) == (own_address.surface, own_address.device)
    if settled is None or not is_here or "where" not in found.title.values:
        return found.title
    return Phrase(name=f"{settled.verb.value}.done")
