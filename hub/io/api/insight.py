"""The figures behind the charts."""

from typing import Annotated

from msgspec import Meta

from hub.contract.api import CrossPollStatus
from hub.contract.base import Message
from hub.contract.insight import Cap, InsightAnswer
from hub.domain.reports import SaidChances, TalliesOf
from hub.io.api.call import Call, Nothing
from hub.learn import bounds_of, days_until
from hub.learn import insight as insight_of

DAYS_MAX = 365
ROWS_MAX = 120_000
"""Newest suggestions, executions, blocked triggers and deliveries, each, that are counted."""
CHANCES_MAX = 10_000
"""Newest answers by which the chances of a yes are judged."""


class InsightQuery(Message):
    """Query of `GET /api/v1/insight`: how many days, today included."""

    days: Annotated[int, Meta(ge=1, le=DAYS_MAX)] = 30


async def insight(call: Call[Nothing, InsightQuery]) -> InsightAnswer:
    """Return approval, calibration, chances of a yes, interruptions and cost: by day, by channel, over all."""
    parts = call.parts
    zone = parts.hub_api.policy().zone
    days = days_until(parts.clock.now(), zone, call.query.days)
    bounds = bounds_of(days, zone)
    tallies = await parts.store.read(TalliesOf(user=parts.user, bounds=bounds, rows_max=ROWS_MAX))
    chances = SaidChances(user=parts.user, since=bounds[0], until=bounds[-1], limit=CHANCES_MAX)
    said = await parts.store.read(chances)
    interruptions = tuple(map(parts.hub_api.interruptions_on, days))
    return insight_of(tallies, days, zone, _caps(parts.hub_api.status()), interruptions=interruptions, said=said)


def _caps(status: CrossPollStatus) -> tuple[Cap, ...]:
    return (
        Cap(window="hour", spent_usd=status.cost_this_hour, cap_usd=status.cost_cap_per_hour),
        Cap(window="day", spent_usd=status.cost_today, cap_usd=status.cost_cap_per_day),
        Cap(window="month", spent_usd=status.cost_this_month, cap_usd=status.cost_cap_per_month),
    )
