"""The day: what is due and what is planned, what the day before brought; told once, with the first digest.

Theory: it needs no agent and no repository, only the person's tasks and calendar. It comes at the first time of their
digests, or later that day once something is known of it (a calendar that was connected, Pulse that was started); a task
that was written down after that time is no news to its author. Not in quiet hours, and never twice a day.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from hub.contract.alone import DAY_ENTRIES_MAX, DAY_TITLE_CHARS_MAX, DayEntry, DaySummary
from hub.domain.canonical import visible
from hub.domain.mind import DayCounts
from hub.domain.provenance import WorldText, untrusted
from hub.domain.situation import Situation
from hub.kit.text import one_line
from hub.loop.draft import Draft
from hub.loop.state import Planned
from hub.when import is_quiet, quiet_ends

TOLD_FOR = timedelta(hours=9)
"""For this long after its time a day is still told; later it is nearly over."""
AHEAD, DAY = timedelta(days=2), timedelta(days=1)
PLANNED_MAX = 60
OVERDUE_MAX = timedelta(days=30)
"""What was due longer ago is not brought up any more."""


def note_agenda(draft: Draft, situation: Situation) -> None:
    """Remember what is planned; what could not be read leaves what was known of it."""
    known = draft.state.agenda or ()
    meetings = _meetings(situation) if situation.meetings is not None else _of(known, "meeting")
    tasks = _tasks(situation, draft.now) if situation.tasks is not None else _of(known, "task")
    near = (one for one in (*tasks, *meetings) if one.at < draft.now + AHEAD)
    agenda = tuple(sorted(near, key=lambda one: (one.at, one.title))[:PLANNED_MAX])
    if agenda != draft.state.agenda:
        draft.state = replace(draft.state, agenda=agenda)


def count(draft: Draft, **by: int) -> None:
    """Count what a day has brought."""
    _turn(draft)
    today = draft.mind.today
    more = {name: getattr(today, name) + number for name, number in by.items()}
    draft.set_mind(replace(draft.mind, today=replace(today, **more)))


def summary(draft: Draft, *, asked: bool = False) -> DaySummary | None:
    """Return the day where it is to be told now, or was asked for; None where there is nothing of it."""
    if draft.state.agenda is None or not (asked or _is_due(draft)):
        return None
    now, began = _here(draft, draft.now), _at(draft)
    entries = [entry for one in draft.state.agenda if (entry := _entry(one, now, None if asked else began)) is not None]
    before = _yesterday(draft)
    made = DaySummary(
        day=now.date(),
        entries=tuple(entries[:DAY_ENTRIES_MAX]),
        more=max(0, len(entries) - DAY_ENTRIES_MAX),
        done=before.done,
        failed=before.failed,
        approved=before.approved,
        rejected=before.rejected,
        tasks=before.tasks,
    )
    return None if made == DaySummary(day=made.day) else made


def is_told(draft: Draft) -> bool:
    """Return True if the person was told what this day brings."""
    return draft.mind.day_told == _day(draft)


def note_told(draft: Draft) -> None:
    """Remember that this day was told."""
    draft.set_mind(replace(draft.mind, day_told=_day(draft)))


def next_at(draft: Draft) -> datetime | None:
    """Return when a day is to be told next; None where it never is."""
    at = _at(draft)
    if at is None:
        return None
    if at > draft.now:
        return at
    tomorrow, quiet = at + DAY, quiet_ends(draft.state.policy, draft.mind.dnd_until, draft.now)
    return min(quiet, tomorrow) if quiet > draft.now else tomorrow


def _is_due(draft: Draft) -> bool:
    at = _at(draft)
    if at is None or is_told(draft) or not at <= draft.now < at + TOLD_FOR:
        return False
    return not is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now)


def _at(draft: Draft) -> datetime | None:
    """Return when this day is told: at the first of its digests; None where the person wants none."""
    times = draft.state.policy.attention.digest_times
    if not times:
        return None
    now = _here(draft, draft.now)
    return datetime.combine(now.date(), time.fromisoformat(min(times)), tzinfo=now.tzinfo)


def _here(draft: Draft, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(draft.state.policy.zone))


def _day(draft: Draft) -> str:
    """Return the local date of now, as the mind keeps it."""
    return _here(draft, draft.now).date().isoformat()


def _entry(one: Planned, now: datetime, began: datetime | None) -> DayEntry | None:
    """Return something planned as a line of today or tomorrow; None where it is of neither, or no news."""
    at = one.at.astimezone(now.tzinfo)
    is_news = began is None or one.since is None or one.since < began
    clock = "" if one.all_day else f"{at:%H:%M}"
    if not is_news or at.date() > now.date() + DAY:
        return None
    if at.date() > now.date():
        return DayEntry(kind="tomorrow", title=one.title, time=clock)
    if one.kind == "meeting":
        shown = clock if at.date() == now.date() else ""
        return DayEntry(kind="meeting", title=one.title, time=shown) if one.ends_at > now else None
    if at.date() < now.date():
        return DayEntry(kind="overdue", title=one.title)
    return DayEntry(kind="task", title=one.title, time=clock)


def _meetings(situation: Situation) -> tuple[Planned, ...]:
    return tuple(
        Planned(kind="meeting", title=_shown(one.title), at=one.starts_at, ends_at=one.ends_at, all_day=one.all_day)
        for one in situation.meetings or ()
    )


def _tasks(situation: Situation, now: datetime) -> tuple[Planned, ...]:
    due = ((task, task.deadline) for task in situation.tasks or () if task.is_open and task.deadline is not None)
    return tuple(
        Planned(kind="task", title=_shown(task.title), at=at, ends_at=at, since=task.created_at)
        for task, at in due
        if now - at < OVERDUE_MAX
    )


def _of(known: tuple[Planned, ...], kind: str) -> tuple[Planned, ...]:
    return tuple(one for one in known if one.kind == kind)


def _shown(title: WorldText) -> str:
    return one_line(visible(untrusted(title)), DAY_TITLE_CHARS_MAX)


def _turn(draft: Draft) -> None:
    """Begin a new count where the day is another one."""
    day = _day(draft)
    if draft.mind.today.day != day:
        draft.set_mind(replace(draft.mind, yesterday=draft.mind.today, today=DayCounts(day=day)))


def _yesterday(draft: Draft) -> DayCounts:
    """Return what the day before this one has brought."""
    wanted = (_here(draft, draft.now).date() - DAY).isoformat()
    kept = (draft.mind.today, draft.mind.yesterday)
    return next((one for one in kept if one.day == wanted), DayCounts())
