"""Answers on their way: handed in again under the same id until the hub's word, or until nobody expects it. Pure."""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.surface import Decision
from hub.kit.backoff import RetryPolicy, retry_delay_s

GIVE_UP = timedelta(minutes=5)
"""A person who answered this long ago no longer expects it to do something."""
AGAIN = RetryPolicy(base_s=1.0, cap_s=60.0, spread=0.5)


class HandedAnswer(Value):
    """A decision that the hub has said nothing to, by whose delivery it was allowed, and when it is due again."""

    decision: Decision
    delivery_id: str
    until: datetime
    again_at: datetime
    tries: int = 0


def handed(decision: Decision, delivery_id: str, until: datetime, draw: Callable[[], float]) -> HandedAnswer:
    """Return what is kept of a decision that was just handed in."""
    first = HandedAnswer(decision=decision, delivery_id=delivery_id, until=until, again_at=decision.at)
    return put_off(first, decision.at, draw)


def put_off(one: HandedAnswer, now: datetime, draw: Callable[[], float]) -> HandedAnswer:
    """Return it as it is once it was handed in again; `draw` (0 to 1) is which share of the spread it waits."""
    wait_s = retry_delay_s(one.tries, AGAIN, draw)
    return replace(one, again_at=now + timedelta(seconds=wait_s), tries=one.tries + 1)


def hurried(one: HandedAnswer, now: datetime) -> HandedAnswer:
    """Return it as it is once the connection is back: due at once, and soon again."""
    return replace(one, again_at=now, tries=0)


class HandedAnswers:
    """All that wait for the hub's word."""

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw
        self._waiting: dict[str, HandedAnswer] = {}

    def add(self, decision: Decision, delivery_id: str, now: datetime) -> None:
        """Keep a decision that was just handed in."""
        self._waiting[decision.decision_id] = handed(decision, delivery_id, now + GIVE_UP, self._draw)

    def heard(self, decision_id: str) -> HandedAnswer | None:
        """Take out the one that the hub has spoken about."""
        return self._waiting.pop(decision_id, None)

    def about(self, card_id: str) -> bool:
        """Say whether an answer to this card is on its way."""
        return any(one.decision.card_id == card_id for one in self._waiting.values())

    def hurry(self, now: datetime) -> None:
        """The connection is back: all are due at once."""
        self._waiting = {key: hurried(one, now) for key, one in self._waiting.items()}

    def due(self, now: datetime) -> tuple[Decision, ...]:
        """Return those that are due again, and put them off."""
        found = [one for one in self._waiting.values() if one.again_at <= now < one.until]
        for one in found:
            self._waiting[one.decision.decision_id] = put_off(one, now, self._draw)
        return tuple(one.decision for one in found)

    def given_up(self, now: datetime) -> tuple[Decision, ...]:
        """Take out and return those that nobody expects any more."""
        over = [one.decision for one in self._waiting.values() if one.until <= now]
        for one in over:
            del self._waiting[one.decision_id]
        return tuple(over)

    def next_at(self) -> datetime | None:
        """Return when something is due."""
        return min((min(one.again_at, one.until) for one in self._waiting.values()), default=None)
