"""A day of the world log as lines for people: who did what, how long, what was waited for, who checked it by what."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from hub.cli import draw
from hub.cli.command import CommandContext
from hub.cli.world_show import status_said
from hub.contract.world import AgentStatus
from hub.contract.world_day import WorldDayAnswer, WorldFact, WorldLane, WorldPause, WorldSpan
from hub.domain.lookalikes import reveal
from hub.kit.called import as_called
from hub.kit.text import counted, cut, duration, one_line

TASK_CHARS_MAX, SAID_CHARS_MAX = 60, 160
FACTS_SHOWN_MAX = 50
PAUSES = {
    "answer": "waited {length} for an answer",
    "check": "waited {length} to be checked",
    "silence": "nothing heard for {length}",
}
CHECKED_BY = {"proof": "by proof", "model": "by a model", "person": "by you"}
TONES = {AgentStatus.VERIFIED: "green", AgentStatus.FAILED: "red", AgentStatus.RETRY: "yellow"}

Row = tuple[datetime, datetime | None, str, str, str | None]
"""When it began and ended, what it was, what was said, and a colour."""


def show_day(context: CommandContext, found: WorldDayAnswer, search: str) -> None:
    """Print a day; `search` is what was searched for."""
    zone = ZoneInfo(found.zone)
    context.say(f"{found.day:%A} {found.day} ({found.zone})", bold=True)
    context.say(" · ".join(_counts(found)))
    if not found.lanes and not found.events:
        context.say(f"Nothing on this day contains {reveal(search)!r}." if search else "Nothing happened on this day.")
    if found.lanes:
        rows = [_row(lane, zone) for lane in found.lanes]
        headings = ("session", "from", "to", "worked", "asked you", "checked", "silent", "now", "task")
        context.say()
        draw.show(draw.console(context), draw.table(headings, rows))
    for lane in found.lanes:
        _story(context, lane, zone)
    _facts(context, found.events, zone)
    for note in _notes(found):
        context.say(note, "yellow")


def _counts(found: WorldDayAnswer) -> Iterator[str]:
    yield counted(len(found.lanes), "session")
    verified = sum(lane.status is AgentStatus.VERIFIED for lane in found.lanes)
    failed = sum(lane.status is AgentStatus.FAILED for lane in found.lanes)
    yield f"{verified} verified"
    if failed:
        yield f"{failed} failed"
    yield counted(len(found.events), "other event")
    yield counted(found.lines, "line")


def _row(lane: WorldLane, zone: ZoneInfo) -> tuple[str, ...]:
    begin = _clock(lane.spans[0].begin, zone) if lane.spans else "-"
    end = _clock(lane.spans[-1].end, zone) if lane.spans else "-"
    lengths = (lane.worked_s, lane.waited_s, lane.checked_s, lane.silent_s)
    return (
        lane.session,
        begin,
        end,
        *(duration(one) if one else "-" for one in lengths),
        status_said(lane),
        one_line(lane.task, TASK_CHARS_MAX),
    )


def _story(context: CommandContext, lane: WorldLane, zone: ZoneInfo) -> None:
    context.say()
    by = f" · agent {reveal(lane.agent)}" if lane.agent else ""
    tries = f" · {lane.tries} tries" if lane.tries > 1 else ""
    context.say(f"{lane.session} {reveal(one_line(lane.task, SAID_CHARS_MAX))}{by}{tries} · {_proven(lane)}", bold=True)
    if lane.need:
        context.say(f"  needs: {reveal(one_line(lane.need, SAID_CHARS_MAX))}")
    for begin, end, what, said, tone in sorted(_rows(lane), key=lambda row: row[0]):
        when = _clock(begin, zone) + (f" to {_clock(end, zone)}" if end else "")
        context.say(f"  {when:<16}{what:<10} {reveal(one_line(said, SAID_CHARS_MAX))}".rstrip(), tone)
    if lane.more:
        context.say(f"  {lane.more} more of its lines are not shown.")


def _rows(lane: WorldLane) -> Iterator[Row]:
    for span in lane.spans:
        yield (
            span.begin,
            None,
            span.status or "under way",
            _said(lane, span),
            TONES.get(span.status) if span.status else None,
        )
    for pause in lane.pauses:
        yield pause.begin, pause.end, "…", _paused(pause), "yellow"
    for fact in lane.events:
        yield (
            fact.at,
            None,
            "forged" if fact.forged else "not taken" if fact.refused else _source(fact),
            _told(fact),
            None,
        )


def _said(lane: WorldLane, span: WorldSpan) -> str:
    """Return what it said; of an end also who checked it, of a failure also what it asks."""
    if span.status is AgentStatus.VERIFIED and lane.checked_by:
        return f"{span.said} (checked {CHECKED_BY[lane.checked_by]})".strip()
    if span.status is AgentStatus.FAILED and lane.asks and span is lane.spans[-1]:
        return f"{span.said} (needs: {lane.asks})".strip()
    return span.said


def _paused(pause: WorldPause) -> str:
    length = duration(pause.end - pause.begin)
    return PAUSES[pause.kind].format(length=length) + (", and still does" if pause.is_open else "")


def _source(fact: WorldFact) -> str:
    return "you" if fact.source == "user" else fact.source


def _told(fact: WorldFact) -> str:
    return f"{fact.refused}: {fact.text}" if fact.refused else fact.text


def _proven(lane: WorldLane) -> str:
    return "its own lines" if lane.proven else "not confirmed: any program can write to the file"


def _facts(context: CommandContext, facts: tuple[WorldFact, ...], zone: ZoneInfo) -> None:
    if not facts:
        return
    shown = facts[-FACTS_SHOWN_MAX:]
    rows = [
        (_clock(one.at, zone), one.source, cut(one.identifier, TASK_CHARS_MAX), one_line(one.text, SAID_CHARS_MAX))
        for one in shown
    ]
    context.say()
    draw.show(draw.console(context), draw.table(("when", "source", "about", "event"), rows))
    if len(facts) > len(shown):
        context.say(f"The last {len(shown)} of {len(facts)} events; --json has all of them, --search looks among them.")


def _notes(found: WorldDayAnswer) -> Iterator[str]:
    zone = ZoneInfo(found.zone)
    if found.cut_at:
        yield f"There are too many lines to read at once; this day starts here at {_clock(found.cut_at, zone)}."
    if found.more:
        shown = counted(found.more, "more session or event is", "more sessions or events are")
        yield f"{shown} not shown; --search narrows it."
    if found.unparsed:
        lines = counted(found.unparsed, "line is", "lines are")
        yield as_called(f"{lines} no entry; `pulse world tail` says why.")
    if found.unknown:
        yield f"{counted(found.unknown, 'line names a session', 'lines name sessions')} that never began with `start`."
    if found.undated:
        yield f"{counted(found.undated, 'line has', 'lines have')} no time, and nothing says when they were written."


def _clock(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%H:%M}"
