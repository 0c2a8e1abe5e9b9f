"""The figures behind the charts, from what the store has counted; null where there is no data.

A suggestion belongs to the day on which it was made, in the person's time zone, and counts there by what has become
of it since. An execution belongs to the day on which it was queued, as its cost does.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from hub.contract.insight import Cap, ChannelFigures, Day, InsightAnswer, Reliability
from hub.contract.words import RunState, Status
from hub.domain.policy import USD
from hub.domain.reports import BANDS, BandTally, DayTally, RunTally, SaidChance, Tallies
from hub.learn.chances import judged

APPROVED = frozenset({Status.CONFIRMED, Status.EXECUTED, Status.FAILED})
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def days_until(now: datetime, zone: str, count: int) -> tuple[date, ...]:
    """Return the last `count` calendar days where the person is, oldest first, today last."""
    today = now.astimezone(ZoneInfo(zone)).date()
    return tuple(today - timedelta(days=back) for back in reversed(range(count)))


def bounds_of(days: Sequence[date], zone: str) -> tuple[datetime, ...]:
    """Return the midnights around neighbouring days, in UTC: one more than there are days.

    Where clocks skip midnight, a missing 00:00 is read with the offset before the change, which is the change itself.
    """
    if not days:
        return ()
    after = days[-1] + timedelta(days=1)
    return tuple(datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC) for day in (*days, after))


def insight(
    tallies: Tallies,
    days: Sequence[date],
    zone: str,
    caps: tuple[Cap, ...],
    *,
    interruptions: Sequence[int],
    said: Sequence[SaidChance] = (),
) -> InsightAnswer:
    """Return the figures of `days`, to which the tallies and the interruptions belong in their order."""
    cards, runs = _grouped(tallies.cards, lambda one: one.day), _grouped(tallies.runs, lambda one: one.day)
    return InsightAnswer(
        zone=zone,
        days=tuple(
            _day(day, cards[number], runs[number], tallies.blocked[number], interruptions[number])
            for number, day in enumerate(days)
        ),
        channels=_channels(tallies),
        calibration=tuple(_reliability(tallies.bands, band) for band in range(BANDS)),
        caps=caps,
        chances=judged(said),
        truncated=tallies.truncated,
    )


class _Answers(NamedTuple):
    """How suggestions were answered; what ran by itself was not."""

    suggestions: int
    approved: int
    rejected: int
    expired: int

    @property
    def rate(self) -> float | None:
        """The share of yes among yes and no."""
        answered = self.approved + self.rejected
        return self.approved / answered if answered else None


def _answers(tallies: Iterable[DayTally | BandTally]) -> _Answers:
    found = tuple(tallies)
    return _Answers(
        suggestions=sum(one.cards for one in found),
        approved=sum(one.cards for one in found if one.status in APPROVED and not one.autonomous),
        rejected=sum(one.cards for one in found if _is_no(one)),
        expired=sum(one.cards for one in found if one.status is Status.EXPIRED),
    )


def _is_no(tally: DayTally | BandTally) -> bool:
    return tally.status is Status.REJECTED and not tally.autonomous


def _in_state(runs: Iterable[RunTally], state: RunState) -> int:
    return sum(one.runs for one in runs if one.state is state)


def _cost_usd(runs: Iterable[RunTally]) -> float:
    return sum(one.cost_microusd for one in runs) / USD


def _grouped(values: Iterable[T], key: Callable[[T], K]) -> defaultdict[K, list[T]]:
    groups: defaultdict[K, list[T]] = defaultdict(list)
    for value in values:
        groups[key(value)].append(value)
    return groups


def _day(day: date, cards: list[DayTally], runs: list[RunTally], blocked: int, interruptions: int) -> Day:
    answers = _answers(cards)
    return Day(
        day=day,
        suggestions=answers.suggestions,
        approved=answers.approved,
        rejected=answers.rejected,
        expired=answers.expired,
        executed=_in_state(runs, RunState.VERIFIED),
        handed_over=_in_state(runs, RunState.FINISHED),
        failed=_in_state(runs, RunState.FAILED),
        blocked=blocked,
        interruptions=interruptions,
        cost_usd=_cost_usd(runs),
        approval_rate=answers.rate,
    )


def _channels(tallies: Tallies) -> tuple[ChannelFigures, ...]:
    """Return every channel that was of use, the busiest first."""
    cards = _grouped(tallies.cards, lambda one: one.channel)
    runs = _grouped(tallies.runs, lambda one: one.channel)
    found = [_channel(name, cards[name], runs[name]) for name in {*cards, *runs}]
    return tuple(sorted(found, key=lambda one: (-one.suggestions, one.channel)))


def _channel(name: str, cards: list[DayTally], runs: list[RunTally]) -> ChannelFigures:
    answers = _answers(cards)
    return ChannelFigures(
        channel=name,
        suggestions=answers.suggestions,
        approved=answers.approved,
        rejected=answers.rejected,
        executed=_in_state(runs, RunState.VERIFIED),
        handed_over=_in_state(runs, RunState.FINISHED),
        failed=_in_state(runs, RunState.FAILED),
        cost_usd=_cost_usd(runs),
    )


def _reliability(bands: Sequence[BandTally], band: int) -> Reliability:
    """Compare how sure the answered suggestions of one band were with how often they were approved."""
    inside = [one for one in bands if one.band == band]
    answered = [one for one in inside if not one.autonomous and (one.status in APPROVED or _is_no(one))]
    answers, count = _answers(inside), sum(one.cards for one in answered)
    low, high = band / BANDS, (band + 1) / BANDS
    mean = sum(one.confidence_sum for one in answered) / count if count else None
    return Reliability(
        low=low,
        high=high,
        suggestions=answers.suggestions,
        answered=count,
        mean_confidence=None if mean is None else min(high, max(low, mean)),
        approval_rate=answers.rate,
    )
