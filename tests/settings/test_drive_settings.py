"""Every key of `[drives]` changes what Pulse does: from the settings file's text to the verdict, or to who is asked."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from hub.app.watched import drive_files_of, report_file_of
from hub.contract.drives import Outcome
from hub.domain.drives import Drives
from hub.domain.mutations import Mutation
from hub.domain.policy import Policy
from hub.loop.drive_verdict import model_at
from hub.may import judge_mutation
from hub.settings import Settings, policy_of
from hub.settings.read import parse_settings
from hub.settings.schema import DriveSettings
from hub.when.drives import addressed, brought, evaluate, looked, with_built_in
from tests.fakes.world import a_state
from tests.rooms.when.drives.drives_at_hand import HOUR, MINUTE, NOW, drive, drives, want

BASE = """
[agents.claw]
kind = "openclaw"
url = "http://127.0.0.1:18789"
token_env = "CLAW_TOKEN"

[twin]
enabled = true
url = "http://127.0.0.1:11434/v1"
model = "small"

[twins.second]
url = "http://127.0.0.1:11435/v1"
model = "other"

[drives]
"""
PRESSED, SMALL = drives(drive("goals", want(), pressure=4.7)), drives(drive("goals", want(), pressure=1.0))
ALERT = drives(drive("goals", want(strength=0.95), pressure=1.0))
TOLD = drives(brought(PRESSED.drives[0], NOW))
LESS = Mutation(kind="adjust_weight", drive="goals", value=0.8)


def rule(at_hand: Drives, policy: Policy, *, after: timedelta = timedelta(0), talked: timedelta | None = None) -> str:
    now = NOW + after
    return evaluate(at_hand, policy.drives, now, talked_at=None if talked is None else now - talked).rule


def on_news(policy: Policy) -> str:
    """A new matter of half the weight comes to a drive that was looked at before."""
    seen = {"goals": (want(), want("new"))}
    return rule(looked(drives(drive("goals", want())), seen, policy.drives, NOW, blind=()), policy)


def decayed_by(outcome: Outcome) -> Callable[[Policy], str]:
    done = drive("goals", want(), pressure=7.2)
    return lambda policy: rule(drives(addressed(done, policy.drives, NOW, outcome)), policy)


def woken(*ago: timedelta) -> Drives:
    return replace(PRESSED, woke_at=tuple(NOW - one for one in ago))


def at_it_for_long(policy: Policy) -> str:
    return evaluate(PRESSED, policy.drives, NOW, talked_at=NOW, talking_since=NOW - 20 * MINUTE).rule


def named_model(policy: Policy) -> str | None:
    service = model_at(a_state(policy), NOW)
    return service.name if service else None


def woken_agent(policy: Policy) -> str | None:
    agent = policy.woken_agent
    return agent.name if agent else None


def weighed(policy: Policy) -> str:
    goals = next(one for one in with_built_in(Drives(), policy.drives).drives if one.name == "goals")
    return rule(drives(replace(goals, pressure=4.7, at=NOW, wants=(want(),))), policy)


class Effect(NamedTuple):
    """A line of `[drives]`, what it is without (another line, or as it comes), and what follows from each."""

    line: str
    checked: Callable[[Policy], object]
    before: object
    after: object
    without: str = ""


EFFECTS: dict[str, Effect] = {
    "enabled": Effect("enabled = false", lambda policy: rule(PRESSED, policy), "single", "off"),
    "rate_per_min": Effect("rate_per_min = 0.1", lambda policy: rule(SMALL, policy, after=HOUR), "below", "total"),
    "pressure_max": Effect("pressure_max = 4", lambda policy: rule(PRESSED, policy), "single", "below"),
    "threshold": Effect("threshold = 4.6", lambda policy: rule(PRESSED, policy), "single", "total"),
    "single_threshold": Effect("single_threshold = 4.8", lambda policy: rule(PRESSED, policy), "single", "below"),
    "alert_strength": Effect("alert_strength = 0.96", lambda policy: rule(ALERT, policy), "alert", "below"),
    "spike": Effect("spike = 8", on_news, "total", "below"),
    "success_decay": Effect("success_decay = 0.2", decayed_by("success"), "below", "total"),
    "partial_decay": Effect("partial_decay = 0.5", decayed_by("partial"), "single", "below"),
    "cooldown_s": Effect("cooldown_s = 900", lambda policy: rule(woken(10 * MINUTE), policy), "single", "cooldown"),
    "turns_per_hour_max": Effect(
        "turns_per_hour_max = 1", lambda policy: rule(woken(HOUR / 2), policy), "single", "turns"
    ),
    "conversation_s": Effect(
        "conversation_s = 60", lambda policy: rule(PRESSED, policy, talked=2 * MINUTE), "conversation", "single"
    ),
    "conversation_wait_s_max": Effect("conversation_wait_s_max = 600", at_it_for_long, "conversation", "single"),
    "again_s": Effect("again_s = 1800", lambda policy: rule(TOLD, policy, after=HOUR / 2), "silent", "total"),
    "weights": Effect("weights = { goals = 0.5 }", weighed, "single", "below"),
    "mode": Effect('mode = "model"', named_model, None, "first"),
    "model": Effect('mode = "model"\nmodel = "second"', named_model, "first", "second", 'mode = "model"'),
    "agent": Effect('agent = "claw"', woken_agent, None, "claw"),
    "wakes": Effect('agent = "claw"\nwakes = "off"', woken_agent, "claw", None, 'agent = "claw"'),
    "mutations": Effect(
        'mutations = "off"',
        lambda policy: judge_mutation(LESS, PRESSED, policy.drives, NOW, is_person=False).code,
        "",
        "mutations-off",
    ),
}
READ_BESIDE = {"files", "processes", "feedback_file", "mutations_file"}
"""These are no rules; what reads them is tried with real files and programs in tests/journeys and tests/io."""


def settings(lines: str) -> Settings:
    return parse_settings(f"{BASE}{lines}\n", Path("config.toml"))


@pytest.mark.parametrize("key", EFFECTS)
def test_each_rule_of_the_drives_changes_what_follows(key: str) -> None:
    effect = EFFECTS[key]
    before, after = (policy_of(settings(lines), "UTC") for lines in (effect.without, effect.line))
    assert (effect.checked(before), effect.checked(after)) == (effect.before, effect.after)
    assert effect.before != effect.after


def test_what_is_read_beside_the_rules_is_named_by_the_settings() -> None:
    assert (drive_files_of(settings("").drives), report_file_of(settings("").drives)) == ((), None)
    named = settings('files = ["goals:/a.json"]\nfeedback_file = "/turn_result.json"\nprocesses = ["postgres"]')
    (file,) = drive_files_of(named.drives)
    assert (file.kind, file.path, report_file_of(named.drives)) == ("goals", Path("/a.json"), Path("/turn_result.json"))
    assert (settings("").drives.processes, named.drives.processes) == ((), ("postgres",))


def test_no_setting_of_the_drives_is_left_out() -> None:
    assert set(EFFECTS) | READ_BESIDE == set(DriveSettings.__struct_fields__)
