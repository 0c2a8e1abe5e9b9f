"""The life of a suggestion as a table. docs/life.md is generated from it; an illegal move raises and changes nothing.

Theory: a card is open (`pending`) until exactly one of these happens: a person answers, it expires, or whoever asked
takes it back. A confirmed card has an execution; only its end moves the card on. `undo` takes an answer back while
that can still be honoured. An interrupted execution returns the card to the person, who alone may run it again; so does
one that did not start because what would run had changed since the person looked.
"""

from enum import StrEnum

from hub.contract.words import Status
from hub.errors import PulseError


class Reason(StrEnum):
    """Why a card moved. Different words for different things: none stands for two."""

    APPROVED = "approved"
    AUTO_APPROVED = "auto-approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    BLOCKED = "blocked"
    WITHDRAWN = "withdrawn"
    UNDONE = "undone"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    CHANGED = "changed"
    VERIFIED = "verified"
    NOT_VERIFIED = "not-verified"
    RETRIED = "retried"


MOVES: dict[tuple[Status, Reason], Status] = {
    (Status.PENDING, Reason.APPROVED): Status.CONFIRMED,
    (Status.PENDING, Reason.AUTO_APPROVED): Status.CONFIRMED,
    (Status.PENDING, Reason.REJECTED): Status.REJECTED,
    (Status.PENDING, Reason.EXPIRED): Status.EXPIRED,
    (Status.PENDING, Reason.BLOCKED): Status.CANCELLED,
    (Status.PENDING, Reason.WITHDRAWN): Status.CANCELLED,
    (Status.REJECTED, Reason.UNDONE): Status.PENDING,
    (Status.CONFIRMED, Reason.UNDONE): Status.PENDING,
    (Status.CONFIRMED, Reason.STOPPED): Status.CANCELLED,
    (Status.CONFIRMED, Reason.INTERRUPTED): Status.PENDING,
    (Status.CONFIRMED, Reason.CHANGED): Status.PENDING,
    (Status.CONFIRMED, Reason.VERIFIED): Status.EXECUTED,
    (Status.CONFIRMED, Reason.NOT_VERIFIED): Status.FAILED,
    (Status.FAILED, Reason.RETRIED): Status.PENDING,
}


class IllegalMoveError(PulseError):
    """A suggestion cannot move that way; nothing was changed."""

    code = "illegal-move"


def move(status: Status, reason: Reason) -> Status:
    """Return where `reason` takes a card that is at `status`.

    Raises:
        IllegalMoveError: the table has no such move.
    """
    try:
        return MOVES[status, reason]
    except KeyError:
        raise IllegalMoveError(f"no move from {status} by {reason}") from None
