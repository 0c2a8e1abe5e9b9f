"""A card that reached nobody is handed to another device that lives, as loudly as it was to be told.

Every card is sent to every device at once, so there is something to hand over only where all of those failed, or told
of it more quietly than it deserved. It is looked at whenever other devices are reached than before: one has failed, one
has come, one is mended. What may still arrive is waited for first.
"""

from collections.abc import Sequence

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
    """Hand over what reached nobody, if other devices are reached than before; an open page shows all of it already."""
    reach.settle_overdue(draft)
    before, now = draft.state.living, reach.living(draft.state, draft.now)
    if now == before or draft.facts.ledgers is None:
        return
    draft.state = replace(draft.state, living=now)
    if any(reach.reads_feed(draft.state, one) for one in draft.state.devices):
        return
    quiet, heard = is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now), set[str]()
    for card, entries in draft.facts.ledgers:
        of_round = tuple(one for one in entries if one.at >= (card.returned_at or card.created_at))
        alike, loudness = alike_of(card) or card.id, deserved(card, of_round)
        if quiet or alike in heard or len(heard) >= HEARD_MAX:
            loudness = "silent"
        if card.held is not None or card.expires_at <= draft.now or _is_reached(of_round, loudness, now):
            continue
        if _hand(draft, card, now, loudness) and loudness != "silent":
            heard.add(alike)


def deserved(card: Card, entries: Sequence[LedgerEntry]) -> Loudness:
    """Return how loudly a card was to be told; what was sent nowhere is heard where somebody waits for the answer."""
    unsent: Loudness = HEARD if card.proposal.source is Source.ASK else "silent"
    return max((one.loudness for one in entries), key=LOUDER.index, default=unsent)


def _is_reached(entries: Sequence[LedgerEntry], loudness: Loudness, living: reach.Living) -> bool:
    """Return True if the person was told, or will be: it was shown, or a device that lives has or gets it.

    The outbox sends what has no receipt again and again, so what is on its way to a device that lives arrives.
    """
    enough = min(loudness, HEARD, key=LOUDER.index)
    return any(
        LOUDER.index(one.loudness) >= LOUDER.index(enough)
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
