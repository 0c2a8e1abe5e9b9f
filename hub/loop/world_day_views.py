"""One day of the world log as everybody outside sees it: its words made safe to show."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from hub.contract.phrasing import Phrasing
from hub.contract.world import AgentStatus
from hub.contract.world_day import WorldDayAnswer, WorldFact, WorldLane, WorldPause, WorldSpan
from hub.domain.canonical import visible, wording_for
from hub.domain.provenance import WorldText, untrusted
from hub.domain.world import WorldSession
from hub.domain.world_day import DayEvent, DayLane, PauseKind, WorldDay
from hub.domain.world_lines import USER_SOURCE
from hub.loop.refusals import DONE
from hub.loop.world_record import own_lines

ANSWERED = {done: verb for verb, done in DONE.items()}
CARD_PREFIX = "pred_"
"""So begin the ids of cards."""
WORKS = frozenset({AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY, None})


def day_view(found: WorldDay, day: date, zone: str, known: Mapping[str, WorldSession]) -> WorldDayAnswer:
    """Return a day with all its words; `known` are its sessions as the hub keeps them, with codes."""
    return WorldDayAnswer(
        day=day,
        zone=zone,
        since=found.bounds.since,
        until=found.bounds.until,
        now=found.bounds.now,
        lanes=tuple(_lane(lane, known.get(lane.session.id, lane.session)) for lane in found.lanes),
        events=tuple(map(_fact, found.events)),
        lines=found.lines,
        unparsed=found.unparsed,
        unknown=found.unknown,
        undated=found.undated,
        more=found.more,
        cut_at=found.cut_at,
    )


def _lane(lane: DayLane, kept: WorldSession) -> WorldLane:
    session = lane.session
    return WorldLane(
        session=session.id,
        task=_shown(session.task),
        need=_shown(session.need),
        status=session.status,
        said=_shown(session.said),
        asks=_shown(session.asks),
        tries=session.retries + 1,
        proven=session.proven,
        agent=session.agent,
        checked_by=session.checked_by,
        worked_s=_seconds(span.end - span.begin for span in lane.spans if span.status in WORKS),
        waited_s=_paused(lane, "answer"),
        checked_s=_paused(lane, "check"),
        silent_s=_paused(lane, "silence"),
        spans=tuple(
            WorldSpan(
                status=span.status,
                begin=span.begin,
                end=span.end,
                said=_shown(span.said),
                said_worded=_said(untrusted(span.said), kept),
            )
            for span in lane.spans
        ),
        pauses=tuple(
            WorldPause(kind=pause.kind, begin=pause.begin, end=pause.end, is_open=pause.is_open)
            for pause in lane.pauses
        ),
        events=tuple(map(_fact, lane.events)),
        more=lane.more,
        left=session.left_at is not None,
        task_worded=wording_for(kept.task_worded, untrusted(session.task)),
    )


def _paused(lane: DayLane, kind: PauseKind) -> float:
    return _seconds(pause.end - pause.begin for pause in lane.pauses if pause.kind == kind)


def _fact(event: DayEvent) -> WorldFact:
    return WorldFact(
        at=event.at,
        source=event.source,
        identifier=_shown(event.identifier),
        text=_shown(event.text),
        refused=event.refused,
        about=event.about,
        forged=event.forged,
        text_worded=_answer(event),
    )


def _said(text: str, kept: WorldSession) -> Phrasing | None:
    """Return the code of what a card's own run said; the words of others have none."""
    own = (kept.said_worded, *(said.worded for said in own_lines(kept))) if kept.of_card else ()
    return next((code for one in own if (code := wording_for(one, text)) is not None), None)


def _answer(event: DayEvent) -> Phrasing | None:
    """Return the code of what `note_answer` wrote of an answer to a card."""
    done, _, what = untrusted(event.text).partition(": ")
    verb = ANSWERED.get(done)
    is_of_card = event.source == USER_SOURCE and untrusted(event.identifier).startswith(CARD_PREFIX)
    if verb is None or not is_of_card or event.forged:
        return None
    parts = {"done": Phrasing(code=f"{verb.value}.done")}
    return Phrasing(code="story.answered", values={"what": visible(what)}, parts=parts)


def _shown(text: WorldText) -> str:
    return visible(untrusted(text))


def _seconds(lengths: Iterable[timedelta]) -> float:
    return sum(length.total_seconds() for length in lengths)
