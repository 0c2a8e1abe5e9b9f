"""Money, by property: no window ever counts too little, none more than a minute's worth too much."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.domain.judgement import Ledger, Spending
from hub.domain.policy import USD
from hub.may.ledger import after_cost, crossed
from hub.may.moments import day_of, month_of
from hub.may.spending import DAYS_KEPT_MAX, MINUTES_KEPT_MAX, MONTHS_KEPT_MAX, hour_room_at, spent
from tests.rooms.may.questions import LEDGER, NOW, POLICY

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"])
COSTS = st.lists(
    st.tuples(st.integers(min_value=0, max_value=5_000_000_000), st.integers(min_value=0, max_value=3 * USD)),
    min_size=1,
    max_size=90,
)
"""Microseconds to wait (up to 83 min), and what it then costs."""

Bookings = list[tuple[datetime, int]]


def booked(costs: list[tuple[int, int]], zone: str, start: datetime = NOW) -> tuple[Ledger, Bookings]:
    policy = replace(POLICY, zone=zone)
    ledger, bookings, now = LEDGER, Bookings(), start
    for wait_us, microusd in costs:
        now += timedelta(microseconds=wait_us)
        ledger = after_cost(ledger, microusd, policy, now)
        bookings.append((now, microusd))
    return ledger, bookings


def total(bookings: Bookings, since: datetime) -> int:
    return sum(amount for at, amount in bookings if at >= since)


@pytest.mark.slow
@given(COSTS, ZONES, st.integers(min_value=0, max_value=7_200_000_000))
def test_the_hour_never_counts_too_little_nor_a_minute_too_much(
    costs: list[tuple[int, int]], zone: str, wait_us: int
) -> None:
    ledger, bookings = booked(costs, zone)
    now = bookings[-1][0] + timedelta(microseconds=wait_us)
    counted = spent(ledger, replace(POLICY, zone=zone), now).hour_microusd
    assert total(bookings, now - HOUR) <= counted <= total(bookings, now - HOUR - MINUTE)
    assert len(ledger.spending.minutes) <= MINUTES_KEPT_MAX
    assert all(amount >= 0 for _, amount in ledger.spending.minutes)


@pytest.mark.slow
@given(COSTS, ZONES)
def test_day_and_month_are_exact(costs: list[tuple[int, int]], zone: str) -> None:
    start = datetime(2026, 10, 24, 20, tzinfo=UTC)
    ledger, bookings = booked(costs, zone, start)
    now, local = bookings[-1][0], ZoneInfo(zone)
    today = now.astimezone(local).date()
    days = [(at.astimezone(local).date(), amount) for at, amount in bookings]
    counted = spent(ledger, replace(POLICY, zone=zone), now)
    assert counted.day_microusd == sum(amount for day, amount in days if day == today)
    assert counted.month_microusd == sum(
        amount for day, amount in days if (day.year, day.month) == (today.year, today.month)
    )


@pytest.mark.slow
@given(COSTS, st.integers(min_value=0, max_value=20 * USD))
def test_at_the_moment_of_room_there_is_room_and_not_before(costs: list[tuple[int, int]], allowed: int) -> None:
    ledger, bookings = booked(costs, "UTC")
    now = bookings[-1][0]
    at = hour_room_at(ledger.spending, allowed, now)
    assert at is not None
    assert spent(ledger, POLICY, at).hour_microusd <= allowed
    if at > now:
        assert spent(ledger, POLICY, at - timedelta(microseconds=1)).hour_microusd > allowed


@pytest.mark.slow
@given(st.lists(st.integers(min_value=-(10**7), max_value=10**7), max_size=30))
def test_nothing_ever_becomes_negative(amounts: list[int]) -> None:
    ledger, expected = LEDGER, 0
    for amount in amounts:
        ledger = after_cost(ledger, amount, POLICY, NOW)
        expected = max(0, expected + amount)
        counted = spent(ledger, POLICY, NOW)
        assert (counted.hour_microusd, counted.day_microusd, counted.month_microusd) == (expected,) * 3


RUNS = st.lists(
    st.tuples(
        st.integers(min_value=0, max_value=9 * 3_600),  # starts so many seconds in
        st.integers(min_value=0, max_value=2 * 3_600),  # runs so long
        st.integers(min_value=0, max_value=USD),  # estimated
        st.integers(min_value=0, max_value=USD),  # reported
    ),
    max_size=40,
)


@pytest.mark.slow
@given(RUNS, ZONES)
def test_estimates_that_are_corrected_later_never_count_too_little(
    runs: list[tuple[int, int, int, int]], zone: str
) -> None:
    policy, start = replace(POLICY, zone=zone), datetime(2026, 10, 31, 19, tzinfo=UTC)
    ledger, true = LEDGER, Bookings()
    starts = [(begin_s, 0, begin_s, estimate) for begin_s, _, estimate, _ in runs]
    ends = [(begin_s + run_s, 1, begin_s, real - estimate) for begin_s, run_s, estimate, real in runs]
    now = start
    for at_s, _, begin_s, amount in sorted(starts + ends):
        now, booked_at = start + timedelta(seconds=at_s), start + timedelta(seconds=begin_s)
        ledger = after_cost(ledger, amount, policy, now, booked_at=booked_at)
        true.append((booked_at if amount < 0 else now, amount))
    counted, local = spent(ledger, policy, now), ZoneInfo(zone)
    today = now.astimezone(local).date()
    assert counted.hour_microusd >= total(true, now - HOUR)
    assert counted.day_microusd == sum(amount for at, amount in true if at.astimezone(local).date() == today)


def test_a_booking_that_left_its_window_gives_nothing_back() -> None:
    ledger = after_cost(LEDGER, 9, POLICY, NOW)
    later = NOW + timedelta(hours=10)
    ledger = after_cost(ledger, 5, POLICY, later)
    after = spent(after_cost(ledger, -9, POLICY, later, booked_at=NOW), POLICY, later)
    assert (after.hour_microusd, after.day_microusd, after.month_microusd) == (5, 5, 5)


def test_giving_back_lifts_no_stop() -> None:
    stopped = after_cost(LEDGER, 200 * USD, POLICY, NOW)
    assert after_cost(stopped, -200 * USD, POLICY, NOW).month_stopped == "2026-03"


@pytest.mark.slow
@given(st.lists(st.integers(min_value=-7_000, max_value=3_000), min_size=1, max_size=150))
def test_a_clock_that_jumps_about_keeps_the_ledger_bounded(steps_s: list[int]) -> None:
    ledger, now = LEDGER, NOW
    for step_s in steps_s:
        now += timedelta(seconds=step_s)
        ledger = after_cost(ledger, 1, POLICY, now)
        assert len(ledger.spending.minutes) <= MINUTES_KEPT_MAX
        assert spent(ledger, POLICY, now).hour_microusd >= 1
        assert list(ledger.spending.minutes) == sorted(ledger.spending.minutes)


def test_a_small_step_back_forgets_nothing() -> None:
    ledger = after_cost(LEDGER, USD, POLICY, NOW)
    earlier = NOW - timedelta(minutes=40)
    assert spent(ledger, POLICY, earlier).hour_microusd == USD
    again = after_cost(ledger, USD, POLICY, earlier)
    assert spent(again, POLICY, NOW).hour_microusd == 2 * USD


def test_a_clock_that_once_stood_far_ahead_stops_nothing_for_ever() -> None:
    ledger = after_cost(LEDGER, 20 * USD, POLICY, datetime(2099, 1, 1, tzinfo=UTC))
    counted = spent(ledger, POLICY, NOW)
    assert (counted.hour_microusd, counted.day_microusd, counted.month_microusd) == (0, 0, 0)
    assert spent(after_cost(ledger, 5, POLICY, NOW), POLICY, NOW).day_microusd == 5


def test_flying_west_over_midnight_keeps_the_days_sum() -> None:
    auckland, here = replace(POLICY, zone="Pacific/Auckland"), replace(POLICY, zone="America/Los_Angeles")
    ledger = after_cost(LEDGER, USD, auckland, NOW)
    assert spent(ledger, here, NOW).day_microusd == USD


def test_a_clock_that_was_set_back_never_makes_more_buckets_than_are_kept() -> None:
    ahead = [NOW + MINUTE * minute for minute in range(1, 61)]
    behind = [NOW - MINUTE * minute for minute in range(61)]
    spending = Spending(minutes=tuple((at, 1) for at in sorted((*ahead, *behind))))
    ledger = after_cost(replace(LEDGER, spending=spending), 1, POLICY, NOW)
    minutes = ledger.spending.minutes
    assert len(minutes) == MINUTES_KEPT_MAX
    assert minutes[0] == (NOW - MINUTE, 60)  # the oldest ones joined, and count from the latest of them on
    assert spent(ledger, POLICY, NOW).hour_microusd == 122


def test_warnings_come_once_when_the_share_is_passed() -> None:
    at_share = after_cost(LEDGER, 1_600_000, POLICY, NOW)
    over = after_cost(at_share, 1, POLICY, NOW)
    assert crossed(LEDGER, at_share, POLICY, NOW) == ()
    assert crossed(at_share, over, POLICY, NOW) == ("hour",)
    assert crossed(over, after_cost(over, 1, POLICY, NOW), POLICY, NOW) == ()
    assert crossed(LEDGER, after_cost(LEDGER, 161 * USD, POLICY, NOW), POLICY, NOW) == ("hour", "day", "month")


def test_a_cap_of_nothing_is_crossed_by_anything() -> None:
    policy = replace(POLICY, caps=replace(POLICY.caps, hour_microusd=0))
    assert crossed(LEDGER, after_cost(LEDGER, 1, policy, NOW), policy, NOW) == ("hour",)


MARCH = datetime(2026, 3, 10, 12, tzinfo=UTC)
JUMPS = st.lists(st.tuples(st.integers(-500, 500), st.integers(0, 1_000)), min_size=1, max_size=40)


@pytest.mark.slow
@given(JUMPS, st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Auckland"]))
def test_no_clock_that_jumps_takes_a_sum_back(jumps: list[tuple[int, int]], zone: str) -> None:
    policy = replace(POLICY, zone=zone)
    ledger, true_days, true_months, moments = Ledger(), Counter[str](), Counter[str](), list[datetime]()
    for hours, amount in jumps:
        at = MARCH + timedelta(hours=5 * hours)
        ledger = after_cost(ledger, amount, policy, at)
        true_days[day_of(at, zone)] += amount
        true_months[month_of(at, zone)] += amount
        moments.append(at)
        for earlier in moments:
            counted = spent(ledger, policy, earlier)
            assert counted.day_microusd >= true_days[day_of(earlier, zone)]
            assert counted.month_microusd >= true_months[month_of(earlier, zone)]
    assert len(ledger.spending.other_days) <= DAYS_KEPT_MAX
    assert len(ledger.spending.other_months) <= MONTHS_KEPT_MAX


def test_a_booking_during_a_jump_leaves_the_sums_of_today_as_they_were() -> None:
    today, far = MARCH, datetime(2031, 1, 1, 12, tzinfo=UTC)
    ledger = after_cost(after_cost(Ledger(), 5, POLICY, today), 3, POLICY, far)
    counted = spent(ledger, POLICY, today + timedelta(minutes=1))
    assert (counted.hour_microusd, counted.day_microusd, counted.month_microusd) == (5, 5, 5)
    later = spent(after_cost(ledger, 2, POLICY, today), POLICY, today)
    assert (later.hour_microusd, later.day_microusd, later.month_microusd) == (7, 7, 7)


def test_sums_that_were_stored_before_others_were_kept_still_count() -> None:
    old = msgspec.json.decode(
        b'{"minutes": [], "day": "2026-03-10", "day_microusd": 5, "month": "2026-03", "month_microusd": 9}',
        type=Spending,
    )
    counted = spent(replace(Ledger(), spending=old), POLICY, MARCH)
    assert (counted.day_microusd, counted.month_microusd) == (5, 9)
