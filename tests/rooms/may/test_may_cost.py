"""The cost caps at their borders, their resets, the month's hard stop, and days that clocks cut short."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from hub.contract.words import Source
from hub.domain.judgement import Spending
from hub.domain.policy import USD
from hub.may.cost import cost
from hub.may.ledger import after_cost, after_judgement, reenable_month
from hub.may.moments import next_midnight
from hub.may.ruling import RailInput
from hub.may.spending import spent
from tests.rooms.may.questions import (
    LEDGER,
    NOW,
    POLICY,
    PROPOSAL,
    QUESTION,
    answered,
    having_spent,
    judged,
)

RUN = 50_000


def blocks(question: RailInput) -> list[str]:
    return [ruling.verdict.rule for ruling in cost(question) if ruling.verdict.outcome == "block"]


def fix_of(question: RailInput) -> str:
    return cost(question)[0].fix


@pytest.mark.parametrize(
    ("used", "found"),
    [(0, False), (2 * USD - RUN - 1, False), (2 * USD - RUN, False), (2 * USD - RUN + 1, True), (2 * USD, True)],
)
def test_the_hour_fits_up_to_exactly_its_cap(used: int, *, found: bool) -> None:
    question = replace(QUESTION, ledger=having_spent(hour=used))
    assert blocks(question) == (["cost.hour"] if found else [])


@pytest.mark.parametrize(("used", "found"), [(20 * USD - RUN, False), (20 * USD - RUN + 1, True)])
def test_the_day_fits_up_to_exactly_its_cap(used: int, *, found: bool) -> None:
    question = replace(QUESTION, ledger=having_spent(day=used))
    assert blocks(question) == (["cost.day"] if found else [])


@pytest.mark.parametrize(("used", "found"), [(200 * USD - RUN, False), (200 * USD - RUN + 1, True)])
def test_the_month_fits_up_to_exactly_its_cap(used: int, *, found: bool) -> None:
    question = replace(QUESTION, ledger=having_spent(month=used))
    assert blocks(question) == (["cost.month"] if found else [])


def test_all_windows_speak_the_most_lasting_first() -> None:
    question = replace(QUESTION, ledger=replace(having_spent(2 * USD, 20 * USD, 200 * USD), month_stopped="2026-03"))
    assert blocks(question) == ["cost.month-stopped", "cost.month", "cost.day", "cost.hour"]


def test_a_used_up_cap_blocks_free_work_too() -> None:
    free = replace(QUESTION, proposal=replace(PROPOSAL, cost_estimate_microusd=0), ledger=having_spent(hour=2 * USD))
    assert blocks(free) == ["cost.hour"]


def test_a_negative_estimate_buys_no_room() -> None:
    proposal = replace(PROPOSAL, cost_estimate_microusd=-5 * USD)
    assert blocks(replace(QUESTION, proposal=proposal, ledger=having_spent(hour=2 * USD))) == ["cost.hour"]


def test_caps_bind_approvals() -> None:
    outcome = judged(answered(replace(QUESTION, ledger=having_spent(day=20 * USD)))).outcome
    assert getattr(outcome, "rule", "") == "cost.day"


def test_asking_is_free_even_with_nothing_left() -> None:
    proposal = replace(PROPOSAL, source=Source.ASK)
    assert blocks(replace(QUESTION, proposal=proposal, ledger=having_spent(2 * USD, 20 * USD, 200 * USD))) == []


def test_a_pass_shows_all_budgets() -> None:
    (ruling,) = cost(replace(QUESTION, ledger=having_spent(150_000, 150_000, 150_000)))
    assert "$0.15 of $2.00" in ruling.verdict.reason
    assert ruling.verdict.numbers["estimate_usd"] == 0.05
    assert ruling.verdict.numbers["day_cap_usd"] == 20


def test_the_hour_says_when_there_is_room_again() -> None:
    early, late = NOW - timedelta(minutes=50), NOW - timedelta(minutes=20)
    spending = Spending(minutes=((early, 30_000), (late, 1_970_000)), day="2026-03-10", month="2026-03")
    question = replace(QUESTION, ledger=replace(LEDGER, spending=spending))
    assert "15:11" in fix_of(question)  # 30,000 leave at 14:41, which is too little; the rest at 15:11
    cheap = replace(question, proposal=replace(PROPOSAL, cost_estimate_microusd=30_000))
    assert "14:41" in fix_of(cheap)
    zoned = replace(cheap, policy=replace(POLICY, zone="Europe/Berlin"))
    assert "15:41" in fix_of(zoned)


def test_at_the_moment_that_was_named_the_hour_has_room() -> None:
    spending = Spending(minutes=((NOW - timedelta(minutes=50), 2 * USD),))
    question = replace(QUESTION, ledger=replace(LEDGER, spending=spending))
    named = NOW + timedelta(minutes=11)
    assert blocks(replace(question, now=named - timedelta(microseconds=1))) == ["cost.hour"]
    assert blocks(replace(question, now=named)) == []


def test_a_run_dearer_than_its_cap_is_not_told_to_wait() -> None:
    assert "raise the cap" in fix_of(replace(QUESTION, proposal=replace(PROPOSAL, cost_estimate_microusd=3 * USD)))


def test_a_new_day_has_a_new_budget() -> None:
    full = having_spent(day=20 * USD)
    before = replace(QUESTION, ledger=full, now=datetime(2026, 3, 10, 23, 59, 59, 999_999, tzinfo=UTC))
    assert blocks(before) == ["cost.day"]
    assert blocks(replace(before, now=datetime(2026, 3, 11, tzinfo=UTC))) == []


def test_the_day_is_the_persons_not_greenwichs() -> None:
    policy = replace(POLICY, zone="America/Los_Angeles")
    late = datetime(2026, 3, 11, 5, tzinfo=UTC)  # still the 10th, 22:00, in Los Angeles
    ledger = after_cost(LEDGER, 20 * USD, policy, late)
    assert ledger.spending.day == "2026-03-10"
    assert spent(ledger, policy, datetime(2026, 3, 11, 6, 59, tzinfo=UTC)).day_microusd == 20 * USD
    assert spent(ledger, policy, datetime(2026, 3, 11, 7, tzinfo=UTC)).day_microusd == 0


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("Africa/Cairo", date(2026, 4, 24), 23),  # midnight itself is skipped there
        ("Asia/Tokyo", date(2026, 3, 29), 24),
        ("Australia/Lord_Howe", date(2026, 10, 4), 23.5),  # half an hour of summer time
    ],
)
def test_days_that_clocks_cut_short_or_stretch(zone: str, day: date, hours: float) -> None:
    noon_before = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone)) - timedelta(days=1)
    start = next_midnight(noon_before, zone)
    end = next_midnight(start, zone)
    assert (end - start) == timedelta(hours=hours)
    policy = replace(POLICY, zone=zone)
    ledger = after_cost(LEDGER, RUN, policy, start)
    assert spent(ledger, policy, start - timedelta(microseconds=1)).day_microusd == RUN  # a clock step, not a new day
    assert spent(ledger, policy, end - timedelta(microseconds=1)).day_microusd == RUN
    assert spent(ledger, policy, end).day_microusd == 0


def test_a_month_that_is_reached_stops_and_no_new_month_lifts_it() -> None:
    almost = after_cost(LEDGER, 200 * USD - 1, POLICY, NOW)
    assert almost.month_stopped == ""
    stopped = after_cost(almost, 1, POLICY, NOW)
    assert stopped.month_stopped == "2026-03"
    april = replace(QUESTION, ledger=stopped, now=datetime(2026, 4, 1, tzinfo=UTC))
    assert blocks(april) == ["cost.month-stopped"]
    assert spent(stopped, POLICY, april.now).month_microusd == 0
    assert blocks(replace(april, ledger=reenable_month(stopped))) == []


def test_a_month_that_would_be_overspent_stops_as_well() -> None:
    question = replace(QUESTION, ledger=having_spent(month=200 * USD - 1))
    ledger = after_judgement(question.ledger, judged(question), POLICY, NOW)
    assert ledger.month_stopped == "2026-03"
    untouched = after_judgement(LEDGER, judged(QUESTION), POLICY, NOW)
    assert untouched == LEDGER


def test_reenabling_does_not_lift_the_cap_itself() -> None:
    ledger = reenable_month(replace(having_spent(month=200 * USD), month_stopped="2026-03"))
    assert blocks(replace(QUESTION, ledger=ledger)) == ["cost.month"]


def test_nothing_spent_stops_no_month_even_with_a_cap_of_nothing() -> None:
    policy = replace(POLICY, caps=replace(POLICY.caps, month_microusd=0))
    assert after_cost(LEDGER, 0, policy, NOW).month_stopped == ""
    assert blocks(replace(QUESTION, policy=policy)) == ["cost.month"]
