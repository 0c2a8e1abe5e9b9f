"""A day of the world log is told in the reader's language where Pulse wrote the line, and only there."""

from datetime import UTC, datetime, timedelta

from hub.contract.words import Verb
from hub.contract.world import AgentStatus
from hub.contract.world_day import WorldDayAnswer
from hub.domain.provenance import LogText
from hub.domain.world import WorldSession
from hub.domain.world_day import DayBounds, DayEvent, DayLane, DaySpan, WorldDay
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.world_day_views import day_view
from tests.loop.stage import a_card, a_world, finish_proven, running, taken

SINCE = datetime(2026, 1, 9, tzinfo=UTC)
BOUNDS = DayBounds(since=SINCE, until=SINCE + timedelta(days=1), now=SINCE + timedelta(days=1))


def told(session: WorldSession, said: tuple[str, ...] = (), events: tuple[DayEvent, ...] = ()) -> WorldDayAnswer:
    spans = tuple(DaySpan(status=AgentStatus.ACTIVE, begin=SINCE, end=SINCE, said=LogText(text)) for text in said)
    found = WorldDay(bounds=BOUNDS, lanes=(DayLane(session=session, spans=spans),), events=events)
    return day_view(found, SINCE.date(), "UTC", {session.id: session})


def event(text: str, identifier: str = "pred_1", *, source: str = "user", forged: bool = False) -> DayEvent:
    return DayEvent(at=SINCE, source=source, identifier=LogText(identifier), text=LogText(text), forged=forged)


async def test_what_a_run_of_pulses_own_says_is_german_to_its_last_line() -> None:
    world = await a_world()
    card = await running(world)
    await finish_proven(world, card)
    session = world.state.world.sessions[card.id]
    said = ("worker works on it.", "Pulse works on it.", "It ended without an error.", session.said_worded.text)  # type: ignore[union-attr]  # it was proven
    (lane,) = told(session, (*said, "what an agent says")).lanes
    german = [worded(span.said_worded, span.said, phrases("de")) for span in lane.spans]
    assert all(text != span.said for text, span in zip(german[:-1], lane.spans, strict=False))
    assert lane.spans[-1].said_worded is None


async def test_an_answer_to_a_card_is_told_by_its_verb_and_nobody_elses_line_is() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.APPROVE))
    session = world.state.world.sessions[card.id]
    events = (
        event("approved: echo x: y"),
        event("shown less often: Run the tests"),
        event("approved: by a program", source="chrome"),
        event("approved: in its name", forged=True),
        event("approved: to a session", "trip"),
        event("what: ever"),
    )
    answer = told(session, events=events)
    german = [worded(one.text_worded, one.text, phrases("de")) for one in answer.events]
    assert german[:2] == ["genehmigt: „echo x: y“", "wird seltener gezeigt: „Run the tests“"]
    assert [one.text_worded for one in answer.events[2:]] == [None] * 4
