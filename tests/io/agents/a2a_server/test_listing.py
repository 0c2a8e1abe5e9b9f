"""Which tasks a client is told of, in which order, and where a page goes on."""

from typing import Any

import msgspec
import pytest

from hub.contract.words import Status
from hub.io.agents.a2a_server.listing import asked_for
from hub.io.agents.a2a_server.task_methods import TaskMethods, Visitor
from hub.io.agents.a2a_server.wire import INTERNAL, ListParams, WireError
from hub.io.agents.questions.arguments import AskingAgent
from tests.io.agents.a2a_server.test_conversation import asked, said, visitor
from tests.io.agents.questions.memory_hub import MemoryHub

YESTERDAY = "2026-02-28T12:00:00+00:00"


def params(**given: Any) -> ListParams:  # noqa: ANN401  whatever a client sends
    return msgspec.convert(given, ListParams)


async def listed(tasks: TaskMethods, who: Visitor, **given: Any) -> dict[str, Any]:  # noqa: ANN401  the same
    found = await tasks.all_of(who, params(**given))
    assert isinstance(found, dict)
    return found


async def test_what_has_no_question_yet_lies_among_what_has_and_nothing_of_others_does() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    task = await asked(tasks, who, said("Deploy?"))
    empty = await asked(tasks, who, said(" ", message_id="m2"))
    await asked(tasks, Visitor(link=hub, agent=AskingAgent(name="a2a", whose="two")), said(" ", message_id="m3"))
    found = await listed(tasks, who)
    assert [one["id"] for one in found["tasks"]] == [empty.id, task.id]
    assert (found["pageSize"], found["totalSize"], found["nextPageToken"]) == (50, 2, "")


async def test_a_page_goes_on_behind_the_last_one() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    empties = [(await asked(tasks, who, said(" ", message_id=f"m{number}"))).id for number in range(5)]
    seen, token = list[str](), ""
    for _ in range(3):
        found = await listed(tasks, who, pageSize=2, pageToken=token)
        assert found["totalSize"] == len(empties)
        seen += [one["id"] for one in found["tasks"]]
        token = found["nextPageToken"]
    assert (seen, token) == (empties[::-1], "")


async def test_a_task_keeps_the_name_that_it_began_with() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    empty = await asked(tasks, who, said(" "))
    await asked(tasks, who, said("Deploy?", message_id="m2", task_id=empty.id))
    (only,) = (await listed(tasks, who))["tasks"]
    assert (only["id"], only["status"]["state"]) == (empty.id, "TASK_STATE_WORKING")


async def test_the_answer_is_left_out_unless_it_is_asked_for() -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    who = visitor(hub)
    task = await asked(tasks, who, said("Deploy?"))
    await hub.answer(task.id, "Yes")
    (short,) = (await listed(tasks, who, historyLength=0))["tasks"]
    (whole,) = (await listed(tasks, who, includeArtifacts=True))["tasks"]
    assert "artifacts" not in short
    assert "history" not in short
    assert whole["artifacts"][0]["parts"][0]["text"] == "Yes"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, 1),
        ({"status": "TASK_STATE_UNSPECIFIED"}, 1),
        ({"status": "TASK_STATE_INPUT_REQUIRED"}, 1),
        ({"status": "TASK_STATE_AUTH_REQUIRED"}, 0),
        ({"status": "TASK_STATE_SUBMITTED"}, 0),
        ({"contextId": "another"}, 0),
        ({"statusTimestampAfter": "2999-01-01T00:00:00Z"}, 0),
    ],
)
async def test_only_what_fits_is_listed(given: dict[str, Any], found: int) -> None:
    hub, tasks = MemoryHub(), TaskMethods()
    await asked(tasks, visitor(hub), said(" "))
    assert (await listed(tasks, visitor(hub), **given))["totalSize"] == found
    assert len(hub.queries) == (given.get("status") in {None, "TASK_STATE_UNSPECIFIED"}), "no question has that state"


def test_the_hub_is_asked_for_what_the_client_wants() -> None:
    place = f"{YESTERDAY.replace('+', '.000000+')} pred_1"
    given = {"status": "TASK_STATE_FAILED", "contextId": "c", "pageToken": place, "statusTimestampAfter": YESTERDAY}
    query = asked_for(params(pageSize=7, **given))
    assert query == (
        "tool=a2a&limit=7&session=c&after=2026-02-28T12%3A00%3A00.000000%2B00%3A00+pred_1"
        f"&status={Status.EXPIRED.value}&since=2026-02-28T12%3A00%3A00%2B00%3A00"
    )


async def test_a_hub_that_is_away_is_told_so() -> None:
    hub = MemoryHub()
    hub.away = True
    found = await TaskMethods().all_of(visitor(hub), params())
    assert isinstance(found, WireError)
    assert found.code == INTERNAL
