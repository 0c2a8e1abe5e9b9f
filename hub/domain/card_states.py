"""The states of a suggestion as a table. docs/card-states.md is generated from it; an illegal move changes nothing.

Theory: a card is open (`pending`) until exactly one of these happens: a person answers, it expires, what it was about
passes, or it is withdrawn: by whoever asked, or since the person wants no more of its kind, which an undo takes back.
An answer is overruled where the agent that asked took another one, given at its own dialog in the same moment.
A confirmed card has an execution; only its end moves the card on. `undo` takes an answer back while that can still be
honoured. A snoozed card stays open, out of sight, and comes back. An interrupted execution returns the card to the
person, who alone may run it again; so does one that did not start because what would run had changed since the person
looked. What failed stays failed, also when it is ignored or an agent is asked to fix it. Only `Draft.move` (hub/loop)
moves a card, and keeps the reason with it and in its episode.
"""

from hub.contract.errors import PulseError
from hub.contract.words import MoveReason, Status

MOVES: dict[tuple[Status, MoveReason], Status] = {
    (Status.PENDING, MoveReason.APPROVED): Status.CONFIRMED,
    (Status.PENDING, MoveReason.AUTO_APPROVED): Status.CONFIRMED,
    (Status.PENDING, MoveReason.REJECTED): Status.REJECTED,
    (Status.PENDING, MoveReason.EXPIRED): Status.EXPIRED,
    (Status.PENDING, MoveReason.PASSED): Status.EXPIRED,
    (Status.PENDING, MoveReason.BLOCKED): Status.CANCELLED,
    (Status.PENDING, MoveReason.WITHDRAWN): Status.CANCELLED,
    (Status.CONFIRMED, MoveReason.OVERRULED): Status.CANCELLED,
    (Status.REJECTED, MoveReason.OVERRULED): Status.CANCELLED,
    (Status.PENDING, MoveReason.SNOOZED): Status.PENDING,
    (Status.PENDING, MoveReason.SNOOZE_OVER): Status.PENDING,
    (Status.PENDING, MoveReason.SNOOZE_UNDONE): Status.PENDING,
    (Status.REJECTED, MoveReason.UNDONE): Status.PENDING,
    (Status.CONFIRMED, MoveReason.UNDONE): Status.PENDING,
    (Status.CANCELLED, MoveReason.UNDONE): Status.PENDING,
    (Status.CONFIRMED, MoveReason.STOPPED): Status.CANCELLED,
    (Status.CONFIRMED, MoveReason.INTERRUPTED): Status.PENDING,
    (Status.CONFIRMED, MoveReason.CHANGED): Status.PENDING,
    (Status.CONFIRMED, MoveReason.VERIFIED): Status.EXECUTED,
    (Status.CONFIRMED, MoveReason.NOT_VERIFIED): Status.FAILED,
    (Status.FAILED, MoveReason.RETRIED): Status.PENDING,
}
RETURNS = frozenset({reason for (_, reason), after in MOVES.items() if after is Status.PENDING} - {MoveReason.SNOOZED})
"""The reasons for which a card is before the person again."""


class IllegalMoveError(PulseError):
    """A suggestion cannot change that way; nothing was changed."""

    code = "illegal-move"


def move(status: Status, reason: MoveReason) -> Status:
    """Return where `reason` takes a card that is at `status`.

    Raises:
        IllegalMoveError: the table has no such move.
    """
    try:
        return MOVES[status, reason]
    except KeyError:
        raise IllegalMoveError(f"no transition from {status} by {reason}") from None
