"""Several suggestions in one message: a line for each with how it stands, and buttons for what can be said to it. Pure.

Who may decide alone answers here. Where a vote decides, or a line had to be cut, a press brings the suggestion up as a
message of its own, with its votes and its details. After a restart every open one has a message of its own anyway.
"""

import re
from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.events import DIGEST_CARDS_MAX, DigestReady
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.words import Risk, Verb
from hub.kit.chat.card import ChatCard
from hub.kit.digests import heading, kind_words, line_of, more_words, opening
from hub.kit.fates import fate_of
from hub.kit.naming import where_of, who_of
from hub.kit.shown import asks_twice
from surfaces.discord.buttons import HASH_CHARS, short
from surfaces.discord.card import SAY
from surfaces.discord.limits import Button, Embed, Footer, Rendered, Style
from surfaces.discord.plan import Wanted
from surfaces.discord.text import one_line, plain

DIGESTS_MAX = 20
"""Older ones can no longer be answered in their place."""
ITEMS_A_ROW = 2
LINE_UNITS, STATE_UNITS, FOOTER_UNITS = 300, 120, 160
BLUE, GREY = 0x5865F2, 0x99AAB5
OVER = frozenset({"settled", "snoozed"})
ItemAction = Literal["approve", "reject", "undo", "stop", "show"]
STYLES: dict[ItemAction, Style] = {
    "approve": "success",
    "reject": "secondary",
    "undo": "secondary",
    "stop": "danger",
    "show": "primary",
}
_ID = re.compile(rf"pulse-item:(approve|reject|undo|stop|show):([A-Za-z0-9_-]{{1,64}}):([0-9a-f]{{{HASH_CHARS}}})\Z")


class Together(Value):
    """One digest: its message's key, its cards in their order, and what is told beside them."""

    key: str
    event: DigestReady
    delivery_id: str
    item_ids: tuple[str, ...]
    silent: bool

    @property
    def card_ids(self) -> tuple[str, ...]:
        """Its cards, in the order of the lines."""
        return tuple(card.id for card in self.event.cards[:DIGEST_CARDS_MAX])


class ItemPressed(Value):
    """What a button of one line was for."""

    action: ItemAction
    card_id: str
    hash: str


def together_of(delivery: CardDelivery) -> Together | None:
    """Return the digest of a delivery; None for another event, for no cards, and where no text may be shown."""
    event = delivery.event
    if not isinstance(event, DigestReady) or not event.cards or delivery.privacy != "full":
        return None
    return Together(
        key=f"digest:{event.digest_id}",
        event=event,
        delivery_id=delivery.delivery_id,
        item_ids=tuple(item.delivery_id for item in delivery.items),
        silent=delivery.loudness not in LOUD,
    )


def read_item_id(text: str) -> ItemPressed | None:
    """Read a button's id back; None when it is none of these."""
    found = _ID.match(text)
    if found is None:
        return None
    action = next(one for one in STYLES if one == found[1])
    return ItemPressed(action=action, card_id=found[2], hash=found[3])


def wanted_together(digest: Together, cards: Mapping[str, ChatCard], *, owner_id: str = "") -> Wanted:
    """Return what the message of a digest should be, with its cards as they are now; `owner_id` is mentioned."""
    rendered = render_together(digest, cards)
    if owner_id and not digest.silent and any(card.phase == "open" for card in cards.values()):
        rendered = replace(rendered, content=f"<@{owner_id}>", ping=owner_id)
    return Wanted(
        key=digest.key,
        born=digest.event.digest_id,
        rendered=rendered,
        silent=digest.silent,
        face="|".join(f"{card.phase} {fate_of(card.prediction)} {card.refused}" for card in cards.values()),
        delivery_id=digest.delivery_id,
        item_ids=digest.item_ids,
    )


def render_together(digest: Together, cards: Mapping[str, ChatCard]) -> Rendered:
    """Draw a digest with its cards as they are now; at most eight lines and sixteen buttons, four in a row."""
    event = digest.event
    shown = [(number, cards[card_id]) for number, card_id in enumerate(digest.card_ids, start=1) if card_id in cards]
    before = opening(event, SAY) or (kind_words(event, SAY),)
    opened = tuple(one_line(line, LINE_UNITS) for line in before)
    texts = (*opened, *(_line(number, card) for number, card in shown), more_words(event, SAY))
    is_alike = bool(event.alike)
    buttons = tuple(button for number, card in shown for button in _buttons(number, card, is_alike=is_alike))
    embed = Embed(
        title=f"🔮 {SAY.put(heading(event))}",
        description="\n".join(filter(None, texts)),
        color=BLUE if any(card.phase not in OVER for _, card in shown) else GREY,
        footer=Footer(text=plain(f"Pulse digest {event.digest_id}", FOOTER_UNITS)),
    )
    return Rendered(embeds=(embed,), buttons=buttons)


def _line(number: int, card: ChatCard) -> str:
    text = one_line(line_of(card.prediction).text, LINE_UNITS)
    risk = "" if card.prediction.risk is Risk.LOW else f" · ⚠️ {card.prediction.risk}"
    shown = f"~~{text}~~" if card.phase in OVER else text
    state = _state(card)
    return f"**{number}.** {shown}{risk}{f' · {state}' if state else ''}"


def _state(card: ChatCard) -> str:
    """Say how it stands; nothing while it is open, but why an answer was not taken."""
    settled = card.prediction.settled
    match card.phase:
        case "open":
            return f"⚠️ {one_line(card.refused, STATE_UNITS)}" if card.refused else ""
        case "running":
            return SAY.title("started")
        case "settled" | "waiting" if settled is not None and not card.run_end:
            said = SAY.title(f"{settled.verb.value}.by", who=who_of(settled.by), where=where_of(settled.surface))
            return one_line(said, STATE_UNITS)
        case "snoozed":
            return SAY.title("snooze.done")
        case _:
            return SAY.title(fate_of(card.prediction))


def may_approve(card: ChatCard, *, is_alike: bool) -> bool:
    """Return True if a line's button may approve it: all of it is shown, and one press is enough."""
    is_read = line_of(card.prediction, is_alike=is_alike).is_whole
    return Verb.APPROVE in card.verbs and is_read and not asks_twice(card.prediction)


def _buttons(number: int, card: ChatCard, *, is_alike: bool) -> tuple[Button, ...]:
    """Return what can be said to one line; nobody approves a line that was cut."""
    actions: list[ItemAction] = []
    if card.phase == "open":
        actions.append("approve" if may_approve(card, is_alike=is_alike) else "show")
        if Verb.REJECT in card.verbs:
            actions.append("reject")
    elif card.phase == "running":
        actions = ["stop"] if Verb.STOP in card.verbs else []
    elif card.phase in {"waiting", "settled"}:
        actions = ["undo"] if Verb.UNDO in card.verbs else []
    row = (number - 1) // ITEMS_A_ROW
    return tuple(
        Button(
            label=f"{number} · {'Open' if action == 'show' else SAY.title(action)}",
            custom_id=f"pulse-item:{action}:{card.id}:{short(card.prediction.card_hash)}",
            style=STYLES[action],
            row=row,
        )
        for action in actions
    )
