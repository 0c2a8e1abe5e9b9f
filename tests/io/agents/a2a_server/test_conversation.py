"""What a message asks, how a question stands as a task, and which calls are refused."""

import asyncio

import pytest
from msgspec.structs import replace

from hub.io.agents.a2a_server.conversation import is_over, question_of, shortened, updates
from hub.io.agents.a2a_server.task_methods import NO_MORE, OTHER_CONTEXT, TaskMethods, Visitor
from hub.io.agents.a2a_server.wire import NO_FILES, NO_TASK, NOT_CANCELABLE, PARAMS, Part, Spoken, WireError, WireTask
from hub.io.agents.questions.arguments import AskingAgent, HumanQuestion, UnusableArguments
from tests.io.agents.questions.memory_hub import MemoryHub


def said(text: str, *, message_id: str = "m1", task_id: str = "", data: object = None) -> Spoken:
    parts = (Part(text=text), *(() if data is None else (Part(data=data),)))
    return Spoken(message_id=message_id, role="ROLE_USER", parts=parts, task_id=task_id)


def visitor(hub: MemoryHub, whose: str = "one") -> Visitor:
    return Visitor(link=hub, agent=AskingAgent(name="a2a", whose=whose))


async def asked(tasks: TaskMethods, who: Visitor, message: Spoken) -> WireTask:
    task = await tasks.send(who, message)
    assert isinstance(task, WireTask)
    return task


def test_text_is_the_question_and_data_the_rest() -> None:
    found = question_of(said("Deploy?", data={"options": ["Yes", "No"], "why": "Tests pass."}))
    assert isinstance(found, HumanQuestion)
    assert (found.question, found.options, found.why) == ("Deploy?", ("Yes", "No"), "Tests pass.")


@pytest.mark.parametrize("data", [{"option": []}, {"options": 3}, {"open_s": 0}])
def test_data_that_does_not_fit_is_refused(data: object) -> None:
    assert isinstance(question_of(said("Deploy?", data=data)), UnusableArguments)


async def test_an_answer_completes_the_task() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    task = await asked(tasks, who, said("Deploy?"))
    assert task.status.state == "TASK_STATE_WORKING"
    waiting = asyncio.ensure_future(tasks.settled(who, task))
    await asyncio.sleep(0)
    await hub.answer(task.id, "Yes")
    done = await waiting
    assert isinstance(done, WireTask)
    assert (done.status.state, done.artifacts[0].parts[0].text) == ("TASK_STATE_COMPLETED", "Yes")
    assert [next(iter(one)) for one in updates(done)] == ["artifactUpdate", "statusUpdate"]


async def test_the_same_message_again_is_the_same_question() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    first = await asked(tasks, visitor(hub), said("Deploy?"))
    again = await asked(TaskMethods(), visitor(hub), said("Deploy?"))
    other = await asked(tasks, visitor(hub), said("Deploy?", message_id="m2"))
    stranger = await asked(tasks, visitor(hub, "two"), said("Deploy?"))
    assert first.id == again.id
    assert len({first.id, other.id, stranger.id}) == 3


async def test_a_message_without_words_is_asked_for_them() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    empty = await asked(tasks, who, said("  "))
    assert empty.status.state == "TASK_STATE_INPUT_REQUIRED"
    assert await tasks.get(visitor(hub, "two"), empty.id) == NO_TASK, "another's task is none"
    task = await asked(tasks, who, said("Deploy?", message_id="m2", task_id=empty.id))
    assert (task.id, task.context_id, task.status.state) == (empty.id, empty.context_id, "TASK_STATE_WORKING")
    assert await tasks.send(who, said("Or not?", message_id="m3", task_id=empty.id)) == NO_MORE


async def test_a_task_stays_in_its_context_and_no_file_is_read() -> None:
    tasks, who = TaskMethods(), visitor(MemoryHub())
    empty = await asked(tasks, who, said(" "))
    elsewhere = replace(said("Deploy?", message_id="m2", task_id=empty.id), context_id="another")
    assert await tasks.send(who, elsewhere) == OTHER_CONTEXT
    assert await tasks.send(who, replace(said("Deploy?"), parts=(Part(text="Deploy?"), Part(raw="aGk=")))) == NO_FILES


async def test_so_much_of_what_was_said_comes_back_as_is_asked_for() -> None:
    task = await asked(TaskMethods(), visitor(MemoryHub()), said("Deploy?"))
    lengths = [len(shortened(task, most).history) for most in (None, 0, 1, 5)]
    assert lengths == [1, 0, 1, 1]


async def test_what_is_canceled_is_over() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    for text in ("Deploy?", " "):
        task = await asked(tasks, who, said(text))
        gone = await tasks.cancel(who, task.id)
        assert isinstance(gone, WireTask)
        assert gone.status.state == "TASK_STATE_CANCELED"
        assert is_over(gone)
        assert await tasks.cancel(who, task.id) == NOT_CANCELABLE


@pytest.mark.parametrize("task_id", ["nope", "../tokens", ""])
async def test_there_is_no_task_that_nobody_asked(task_id: str) -> None:
    tasks, who = TaskMethods(), visitor(MemoryHub())
    assert await tasks.get(who, task_id) == NO_TASK
    assert await tasks.cancel(who, task_id) == NO_TASK


async def test_an_id_has_an_end() -> None:
    found = await TaskMethods().send(visitor(MemoryHub()), said("Deploy?", message_id="m" * 129))
    assert isinstance(found, WireError)
    assert found.code == PARAMS
