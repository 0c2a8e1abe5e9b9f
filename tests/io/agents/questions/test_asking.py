"""Asking, waiting, taking back: against a hub that keeps its questions in memory."""

import asyncio

from hub.contract.permission import PermissionRequest
from hub.contract.words import Status
from hub.io.agents.questions.arguments import AskingAgent, HumanQuestion, request_of
from hub.io.agents.questions.asking import ProcessQuestions
from hub.io.agents.questions.hub_client import AWAY
from hub.io.agents.questions.outcome import Outcome, in_words
from tests.io.agents.questions.memory_hub import MemoryHub

AGENT = AskingAgent(name="codex", folder="/shop")


def a_request(question: str = "Deploy?") -> PermissionRequest:
    request = request_of(HumanQuestion(question=question, options=("Yes", "No")), AGENT)
    assert isinstance(request, PermissionRequest)
    return request


async def opened(asking: ProcessQuestions, hub: MemoryHub, key: str = "") -> Outcome:
    found = await asking.open(hub, a_request(), AGENT, key)
    assert isinstance(found, Outcome)
    return found


async def quiet(_seconds: float, _message: str) -> None:
    """Tell nobody."""


async def test_an_answer_ends_the_wait_and_is_told_in_words() -> None:
    hub, asking, told = MemoryHub(), ProcessQuestions(attends=False), asyncio.Event()

    async def tell(seconds: float, message: str) -> None:
        assert seconds >= 0
        assert message.startswith("Waiting for a person")
        told.set()

    question = await opened(asking, hub)
    waiting = asyncio.ensure_future(asking.wait(hub, question, 60, tell))
    await told.wait()
    await hub.answer(question.ask_id, "Yes")
    found = await waiting
    assert isinstance(found, Outcome)
    assert (found.status, found.answer, in_words(found)) == ("answered", ("Yes",), "The user answered: Yes")


async def test_a_wait_that_is_over_leaves_the_question_open() -> None:
    hub, asking = MemoryHub(), ProcessQuestions(attends=False)
    question = await opened(asking, hub)
    assert await asking.wait(hub, question, 0, quiet) == question
    assert question.status == "pending"
    assert question.ask_id in in_words(question)


async def test_the_same_call_again_is_the_same_question_until_its_answer_was_handed_over() -> None:
    hub, asking = MemoryHub(), ProcessQuestions(attends=False)
    first = await opened(asking, hub)
    assert (await opened(asking, hub)).ask_id == first.ask_id
    await hub.answer(first.ask_id, "Yes")
    assert (await opened(asking, hub)).status == "answered"
    second = await opened(asking, hub)
    assert second.status == "pending", "an old yes is no answer to a new question"
    waiting = asyncio.ensure_future(asking.wait(hub, second, 60, quiet))
    await asyncio.sleep(0)
    await hub.answer(second.ask_id, "No")
    await waiting
    assert (await opened(asking, hub)).status == "pending", "nor is an old no"


async def test_a_key_of_the_agents_own_keeps_its_answer() -> None:
    hub = MemoryHub()
    first = await opened(ProcessQuestions(attends=False), hub, "deploy-42")
    await hub.answer(first.ask_id, "Yes")
    again = await opened(ProcessQuestions(attends=False), hub, "deploy-42")
    assert (again.ask_id, again.status) == (first.ask_id, "answered")


async def test_a_question_that_was_taken_back_is_asked_anew() -> None:
    hub, asking = MemoryHub(), ProcessQuestions(attends=False)
    first = await opened(asking, hub, "deploy-42")
    gone = await asking.take_back(hub, first.ask_id)
    assert isinstance(gone, Outcome)
    assert gone.status == "withdrawn"
    assert (await opened(asking, hub, "deploy-42")).status == "pending"


async def test_what_is_attended_goes_with_whoever_asked_and_what_was_told_stays() -> None:
    hub, asking = MemoryHub(), ProcessQuestions(attends=True)
    question = await opened(asking, hub)
    note = await asking.open(hub, a_request("Done."), AGENT, stays=True)
    assert isinstance(note, Outcome)
    await asyncio.sleep(0)
    await asking.close()
    assert hub.cards[question.ask_id].prediction.status is Status.CANCELLED
    assert hub.cards[note.ask_id].prediction.status is Status.PENDING
    assert [one.withdraw_when_gone for one in hub.asked] == [True, False]


async def test_a_hub_that_starts_anew_is_waited_for() -> None:
    hub, asking = MemoryHub(), ProcessQuestions(attends=False, back_every_s=0)
    question = await opened(asking, hub)
    hub.away = True
    await hub.answer(question.ask_id, "No")
    found = await asking.wait(hub, question, 60, quiet)
    assert isinstance(found, Outcome)
    assert found.answer == ("No",)


async def test_nobody_is_asked_while_pulse_is_away() -> None:
    hub = MemoryHub()
    hub.away = True
    assert await ProcessQuestions(attends=False).open(hub, a_request(), AGENT) == AWAY
