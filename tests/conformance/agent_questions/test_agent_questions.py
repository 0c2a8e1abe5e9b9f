"""What everybody keeps to who puts an agent's questions before the person: the hub, and the fake."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from hub.contract.control import PermissionReply
from hub.contract.events import PredictionNew
from hub.contract.permission import Act, PermissionRequest
from hub.contract.words import Status, Verb
from hub.domain.requests import RUNS_CLIENT
from hub.loop.asks import ask_id
from hub.ports import AgentQuestions
from hub.runner import RunQuestions
from tests.fakes.questions import ScriptedPerson, replied
from tests.runner.running_hub import House, living

ASKED = PermissionRequest(agent="coder", tool="execute", act=Act.COMMAND, text="rm -rf build", timeout_s=60)


@dataclass
class Desk:
    """Who asks; `answer` is a person's word to the open question, `gone` tells whether it was taken back."""

    questions: AgentQuestions
    answer: Callable[[Verb], Awaitable[None]]
    gone: Callable[[], Awaitable[bool]]
    is_asked: Callable[[], Awaitable[None]]


@pytest.fixture(params=["scripted", "hub"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    if request.param == "scripted":
        yield scripted()
        return
    house = House()
    questions = RunQuestions()
    async with living(house):
        questions.begin(house.hub, house.store)
        yield at_hub(house, questions)


def scripted() -> Desk:
    person, word = ScriptedPerson(), asyncio.get_running_loop().create_future()
    person.until = word

    async def answer(verb: Verb) -> None:
        word.set_result(replied(verb, reason="not now"))

    async def gone() -> bool:
        return bool(person.withdrawn)

    async def is_asked() -> None:
        await person.heard.wait()

    return Desk(person, answer, gone, is_asked)


def at_hub(house: House, questions: RunQuestions) -> Desk:
    card_id = ask_id(RUNS_CLIENT, "k1")

    async def is_asked() -> None:
        await house.until_told(lambda: any(isinstance(event, PredictionNew) for event in house.events))

    async def answer(verb: Verb) -> None:
        await house.answer(await house.stored(card_id), verb, reason="not now")

    async def gone() -> bool:
        await house.settle()
        return (await house.stored(card_id)).status is Status.CANCELLED

    return Desk(questions, answer, gone, is_asked)


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT])
async def test_the_persons_word_comes_back(desk: Desk, verb: Verb) -> None:
    asking = asyncio.ensure_future(desk.questions.ask(ASKED, key="k1"))
    await desk.is_asked()
    await desk.answer(verb)
    reply = await asyncio.wait_for(asking, 20)
    assert isinstance(reply, PermissionReply)
    assert (reply.answered, reply.approved) == (True, verb is Verb.APPROVE)
    assert reply.prediction.settled is not None
    assert reply.prediction.settled.reason == "not now"


async def test_whoever_waits_no_longer_takes_the_question_back(desk: Desk) -> None:
    asking = asyncio.ensure_future(desk.questions.ask(ASKED, key="k1"))
    await desk.is_asked()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await desk.gone()
