"""Whether to wake now, by rules (DRIVES 3), and when to ask again.

Order: an alert first, then the sum, then the heaviest drive; then what speaks against it: the agent outside cannot be
reached, too many wakes this hour, one just now, the person is talking (not against an alert, and not for ever). Only
drives with something to bring up count. Each verdict carries the numbers that it went by.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.drives import RestRule, WakeRule
from hub.domain.drives import Drive, DriveRules, Drives, DriveVerdict, Handed
from hub.when.drives.engine import finite, is_open, pressure_at, slope

HOUR = timedelta(hours=1)
NEVER_MIN = 1_000_000.0
"""Further ahead than so many minutes is never."""
AFTER_CROSSING_S = 0.001
DOUBLINGS_MAX = 12


class Loads(Value):
    """What presses at a moment: the drives that have something to bring up, heaviest first, with weighted pressures."""

    drives: tuple[tuple[float, Drive], ...]
    total: float
    is_alert: bool


def evaluate(
    drives: Drives,
    rules: DriveRules,
    now: datetime,
    *,
    talked_at: datetime | None,
    talking_since: datetime | None = None,
) -> DriveVerdict:
    """Say whether to wake at `now`.

    Args:
        drives: as they are remembered; their pressures are brought to `now` first.
        rules: the rules in force (`in_force`).
        now: the present moment.
        talked_at: when the person last typed or talked to an agent, as far as is known.
        talking_since: since when they have done so without a pause; where that is not known, since then.
    """
    loads = _loads(drives, rules, now)
    verdict = _verdict(loads, rules, now)
    if not rules.enabled:
        return replace(verdict, held_by="off")
    if not loads.drives:
        return replace(verdict, held_by="silent")
    reason = _reason(loads, rules)
    if reason is None:
        return replace(verdict, until=_crossing(loads, rules, now))
    against = _against(drives, rules, now) or (
        None if loads.is_alert else _talking(drives, rules, now, talked_at, talking_since)
    )
    if against is not None:
        return replace(verdict, held_by=against[0], until=against[1])
    return replace(verdict, woken_by=reason)


def undelivered(drives: Drives, now: datetime) -> Handed | None:
    """Return the wake whose message did not arrive and may be tried again; None where there is none."""
    found = (one for one in reversed(drives.outside) if one.wake.ended == "undelivered")
    return next((one for one in found if one.until is not None and now < one.until), None)


def next_try(drives: Drives, rules: DriveRules, now: datetime) -> datetime | None:
    """Return when that message is to be tried again; never while drives are switched off."""
    return None if not rules.enabled or undelivered(drives, now) is None else away_until(drives, rules, now)


def away_until(drives: Drives, rules: DriveRules, now: datetime) -> datetime | None:
    """Return when an agent that could not be reached is to be tried again; None where there is no such agent.

    The pause is the cooldown at first, twice as long after each try, and at most an hour (or the cooldown, if longer).
    """
    if drives.away_since is None or drives.away_at is None or not rules.agent or rules.wakes == "off":
        return None
    doubled = rules.cooldown_s * 2.0 ** min(max(drives.away_tries - 1, 0), DOUBLINGS_MAX)
    pause = min(doubled, max(HOUR.total_seconds(), rules.cooldown_s))
    return min(drives.away_at, now) + timedelta(seconds=pause)


def next_crossing(drives: Drives, rules: DriveRules, now: datetime) -> datetime | None:
    """Return when pressure alone crosses a threshold, or something may be brought up again; None when never.

    Nothing has to look before: between two events nothing else changes.
    """
    if not rules.enabled:
        return None
    loads = _loads(drives, rules, now)
    crossing = now if loads.drives and _reason(loads, rules) else _crossing(loads, rules, now)
    moments = [crossing, *_agains(drives.drives, rules, now)]
    return min((moment for moment in moments if moment is not None), default=None)


def _loads(drives: Drives, rules: DriveRules, now: datetime) -> Loads:
    pressing = [drive for drive in drives.drives if any(is_open(want, rules, now) for want in drive.wants)]
    loads = sorted(
        ((_weighted(drive, rules, now), drive) for drive in pressing), key=lambda one: (-one[0], one[1].name)
    )
    alerts = [one for one in loads if _is_alert(one[1], rules, now)]
    ordered = (*alerts, *(one for one in loads if one not in alerts))
    return Loads(drives=ordered, total=sum(load for load, _ in loads), is_alert=bool(alerts))


def _weighted(drive: Drive, rules: DriveRules, now: datetime) -> float:
    return pressure_at(drive, rules, now) * finite(drive.weight)


def _is_alert(drive: Drive, rules: DriveRules, now: datetime) -> bool:
    return any(want.strength >= rules.alert_strength and is_open(want, rules, now) for want in drive.wants)


def _verdict(loads: Loads, rules: DriveRules, now: datetime) -> DriveVerdict:
    load, top = loads.drives[0] if loads.drives else (0.0, None)
    return DriveVerdict(
        at=now,
        drive="" if top is None else top.name,
        pressure=load,
        total=loads.total,
        threshold=rules.threshold,
        single_threshold=rules.single_threshold,
    )


def _reason(loads: Loads, rules: DriveRules) -> WakeRule | None:
    if loads.is_alert:
        return "alert"
    if loads.total >= rules.threshold:
        return "total"
    return "single" if loads.drives[0][0] >= rules.single_threshold else None


def _against(drives: Drives, rules: DriveRules, now: datetime) -> tuple[RestRule, datetime] | None:
    """Return what speaks against waking, whatever the person does, and when it ends."""
    away = away_until(drives, rules, now)
    if away is not None and now < away:
        return "away", away
    lately = [at for at in drives.woke_at if now - HOUR < at <= now]
    if len(lately) >= rules.turns_per_hour_max:
        return "turns", lately[-rules.turns_per_hour_max] + HOUR if rules.turns_per_hour_max else now + HOUR
    cooled = max(lately, default=now - HOUR) + timedelta(seconds=rules.cooldown_s)
    if lately and now < cooled:
        return "cooldown", cooled
    return None


def _talking(
    drives: Drives, rules: DriveRules, now: datetime, talked_at: datetime | None, since: datetime | None
) -> tuple[RestRule, datetime] | None:
    """Say until when the person is not to be interrupted: until they pause, or have gone on for long since all wakes.

    Without the latter, whoever has agents that save files all day would never be woken.
    """
    if talked_at is None:
        return None
    pause = min(talked_at, now) + timedelta(seconds=rules.conversation_s)
    began = (min(at, now) for at in (since or talked_at, *drives.woke_at))
    until = min(pause, max(began) + timedelta(seconds=rules.conversation_wait_s_max))
    return ("conversation", until) if now < until else None


def _crossing(loads: Loads, rules: DriveRules, now: datetime) -> datetime | None:
    """Return when the sum or the heaviest drive reaches its threshold by growth alone, to the microsecond or later."""
    lines = [(load, _grows(drive, rules, now), _lid(drive, rules)) for load, drive in loads.drives]
    singles = (_alone(load, grows, lid, rules.single_threshold) for load, grows, lid in lines)
    minutes = min([*singles, _together(lines, rules.threshold)], default=NEVER_MIN)
    return None if minutes >= NEVER_MIN else now + timedelta(minutes=minutes, seconds=AFTER_CROSSING_S)


def _grows(drive: Drive, rules: DriveRules, now: datetime) -> float:
    """Return how much a minute adds to the load; nothing while the clock is behind the drive's own moment."""
    is_ahead = drive.at is not None and drive.at > now
    return 0.0 if is_ahead else slope(drive, rules) * finite(drive.weight)


def _lid(drive: Drive, rules: DriveRules) -> float:
    return finite(rules.pressure_max) * finite(drive.weight)


def _alone(load: float, grows: float, lid: float, line: float) -> float:
    return (line - load) / grows if grows > 0 and line <= lid else NEVER_MIN


def _together(lines: list[tuple[float, float, float]], line: float) -> float:
    """Return after how many minutes the sum of lines with lids reaches `line`: from lid to lid it is straight."""
    total, grows, at = sum(load for load, _, _ in lines), sum(grows for _, grows, _ in lines), 0.0
    lids = sorted(((lid - load) / one, one) for load, one, lid in lines if one > 0)
    for until, one in lids:
        if grows > 0 and total + grows * (until - at) >= line:
            return at + (line - total) / grows
        total, grows, at = total + grows * (until - at), grows - one, until
    return NEVER_MIN


def _agains(drives: Iterable[Drive], rules: DriveRules, now: datetime) -> Iterable[datetime]:
    """Yield when each want that was brought up may be again."""
    again = timedelta(seconds=rules.again_s)
    brought = (want.brought_at for drive in drives for want in drive.wants if want.brought_at is not None)
    return (at + again for at in brought if at + again > now)
