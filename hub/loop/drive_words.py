"""Why Pulse woke, or why it did not, in one sentence with the numbers: in English, and as a code for others."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from hub.contract.drives import RestRule, WakeRule
from hub.contract.phrasing import Phrasing
from hub.domain.canonical import visible
from hub.domain.drives import BUILT_IN_DRIVES, DriveVerdict, Wake
from hub.domain.provenance import untrusted
from hub.domain.worded import Worded

WEEK = timedelta(days=6)
BUILT_IN = frozenset(name for name, _ in BUILT_IN_DRIVES)
PLAINLY: dict[RestRule, str] = {
    "off": "Open work does not wake Pulse: that is turned off.",
    "paused": "Pulse is paused or off, so open work does not wake it.",
    "silent": "Everything open was suggested recently, so nothing wakes Pulse.",
}
AGAINST: dict[RestRule, str] = {
    "full": "the most suggestions allowed at once are already waiting; answer some first",
    "conversation": "you were just typing or talking to an agent",
    "turns": "this hour's limit has been reached",
    "cooldown": "something was raised just now",
    "away": "the agent cannot be reached, so the pressure stays as it is",
    "asking": "the model is being asked",
    "model-no": "the model sees no need",
}


def of_wake(wake: Wake) -> Worded:
    """Say why Pulse woke."""
    reason = _reason(wake.rule, wake.drive, wake.pressure, wake.total, wake.threshold, past=True)
    return _around("wake.woke", f"Pulse woke up because {reason.text}.", reason=reason)


def of_verdict(verdict: DriveVerdict, zone: str) -> Worded:
    """Say why Pulse wakes now, or why not."""
    rule = verdict.woken_by
    if rule is not None:
        line = verdict.single_threshold if rule == "single" else verdict.threshold
        reason = _reason(rule, verdict.drive, verdict.pressure, verdict.total, line, past=False)
        return _around("wake.now", f"Pulse is waking up because {reason.text}.", reason=reason)
    plain = PLAINLY.get(verdict.held_by)
    if plain is not None:
        return Worded(text=plain, wording=Phrasing(code=f"rest.{verdict.held_by}"))
    return _below(verdict, zone) if verdict.held_by == "below" else _held(verdict, zone)


def _below(verdict: DriveVerdict, zone: str) -> Worded:
    until = "" if verdict.until is None else _clock(verdict.until, verdict.at, zone)
    when = f"; on its own it gets there by {until}" if until else " and will not get there on its own"
    text = f"The total pressure is {verdict.total:.1f} of {verdict.threshold:.1f}{when}."
    numbers = {"total": verdict.total, "line": verdict.threshold}
    code = "rest.below_until" if until else "rest.below"
    return Worded(text=text, wording=Phrasing(code=code, numbers=numbers, moment=verdict.until))


def _held(verdict: DriveVerdict, zone: str) -> Worded:
    enough, against = _enough(verdict), _against(verdict)
    end = "" if verdict.until is None else f"; not before {_clock(verdict.until, verdict.at, zone)}"
    text = f"The pressure is high enough ({enough.text}), but {against.text}{end}."
    said = _around("rest.held_until" if end else "rest.held", text, enough=enough, against=against)
    return replace(said, wording=replace(said.wording, moment=verdict.until))


def _against(verdict: DriveVerdict) -> Worded:
    rule = verdict.held_by
    plain = Worded(text=AGAINST[rule], wording=Phrasing(code=f"against.{rule.replace('-', '_')}"))
    if not verdict.said:
        return plain
    said = visible(untrusted(verdict.said))
    around = _around("against.said", f"{plain.text} (“{said}”)", against=plain)
    return replace(around, wording=replace(around.wording, values={"said": said}))


def _enough(verdict: DriveVerdict) -> Worded:
    if verdict.total >= verdict.threshold:
        text = f"{verdict.total:.1f} of {verdict.threshold:.1f}"
        numbers = {"total": verdict.total, "line": verdict.threshold}
        return Worded(text=text, wording=Phrasing(code="rest.enough", numbers=numbers))
    text = f"{visible(verdict.drive)} at {verdict.pressure:.1f}"
    return Worded(text=text, wording=_of_drive("rest.enough_alone", verdict.drive, load=verdict.pressure))


def _reason(rule: WakeRule, drive: str, load: float, total: float, line: float, *, past: bool) -> Worded:
    name, form = visible(drive), "_past" if past else ""
    was, says, reached = ("was", "said", "had reached") if past else ("is", "says", "reached")
    match rule:
        case "alert":
            text = f"something in {name} is too important to wait"
            return Worded(text=text, wording=_of_drive("wake.alert", drive))
        case "total":
            text = f"the total pressure {was} {total:.1f} of {line:.1f}, most of it from {name} ({load:.1f})"
            return Worded(text=text, wording=_of_drive(f"wake.total{form}", drive, total=total, line=line, load=load))
        case "single":
            text = f"{name} alone {reached} {load:.1f} of {line:.1f}"
            return Worded(text=text, wording=_of_drive(f"wake.single{form}", drive, line=line, load=load))
        case "model":
            text = f"the model {says} it {was} time; the total pressure {was} {total:.1f}"
            return Worded(text=text, wording=Phrasing(code=f"wake.model{form}", numbers={"total": total}))


def _of_drive(code: str, drive: str, **numbers: float) -> Phrasing:
    """Return a phrase about a drive: one that is built in has a name in each language."""
    if drive in BUILT_IN:
        return Phrasing(code=code, parts={"drive": Phrasing(code=f"drive.{drive}")}, numbers=numbers)
    return Phrasing(code=code, values={"drive": visible(drive)}, numbers=numbers)


def _around(code: str, text: str, **parts: Worded) -> Worded:
    return Worded(text=text, wording=Phrasing(code=code, parts={slot: part.wording for slot, part in parts.items()}))


def _clock(at: datetime, now: datetime, zone: str) -> str:
    """Write a time as a person says it: with the day only where it is another one."""
    local, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone))
    if local.date() == today.date():
        return f"{local:%H:%M}"
    return f"{local:%A %H:%M}" if at - now < WEEK else f"{local.day} {local:%B %H:%M}"
