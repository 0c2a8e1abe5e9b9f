"""Pressure in closed form: against the ticks of the source, and with clocks and numbers that cannot be trusted."""

import math
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.domain.drives import BUILT_IN_DRIVES, Drive, DriveRules, Drives, Tuning
from hub.when.drives import addressed, decayed, in_force, pressure_at, settled, spiked, with_built_in
from tests.rooms.when.drives.drives_at_hand import HOUR, MINUTE, NOW, RULES, drive, ticked, want

EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["wait", "spike", "success", "partial", "want", "nothing"]),
        st.integers(1, 240),
        st.floats(0.0, 4.0),
    ),
    max_size=12,
)


def happened(one: Drive, kind: str, amount: float, rules: DriveRules) -> Drive:
    at = one.at or NOW
    match kind:
        case "spike":
            return spiked(one, rules, at, amount)
        case "success" | "partial":
            return addressed(one, rules, at, "success" if kind == "success" else "partial")
        case "want":
            return replace(one, wants=(want(),))
        case "nothing":
            return replace(one, wants=())
        case _:
            return one


@pytest.mark.slow
@settings(max_examples=300)
@given(EVENTS, st.floats(0.05, 3.0), st.floats(0.001, 0.1))
def test_one_step_of_any_length_is_as_many_ticks_of_half_a_minute(
    events: list[tuple[str, int, float]], weight: float, rate: float
) -> None:
    rules = replace(RULES, rate_per_min=rate)
    ours = theirs = drive("goals", want(), weight=weight)
    at = NOW
    for kind, ticks, amount in events:
        theirs = happened(ticked(theirs, rules, at, ticks), kind, amount, rules)
        at += ticks * timedelta(seconds=30)
        ours = happened(settled(ours, rules, at), kind, amount, rules)
        assert math.isclose(ours.pressure, theirs.pressure, rel_tol=0, abs_tol=1e-9)


def test_with_nothing_open_time_adds_nothing() -> None:
    assert pressure_at(drive(pressure=2.0), RULES, NOW + 1_000 * HOUR) == 2.0


def test_pressure_grows_by_rate_and_weight_and_has_a_lid() -> None:
    one = drive("goals", want(), weight=2.0, pressure=1.0)
    assert pressure_at(one, RULES, NOW + 30 * MINUTE) == pytest.approx(1.6)
    assert pressure_at(one, RULES, NOW + 10_000 * HOUR) == RULES.pressure_max


def test_what_was_handed_in_presses_until_it_ends() -> None:
    one = drive("goals", replace(want(), until=NOW + 30 * MINUTE))
    assert pressure_at(one, RULES, NOW + 5 * HOUR) == pytest.approx(0.3)


def test_the_example_of_the_source() -> None:
    goals = drive("goals", want(), pressure=4.2)
    half_an_hour_later = spiked(goals, RULES, NOW + 30 * MINUTE, 1.5)
    assert half_an_hour_later.pressure == pytest.approx(6.0)
    assert addressed(half_an_hour_later, RULES, NOW + 30 * MINUTE, "success").pressure == pytest.approx(1.8)


def test_a_clock_that_goes_back_takes_nothing_back() -> None:
    one = settled(drive("goals", want()), RULES, NOW + HOUR)
    back = settled(one, RULES, NOW - HOUR)
    assert (back.pressure, back.at) == (one.pressure, one.at)


def test_a_clock_that_was_far_ahead_stops_no_growth_once_it_is_right() -> None:
    one = settled(drive("goals", want()), RULES, NOW + 9_000 * HOUR)
    back = settled(one, RULES, NOW)
    assert (back.pressure, back.at) == (one.pressure, NOW)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, -1.0])
def test_numbers_that_are_none_count_as_nothing(wrong: float) -> None:
    one = drive("goals", want(), pressure=wrong, weight=wrong)
    assert spiked(one, RULES, NOW + HOUR, wrong).pressure == 0.0
    assert decayed(replace(one, pressure=5.0), RULES, NOW, wrong).pressure == 5.0


def test_blocked_work_leaves_the_pressure_and_no_address() -> None:
    one = addressed(drive("goals", want(), pressure=6.0), RULES, NOW, "blocked")
    assert (one.pressure, one.addressed_at) == (6.0, None)


def test_partial_work_takes_less_than_a_success() -> None:
    one = drive("goals", want(), pressure=6.0)
    assert addressed(one, RULES, NOW, "partial").pressure == pytest.approx(3.9)


def test_a_success_ends_what_was_handed_in() -> None:
    one = drive("goals", want("seen"), replace(want("told"), until=NOW + HOUR))
    assert [each.key for each in addressed(one, RULES, NOW, "success").wants] == ["seen"]


def test_tuning_takes_the_place_of_each_rule_that_it_names() -> None:
    tuned = in_force(RULES, Tuning(threshold=6.0, rate_per_min=0.02, cooldown_s=60.0, turns_per_hour_max=3))
    assert (tuned.threshold, tuned.rate_per_min, tuned.cooldown_s, tuned.turns_per_hour_max) == (6.0, 0.02, 60.0, 3)
    assert in_force(RULES, Tuning()) == RULES


def test_the_built_in_drives_and_the_persons_own_are_there_once() -> None:
    rules = replace(RULES, weights=(("writing", 0.7), ("goals", 2.0)))
    made = with_built_in(Drives(), rules)
    assert {one.name: one.weight for one in made.drives} == {**dict(BUILT_IN_DRIVES), "writing": 0.7, "goals": 2.0}
    assert with_built_in(made, rules) is made
