"""The figures behind the charts."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.words import RunState, Status
from hub.domain.reports import BANDS, BandTally, DayTally, RunTally, SaidChance, Tallies
from hub.learn import bounds_of, days_until, insight

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo")
DAYS = (date(2026, 3, 1), date(2026, 3, 2))
HEARD = (3, 0)


def cards(day: int, status: Status, count: int, *, channel: str = "koji-core", autonomous: bool = False) -> DayTally:
    return DayTally(day=day, channel=channel, status=status, autonomous=autonomous, cards=count)


def tallies(
    *of_days: DayTally, bands: tuple[BandTally, ...] = (), runs: tuple[RunTally, ...] = (), truncated: bool = False
) -> Tallies:
    return Tallies(cards=of_days, bands=bands, runs=runs, blocked=(0, 4), truncated=truncated)


def test_the_last_days_where_the_person_is() -> None:
    late = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    assert days_until(late, "UTC", 2) == (date(2026, 2, 28), date(2026, 3, 1))
    assert days_until(late, "Europe/Berlin", 2) == DAYS


def test_a_day_is_as_long_as_the_clocks_say() -> None:
    change = bounds_of((date(2026, 3, 29), date(2026, 3, 30)), "Europe/Berlin")
    assert [later - earlier for earlier, later in pairwise(change)] == [timedelta(hours=23), timedelta(hours=24)]
    assert bounds_of((), "UTC") == ()


@pytest.mark.slow
@given(st.datetimes(datetime(2000, 1, 1), datetime(2037, 1, 1)), st.sampled_from(ZONES), st.integers(1, 366))  # noqa: DTZ001  given its zone below
def test_every_moment_belongs_to_the_day_on_its_wall_clock(naive: datetime, zone: str, count: int) -> None:
    now = naive.replace(tzinfo=UTC)
    days = days_until(now, zone, count)
    bounds = bounds_of(days, zone)
    assert len(days) == count == len(bounds) - 1
    assert days[-1] == now.astimezone(ZoneInfo(zone)).date()
    assert bounds[-2] <= now < bounds[-1]
    assert all(earlier < later for earlier, later in pairwise(days))
    assert all(earlier <= later for earlier, later in pairwise(bounds))


def test_a_day_counts_answers_runs_blocks_and_interruptions() -> None:
    runs = (
        RunTally(day=0, channel="koji-core", state=RunState.VERIFIED, runs=2, cost_microusd=1_500_000),
        RunTally(day=0, channel="koji-core", state=RunState.FAILED, runs=1, cost_microusd=500_000),
    )
    answers = (cards(0, Status.EXECUTED, 2), cards(0, Status.FAILED, 1), cards(0, Status.REJECTED, 1))
    more = (cards(0, Status.EXPIRED, 5), cards(0, Status.EXECUTED, 7, autonomous=True), cards(0, Status.PENDING, 1))
    first, second = insight(tallies(*answers, *more, runs=runs), DAYS, "UTC", (), interruptions=HEARD).days
    assert (first.suggestions, first.approved, first.rejected, first.expired) == (17, 3, 1, 5)
    assert (first.approval_rate, first.executed, first.failed, first.cost_usd) == (0.75, 2, 1, 2.0)
    assert (first.blocked, first.interruptions) == (0, 3)
    assert (second.day, second.suggestions, second.approval_rate, second.blocked) == (DAYS[1], 0, None, 4)


def test_the_busiest_channel_first() -> None:
    runs = (RunTally(day=1, channel="home", state=RunState.VERIFIED, runs=1, cost_microusd=1),)
    found = insight(
        tallies(cards(0, Status.REJECTED, 1, channel="garden"), cards(1, Status.EXECUTED, 2), runs=runs),
        DAYS,
        "UTC",
        (),
        interruptions=HEARD,
    ).channels
    assert [(one.channel, one.suggestions, one.executed) for one in found] == [
        ("koji-core", 2, 0),
        ("garden", 1, 0),
        ("home", 0, 1),
    ]


def test_calibration_compares_what_was_answered_only() -> None:
    def band(status: Status, count: int, total: float, *, alone: bool = False) -> BandTally:
        return BandTally(band=7, status=status, autonomous=alone, cards=count, confidence_sum=total)

    bands = (
        band(Status.EXECUTED, 3, 2.25),
        band(Status.REJECTED, 1, 0.75),
        band(Status.EXPIRED, 9, 7.0),
        band(Status.EXECUTED, 2, 1.5, alone=True),
    )
    found = insight(tallies(bands=bands), DAYS, "UTC", (), interruptions=HEARD).calibration
    assert len(found) == BANDS
    assert (found[7].low, found[7].high, found[7].suggestions, found[7].answered) == (0.7, 0.8, 15, 4)
    assert (found[7].mean_confidence, found[7].approval_rate) == (0.75, 0.75)
    assert (found[0].suggestions, found[0].mean_confidence, found[0].approval_rate) == (0, None, None)


def test_chances_are_judged_from_thirty_answers_on() -> None:
    said = [SaidChance(p=0.75, yes=True)] * 19 + [SaidChance(p=1.0, yes=False)] * 10
    few = insight(tallies(), DAYS, "UTC", (), interruptions=HEARD, said=said).chances
    assert (few.answers, few.more, few.apart, few.brier, few.sharpness, few.points) == (29, 1, None, None, None, ())
    found = insight(
        tallies(), DAYS, "UTC", (), interruptions=HEARD, said=[*said, SaidChance(p=0.75, yes=False)]
    ).chances
    assert [(one.low, one.high, one.answers, one.said, one.came) for one in found.points] == [
        (0.7, 0.8, 20, 0.75, 0.95),
        (0.9, 1.0, 10, 1.0, 0.0),
    ]
    assert (found.answers, found.more) == (30, 0)
    assert found.apart == pytest.approx((20 * 0.2 + 10 * 1.0) / 30)
    assert found.brier == pytest.approx((19 * 0.0625 + 0.5625 + 10) / 30)
    assert found.sharpness == pytest.approx(0.25**2 * 2 / 9)


@pytest.mark.parametrize("truncated", [True, False])
def test_what_was_cut_short_says_so(truncated: bool) -> None:  # noqa: FBT001  a column
    assert insight(tallies(truncated=truncated), DAYS, "UTC", (), interruptions=HEARD).truncated is truncated


DAY_TALLIES = st.lists(
    st.builds(
        cards,
        st.integers(0, 1),
        st.sampled_from(Status),
        st.integers(1, 9),
        channel=st.sampled_from(["a", "b"]),
        autonomous=st.booleans(),
    )
)


@pytest.mark.slow
@given(DAY_TALLIES)
def test_days_and_channels_count_the_same_suggestions(found: list[DayTally]) -> None:
    answer = insight(tallies(*found), DAYS, "UTC", (), interruptions=HEARD)
    for name in ("suggestions", "approved", "rejected"):
        by_day = sum(getattr(one, name) for one in answer.days)
        assert by_day == sum(getattr(one, name) for one in answer.channels)
    assert sum(one.suggestions for one in answer.days) == sum(one.cards for one in found)
    assert all(one.approved + one.rejected + one.expired <= one.suggestions for one in answer.days)
    assert all(one.approval_rate is None or 0 <= one.approval_rate <= 1 for one in answer.days)
