"""What every desk keeps to: the real hub, and the scripted one that the API is tested with."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from hub.contract.api import AnswerReply, ConfigPatch, TriggerAnswer
from hub.contract.surface import Presence
from hub.contract.topics import DeviceAddress
from hub.contract.words import HumanInput, Risk, Verb
from hub.domain.provenance import TaskText
from hub.domain.requests import (
    Ask,
    Configure,
    Noted,
    Pause,
    Refused,
    RegisterDevice,
    RemoveTask,
    Reply,
    ReportPresence,
    Request,
    Resume,
    SaveTask,
    Spoke,
    TaskSaved,
    Trigger,
    Withdraw,
)
from hub.domain.suggestion import Answer
from hub.loop.asks import ask_id
from hub.ports import HubApi
from tests.conformance.hub_api.real_hub import real_hub
from tests.fakes.hub_api import NOON, ScriptedHubApi
from tests.fakes.plain_words import plain

PHONE = DeviceAddress(surface="phone", device="pixel")
ANSWER = Answer(
    key="k", card_id="pred_1", verb=Verb.REJECT, by="anna", surface="a", device="b", human_input=HumanInput.TAP
)
REPLIES: list[tuple[Request, type[Reply]]] = [
    (ANSWER, AnswerReply),
    (Ask(key="k", asker="ci", question="Deploy?", details="", risk=Risk.LOW, timeout_s=60), AnswerReply),
    (Withdraw(card_id="pred_ask_k"), AnswerReply),
    (Trigger(), TriggerAnswer),
    (SaveTask(title=TaskText("Write")), TaskSaved),
    (SaveTask(task_id="task_1", notes=TaskText("more")), TaskSaved),
    (RemoveTask(task_id="task_1"), TaskSaved),
    (Spoke(at=NOON, source="api"), Noted),
    (Configure(patch=ConfigPatch(interval_ms=60_000), by="you"), Noted),
    (Pause(reason="lunch"), Noted),
    (Resume(), Noted),
    (RegisterDevice(address=PHONE, profile="phone"), Noted),
    (ReportPresence(sender=PHONE, presence=Presence(online=True)), Noted),
]


@pytest_asyncio.fixture(params=["real", "scripted"])
async def hub_api(request: pytest.FixtureRequest) -> AsyncIterator[HubApi]:
    if request.param == "scripted":
        yield ScriptedHubApi()
        return
    async with real_hub() as hub:
        yield hub


@pytest.mark.parametrize(("request_", "kind"), REPLIES, ids=lambda value: type(value).__name__)
async def test_each_request_has_its_kind_of_reply(hub_api: HubApi, request_: Request, kind: type[Reply]) -> None:
    assert isinstance(await hub_api.submit(request_), kind | Refused)


async def test_everybody_gets_the_reply_to_their_own_request(hub_api: HubApi) -> None:
    titles = [f"task {number}" for number in range(50)]
    replies = await asyncio.gather(*(hub_api.submit(SaveTask(title=TaskText(title))) for title in titles))
    assert [plain(reply.task.title) for reply in replies if isinstance(reply, TaskSaved)] == titles


async def test_a_question_comes_back_as_it_was_asked(hub_api: HubApi) -> None:
    ask = Ask(key="k1", asker="ci", question="Deploy?", details="", risk=Risk.LOW, timeout_s=60)
    reply = await hub_api.submit(ask)
    assert isinstance(reply, AnswerReply)
    assert (reply.prediction.id, reply.prediction.prompt) == (ask_id(ask.client, "k1"), "Deploy?")


async def test_status_policy_and_health_are_there_at_any_time(hub_api: HubApi) -> None:
    assert hub_api.status().enabled
    assert hub_api.status().cost_cap_per_hour == 2.0
    assert [channel.name for channel in hub_api.policy().channels] == ["koji-core"]
    names = [part.name for part in hub_api.health()]
    assert "store" in names
    assert len(names) == len(set(names))
