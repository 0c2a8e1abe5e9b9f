"""Booking what runs cost, and saying so when a cap comes near."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.events import CostApproaching
from hub.domain.policy import USD, Caps
from hub.loop.draft import Draft
from hub.loop.tell import tell
from hub.may import after_cost, crossed, spent


def book(draft: Draft, microusd: int, *, booked_at: datetime | None = None) -> None:
    """Book a cost, or (negative) give back what an estimate had booked too much at `booked_at`."""
    if microusd == 0:
        return
    before, policy = draft.mind.ledger, draft.state.policy
    after = after_cost(before, microusd, policy, draft.now, booked_at=booked_at)
    draft.set_mind(replace(draft.mind, ledger=after))
    booked = spent(after, policy, draft.now)
    sums = {"hour": booked.hour_microusd, "day": booked.day_microusd, "month": booked.month_microusd}
    for window in crossed(before, after, policy, draft.now):
        tell(
            draft, CostApproaching(window=window, spent_usd=sums[window] / USD, cap_usd=_cap(policy.caps, window) / USD)
        )


def _cap(caps: Caps, window: str) -> int:
    return {"hour": caps.hour_microusd, "day": caps.day_microusd, "month": caps.month_microusd}[window]
