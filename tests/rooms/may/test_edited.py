"""What of an edited settings file holds at once, and that none of it loosens a rail."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.domain.attention import Attention
from hub.domain.policy import USD, Bands, Caps, Policy, Timing
from hub.may import taken_over

RUNNING = Policy(autonomous=True, dpo_export=True)


def test_what_tightens_or_only_tells_when_is_taken_as_it_is_written() -> None:
    written = replace(
        RUNNING,
        autonomous=False,
        dpo_export=False,
        timing=Timing(interval_s=900.0, silence_s=3_600.0, edit_quiet_s=5.0, quiet_start_hour=22, quiet_end_hour=9),
        caps=Caps(hour_microusd=USD, day_microusd=2 * USD, month_microusd=3 * USD, ask_above_microusd=0),
        bands=Bands(show=0.2, suggest=0.5, auto_execute=0.9),
        pending_max=7,
    )
    assert taken_over(RUNNING, written) == written
    assert not taken_over(RUNNING, replace(RUNNING, enabled=False)).enabled


def test_what_lets_pulse_do_more_waits() -> None:
    careful = Policy(enabled=False, caps=Caps(hour_microusd=0), timing=Timing(quiet_start_hour=0, quiet_end_hour=12))
    assert taken_over(careful, RUNNING) == careful
    earlier = replace(RUNNING, timing=Timing(quiet_start_hour=23, quiet_end_hour=7))
    assert taken_over(RUNNING, earlier).timing == RUNNING.timing
    assert taken_over(RUNNING, replace(RUNNING, production_words=())) == RUNNING


def test_no_edit_lets_something_less_likely_run_alone() -> None:
    written = Attention(wrong_act="mild", missed_help="awful", interruptions_per_day=3)
    taken = taken_over(RUNNING, replace(RUNNING, attention=written)).attention
    assert taken == replace(written, wrong_act="bad")
    stricter = replace(written, wrong_act="awful")
    assert taken_over(RUNNING, replace(RUNNING, attention=stricter)).attention == stricter


@pytest.mark.parametrize(
    "oftener",
    [
        {"rate_per_min": 0.1},
        {"pressure_max": 1_000.0},
        {"threshold": 2.0},
        {"single_threshold": 2.0},
        {"alert_strength": 0.0},
        {"spike": 1_000.0},
        {"success_decay": 0.0},
        {"partial_decay": 0.0},
        {"cooldown_s": 60.0},
        {"turns_per_hour_max": 30},
        {"conversation_s": 0.0},
        {"conversation_wait_s_max": 0.0},
        {"again_s": 60.0},
        {"agent": "claw"},
        {"wakes": "alone"},
        {"weights": (("goals", 3.0),)},
    ],
)
def test_no_edit_lets_needs_wake_oftener(oftener: dict[str, Any]) -> None:
    written = replace(RUNNING, drives=replace(RUNNING.drives, **oftener))
    assert taken_over(RUNNING, written) == RUNNING


@pytest.mark.slow
@given(
    running=st.builds(Timing, quiet_start_hour=st.integers(0, 23), quiet_end_hour=st.integers(0, 23)),
    written=st.builds(Timing, quiet_start_hour=st.integers(0, 23), quiet_end_hour=st.integers(0, 23)),
)
def test_no_edit_makes_a_quiet_hour_loud(running: Timing, written: Timing) -> None:
    def quiet(timing: Timing, hour: int) -> bool:
        start, end = timing.quiet_start_hour, timing.quiet_end_hour
        return start <= hour < end if start <= end else hour >= start or hour < end

    after = taken_over(Policy(timing=running), Policy(timing=written)).timing
    assert all(quiet(after, hour) for hour in range(24) if quiet(running, hour))
