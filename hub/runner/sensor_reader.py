"""Looking around for a cycle: every sensor at once, each within its time; and asking the model."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from hub.contract.api import HealthPart
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText, say
from hub.domain.readings import (
    BrokenReading,
    CalendarReading,
    DriveFilesReading,
    FolderReading,
    MessageReading,
    PredictorReading,
    Reading,
    TaskReading,
)
from hub.domain.storage import RecentCards, Tasks
from hub.domain.twin import TwinChat, TwinQuestion, TwinReply, TwinSaid, reply_of
from hub.kit.bounded import BoundedMap
from hub.kit.text import counted
from hub.loop.commands import AskTwin, AskWhetherToWake, JudgeFinish, ProveFinish
from hub.loop.events import Event, FinishJudged, FinishProven, SensorsRead, TwinAnswered, WakeJudged
from hub.loop.state import State
from hub.ports import Clock, Sensor, Store, Twin
from hub.runner.finish_checker import FinishChecker
from hub.what import earlier_answers

SENSOR_S_MAX = 20.0
TWIN_S_MAX = 50.0
OPEN_TASKS_MAX = 200
RECENT_CARDS_MAX = 60
"""Among so many of the latest cards, earlier answers are looked for."""
OUTSIDE_SENSORS_MAX = 32
Post = Callable[[Event], None]
log = logging.getLogger(__name__)


class SensorReader:
    """Reads the sensors when a cycle asks, and remembers how each of them is."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        sensors: Sequence[Sensor],
        twin: Twin | None,
        twin_s_max: float = TWIN_S_MAX,
        checker: FinishChecker | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._sensors = tuple(sensors)
        self._twin = twin
        self._twin_s_max = twin_s_max
        self._checker = checker
        self._outside: BoundedMap[str, Reading] = BoundedMap(OUTSIDE_SENSORS_MAX)
        self._last: dict[str, Reading] = {}

    async def look(self, cycle_id: str, state: State, post: Post) -> None:
        """Read everything once and post what was seen."""
        seen = await asyncio.gather(*(self._read(sensor) for sensor in self._sensors))
        self._last = {reading.sensor: reading for reading in seen}
        own = await self._own(state)
        readings: Mapping[str, Reading] = {**self._last, **self._outside, **own}
        post(SensorsRead(cycle_id=cycle_id, readings=readings))

    async def ask_twin(self, asked: AskTwin, state: State, post: Post) -> None:
        """Ask the models, within their time, and post what came of it."""
        reply = TwinReply()
        if self._twin is not None:
            cards = await self._store.read(RecentCards(user=state.user, limit=RECENT_CARDS_MAX))
            question = TwinQuestion(situation=asked.situation, offers=asked.offers, answers=earlier_answers(cards))
            try:
                reply = await asyncio.wait_for(self._twin.predict(question, state.policy), self._twin_s_max)
            except TimeoutError:  # no answer in time is an answer: the cycle goes on without the model
                told = say("The models did not answer within {time}.", time=f"{self._twin_s_max:.0f} s")
                reply = reply_of(0, [told])
        post(TwinAnswered(cycle_id=asked.cycle_id, reply=reply))

    async def find_out(self, asked: AskWhetherToWake | ProveFinish | JudgeFinish, post: Post) -> None:
        """Look or ask outside a cycle, within its time, and post what came of it."""
        match asked:
            case AskWhetherToWake(chat=chat):
                post(WakeJudged(said=await self._chat(chat)))
            case JudgeFinish(chat=chat):
                said, name = await self._chat(chat), chat.service.name
                post(FinishJudged(check_id=asked.check_id, session=asked.session, model=name, said=said))
            case ProveFinish() if self._checker is not None:
                post(await self._checker.look(asked))
            case ProveFinish():
                post(FinishProven(check_id=asked.check_id, session=asked.session))

    async def _chat(self, chat: TwinChat) -> TwinSaid:
        """Put a question to a model; no answer in time is an answer, too: a failure."""
        if self._twin is None:
            return TwinSaid(words=ModelText(""), wrong="there is no model")
        try:
            return await asyncio.wait_for(self._twin.chat(chat), self._twin_s_max)
        except TimeoutError:
            return TwinSaid(words=ModelText(""), wrong=f"no answer within {self._twin_s_max:.0f} s")

    async def glance(self, name: str) -> Reading | None:
        """Look with one sensor, outside a cycle; None when there is none of this name."""
        for sensor in self._sensors:
            if sensor.name == name:
                return await self._read(sensor)
        return None

    def hear(self, reading: Reading) -> bool:
        """Keep the latest reading of an outside sensor; it may not stand in for one of our own.

        Beyond `OUTSIDE_SENSORS_MAX`, the one that was silent for longest is forgotten.

        Returns:
            Whether it says anything new.
        """
        if reading.sensor in {sensor.name for sensor in self._sensors}:
            return False
        before = self._outside.get(reading.sensor)
        self._outside[reading.sensor] = reading
        is_news = before is None or before.body != reading.body
        return is_news and not isinstance(reading.body, BrokenReading)

    def health(self, policy: Policy) -> tuple[HealthPart, ...]:
        """Say of each sensor whether it could read the last time, and of each model whether it answered."""
        models = () if self._twin is None else self._twin.health(policy)
        return (*(_part(sensor.name, self._last.get(sensor.name)) for sensor in self._sensors), *models)

    async def close(self) -> None:
        """Close all sensors."""
        await asyncio.gather(*(sensor.close() for sensor in self._sensors))

    async def _read(self, sensor: Sensor) -> Reading:
        now = self._clock.now()
        try:
            return await asyncio.wait_for(sensor.read(now), SENSOR_S_MAX)
        except TimeoutError:
            detail = f"no answer in {SENSOR_S_MAX:.0f} s; it will be asked again next time"
        except Exception as bug:  # one sensor's bug must not blind the others; the log and health both name it
            log.exception("a bug in the sensor %s", sensor.name)
            detail = f"a bug: {type(bug).__name__}; please report it"
        return Reading(sensor=sensor.name, at=now, body=BrokenReading(detail=detail))

    async def _own(self, state: State) -> dict[str, Reading]:
        now = self._clock.now()
        tasks = await self._store.read(Tasks(user=state.user, limit=OPEN_TASKS_MAX, open_only=True))
        return {
            "tasks": Reading(sensor="tasks", at=now, body=TaskReading(tasks=tasks)),
            "messages": Reading(
                sensor="messages",
                at=now,
                body=MessageReading(last_message_at=state.mind.last_message_at),
            ),
        }


def _part(name: str, reading: Reading | None) -> HealthPart:
    if reading is None:
        return HealthPart(name=f"sensor {name}", status="unknown", detail="not read yet")
    if isinstance(reading.body, BrokenReading):
        return HealthPart(name=f"sensor {name}", status="unknown", detail=reading.body.detail, since=reading.at)
    if isinstance(reading.body, PredictorReading | DriveFilesReading | FolderReading) and reading.body.wrong:
        wrong = f"not used: {'; '.join(reading.body.wrong)}"
        return HealthPart(name=f"sensor {name}", status="degraded", detail=wrong, since=reading.at)
    detail = _left_out(reading.body.left_out) if isinstance(reading.body, CalendarReading) else ""
    return HealthPart(name=f"sensor {name}", status="ok", detail=detail, since=reading.at)


def _left_out(events: int) -> str:
    are = "is" if events == 1 else "are"
    return f"{counted(events, 'event')} of the calendar cannot be read, and {are} left out" if events else ""
