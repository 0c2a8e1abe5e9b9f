"""Why Pulse woke, or why it did not, in one sentence with the numbers."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hub.contract.drives import RestRule, WakeRule
from hub.domain.canonical import visible
from hub.domain.drives import DriveVerdict, Wake
from hub.domain.provenance import untrusted

WEEK = timedelta(days=6)
AGAINST: dict[RestRule, str] = {
    "full": "as many suggestions wait for you as may; answer some first",
    "conversation": "you were typing or talking to an agent just now",
    "turns": "Pulse woke as often within the hour as it may",
    "cooldown": "Pulse woke just now",
    "away": "the agent cannot be reached, and the pressure stays as it is",
    "asking": "the model is being asked",
    "model-no": "the model sees no need",
}


def of_wake(wake: Wake) -> str:
    """Say why Pulse woke."""
    reason = _reason(wake.rule, wake.drive, wake.pressure, wake.total, wake.threshold, presses="pressed")
    return f"Woke because {reason}."


def of_verdict(verdict: DriveVerdict, zone: str) -> str:
    """Say why Pulse wakes now, or why not."""
    rule = verdict.woken_by
    if rule is not None:
        line = verdict.single_threshold if rule == "single" else verdict.threshold
        reason = _reason(rule, verdict.drive, verdict.pressure, verdict.total, line, presses="presses")
        return f"Wakes now because {reason}."
    until = "" if verdict.until is None else _clock(verdict.until, verdict.at, zone)
    match verdict.held_by:
        case "off":
            return "Drives are switched off, so no need wakes Pulse."
        case "paused":
            return "Pulse is paused, so no need wakes it."
        case "silent":
            return "Nothing is open that was not brought up lately, so nothing wakes Pulse."
        case "below":
            when = f"it gets there by {until} by itself" if until else "by itself it does not get there"
            return f"Everything together presses with {verdict.total:.1f} of {verdict.threshold:.1f}; {when}."
    said = f" (“{visible(untrusted(verdict.said))}”)" if verdict.said else ""
    end = f"; not before {until}" if until else ""
    return f"Enough presses ({_enough(verdict)}), but {AGAINST[verdict.held_by]}{said}{end}."


def _reason(rule: WakeRule, drive: str, load: float, total: float, line: float, *, presses: str) -> str:
    name = visible(drive)
    match rule:
        case "alert":
            return f"something in {name} matters too much to wait"
        case "total":
            return f"everything together {presses} with {total:.1f} of {line:.1f}, {name} most with {load:.1f}"
        case "single":
            return f"{name} alone {presses} with {load:.1f} of {line:.1f}"
        case "model":
            return f"the model says that it is time; everything together {presses} with {total:.1f}"


def _enough(verdict: DriveVerdict) -> str:
    if verdict.total >= verdict.threshold:
        return f"{verdict.total:.1f} of {verdict.threshold:.1f}"
    return f"{visible(verdict.drive)} with {verdict.pressure:.1f}"


def _clock(at: datetime, now: datetime, zone: str) -> str:
    """Write a time as a person says it: with the day only where it is another one."""
    local, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone))
    if local.date() == today.date():
        return f"{local:%H:%M}"
    return f"{local:%A %H:%M}" if at - now < WEEK else f"{local.day} {local:%B %H:%M}"
