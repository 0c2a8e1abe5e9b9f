"""Cards whose reason is over: what was to be done was done otherwise, or there is nothing left to do it to."""

from collections.abc import Sequence

from msgspec.structs import replace

from hub.contract.events import PredictionExpired
from hub.contract.words import MoveReason, Status
from hub.domain.situation import Situation
from hub.domain.suggestion import Card
from hub.loop.draft import Draft
from hub.loop.tell import tell
from hub.what import has_passed, keys_open


def take_back_passed(draft: Draft, situation: Situation) -> None:
    """Let open cards go whose evidence the situation shows to be gone, and tell every surface that shows them.

    A card that has run once stays: its own run may well have changed what it was made from.
    """
    found = draft.ideas(situation)
    waiting = [card for card in draft.facts.open_cards if _waits(draft, card)]
    let_lapse(draft, [card for card in waiting if has_passed(card.proposal, found, situation)])


def let_lapse(draft: Draft, over: Sequence[Card]) -> None:
    """Take open cards back, on every surface that shows them: nothing of this step counts them as open any more."""
    for card in over:
        gone = draft.move(replace(card, snoozed_until=None), MoveReason.PASSED)
        tell(draft, PredictionExpired(card_id=card.id, reason=MoveReason.PASSED), gone)
    gone_ids = {card.id for card in over}
    stay = tuple(card for card in draft.facts.open_cards if card.id not in gone_ids)
    draft.facts = replace(draft.facts, open_cards=stay, open_keys=keys_open((*stay, *draft.facts.under_way)))


def _waits(draft: Draft, card: Card) -> bool:
    return card.status is Status.PENDING and card.attempts == 0 and card.expires_at > draft.now
