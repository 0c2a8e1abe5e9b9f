"""What may run without asking, as everybody outside sees it."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from hub.contract.grants import ChangedGrantView, GrantKind, GrantList, GrantView
from hub.contract.phrasing import Phrasing
from hub.domain.canonical import visible
from hub.domain.judgement import StandingYes
from hub.domain.mind import Mind
from hub.domain.permission_grant import ChangedGrant, PermissionGrant
from hub.domain.provenance import Wording, as_worded, say
from hub.domain.suggestion import RUNS_ALONE
from hub.domain.worded import Worded
from hub.kit.text import counted, day_said
from hub.loop.grant_words import summary_told

HOUR_TOLD = timedelta(days=2)
"""What lasts no longer is told with its hour."""


def grants_of(mind: Mind, zone: str, now: datetime) -> GrantList:
    """Return all that may run without asking, newest first."""
    standing = [one for one in mind.ledger.standing if now < one.expires_at]
    agents = [_view_of_permission(one, zone) for one in mind.grants if now < one.expires_at]
    found = [*(view_of(one, zone) for one in standing), *agents]
    views = tuple(sorted(found, key=lambda view: view.since, reverse=True))
    return GrantList(grants=views, count=len(views), changed=tuple(map(_view_of_changed, mind.grants_changed)))


def _view_of_changed(one: ChangedGrant) -> ChangedGrantView:
    left = None if one.left is None else summary_told(one.left)
    return ChangedGrantView(
        id=one.id,
        was=visible(one.was),
        at=one.at,
        left="" if left is None else left.text,
        left_worded=None if left is None else left.wording,
    )


def view_of(given: StandingYes, zone: str) -> GrantView:
    """Return one grant."""
    summary = what_of(given)
    least = f", from a confidence of {given.confidence_min:.2f} on" if given.confidence_min else ""
    runs = f", ran {counted(given.runs, 'time')}" if given.runs else ", has not run yet"
    return GrantView(
        id=given.id,
        summary=summary.text,
        summary_worded=summary.wording,
        effect=f"without asking until {day_of(given.expires_at, zone)}{least}{runs}.",
        kind=given.kind,
        repository=given.repository or None,
        since=given.made_at,
        until=given.expires_at,
        runs=given.runs,
        last_run_at=given.last_run_at,
        by=given.by,
        card_id=given.card_id,
        threshold=given.confidence_min if given.is_of_kind else None,
    )


def what_of(given: StandingYes) -> Wording:
    """Say what may run: one piece of work, or every one of a kind."""
    what = as_worded(visible(given.example), given.example_worded)
    kind = RUNS_ALONE.get(given.kind, given.kind)
    said = say("Every time: {kind}", kind=kind) if given.is_of_kind else say("“{what}”", what=what)
    place = visible(given.repository.rstrip("/").rpartition("/")[2])
    return say("{what} in {place}", what=said, place=place) if place else said


def kinds_of(mind: Mind) -> tuple[GrantKind, ...]:
    """Return the kinds of work that can be let run alone: harmless, and once approved."""
    return tuple(
        GrantKind(kind=kind, name=name.text, name_worded=name.wording)
        for kind, name in RUNS_ALONE.items()
        if kind in mind.tallies and mind.tallies[kind].approved
    )


def _view_of_permission(given: PermissionGrant, zone: str) -> GrantView:
    said = summary_told(given.pattern)
    used = f", used {counted(given.uses, 'time')}" if given.uses else ", not used yet"
    return GrantView(
        id=given.id,
        summary=said.text,
        summary_worded=said.wording,
        effect=f"without asking until {end_of(given.expires_at, given.made_at, zone).text}{used}.",
        kind="permission",
        repository=given.pattern.place,
        since=given.made_at,
        until=given.expires_at,
        runs=given.uses,
        last_run_at=given.last_used_at,
        by=given.by,
        card_id=given.card_id,
    )


def matter(prompt: str) -> str:
    """Return what a suggestion is about, without the figures of that day behind its colon."""
    return prompt.partition(": ")[0]


def day_of(at: datetime, zone: str) -> str:
    """Write a day as a person says it: 8 June 2026."""
    return day_said(date_of(at, zone))


def end_of(until: datetime, since: datetime, zone: str) -> Worded:
    """Say when something ends that began then: the day, and the hour as well where it does not last for days."""
    there = until.astimezone(ZoneInfo(zone))
    day = there.date()
    if until - since > HOUR_TOLD:
        return Worded(text=day_said(day), wording=Phrasing(code="grant_end.day", day=day))
    clock = f"{there:%H:%M}"
    wording = Phrasing(code="grant_end.hour", values={"clock": clock}, day=day)
    return Worded(text=f"{clock} on {day_said(day)}", wording=wording)


def date_of(at: datetime, zone: str) -> date:
    """Return the day that it is then where the person is."""
    return at.astimezone(ZoneInfo(zone)).date()
