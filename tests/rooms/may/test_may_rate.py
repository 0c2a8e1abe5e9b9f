"""The rate limiter at its borders."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.words import Source
from hub.domain.judgement import RailVerdict
from hub.may.rate import rate
from hub.may.ruling import RailInput
from tests.rooms.may.questions import ASKED, LEDGER, NOW, POLICY, PROPOSAL, QUESTION, answered


def after(seconds: float) -> RailInput:
    """Ask so long after the last trigger."""
    return replace(QUESTION, ledger=replace(LEDGER, last_trigger_at=NOW - timedelta(seconds=seconds)))


def verdict(question: RailInput) -> RailVerdict:
    (only,) = rate(question)
    return only.verdict


@pytest.mark.parametrize(
    ("elapsed_s", "outcome"),
    [(0, "block"), (1, "block"), (599.999999, "block"), (600, "pass"), (600.000001, "pass"), (86_400, "pass")],
)
def test_the_interval_is_strict_and_exactly_reached_is_enough(elapsed_s: float, outcome: str) -> None:
    assert verdict(after(elapsed_s)).outcome == outcome


def test_the_verdict_has_its_numbers_and_says_how_long_to_wait() -> None:
    (ruling,) = rate(after(55))
    assert ruling.verdict.rule == "rate.interval"
    assert ruling.verdict.numbers == {
        "interval_s": 600.0,
        "triggers_per_hour_max": 6.0,
        "elapsed_s": 55.0,
        "remaining_s": 545.0,
    }
    assert "10 min" in ruling.fix


def test_the_first_trigger_has_nothing_to_wait_for() -> None:
    assert verdict(QUESTION).rule == "rate.first"


def test_no_burst_however_long_nothing_happened() -> None:
    blocked = [verdict(after(elapsed_s)).outcome for elapsed_s in range(600)]
    assert set(blocked) == {"block"}


def test_the_interval_can_be_configured() -> None:
    policy = replace(POLICY, timing=replace(POLICY.timing, interval_s=60.0))
    assert verdict(replace(after(59), policy=policy)).outcome == "block"
    passed = verdict(replace(after(60), policy=policy))
    assert passed.outcome == "pass"
    assert passed.numbers["triggers_per_hour_max"] == 60


def test_an_interval_of_nothing_limits_nothing() -> None:
    policy = replace(POLICY, timing=replace(POLICY.timing, interval_s=0.0))
    assert verdict(replace(after(0), policy=policy)).outcome == "pass"


def test_a_person_is_never_rate_limited() -> None:
    assert verdict(answered(after(0))).rule == "rate.exempt"


def test_a_follow_up_is_no_trigger() -> None:
    assert verdict(replace(after(0), asked=replace(ASKED, follow_up=True))).rule == "rate.exempt"


def test_somebody_elses_question_is_no_trigger() -> None:
    assert verdict(replace(after(0), proposal=replace(PROPOSAL, source=Source.ASK))).rule == "rate.exempt"


def test_force_skips_the_interval() -> None:
    assert verdict(replace(after(0), asked=replace(ASKED, force=True))).rule == "rate.forced"


@pytest.mark.parametrize(("ahead_s", "outcome"), [(1, "block"), (3_600, "block"), (3_601, "pass"), (10**9, "pass")])
def test_a_clock_set_back_neither_opens_the_rail_nor_closes_it_for_ever(ahead_s: float, outcome: str) -> None:
    assert verdict(after(-ahead_s)).outcome == outcome
