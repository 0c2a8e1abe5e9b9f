"""The kill switch's four levels, and the policy in force."""

from datetime import UTC, datetime
from typing import Literal

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.domain.judgement import Refusal
from hub.domain.policy import Policy
from hub.may import effective, switched_off_by
from tests.rooms.may.questions import ASKED, LEDGER, POLICY, QUESTION, answered, fired, judged

OFF = replace(POLICY, enabled=False)


@pytest.mark.parametrize(
    ("level", "rule", "fix"),
    [
        ("config", "kill.config", "file"),
        ("runtime", "kill.runtime", "pulse resume"),
        ("surface", "kill.surface", "pulse resume"),
        ("", "kill.disabled", "pulse resume"),
    ],
)
def test_each_level_is_named_and_says_how_to_lift_it(
    level: Literal["", "config", "runtime", "surface"], rule: str, fix: str
) -> None:
    question = replace(QUESTION, policy=OFF, asked=replace(ASKED, switched_off_by=level))
    for asking in (question, answered(question)):
        outcome = judged(asking).outcome
        assert isinstance(outcome, Refusal)
        assert outcome.rule == rule
        assert fix in outcome.fix


def test_the_emergency_stop_is_the_strongest() -> None:
    question = replace(QUESTION, policy=OFF, ledger=replace(LEDGER, emergency=True))
    assert fired(judged(question)) == ["kill.emergency", "kill.disabled"]
    assert fired(judged(replace(question, policy=POLICY))) == ["kill.emergency"]


@pytest.mark.parametrize(
    ("in_file", "patched", "result"),
    [
        (True, None, True),
        (True, True, True),
        (True, False, False),
        (False, None, False),
        (False, True, False),
        (False, False, False),
    ],
)
def test_run_time_never_loosens_the_files_kill_switch(*, in_file: bool, patched: bool | None, result: bool) -> None:
    assert effective(Policy(enabled=in_file), ConfigPatch(enabled=patched)).enabled is result


@pytest.mark.parametrize(
    ("in_file", "patched", "level"),
    [(True, None, ""), (True, True, ""), (True, False, "runtime"), (False, True, "config"), (False, False, "config")],
)
def test_who_switched_it_off(*, in_file: bool, patched: bool | None, level: str) -> None:
    assert switched_off_by(Policy(enabled=in_file), ConfigPatch(enabled=patched)) == level


def test_an_empty_patch_changes_nothing() -> None:
    assert effective(POLICY, ConfigPatch()) == POLICY


def test_a_full_patch_changes_exactly_what_it_names() -> None:
    patch = ConfigPatch(
        autonomous=False,
        interval_ms=90_500,
        cost_cap_per_hour=0.1,
        cost_cap_per_day=0.0,
        cost_cap_per_month=123.456789,
        auto_execute_threshold=0.95,
        quiet_hours_start=0,
        quiet_hours_end=6,
        dnd_until=datetime(2026, 3, 11, tzinfo=UTC),
        emergency_stop=True,
        reenable_month=True,
    )
    policy = effective(POLICY, patch)
    assert (policy.enabled, policy.autonomous) == (True, False)
    assert policy.timing == replace(POLICY.timing, interval_s=90.5, quiet_start_hour=0, quiet_end_hour=6)
    assert policy.caps == replace(POLICY.caps, hour_microusd=100_000, day_microusd=0, month_microusd=123_456_789)
    assert policy.bands == replace(POLICY.bands, auto_execute=0.95)
    assert (policy.channels, policy.agents, policy.zone) == (POLICY.channels, POLICY.agents, POLICY.zone)
