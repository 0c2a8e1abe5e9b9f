"""The other open cards that a wish for less or none of something means: they go with it, and come back with its undo.

Whoever has just said "never this here" does not want to say it again of each card of the kind that is still open. What
somebody asked for stays, and so does what has run: its answer is still owed.
"""

from msgspec.structs import replace

from hub.contract.events import PredictionReturned
from hub.contract.words import MoveReason, Origin, Source, Status
from hub.domain.mind import Mute
from hub.domain.suggestion import Card
from hub.kit.text import counted
from hub.loop.draft import Draft
from hub.loop.tell import tell, tell_settled
from hub.what import fits

TAKEN_MAX = 50


def take_along(draft: Draft, card: Card, mute: Mute) -> Card:
    """Withdraw what a wish means of the other open cards, from every surface; return the answered one, with them."""
    gone = [one for one in draft.facts.open_cards if one.id != card.id and _is_meant(draft, one, mute)][:TAKEN_MAX]
    for one in gone:
        withdrawn = draft.move(one, MoveReason.WITHDRAWN)
        tell_settled(draft, withdrawn)
    return replace(card, took=tuple(one.id for one in gone))


def bring_back(draft: Draft, card: Card) -> None:
    """Open again what went with this card's answer, but for what has expired meanwhile."""
    for one in draft.facts.open_cards:
        if one.id in card.took and one.status_reason is MoveReason.WITHDRAWN and one.expires_at > draft.now:
            back = draft.move(one, MoveReason.UNDONE)
            tell(draft, PredictionReturned(prediction=draft.view(back), reason="undone"), back)


def also_gone(card: Card) -> str:
    """Say how many cards went with an answer; empty for none."""
    return f"{counted(len(card.took), 'other card')} about it withdrawn." if card.took else ""


def _is_meant(draft: Draft, card: Card, mute: Mute) -> bool:
    proposal = card.proposal
    is_asked = proposal.source is Source.ASK or proposal.origin is Origin.PERSON
    waits = card.status is Status.PENDING and card.attempts == 0 and card.expires_at > draft.now
    return waits and not is_asked and fits(mute, proposal.kind, proposal.work.workspace, proposal.channel)
