"""Handing out outbox messages, each to one sender at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from hub.domain.storage import Outgoing
from hub.io.store.codec import maybe_moment_of, text_of
from hub.io.store.known_rows import known_message
from hub.io.store.session import QuerySession, Row

DOUBLINGS_MAX = 7
"""A lease of 30 s grows to about an hour."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Leases messages from `now` on: `lease_s` the first time, twice as long each time after, up to a bound.

    So a device that is away for hours is not sent the same card every half minute. Expired messages are removed.
    """

    now: datetime
    lease_s: float
    limit: int

    def __call__(self, session: QuerySession) -> tuple[Outgoing, ...]:
        """Do it, inside the writer's transaction."""
        now = text_of(self.now)
        session.change("drop_expired", {"now": now})
        claimed = []
        for claims, *row in session.rows("claimable", now=now, limit=max(self.limit, 0)):
            message = _outgoing(tuple(row))
            session.known.require(known_message(message))
            until = lease_end(self.now, self.lease_s, int(str(claims)))
            session.change("lease", {"id": message.id, "leased_until": text_of(until)})
            claimed.append(message)
        return tuple(claimed)


def lease_end(now: datetime, lease_s: float, claims: int) -> datetime:
    """Return when the lease of a message ends that was claimed `claims` times before."""
    return now + timedelta(seconds=lease_s * 2 ** min(claims, DOUBLINGS_MAX))


def _outgoing(row: Row) -> Outgoing:
    id_, topic, payload, retain, wants_receipt, expires_at = row
    return Outgoing(
        id=str(id_),
        topic=str(topic),
        payload=payload if isinstance(payload, bytes) else b"",
        retain=bool(retain),
        wants_receipt=bool(wants_receipt),
        expires_at=maybe_moment_of(None if expires_at is None else str(expires_at)),
    )
