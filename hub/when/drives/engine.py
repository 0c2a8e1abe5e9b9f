"""How pressure grows, jumps and falls (DRIVES 2, 5), in closed form.

Theory: while something stands open in a drive, its pressure grows by rate · dt · weight up to the most that the rules
allow; nothing else happens between events. That is a straight line with a lid, so one step of an hour is 120 steps of
30 seconds, and when the sum of all drives crosses a line can be computed instead of waited for. A clock that goes back
lets no time pass; numbers that are none count as nothing.
"""

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.drives import Outcome
from hub.domain.drives import (
    BUILT_IN_DRIVES,
    DRIVES_MAX,
    Drive,
    DriveLine,
    DriveRules,
    Drives,
    DriveSample,
    Tuning,
    Want,
)

WEIGHT_MAX = 3.0
MINUTE_S = 60.0
AHEAD_MAX = timedelta(days=1)
"""By more than this no clock is put right that was ever right."""
PLACES = 6
"""To so many decimal places a sample is kept."""


def in_force(rules: DriveRules, tuning: Tuning) -> DriveRules:
    """Return the person's rules with what mutations changed of them."""
    return replace(
        rules,
        threshold=_else(tuning.threshold, rules.threshold),
        rate_per_min=_else(tuning.rate_per_min, rules.rate_per_min),
        cooldown_s=_else(tuning.cooldown_s, rules.cooldown_s),
        turns_per_hour_max=rules.turns_per_hour_max if tuning.turns_per_hour_max is None else tuning.turns_per_hour_max,
    )


def with_built_in(drives: Drives, rules: DriveRules) -> Drives:
    """Return the drives with every built-in one and the person's own; weights that were set, and removals, stay."""
    weights = {**dict(BUILT_IN_DRIVES), **dict(rules.weights)}
    there = {*(drive.name for drive in drives.drives), *drives.removed}
    missing = [Drive(name=name, weight=weight) for name, weight in weights.items() if name not in there]
    return replace(drives, drives=(*drives.drives, *missing)[:DRIVES_MAX]) if missing else drives


def pressure_at(drive: Drive, rules: DriveRules, now: datetime) -> float:
    """Return a drive's pressure at `now`: 0 to the most that the rules allow, in the source's units."""
    lid = finite(rules.pressure_max)
    start = min(finite(drive.pressure), lid)
    if drive.at is None or not drive.wants:
        return start
    ends = [want.until for want in drive.wants]
    until = now if None in ends else min(now, max(end for end in ends if end is not None))
    minutes = max((until - drive.at).total_seconds(), 0.0) / MINUTE_S
    return min(lid, start + slope(drive, rules) * minutes)


def slope(drive: Drive, rules: DriveRules) -> float:
    """Return how much pressure a minute adds: rate · weight while something stands open, else nothing."""
    return finite(rules.rate_per_min) * finite(drive.weight) if drive.wants else 0.0


def slope_at(drive: Drive, rules: DriveRules, now: datetime) -> float:
    """Return how much a minute adds from `now` on: nothing at the most that is allowed, and once all has ended."""
    has_ended = all(want.until is not None and want.until <= now for want in drive.wants)
    return 0.0 if has_ended or pressure_at(drive, rules, now) >= finite(rules.pressure_max) else slope(drive, rules)


def sampled(drives: Drives, rules: DriveRules, now: datetime) -> DriveSample:
    """Return where each drive's line is at `now`, and how it goes on; rounded, so that equal lines are equal."""
    lines = (
        DriveLine(
            name=drive.name,
            pressure=round(pressure_at(drive, rules, now), PLACES),
            grows_per_min=round(slope_at(drive, rules, now), PLACES),
            weight=finite(drive.weight),
        )
        for drive in drives.drives
    )
    return DriveSample(at=now, lines=tuple(line for line in lines if line.pressure or line.grows_per_min))


def settled(drive: Drive, rules: DriveRules, now: datetime) -> Drive:
    """Return the drive with its pressure as it is at `now`; a clock that went back moves nothing back.

    One that was far ahead was wrong then: time goes on from now, else nothing would grow until it has caught up.
    """
    at = now if drive.at is None or drive.at - now > AHEAD_MAX else max(drive.at, now)
    return replace(drive, pressure=pressure_at(drive, rules, now), at=at)


def spiked(drive: Drive, rules: DriveRules, now: datetime, amount: float) -> Drive:
    """Return the drive with so much more pressure, at most the rules' most."""
    there = settled(drive, rules, now)
    return replace(there, pressure=min(finite(rules.pressure_max), there.pressure + finite(amount)))


def decayed(drive: Drive, rules: DriveRules, now: datetime, share: float) -> Drive:
    """Return the drive with this share (0 to 1) of its pressure gone."""
    there = settled(drive, rules, now)
    return replace(there, pressure=there.pressure * (1.0 - min(finite(share), 1.0)))


def addressed(drive: Drive, rules: DriveRules, now: datetime, outcome: Outcome) -> Drive:
    """Return the drive after work on it was reported: its pressure decays by the outcome, never by the asking.

    What was blocked leaves the pressure as it was. What was handed in from outside ends with a success; what else is
    open may be brought up again once there is pressure for it. An alert needs none, so it rests on as after any wake.
    """
    share = {"success": rules.success_decay, "partial": rules.partial_decay, "blocked": 0.0}[outcome]
    wants = tuple(want for want in drive.wants if want.until is None) if outcome == "success" else drive.wants
    after = decayed(drive, rules, now, share)
    if outcome == "blocked":
        return after
    reopened = (want if want.strength >= rules.alert_strength else replace(want, brought_at=None) for want in wants)
    return replace(after, wants=tuple(reopened), addressed_at=now)


def changed(drives: Drives, name: str, change: Callable[[Drive], Drive]) -> Drives:
    """Return the drives with one of them changed; the same where there is none of that name."""
    return replace(drives, drives=tuple(change(one) if one.name == name else one for one in drives.drives))


def is_open(want: Want, rules: DriveRules, now: datetime) -> bool:
    """Say whether a want may wake somebody: it has not ended, and was not brought up yet, or that was long ago.

    Brought up far ahead of now, by a clock that was wrong then, is not brought up.
    """
    if want.until is not None and want.until <= now:
        return False
    return want.brought_at is None or abs(now - want.brought_at) >= timedelta(seconds=rules.again_s)


def finite(number: float) -> float:
    """Return `number` where it is one and not negative, else 0."""
    return number if math.isfinite(number) and number > 0 else 0.0


def _else(changed_to: float | None, given: float) -> float:
    return given if changed_to is None else changed_to
