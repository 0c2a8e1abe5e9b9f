"""What happened while the person was away, as everybody outside sees it, for a while after they are back."""

from datetime import datetime, timedelta

from hub.contract.alone import AwaySummary
from hub.kit.text import counted, duration
from hub.loop.state import State

TOLD_FOR = timedelta(hours=1)
"""So long after a return it is told what happened; then it is old news."""


def away_of(state: State, now: datetime) -> AwaySummary | None:
    """Return what to tell somebody who is just back; None later, or where nothing happened."""
    back = state.mind.returned
    if back is None or not timedelta(0) <= now - back.at < TOLD_FOR:
        return None
    told = back.absence
    parts = (
        (told.alone, f"{told.alone} done on autopilot"),
        (told.failed, f"{told.failed} failed"),
        (told.approved, f"{told.approved} approved by you"),
        (told.rejected, f"{told.rejected} dismissed"),
        (told.made, counted(told.made, "new suggestion")),
        (told.finished, f"agents finished {counted(told.finished, 'time')}"),
        (told.pairs, counted(told.pairs, "new training pair")),
        (state.open_count, f"{state.open_count} waiting"),
    )
    listed = ", ".join(words for number, words in parts if number)
    return AwaySummary(
        says=f"While you were away ({duration(back.at - told.since)}): {listed}.",
        since=told.since,
        until=back.at,
        alone=told.alone,
        failed=told.failed,
        approved=told.approved,
        rejected=told.rejected,
        made=told.made,
        finished=told.finished,
        pairs=told.pairs,
        waiting=state.open_count,
    )
