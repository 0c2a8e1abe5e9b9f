"""The rules that a change must keep by itself, whatever is stored. Breaking one is a bug of the caller."""

from typing import Final

from hub.domain.storage import AddCard, Change, LogEntry, MoveCard
from hub.domain.suggestion import Card
from hub.io.store.errors import BrokenChangeError

TRIGGERS: Final = frozenset({"manual", "autonomous", "cron"})


def check(change: Change) -> None:
    """Refuse a change that breaks its own rule.

    Raises:
        BrokenChangeError: it does.
    """
    match change:
        case AddCard(card=card):
            _check_card(card)
        case MoveCard(card=card, expect_version=version):
            _check_card(card)
            if card.version != version + 1:
                raise BrokenChangeError(f"card {card.id}: version {card.version} does not follow {version}")
        case LogEntry() as entry if entry.trigger not in TRIGGERS:
            raise BrokenChangeError(f"a log entry cannot say trigger {entry.trigger!r}")
        case _:
            pass


def _check_card(card: Card) -> None:
    if not 0.0 <= card.proposal.confidence <= 1.0:
        raise BrokenChangeError(f"card {card.id}: confidence {card.proposal.confidence} is not within 0 and 1")
