"""The read side of Mission Control over HTTP: agents, sync, likeness, attempts, figures."""

from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.events import PredictionNew
from hub.contract.words import HumanInput, RunState, Status, Verb
from hub.domain.execution import RunResult
from hub.domain.provenance import TaskText
from hub.domain.situation import Task
from hub.domain.storage import AddCard, AddExecution, PutTask
from hub.domain.suggestion import Card
from hub.io.api.overview import RECENT_MAX, TASKS_MAX
from hub.io.api.similar_answers import SHOWN_MAX
from tests.conformance.store.samples import NOON, after, card, line, log_entry, proposal, run
from tests.fakes.hub_api import a_prediction
from tests.io.api.running import Api, hear, problem, say

HOUR = 3_600.0
DAY = 24 * HOUR
SECRET = "hunter2-7fQ4zR1tB8"
HIDDEN = f"⟨hidden: {len(SECRET)} characters⟩"
NEWS = PredictionNew(prediction=a_prediction())


async def get(api: Api, path: str) -> Any:  # noqa: ANN401  whatever the answer is
    response = await api.http.get(path)
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "no-store"
    return response.json()


async def agent(api: Api) -> Any:  # noqa: ANN401  the only one that is configured
    said = await get(api, "/api/v1/agents")
    assert said["count"] == 1
    return said["agents"][0]


async def test_an_agent_that_never_did_anything_is_idle(api: Api) -> None:
    assert await agent(api) == {
        "channel": "koji-core",
        "agent": "playbook",
        "specialty": "Code",
        "state": "idle",
        "predictionId": None,
        "doing": "",
        "since": None,
        "lastLine": "",
        "tokensToday": None,
        "costTodayUsd": 0.0,
        "runsToday": 0,
        "containment": "",
    }


async def test_an_agent_at_work_says_on_what(api: Api) -> None:
    active = replace(run(card_id="pred_1", state=RunState.ACTIVE), started_at=after(3))
    permit = replace(active.permit, prompt=f"Deploy with password={SECRET}")
    await api.behind.write(AddCard(card=card("pred_1")), AddExecution(execution=replace(active, permit=permit)))
    await api.behind.write(line(1, "pred_1"), line(2, "pred_1"))
    found = await agent(api)
    assert (found["state"], found["since"], found["lastLine"]) == ("running", "2026-03-01T12:00:03Z", "line 2")
    assert found["doing"] == f"Deploy with password={HIDDEN}"
    assert found["predictionId"] == "pred_1"


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (RunState.QUEUED, "queued"),
        (RunState.FAILED, "failed"),
        (RunState.VERIFIED, "idle"),
        (RunState.STOPPED, "idle"),
        (RunState.INTERRUPTED, "idle"),
    ],
)
async def test_the_state_of_an_agent_is_that_of_its_last_run(api: Api, state: RunState, shown: str) -> None:
    before = replace(run("x0", card_id="pred_1", state=RunState.FAILED, queued=-9), ended_at=after(-5))
    last = run("x1", card_id="pred_1", attempt=2, state=state)
    await api.behind.write(AddCard(card=card("pred_1")), AddExecution(execution=before), AddExecution(execution=last))
    assert (await agent(api))["state"] == shown


async def test_use_counts_from_midnight_on(api: Api) -> None:
    yesterday = replace(run("x0", card_id="pred_1", queued=-12 * HOUR - 1), cost_microusd=5_000_000)
    today = replace(run("x1", card_id="pred_1", attempt=2, queued=-12 * HOUR), cost_microusd=120_000)
    await api.behind.write(
        AddCard(card=card("pred_1")), AddExecution(execution=yesterday), AddExecution(execution=today)
    )
    found = await agent(api)
    assert (found["runsToday"], found["costTodayUsd"]) == (1, 0.12)


