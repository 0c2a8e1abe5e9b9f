"""Whether to wake, with every rule and its effect, and that the computed moment is the one that ticks would find."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.drives import Outcome
from hub.domain.drives import Drive, DriveRules, Drives
from hub.when.drives import addressed, brought, evaluate, next_crossing, waiting
from tests.rooms.when.drives.drives_at_hand import HOUR, MINUTE, NOW, RULES, SECOND, drive, drives, want

PRESSED = drives(drive("goals", want(), pressure=6.0))
SMALL = drives(drive("goals", want(), pressure=1.0))
ALERT = drives(drive("goals", want(), pressure=3.0), drive("system", want("disk", strength=0.95)))


def rule(at_hand: Drives, rules: DriveRules = RULES, *, talked_at: datetime | None = None, now: datetime = NOW) -> str:
    return evaluate(at_hand, rules, now, talked_at=talked_at).rule


def test_the_example_of_the_source_wakes_and_says_by_what_numbers() -> None:
    verdict = evaluate(PRESSED, RULES, NOW, talked_at=None)
    assert (verdict.wakes, verdict.rule, verdict.drive) == (True, "total", "goals")
    assert (verdict.pressure, verdict.total, verdict.threshold) == (6.0, 6.0, 5.0)


def test_each_setting_has_its_effect() -> None:
    single = replace(RULES, threshold=9.0)
    assert rule(PRESSED, replace(RULES, enabled=False)) == "off"
    assert rule(PRESSED, replace(single, single_threshold=6.0)) == "single"
    assert rule(PRESSED, replace(single, single_threshold=6.1)) == "below"
    assert rule(PRESSED, replace(single, single_threshold=9.0, pressure_max=5.0)) == "below"
    assert rule(PRESSED, replace(RULES, alert_strength=0.5)) == "alert"
    woken = replace(PRESSED, woke_at=(NOW - 10 * MINUTE,))
    assert rule(woken, replace(RULES, cooldown_s=1_200.0)) == "cooldown"
    assert rule(woken, replace(RULES, turns_per_hour_max=1)) == "turns"
    assert rule(woken) == "total"
    assert rule(PRESSED, replace(RULES, conversation_s=60.0), talked_at=NOW - 2 * MINUTE) == "total"
    assert rule(PRESSED, talked_at=NOW - 2 * MINUTE) == "conversation"
    later = drives(brought(PRESSED.drives[0], NOW - HOUR))
    assert rule(later) == "silent"
    assert rule(later, replace(RULES, again_s=1_800.0)) == "total"
    grown = replace(RULES, rate_per_min=0.07)
    assert rule(SMALL, now=NOW + HOUR) == "below"
    assert rule(SMALL, grown, now=NOW + HOUR) == "total"


def test_an_alert_comes_first_also_to_who_is_talking_but_within_the_rails() -> None:
    verdict = evaluate(ALERT, RULES, NOW, talked_at=NOW)
    assert (verdict.wakes, verdict.rule, verdict.drive) == (True, "alert", "system")
    assert rule(replace(ALERT, woke_at=(NOW - SECOND,))) == "cooldown"
    assert rule(replace(ALERT, woke_at=tuple(NOW - n * MINUTE for n in range(30, 20, -1)))) == "turns"


@pytest.mark.parametrize("outcome", ["success", "partial", "blocked"])
def test_no_report_lets_an_alert_that_was_brought_up_wake_again_at_once(outcome: Outcome) -> None:
    told = brought(ALERT.drives[1], NOW)
    assert rule(drives(addressed(told, RULES, NOW + MINUTE, outcome)), now=NOW + 10 * MINUTE) == "silent"
    assert rule(drives(addressed(told, RULES, NOW + MINUTE, outcome)), now=NOW + 8 * HOUR) == "alert"


def test_what_was_handed_in_and_has_ended_wakes_nobody_before_a_look_lets_it_go() -> None:
    asked = replace(want("asked", strength=0.5), until=NOW + HOUR)
    pressing = drives(drive("goals", asked, pressure=6.0))
    assert rule(pressing) == "total"
    assert rule(pressing, now=NOW + 2 * HOUR) == "silent"
    almost = drives(drive("goals", asked, pressure=4.0))
    assert next_crossing(almost, RULES, NOW + 2 * HOUR) is None


def test_a_clock_that_is_behind_is_not_woken_for_again_and_again() -> None:
    ahead = drives(replace(drive("goals", want(), pressure=4.499_999), at=NOW + HOUR))
    assert next_crossing(ahead, RULES, NOW) is None
    assert next_crossing(ahead, RULES, NOW + HOUR) is not None


def test_what_a_wrong_clock_brought_up_far_ahead_is_open() -> None:
    told = drives(brought(ALERT.drives[1], NOW + 9_000 * HOUR))
    assert rule(told) == "alert"
    waits = waiting(told.drives[0], {"disk"}, RULES, NOW)
    assert waits.wants[0].brought_at == NOW


def test_what_speaks_against_waking_says_when_it_ends() -> None:
    woken = replace(PRESSED, woke_at=(NOW - MINUTE,))
    assert evaluate(woken, RULES, NOW, talked_at=None).until == NOW + 4 * MINUTE
    assert evaluate(PRESSED, RULES, NOW, talked_at=NOW - MINUTE).until == NOW + 4 * MINUTE
    full = replace(PRESSED, woke_at=tuple(NOW - n * MINUTE for n in range(50, 0, -5)))
    assert evaluate(full, RULES, NOW, talked_at=None).until == NOW + 10 * MINUTE
    assert evaluate(full, replace(RULES, turns_per_hour_max=0), NOW, talked_at=None).until == NOW + HOUR


def test_a_clock_ahead_of_itself_does_not_silence_for_ever() -> None:
    assert evaluate(PRESSED, RULES, NOW, talked_at=NOW + 900 * HOUR).until == NOW + 5 * MINUTE
    assert rule(replace(PRESSED, woke_at=(NOW + 900 * HOUR,))) == "total"


def test_who_makes_no_pause_is_waited_for_half_an_hour_from_its_beginning_or_the_last_wake_on() -> None:
    began = NOW - 40 * MINUTE
    for woke_at, now, said in (
        ((), NOW - 11 * MINUTE, "conversation"),
        ((), NOW - 10 * MINUTE, "total"),
        ((NOW - 10 * MINUTE,), NOW + 19 * MINUTE, "conversation"),
        ((NOW - 10 * MINUTE,), NOW + 20 * MINUTE, "total"),
    ):
        verdict = evaluate(replace(PRESSED, woke_at=woke_at), RULES, now, talked_at=now, talking_since=began)
        assert verdict.rule == said
        until = (woke_at[-1] if woke_at else began) + 30 * MINUTE
        assert verdict.until == (min(until, now + 5 * MINUTE) if said == "conversation" else None)


def test_a_clock_set_back_makes_nobody_wait_longer_for_a_pause() -> None:
    ahead = evaluate(
        PRESSED, replace(RULES, conversation_s=9_000.0), NOW, talked_at=NOW, talking_since=NOW + 900 * HOUR
    )
    assert ahead.until == NOW + 30 * MINUTE


def test_weights_count_in_the_sum() -> None:
    at_hand = drives(drive("goals", want(), pressure=3.0), drive("system", want("disk"), pressure=2.0, weight=1.5))
    assert evaluate(at_hand, RULES, NOW, talked_at=None).total == 6.0


def test_without_anything_open_it_is_silent_for_ever() -> None:
    nothing = drives(drive("goals", pressure=10.0), drive("system", pressure=10.0))
    assert rule(nothing, now=NOW + 9_000 * HOUR) == "silent"
    assert next_crossing(nothing, RULES, NOW) is None


def test_what_was_brought_up_comes_again_after_its_time() -> None:
    at_hand = drives(brought(PRESSED.drives[0], NOW))
    assert next_crossing(at_hand, RULES, NOW) == NOW + timedelta(seconds=RULES.again_s)


def test_a_lid_below_the_line_is_never_crossed() -> None:
    assert next_crossing(SMALL, replace(RULES, pressure_max=2.0), NOW) is None


PRESSURES = st.lists(st.tuples(st.floats(0.0, 4.0), st.floats(0.05, 3.0), st.booleans()), min_size=1, max_size=5)


@pytest.mark.slow
@settings(max_examples=300)
@given(PRESSURES, st.floats(1.0, 12.0), st.floats(2.0, 8.0))
def test_the_computed_moment_is_the_first_at_which_it_wakes(
    each: list[tuple[float, float, bool]], threshold: float, lid: float
) -> None:
    rules = replace(RULES, threshold=threshold, single_threshold=4.5, pressure_max=lid)
    at_hand = drives(*(_one(number, *one) for number, one in enumerate(each)))
    moment = next_crossing(at_hand, rules, NOW)
    if moment is None:
        assert not evaluate(at_hand, rules, NOW + 10_000 * HOUR, talked_at=None).wakes
        return
    assert evaluate(at_hand, rules, moment, talked_at=None).wakes
    before = moment - timedelta(seconds=0.01)
    assert before < NOW or not evaluate(at_hand, rules, before, talked_at=None).wakes


def _one(number: int, pressure: float, weight: float, presses: bool) -> Drive:  # noqa: FBT001  drawn by hypothesis
    return drive(f"drive-{number}", *([want()] if presses else []), pressure=pressure, weight=weight)


@pytest.mark.parametrize("hours", [1, 24, 24 * 365])
def test_a_jump_of_the_clock_is_at_most_one_crossing(hours: int) -> None:
    verdict = evaluate(SMALL, RULES, NOW + hours * HOUR, talked_at=None)
    assert verdict.total <= RULES.pressure_max


OUTSIDE = replace(RULES, agent="claw", wakes="alone")


@pytest.mark.parametrize(("tries", "minutes"), [(1, 5), (2, 10), (3, 20), (4, 40), (5, 60), (6, 60), (99_999, 60)])
def test_an_agent_that_cannot_be_reached_is_tried_after_pauses_that_double(tries: int, minutes: int) -> None:
    away = replace(PRESSED, away_since=NOW - HOUR, away_at=NOW, away_tries=tries)
    verdict = evaluate(away, OUTSIDE, NOW, talked_at=None)
    assert (verdict.rule, verdict.until) == ("away", NOW + minutes * MINUTE)
    assert rule(away, OUTSIDE, now=NOW + minutes * MINUTE) == "total"
    assert rule(away, replace(OUTSIDE, agent="")) == rule(away, replace(OUTSIDE, wakes="off")) == "total"


def test_a_cooldown_beyond_an_hour_is_the_pause_and_a_clock_set_back_makes_it_no_longer() -> None:
    slow = replace(OUTSIDE, cooldown_s=7_200.0)
    away = replace(PRESSED, away_since=NOW, away_at=NOW + 9 * HOUR, away_tries=9)
    assert evaluate(away, slow, NOW, talked_at=None).until == NOW + 2 * HOUR
