"""Drives to try the rules on, and the ticks of the source document to compare them with."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.domain.drives import Drive, DriveRules, Drives, Want
from hub.domain.provenance import say

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
RULES = DriveRules(spike=1.5, conversation_s=300.0)


def want(key: str = "one", *, strength: float = 0.5, sensor: str = "git") -> Want:
    return Want(key=key, sensor=sensor, strength=strength, says=say("Something is open"), since=NOW)


def drive(name: str = "goals", *wants: Want, pressure: float = 0.0, weight: float = 1.0) -> Drive:
    return Drive(name=name, weight=weight, pressure=pressure, at=NOW, wants=wants)


def drives(*each: Drive) -> Drives:
    return Drives(drives=each)


def ticked(one: Drive, rules: DriveRules, start: datetime, ticks: int, tick_s: float = 30.0) -> Drive:
    """Go on as the source does: every half minute a little more, up to the most."""
    pressure = one.pressure
    for _ in range(ticks if one.wants else 0):
        pressure = min(rules.pressure_max, pressure + rules.rate_per_min * (tick_s / 60.0) * one.weight)
    return replace(one, pressure=pressure, at=start + ticks * timedelta(seconds=tick_s))
