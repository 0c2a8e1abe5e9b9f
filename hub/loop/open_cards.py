"""How many cards are open, and how many questions each client has among them: counted as cards open and close.

The store's own count replaces these now and then (each tick and each cycle), so that several hubs agree.
"""

from msgspec.structs import replace

from hub.contract.words import Source
from hub.domain.suggestion import Card
from hub.loop.draft import Draft


def opened(draft: Draft, card: Card) -> None:
    """A card waits for the person (again)."""
    _count(draft, card, 1)


def closed(draft: Draft, card: Card) -> None:
    """A card waits no longer."""
    _count(draft, card, -1)


def recount(draft: Draft) -> None:
    """Take over what the store counted."""
    draft.state = replace(draft.state, open_count=draft.facts.open_count, open_asks=draft.facts.open_asks)


def suggestions(draft: Draft) -> int:
    """Return how many suggestions of our own are open."""
    return draft.state.open_count - sum(draft.state.open_asks.values())


def _count(draft: Draft, card: Card, by: int) -> None:
    asks = draft.state.open_asks
    if card.proposal.source is Source.ASK:
        whose = card.proposal.signature
        asks = {**asks, whose: max(0, asks.get(whose, 0) + by)}
    draft.state = replace(draft.state, open_count=max(0, draft.state.open_count + by), open_asks=asks)
