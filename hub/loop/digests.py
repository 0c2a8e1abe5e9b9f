"""Digests: what waits for a good moment, told all at once, the most valuable first.

Every card of one is open before and after, and is answered by itself; a digest moves nothing. One that is given again
takes the place of the last one wherever it is shown.
"""

from collections.abc import Sequence

from hub.contract.alone import AwaySummary
from hub.contract.api import Prediction
from hub.contract.events import DIGEST_CARDS_MAX, DigestReady
from hub.contract.words import Source
from hub.domain.requests import DigestGiven, GiveDigest
from hub.loop.away_views import away_of
from hub.loop.draft import Draft
from hub.loop.tell import tell


def digest_of(cards: Sequence[Prediction], digest_id: str, away: AwaySummary | None = None) -> DigestReady:
    """Put open cards into one digest: questions first, for somebody waits; then by how likely a yes is."""
    first = sorted(cards, key=_worth)
    shown, rest = first[:DIGEST_CARDS_MAX], first[DIGEST_CARDS_MAX:]
    return DigestReady(digest_id=digest_id, cards=tuple(shown), more=len(rest), away=away)


def give(draft: Draft, cards: Sequence[Prediction]) -> DigestReady:
    """Tell everybody of these cards at once, with what happened while the person was away; of nothing, nobody."""
    made = digest_of(cards, draft.new_id("dg"), away_of(draft.state, draft.now))
    if made.cards or made.away is not None:
        tell(draft, made)
    return made


def on_give(draft: Draft, request: GiveDigest, reply_to: str) -> None:
    """Tell everybody now of all that is open and not snoozed; the person asked for it."""
    del request
    waiting = [draft.view(card) for card in draft.facts.open_cards if card.expires_at > draft.now]
    draft.reply(reply_to, DigestGiven(digest=give(draft, waiting)))


def _worth(card: Prediction) -> tuple[bool, float, str]:
    chance = card.likelihood.p if card.likelihood is not None else card.confidence
    return card.source is not Source.ASK, -chance, card.id
