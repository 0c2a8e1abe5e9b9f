"""The drives as everybody outside sees them: bars with their reasons, the verdict, and the small part of the status."""

from datetime import datetime

from hub.contract.drives import (
    WANTS_SHOWN_MAX,
    DriveLineView,
    DriveSampleView,
    DrivesStatus,
    DrivesView,
    DriveVerdictView,
    DriveView,
    IdleView,
    WakeView,
    WantView,
)
from hub.domain.canonical import visible, wording_for
from hub.domain.drives import Drive, DriveRules, DriveSample, DriveVerdict, Wake, Want
from hub.domain.waking import need_id
from hub.loop.drive_verdict import next_look, rules_in, verdict_shown
from hub.loop.drive_words import of_verdict, of_wake
from hub.loop.state import State
from hub.when.drives import finite, is_open, pressure_at, slope_at


def view_of(state: State, now: datetime) -> DrivesView:
    """Return all drives at `now`, the heaviest first; without the last wake, which is a row."""
    rules, verdict = rules_in(state), verdict_shown(state, now)
    views = [_drive(one, rules, now) for one in state.mind.drives.drives]
    return DrivesView(
        enabled=rules.enabled,
        at=now,
        drives=tuple(sorted(views, key=lambda view: (-view.load, view.name))),
        total=verdict.total,
        threshold=rules.threshold,
        single_threshold=rules.single_threshold,
        verdict=_verdict(verdict, state.policy.zone),
        next_at=next_look(state, now),
        idle=tuple(IdleView(says=visible(says), why=why) for says, why in state.idle),
    )


def status_part(state: State, now: datetime) -> DrivesStatus | None:
    """Return the drives for the status; None where they are switched off."""
    if not state.policy.drives.enabled:
        return None
    verdict = verdict_shown(state, now)
    return DrivesStatus(
        top=visible(verdict.drive),
        load=round(verdict.pressure, 1),
        total=round(verdict.total, 1),
        threshold=verdict.threshold,
        rule=verdict.rule,
        says=of_verdict(verdict, state.policy.zone).text,
    )


def view_of_wake(wake: Wake) -> WakeView:
    """Return one wake."""
    said = of_wake(wake)
    return WakeView(
        id=wake.id,
        at=wake.at,
        rule=wake.rule,
        drive=visible(wake.drive),
        pressure=finite(wake.pressure),
        total=finite(wake.total),
        threshold=finite(wake.threshold),
        says=said.text,
        says_worded=said.wording,
        place=visible(wake.place),
        card_id=wake.card_id,
        ended=wake.ended,
        ended_at=wake.ended_at,
        note=visible(wake.note),
        note_worded=wording_for(wake.note_worded, wake.note),
    )


def view_of_sample(sample: DriveSample) -> DriveSampleView:
    """Return one sample of the history."""
    lines = (
        DriveLineView(name=visible(one.name), pressure=one.pressure, grows_per_min=one.grows_per_min, weight=one.weight)
        for one in sample.lines
    )
    return DriveSampleView(at=sample.at, drives=tuple(lines))


def _drive(drive: Drive, rules: DriveRules, now: datetime) -> DriveView:
    pressure = pressure_at(drive, rules, now)
    return DriveView(
        name=visible(drive.name),
        weight=finite(drive.weight),
        pressure=pressure,
        pressure_max=finite(rules.pressure_max),
        load=pressure * finite(drive.weight),
        grows_per_min=slope_at(drive, rules, now),
        counts=any(is_open(want, rules, now) for want in drive.wants),
        open=len(drive.wants),
        wants=tuple(map(_want, drive.wants[:WANTS_SHOWN_MAX])),
        addressed_at=drive.addressed_at,
    )


def _want(want: Want) -> WantView:
    return WantView(
        says=visible(want.says.text),
        says_worded=wording_for(want.says.worded, want.says.text),
        strength=min(finite(want.strength), 1.0),
        since=want.since,
        brought_at=want.brought_at,
        id=need_id(want.key),
    )


def _verdict(verdict: DriveVerdict, zone: str) -> DriveVerdictView:
    said = of_verdict(verdict, zone)
    return DriveVerdictView(
        wakes=verdict.wakes, rule=verdict.rule, says=said.text, says_worded=said.wording, until=verdict.until
    )