async def test_everything_at_once(api: Api) -> None:
    cards = [card("pred_1", created=1), card("pred_2", created=2, snoozed=HOUR), card("pred_3", status=Status.REJECTED)]
    tasks = [
        Task(id=f"task_{n}", title=TaskText("Write"), status="queued", created_at=after(n), updated_at=after(n))
        for n in range(12)
    ]
    await api.behind.write(*(AddCard(card=one) for one in cards), *(PutTask(user="anna", task=one) for one in tasks))
    said = await get(api, "/api/v1/sync")
    assert [one["id"] for one in said["open"]] == ["pred_2", "pred_1"]
    assert [one["snoozedUntil"] for one in said["open"]] == ["2026-03-01T13:00:00Z", None]
    assert [one["id"] for one in said["recent"]] == ["pred_3"]
    assert [one["id"] for one in said["tasks"]] == [f"task_{n}" for n in range(11, 11 - TASKS_MAX, -1)]
    assert [one["channel"] for one in said["agents"]] == ["koji-core"]
    assert (said["status"]["state"], said["timestamp"]) == ("watching", "2026-03-01T12:00:00Z")


async def test_recent_cards_show_their_runs_and_are_few(api: Api) -> None:
    done = [replace(card(f"pred_{n}", status=Status.EXECUTED), settled_at=after(n)) for n in range(RECENT_MAX + 1)]
    done[-1] = replace(done[-1], execution_id="x1")
    ran = run("x1", card_id=done[-1].id, state=RunState.VERIFIED)
    await api.behind.write(*(AddCard(card=one) for one in done), AddExecution(execution=ran))
    recent = (await get(api, "/api/v1/sync"))["recent"]
    assert [one["id"] for one in recent] == [f"pred_{n}" for n in range(RECENT_MAX, 0, -1)]
    assert recent[0]["runState"] == "verified"


async def test_whoever_goes_on_from_the_place_of_sync_misses_nothing(api: Api) -> None:
    api.behind.feed.tell(NEWS)
    place = await get(api, "/api/v1/sync")
    api.behind.feed.tell(NEWS)
    assert place["seq"] == 1
    async with api.socket() as socket:
        hello = await hear(socket)
        assert (hello["feed"], hello["seq"]) == (place["feed"], 2)
        await say(
            socket,
            {"type": "subscribe", "channels": ["crosspoll"], "since": place["seq"], "feed": place["feed"]},
        )
        assert (await hear(socket))["replayed"] == 1
        assert (await hear(socket))["seq"] == 2


def answered(name: str, status: Status, *, at: float = -HOUR, prompt: str = "Other words", key: str = "other") -> Card:
    made = card(f"pred_{name}", status=status, created=at, prompt=prompt)
    return replace(made, proposal=replace(made.proposal, reason_key=key))


async def test_answers_to_the_same_reason_come_first(api: Api) -> None:
    key = proposal().reason_key
    cards = [
        card("pred_1"),
        answered("same", Status.EXECUTED, at=-9 * HOUR, key=key),
        answered("words", Status.REJECTED, prompt="run the TESTS again"),
        answered("other", Status.REJECTED),
        answered("nobody", Status.EXPIRED, key=key),
        replace(answered("alone", Status.EXECUTED, key=key), autonomous=True),
    ]
    await api.behind.write(*(AddCard(card=one) for one in cards))
    said = await get(api, "/api/v1/predictions/pred_1/similar")
    assert [one["id"] for one in said["predictions"]] == ["pred_same", "pred_words"]
    assert (said["approved"], said["rejected"]) == (1, 1)


async def test_few_are_shown_and_all_are_counted(api: Api) -> None:
    key = proposal().reason_key
    cards = [answered(f"a{n}", Status.REJECTED, at=-n, key=key) for n in range(1, 9)]
    await api.behind.write(AddCard(card=card("pred_1")), *(AddCard(card=one) for one in cards))
    said = await get(api, "/api/v1/predictions/pred_1/similar")
    assert [one["id"] for one in said["predictions"]] == [f"pred_a{n}" for n in range(1, SHOWN_MAX + 1)]
    assert (said["approved"], said["rejected"]) == (0, 8)


