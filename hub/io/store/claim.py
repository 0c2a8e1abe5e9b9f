"""Handing out outbox messages, each to one sender at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from hub.domain.storage import Outgoing
from hub.io.store.codec import maybe_moment_of, text_of
from hub.io.store.session import Row, Session


@dataclass(frozen=True, slots=True)
class Claim:
    """Leases messages until `lease_s` seconds after `now`; expired ones are removed instead."""

    now: datetime
    lease_s: float
    limit: int

    def __call__(self, session: Session) -> tuple[Outgoing, ...]:
        """Do it, inside the writer's transaction."""
        now = text_of(self.now)
        until = text_of(self.now + timedelta(seconds=self.lease_s))
        session.change("drop_expired", {"now": now})
        claimed = tuple(map(_outgoing, session.rows("claimable", now=now, limit=max(self.limit, 0))))
        for message in claimed:
            session.change("lease", {"id": message.id, "leased_until": until})
        return claimed


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
