"""Which earlier answers were to suggestions like this one.

Theory: the reason key names why something was suggested, so the same key is the same idea. Without one, two prompts
of one channel are alike if they share enough of their words (Jaccard: shared words over all words). Numbers are no
words here: "3 modules changed" and "5 modules changed" say the same.
"""

import re
import unicodedata
from collections.abc import Iterable

from hub.contract.words import Status
from hub.domain.suggestion import Card

LIKENESS_MIN = 0.5
"""The share of common words from which on two prompts of one channel are alike."""
APPROVED = frozenset({Status.CONFIRMED, Status.EXECUTED, Status.FAILED})
_WORD = re.compile(r"[^\W\d_]+")


def words_of(prompt: str) -> frozenset[str]:
    """Return the words of a text, whatever their case, width or composition."""
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", prompt).casefold()))


def likeness(one: str, other: str) -> float:
    """Return how many of the words of two texts are common to both, 0 to 1; without words they are alike in nothing."""
    first, second = words_of(one), words_of(other)
    every = first | second
    return len(first & second) / len(every) if every else 0.0


def similar(card: Card, answered: Iterable[Card]) -> tuple[Card, ...]:
    """Return the answered cards that resemble `card`: those of its reason first, each group newest first.

    `answered` may name a card twice, and `card` itself; cards that ran by themselves were not answered.
    """
    others = {one.id: one for one in answered if one.id != card.id and (was_approved(one) or was_rejected(one))}
    newest = sorted(others.values(), key=lambda one: (one.created_at, one.id), reverse=True)
    same = [one for one in newest if one.proposal.reason_key == card.proposal.reason_key]
    near = [one for one in newest if one.proposal.reason_key != card.proposal.reason_key and _is_near(card, one)]
    return (*same, *near)


def was_approved(card: Card) -> bool:
    """Say whether a person said yes."""
    return not card.autonomous and card.status in APPROVED


def was_rejected(card: Card) -> bool:
    """Say whether a person said no."""
    return not card.autonomous and card.status is Status.REJECTED


def _is_near(card: Card, other: Card) -> bool:
    same_channel = card.proposal.channel == other.proposal.channel
    return same_channel and likeness(card.prompt, other.prompt) >= LIKENESS_MIN
