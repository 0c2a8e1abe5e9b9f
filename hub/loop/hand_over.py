"""A card that reached nobody is handed to another device that lives, as loudly as it was to be told.

Every card is sent to every device at once, so there is something to hand over only where all of those failed, or told
of it more quietly than it deserved. It is looked at whenever other devices are reached than before: one has failed, one
has come, one is mended. What may still arrive is waited for first.

That a device says that it has shown a card is believed for some minutes only: a question that somebody waits for, and
that nobody has answered by then, is told aloud on one more device, and so on, until each that lives has told it.
"""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from hub.contract.events import PredictionNew
from hub.contract.surface import Loudness
from hub.contract.words import DeliveryState, Source
from hub.domain.delivery import LedgerEntry
from hub.domain.suggestion import Card
from hub.loop import reach
from hub.loop.alike_views import alike_of
from hub.loop.draft import Draft
from hub.loop.tell import deliver, may_show
from hub.when import is_quiet
from hub.where import HEARD, LOUDER, next_best, route

SEEN = frozenset({DeliveryState.SHOWN, DeliveryState.ACTED, DeliveryState.CLEARED})
COMES = frozenset({DeliveryState.QUEUED, DeliveryState.ACCEPTED})
HEARD_MAX = 5
"""So many are heard at once of what nobody was reached with; the others come silently beside them."""


def hand_over(draft: Draft) -> None:
    """Hand over what reached nobody, and what nobody answers."""
    reach.settle_overdue(draft)
    before, now = draft.state.living, reach.living(draft.state, draft.now)
    if draft.facts.ledgers is None:
        return
    if now != before:
        draft.state = replace(draft.state, living=now)
        _hand_over_unreached(draft, now)
    _pass_on_unanswered(draft, now)


def _hand_over_unreached(draft: Draft, now: reach.Living) -> None:
    """Hand over what reached nobody; an open page shows all of it already."""
    if any(reach.reads_feed(draft.state, one) for one in draft.state.devices):
        return
    quiet, heard = is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now), set[str]()
    for card, entries in draft.facts.ledgers or ():
        of_round = _of_round(card, entries)
        alike, loudness = alike_of(card) or card.id, deserved(card, of_round)
        if quiet or alike in heard or len(heard) >= HEARD_MAX:
            loudness = "silent"
        if card.held is not None or card.expires_at <= draft.now or _is_reached(of_round, loudness, now):
            continue
        if _hand(draft, card, now, loudness) and loudness != "silent":
            heard.add(alike)


def _pass_on_unanswered(draft: Draft, now: reach.Living) -> None:
    """Tell one more device of each question that was not answered in time, whatever was said of those that have it."""
    waits = draft.state.unanswered
    asked = [
        (card, _of_round(card, entries))
        for card, entries in draft.facts.ledgers or ()
        if reach.is_waited_for(card) and card.expires_at > draft.now
    ]
    told_at = {card.id: waits.get(card.id, _began(card)) for card, _ in asked}
    heard = set[str]()
    for card, entries in asked:
        if draft.now - told_at[card.id] < reach.ANSWERED_IN:
            continue
        told_at[card.id] = draft.now
        loudness, alike = deserved(card, entries), alike_of(card) or card.id
        if is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now) or alike in heard or len(heard) >= HEARD_MAX:
            continue
        have = {(one.surface, one.device) for one in entries if _is_enough(one.loudness, loudness)}
        if loudness != "silent" and _hand(draft, card, now - have, loudness):
            heard.add(alike)
    draft.state = replace(draft.state, unanswered=told_at)


def _began(card: Card) -> datetime:
    return card.returned_at or card.created_at


def _of_round(card: Card, entries: Sequence[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    return tuple(one for one in entries if one.at >= _began(card))


def _is_enough(told: Loudness, deserved: Loudness) -> bool:
    return LOUDER.index(told) >= LOUDER.index(min(deserved, HEARD, key=LOUDER.index))


def deserved(card: Card, entries: Sequence[LedgerEntry]) -> Loudness:
    """Return how loudly a card was to be told; what was sent nowhere is heard where somebody waits for the answer."""
    unsent: Loudness = HEARD if card.proposal.source is Source.ASK else "silent"
    return max((one.loudness for one in entries), key=LOUDER.index, default=unsent)


def _is_reached(entries: Sequence[LedgerEntry], loudness: Loudness, living: reach.Living) -> bool:
    """Return True if the person was told, or will be: it was shown, or a device that lives has or gets it.

    The outbox sends what has no receipt again and again, so what is on its way to a device that lives arrives.
    """
    return any(
        _is_enough(one.loudness, loudness)
        and (one.state in SEEN or (one.state in COMES and (one.surface, one.device) in living))
        for one in entries
    )


def _hand(draft: Draft, card: Card, living: reach.Living, loudness: Loudness) -> bool:
    devices = {(one.surface, one.device): one for one in draft.state.devices}
    event = PredictionNew(prediction=draft.view(card))
    ways = route(
        event,
        tuple(one for key, one in devices.items() if key in living and may_show(draft, card, one)),
        draft.state.profiles,
        bands=draft.state.policy.bands,
        now=draft.now,
        quiet=loudness == "silent",
    )
    best = next_best(ways, devices)
    if best is not None:
        deliver(draft, event, replace(best, loudness=loudness), card)
    return best is not None
