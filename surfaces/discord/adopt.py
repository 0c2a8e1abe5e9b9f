"""Make sense of what is found in the channel after a start or an outage. Pure.

Discord is where this surface keeps what it knows: the messages are there with their reactions, and each says which card
it shows. What was found is compared with what is known; what is left are orphans, about which the hub is asked.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hub.contract.api import Prediction
from hub.contract.words import Status
from hub.kit import cards
from hub.kit.chat.card import ChatCard
from surfaces.discord.buttons import short
from surfaces.discord.card_messages import STATUS, CardMessages
from surfaces.discord.found import Sorted
from surfaces.discord.plan import Known

DISCORD_EPOCH_MS = 1_420_070_400_000
CLOCK_SLACK = timedelta(seconds=5)
"""The hub's clock and Discord's may differ by as much."""


def made_at(message_id: str) -> datetime:
    """Return when a message was posted, from its id."""
    return datetime.fromtimestamp(((int(message_id) >> 22) + DISCORD_EPOCH_MS) / 1_000, tz=UTC)


def look_through(card_messages: CardMessages, found: Sequence[Sorted], *, complete: bool, oldest_id: str) -> None:
    """Compare the messages of a channel, newest first, with what is known of them.

    What is known but was not found is gone, if it would have been in the part that was read.
    """
    by_id = {one.seen.message_id: one for one in found}
    for key, known in card_messages.messages():
        one = by_id.get(known.message_id)
        if one is not None:
            card_messages.learn(key, Known(message_id=known.message_id, own=one.seen.own, threaded=one.seen.threaded))
            card_messages.dirty.add(key)
        elif complete or int(known.message_id) >= int(oldest_id or "0"):
            card_messages.lose(known.message_id)
    taken = {known.message_id for _, known in card_messages.messages()}
    for one in found:
        if one.seen.message_id not in taken:
            _take_in(card_messages, one)


def _take_in(card_messages: CardMessages, one: Sorted) -> None:
    known = Known(message_id=one.seen.message_id, own=one.seen.own, threaded=one.seen.threaded)
    match one.kind:
        case "status":
            if STATUS not in card_messages.known:
                card_messages.learn(STATUS, known)
                card_messages.dirty.add(STATUS)
        case "note" | "result":
            if f"{one.kind}:{one.name}" not in card_messages.known:
                card_messages.learn(f"{one.kind}:{one.name}", known)
        case "card" if one.pending and one.name not in card_messages.orphans:
            card_messages.orphans[one.name] = one


def resolve(card_messages: CardMessages, card_id: str, told: Prediction | None, now: datetime) -> None:
    """The hub was asked about an orphan: make it the card's own message, mark it, or leave it as an older record."""
    one = card_messages.orphans.pop(card_id, None)
    if one is None:
        return
    card = card_messages.card(card_id)
    if card is not None:
        card_messages.dirty.add(card.key)
    if told is None:
        _mark(card_messages, f"unknown:{card_id}", one)
        card_messages.unknown[f"unknown:{card_id}"] = card_id
    elif told.status is not Status.PENDING or _is_snoozed(told, now):
        _settle(card_messages, one, told, now)
    elif _shows(one, told):
        _keep(card_messages, one, card)
    else:
        _leave_behind(card_messages, one, told)


def _shows(one: Sorted, told: Prediction) -> bool:
    """Whether the message shows this very opening of the card: its votes are then meant for it."""
    fits = one.hash == short(told.card_hash)
    return fits and made_at(one.seen.message_id) >= told.opened_at - CLOCK_SLACK


def _is_snoozed(prediction: Prediction, now: datetime) -> bool:
    return prediction.snoozed_until is not None and prediction.snoozed_until > now


def _keep(card_messages: CardMessages, one: Sorted, card: ChatCard | None) -> None:
    if card is None:
        card_messages.fresh[one.name] = one
    elif card.key not in card_messages.known:
        card_messages.claim(card, one)


def _settle(card_messages: CardMessages, one: Sorted, told: Prediction, now: datetime) -> None:
    card = card_messages.card(one.name)
    if card is None:
        card = ChatCard(prediction=told, opened_at=told.opened_at, phase="settled")
    card = cards.correct(card, told, now)
    card_messages.put(card)
    if card.key not in card_messages.known:
        _mark(card_messages, card.key, one)


def _leave_behind(card_messages: CardMessages, one: Sorted, told: Prediction) -> None:
    """It shows an earlier opening of the card; it stays as a record, and the new message needs another nonce."""
    card_messages.repost(f"card:{one.name}:0")
    old = ChatCard(prediction=told, opened_at=told.opened_at, phase="settled", round=-1)
    card_messages.faces[old.key] = old
    _mark(card_messages, old.key, one)


def _mark(card_messages: CardMessages, key: str, one: Sorted) -> None:
    seen = one.seen
    card_messages.learn(key, Known(message_id=seen.message_id, own=seen.own, threaded=seen.threaded))
    card_messages.dirty.add(key)
