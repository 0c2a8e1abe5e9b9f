"""What the loop asks of a model has an end, whatever the model does."""

import asyncio

from hub.domain.policy import TwinService
from hub.domain.twin import ChatLine, TwinChat, TwinSaid
from hub.loop.events import Event, WakeJudged
from hub.runner.sensor_reader import SensorReader
from tests.fakes.clock import VirtualClock
from tests.fakes.store import MemoryStore
from tests.fakes.twin import ScriptedTwin

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
    await reader.judge_wake(WHETHER_TO_WAKE, posted.append)
    (judged,) = posted
    assert isinstance(judged, WakeJudged)
    assert judged.said.wrong == "no answer within 0 s"