async def test_every_attempt_with_its_output_and_without_its_secrets(api: Api) -> None:
    result = RunResult(ended="exited", exit_code=1, output=f"token={SECRET}\nevil\u202etext\n" + "line\n" * 100)
    failed = replace(
        run("x1", card_id="pred_1", state=RunState.FAILED),
        started_at=after(1),
        ended_at=after(9),
        result=result,
        proof=f"exit code 1, password={SECRET}",
        cost_microusd=70_000,
    )
    await api.behind.write(AddCard(card=card("pred_1")), AddExecution(execution=failed))
    await api.behind.write(AddExecution(execution=run("x2", card_id="pred_1", attempt=2)))
    said = await get(api, "/api/v1/predictions/pred_1/runs")
    assert [(one["executionId"], one["attempt"], one["state"]) for one in said["runs"]] == [
        ("x1", 1, "failed"),
        ("x2", 2, "queued"),
    ]
    first, second = said["runs"]
    assert first["output"].startswith(f"token={HIDDEN}\nevil⟨U+202E⟩text\n")
    assert first["output"].count("line") == 100, "the whole output is there"
    assert (first["exitCode"], first["costUsd"], first["proof"]) == (1, 0.07, f"exit code 1, password={HIDDEN}")
    assert (second["output"], second["exitCode"], second["startedAt"]) == ("", None, None)
    assert SECRET not in str(said)


@pytest.mark.parametrize("path", ["similar", "runs"])
async def test_of_an_unknown_card_there_is_nothing(api: Api, path: str) -> None:
    assert problem(await api.http.get(f"/api/v1/predictions/pred_x/{path}")).code == "unknown-card"
    assert problem(await api.http.get(f"/api/v1/predictions/a.b/{path}")).code == "unknown-card"


async def test_the_figures_of_some_days(api: Api) -> None:
    settled = Settlement(verb=Verb.APPROVE, by="me", surface="t", device="d", human_input=HumanInput.KEY, at=NOON)
    yes = replace(card("pred_1", status=Status.EXECUTED, created=-DAY), settled=settled, settled_at=NOON)
    ran = replace(run(card_id="pred_1", state=RunState.VERIFIED, queued=-DAY), cost_microusd=250_000)
    api.behind.hub_api.interruptions[date(2026, 2, 28)] = 1
    await api.behind.write(AddCard(card=yes), AddExecution(execution=ran))
    await api.behind.write(AddCard(card=card("pred_2", status=Status.REJECTED)), log_entry("pred_2"))
    said = await get(api, "/api/v1/insight?days=3")
    assert (said["zone"], said["truncated"]) == ("UTC", False)
    assert [one["day"] for one in said["days"]] == ["2026-02-27", "2026-02-28", "2026-03-01"]
    empty, yesterday, today = said["days"]
    assert (empty["suggestions"], empty["approvalRate"], empty["costUsd"]) == (0, None, 0)
    assert (yesterday["approved"], yesterday["executed"], yesterday["approvalRate"]) == (1, 1, 1.0)
    assert (yesterday["interruptions"], yesterday["costUsd"]) == (1, 0.25)
    assert (today["rejected"], today["blocked"], today["approvalRate"]) == (1, 1, 0.0)
    assert said["channels"] == [
        {
            "channel": "koji-core",
            "suggestions": 2,
            "approved": 1,
            "rejected": 1,
            "executed": 1,
            "failed": 0,
            "costUsd": 0.25,
            "handedOver": 0,
        }
    ]
    band = said["calibration"][7]
    assert (band["low"], band["answered"], band["meanConfidence"], band["approvalRate"]) == (0.7, 2, 0.7, 0.5)
    assert [(one["window"], one["capUsd"]) for one in said["caps"]] == [("hour", 2.0), ("day", 20.0), ("month", 200.0)]


@pytest.mark.parametrize(("query", "days"), [("", 30), ("?days=1", 1), ("?days=365", 365)])
async def test_every_day_is_there(api: Api, query: str, days: int) -> None:
    said = await get(api, f"/api/v1/insight{query}")
    assert (len(said["days"]), len(said["calibration"])) == (days, 10)


@pytest.mark.parametrize("query", ["insight?days=0", "insight?days=366", "insight?days=x", "export?format=xml"])
async def test_what_cannot_be_asked(api: Api, query: str) -> None:
    assert problem(await api.http.get(f"/api/v1/{query}")).code == "invalid-query"
