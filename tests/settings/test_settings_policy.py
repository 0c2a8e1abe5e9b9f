"""The policy is exactly what the settings say, field by field."""

from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.words import Risk
from hub.domain.attention import Attention
from hub.domain.policy import Agent, Bands, Bounds, Caps, Channel, Loops, Policy, Timing, TwinService
from hub.settings import Settings, policy_of
from hub.settings.read import parse_settings
from hub.settings.schema import DriveSettings, WorldSettings
from hub.settings.to_policy import microusd

EVERYTHING = """
[crosspoll]
enabled = false
interval_s = 1
auto_execute_threshold = 0.93
suggest_threshold = 0.62
show_threshold = 0.31
card_ttl_s = 2
pending_max = 3
snooze_s = 4
snoozes_max = 5
undo_window_s = 6
production_words = ["jail"]

[autonomous]
enabled = true
silence_s = 7
cycle_s = 8
resume_after_s = 9
rejections_to_pause = 10

[quiet]
start_hour = 11
end_hour = 12

[attention]
needless_interruption = "awful"
missed_help = "mild"
wrong_act = "awful"
interruptions_per_day = 5
digest_times = ["12:30"]
digest_on_return = false

[costs]
hour_usd = 13.01
day_usd = 14.02
month_usd = 15.03
per_run_usd = 0.000001
ask_above_usd = 16.04
warn_share = 0.17

[loops]
depth_max = 18
window_s = 19
duplicate_window_s = 20
duplicates_max = 21

[session]
tokens_max = 22
duration_s_max = 23
output_bytes_max = 1024
allowed_tools = ["read"]
blocked_tools = ["exec"]

[twin]
enabled = true
url = "http://127.0.0.1:1"
model = "m"
key_env = "MY_KEY"
timeout_s = 5
input_usd_per_million = 0.6
output_usd_per_million = 2.5

[twins.cloud]
url = "https://models.example"
model = "big"

[channels.ops]
specialty = "Machines"
agent = "coder"
cost_per_run_usd = 1.25
risk = "high"
affinities = ["code", "docs"]

[channels.cheap]

[agents.coder]
kind = "command"
argv = ["codex", "exec"]
stdin = "none"
environment = ["KEY"]
idempotent = true

[agents.claw]
kind = "openclaw"
url = "http://127.0.0.1:2"
token_env = "CLAW"
"""


def policy() -> Policy:
    return policy_of(parse_settings(EVERYTHING, Path("config.toml")), "Asia/Tokyo")


def test_the_switches() -> None:
    made = policy()
    assert (made.enabled, made.autonomous, made.twin, made.zone) == (False, True, True, "Asia/Tokyo")
    assert (made.rejections_to_pause, made.pending_max, made.production_words) == (10, 3, ("jail",))


def test_models_are_asked_in_their_order_and_have_a_price() -> None:
    first = TwinService(
        name="first",
        url="http://127.0.0.1:1",
        model="m",
        key_env="MY_KEY",
        timeout_s=5,
        input_microusd=600_000,
        output_microusd=2_500_000,
    )
    assert policy().twins == (first, TwinService(name="cloud", url="https://models.example", model="big"))
    assert first.estimate_microusd == 4_800 + 1_500
    assert first.price_microusd(1, 0) == 1


def test_times() -> None:
    assert policy().timing == Timing(
        interval_s=1,
        cycle_s=8,
        silence_s=7,
        resume_after_s=9,
        quiet_start_hour=11,
        quiet_end_hour=12,
        card_ttl_s=2,
        snooze_s=4,
        snoozes_max=5,
        undo_window_s=6,
    )


def test_bands_bounds_and_loops() -> None:
    made = policy()
    assert made.bands == Bands(show=0.31, suggest=0.62, auto_execute=0.93)
    assert made.bounds == Bounds(
        tokens_max=22, duration_s_max=23, output_bytes_max=1024, allowed_tools=("read",), blocked_tools=("exec",)
    )
    assert made.loops == Loops(depth_max=18, window_s=19, duplicate_window_s=20, duplicates_max=21)


def test_attention() -> None:
    assert policy().attention == Attention(
        needless_interruption="awful",
        missed_help="mild",
        wrong_act="awful",
        interruptions_per_day=5,
        digest_times=("12:30",),
        digest_on_return=False,
    )


def test_money() -> None:
    assert policy().caps == Caps(
        hour_microusd=13_010_000,
        day_microusd=14_020_000,
        month_microusd=15_030_000,
        ask_above_microusd=16_040_000,
        warn_share=0.17,
    )


