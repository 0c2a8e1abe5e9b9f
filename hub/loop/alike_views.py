"""Which requests of an agent are alike: those for which a person would be offered the same grant, by the same client.

Theory: what a grant covers is a class of calls that a person can read in a line (hub/may/grant_patterns.py), so five of
one class can be looked at together. What is grave is offered no grant, so it is alike nothing.
"""

from hub.contract.words import Risk
from hub.domain.canonical import digest
from hub.domain.suggestion import Card

ALIKE_CHARS = 16


def alike_of(card: Card) -> str:
    """Return a name that the cards alike have in common; empty for a card that is looked at by itself."""
    if card.permission is None or not card.grants or card.proposal.risk is Risk.HIGH:
        return ""
    return digest(card.owner, card.grants[0].pattern)[:ALIKE_CHARS]
