"""Answers about training pairs. A negative limit finds nothing."""

from typing import Any

from hub.domain.lessons import TrainingPair
from hub.domain.reports import CountPairs, PairCount, PairsAfter, StoredPair
from hub.io.store.codec import maybe_moment_of, moment_of
from hub.io.store.session import QuerySession


def pairs_after(query: PairsAfter, session: QuerySession) -> tuple[StoredPair, ...]:
    """Return a page of pairs."""
    rows = session.rows("pairs_after", user_id=query.user, after=query.after, limit=max(query.limit, 0))
    return tuple(_stored(query.user, *row) for row in rows)


def count_pairs(query: CountPairs, session: QuerySession) -> PairCount:
    """Count pairs: all, and those that were not exported yet."""
    ((total, last),) = session.rows("count_pairs", user_id=query.user)
    ((new, since),) = session.rows("count_new_pairs", user_id=query.user)
    new_since = maybe_moment_of(None if since is None else str(since))
    return PairCount(total=int(total or 0), new=int(new or 0), last=int(last or 0), new_since=new_since)


def _stored(user: str, *row: Any) -> StoredPair:  # noqa: ANN401  the columns of pairs_after, as SQLite gives them
    number, context, chosen, rejected, chosen_sure, rejected_sure, at, chosen_id, rejected_id, weight, exported = row
    pair = TrainingPair(
        user=user,
        context=context,
        chosen=chosen,
        rejected=rejected,
        chosen_confidence=chosen_sure,
        rejected_confidence=rejected_sure,
        created_at=moment_of(at),
        chosen_id=chosen_id,
        rejected_id=rejected_id,
        weight=weight,
    )
    return StoredPair(number=number, pair=pair, exported_at=maybe_moment_of(exported))
