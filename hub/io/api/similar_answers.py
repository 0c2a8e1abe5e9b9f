"""How suggestions like one were answered."""

from hub.contract.insight import SimilarAnswer
from hub.domain.reports import AnsweredForReason, AnsweredInChannel
from hub.domain.requests import Refused
from hub.io.api import cards
from hub.io.api.call import Call, Nothing
from hub.learn import similar, was_approved, was_rejected
from hub.loop.refusals import unknown_card

SHOWN_MAX = 5
COMPARED_MAX = 300
"""Newest answers of the same reason, and as many of the same channel, that are looked through."""


async def similar_cards(call: Call[Nothing, Nothing]) -> SimilarAnswer | Refused:
    """Return earlier answers to suggestions like this one: of the same reason first, then of similar words."""
    parts, card_id = call.parts, call.path["id"]
    card = await cards.find(parts, card_id)
    if card is None:
        return unknown_card(card_id)
    proposal = card.proposal
    for_reason = AnsweredForReason(user=parts.user, reason_key=proposal.reason_key, limit=COMPARED_MAX)
    in_channel = AnsweredInChannel(user=parts.user, channel=proposal.channel, limit=COMPARED_MAX)
    found = similar(card, (*await parts.store.read(for_reason), *await parts.store.read(in_channel)))
    return SimilarAnswer(
        predictions=tuple([await cards.view(parts, one) for one in found[:SHOWN_MAX]]),
        approved=sum(map(was_approved, found)),
        rejected=sum(map(was_rejected, found)),
    )