def test_channels() -> None:
    made = policy()
    assert made.channel("ops") == Channel(
        name="ops",
        specialty="Machines",
        agent="coder",
        cost_per_run_microusd=1_250_000,
        risk=Risk.HIGH,
        affinities=("code", "docs"),
    )
    cheap = made.channel("cheap")
    assert cheap is not None
    assert cheap.cost_per_run_microusd == 1


def test_agents() -> None:
    made = policy()
    assert made.agent("coder") == Agent(
        name="coder",
        kind="command",
        argv=("codex", "exec"),
        stdin="none",
        environment=("KEY",),
        idempotent=True,
    )
    assert made.agent("claw") == Agent(name="claw", kind="openclaw", url="http://127.0.0.1:2", token_env="CLAW")
    assert made.agent("playbook") == Agent(name="playbook", kind="playbook", idempotent=True)


def test_defaults_are_those_of_the_source_document() -> None:
    made = policy_of(Settings(), "UTC")
    named = msgspec.structs.replace(made, channels=(), agents=())
    assert named == Policy()
    assert [channel.name for channel in made.channels] == [
        "koji-core",
        "chronicle-hub",
        "dream-weaver",
        "research",
        "garden",
    ]
    assert {channel.cost_per_run_microusd for channel in made.channels} == {50_000}


def test_a_policy_survives_being_stored() -> None:
    """Whatever the limits allow can be written down and read back."""
    made = policy()
    assert msgspec.json.decode(msgspec.json.encode(made), type=Policy) == made


@given(st.decimals(min_value=0, max_value=1_000_000, places=6))
def test_money_as_a_person_writes_it_is_exact(usd: Decimal) -> None:
    assert microusd(float(usd)) == int(usd * 1_000_000)


@pytest.mark.parametrize(("usd", "expected"), [(0.1 + 0.2, 300_000), (0.05, 50_000), (1.000_000_4, 1_000_000)])
def test_less_than_a_micro_dollar_is_rounded(usd: float, expected: int) -> None:
    assert microusd(usd) == expected


def another(value: object) -> object:
    """A value that differs from this one, and fits where it stands."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return not value if isinstance(value, bool) else ("another",)
    return value + 1 if isinstance(value, int) else value / 2


def changed(settings: Settings, *tables: str) -> Settings:
    """Every number, switch and list of these tables is another one than by default."""
    for name in tables:
        table = getattr(settings, name)
        values = {key: another(value) for key, value in msgspec.structs.asdict(table).items()}
        settings = msgspec.structs.replace(settings, **{name: msgspec.structs.replace(table, **values)})
    return settings


def test_every_rule_follows_its_setting() -> None:
    """Fields are taken over by their names: one that is renamed on one side only would quietly keep its default."""
    tables = ("crosspoll", "autonomous", "quiet", "costs", "loops", "session", "training")
    made = policy_of(changed(Settings(), *tables), "UTC")
    default = policy_of(Settings(), "UTC")
    for name in ("timing", "bands", "caps", "bounds", "loops"):
        ours, theirs = msgspec.structs.asdict(getattr(made, name)), msgspec.structs.asdict(getattr(default, name))
        assert {key for key, value in ours.items() if value == theirs[key]} <= {"links_kept_max"}, name
    kept = {key for key, value in msgspec.structs.asdict(made).items() if value == getattr(default, key)}
    assert kept == {
        "zone",
        "agents",
        "twin",
        "twins",
        "attention",
        "drives",
        "world",
    }


def test_every_rule_of_the_world_log_follows_its_setting() -> None:
    others = {"enabled": False, "sources": ["ci"], "tries_max": 5, "context_s": 60.0, "checker": "cloud"}
    waits = ("start_wait_s", "active_wait_s", "retry_wait_s", "finish_wait_s", "failed_wait_s", "answered_wait_s")
    others |= {name: 60.0 + number for number, name in enumerate(waits)}
    made = policy_of(Settings(world=msgspec.convert(others, WorldSettings)), "UTC").world
    assert msgspec.structs.asdict(made) == others | {"sources": ("ci",)}
    assert made.known_sources >= {"ci", "bash"}


def test_every_rule_of_the_drives_follows_its_setting() -> None:
    values = {
        key: value
        for key, value in msgspec.structs.asdict(DriveSettings()).items()
        if key not in {"weights", "files", "processes"}
    }
    others = {key: another(value) for key, value in values.items() if not isinstance(value, str)}
    others |= {"agent": "iris", "wakes": "alone", "mode": "model", "model": "iris", "mutations": "off"}
    written = msgspec.convert(others | {"weights": {"writing": 0.7}}, DriveSettings)
    made = policy_of(Settings(drives=written), "UTC").drives
    assert made.weights == (("writing", 0.7),)
    assert {key: getattr(made, key) for key in others} == others
