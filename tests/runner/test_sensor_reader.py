"""What the loop asks of a model has an end, whatever the model does."""

import asyncio
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from hub.domain.policy import Policy, TwinService
from hub.domain.provenance import LogText
from hub.domain.readings import AnyReading, CalendarReading, Reading
from hub.domain.twin import ChatLine, TwinChat, TwinSaid
from hub.domain.world import Remark, WorldLine
from hub.domain.world_proof import FileNeed, LookedAt, ProofFinding
from hub.io.world.errors import WorldLogError
from hub.loop.commands import AskWhetherToWake, JudgeFinish, ProveFinish
from hub.loop.events import Event, FinishJudged, FinishProven, WakeJudged
from hub.runner.finish_checker import FinishChecker
from hub.runner.sensor_reader import SensorReader
from tests.fakes.clock import VirtualClock
from tests.fakes.store import MemoryStore
from tests.fakes.twin import ScriptedTwin
from tests.fakes.world import a_state

WHETHER_TO_WAKE = TwinChat(
    service=TwinService(name="local", url="http://127.0.0.1:11434/v1", model="small"),
    lines=(ChatLine(role="user", content="Is it time?"),),
    temperature=0.0,
    tokens_max=60,
)


class SilentTwin(ScriptedTwin):
    """Takes every question and never answers."""

    async def chat(self, chat: TwinChat) -> TwinSaid:
        await asyncio.Event().wait()
        raise AssertionError(chat)


async def test_a_model_that_never_says_whether_to_wake_counts_as_one_that_failed() -> None:
    twin, posted = SilentTwin(()), list[Event]()
    reader = SensorReader(store=MemoryStore(), clock=VirtualClock(), sensors=(), twin=twin, twin_s_max=0.01)
    await reader.find_out(AskWhetherToWake(chat=WHETHER_TO_WAKE), posted.append)
    (judged,) = posted
    assert isinstance(judged, WakeJudged)
    assert judged.said.wrong == "no answer within 0 s"


PART = FileNeed(pattern=LogText("a.txt"))
FOUND = ProofFinding(part=PART, state="there", words=LogText("Found a.txt"))
LINE = Remark(text=LogText("hello"))
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
ASKED = ProveFinish(check_id="check_1", session="abc", parts=(PART,), folder="", since=NOON, wants_lines=True)


async def looked(checker: FinishChecker | None, asked: ProveFinish = ASKED) -> FinishProven:
    posted = list[Event]()
    reader = SensorReader(store=MemoryStore(), clock=VirtualClock(), sensors=(), twin=None, checker=checker)
    await reader.find_out(asked, posted.append)
    (proven,) = posted
    assert isinstance(proven, FinishProven)
    assert (proven.check_id, proven.session) == ("check_1", "abc")
    return proven


async def found(parts: tuple[LookedAt, ...], folder: str, _since: datetime) -> tuple[ProofFinding, ...]:
    assert (parts, folder) == ((PART,), "")
    return (FOUND,)


async def broken(*_: object) -> tuple[ProofFinding, ...]:
    raise RuntimeError("a bug")


async def lines() -> tuple[WorldLine, ...]:
    return (LINE,)


async def no_lines() -> tuple[WorldLine, ...]:
    raise WorldLogError("no log", fix="make one")


async def test_what_was_found_of_a_finish_comes_back_with_the_last_lines_of_the_log() -> None:
    proven = await looked(FinishChecker(prove=found, lines=lines))
    assert (proven.found, proven.lines) == ((FOUND,), (LINE,))
    without = await looked(FinishChecker(prove=found, lines=no_lines), replace(ASKED, wants_lines=False))
    assert (without.found, without.lines) == ((FOUND,), ())


async def test_where_nobody_looks_or_a_bug_is_met_an_answer_comes_all_the_same() -> None:
    checkers = (None, FinishChecker(prove=broken, lines=lines))
    assert [(proven.found, proven.lines) for proven in [await looked(one) for one in checkers]] == [((), ())] * 2


async def test_what_was_found_counts_also_where_the_log_cannot_be_read() -> None:
    proven = await looked(FinishChecker(prove=found, lines=no_lines))
    assert (proven.found, proven.lines) == ((FOUND,), ())


async def test_a_model_that_never_judges_a_finish_counts_as_one_that_failed() -> None:
    posted = list[Event]()
    reader = SensorReader(store=MemoryStore(), clock=VirtualClock(), sensors=(), twin=SilentTwin(()), twin_s_max=0.01)
    await reader.find_out(JudgeFinish(check_id="check_1", session="abc", chat=WHETHER_TO_WAKE), posted.append)
    (judged,) = posted
    assert isinstance(judged, FinishJudged)
    assert (judged.model, judged.said.wrong) == ("local", "no answer within 0 s")


class SeenOnce:
    """A sensor of one reading."""

    name = "calendar"

    def __init__(self, body: AnyReading) -> None:
        self._body = body

    async def read(self, now: datetime) -> Reading:
        return Reading(sensor=self.name, at=now, body=self._body)

    async def close(self) -> None:
        """Nothing is held open."""


@pytest.mark.parametrize(
    ("left_out", "detail"),
    [
        (0, ""),
        (1, "1 event of the calendar cannot be read, and is left out"),
        (2, "2 events of the calendar cannot be read, and are left out"),
    ],
)
async def test_events_that_cannot_be_read_are_counted_in_health(left_out: int, detail: str) -> None:
    sensor = SeenOnce(CalendarReading(meetings=(), left_out=left_out))
    reader = SensorReader(store=MemoryStore(), clock=VirtualClock(), sensors=(sensor,), twin=None)
    posted = list[Event]()
    await reader.look("cycle_1", a_state(Policy()), posted.append)
    (part,) = (each for each in reader.health(Policy()) if each.name == "sensor calendar")
    assert (part.status, part.detail) == ("ok", detail)
