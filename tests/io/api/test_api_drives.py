"""What presses, over HTTP: who may look, what a report does, and that one report counts once."""

from datetime import timedelta

import httpx
import pytest

from hub.contract.drives import DrivesView, DriveVerdictView
from hub.domain.drive_requests import DrivesShown, LookAtDrives
from hub.domain.drives import AddDriveSample, DriveLine, DriveSample, Feedback, PutWake, Wake
from hub.domain.requests import FeedbackTaken, Refused, TakeFeedback
from hub.io.api.drives import SAMPLES_SHOWN_MAX, thinned
from tests.fakes.hub_api import NOON
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api, problem

DRIVES = "/api/v1/drives"
REPORTS = ("/feedback", f"{DRIVES}/feedback")
DONE = {"drives_addressed": ["goals", "curiosity"], "outcome": "success", "summary": "Built InvoiceFlow feature X"}
WAKE = Wake(id="w1", at=NOON, rule="total", drive="goals", pressure=4.2, total=6.0, threshold=5.0, card_id="pred_1")
QUIET = DriveVerdictView(wakes=False, rule="below", says="The total pressure is 2.1 of 5.0.")
VIEW = DrivesView(enabled=True, at=NOON, drives=(), total=2.1, threshold=5.0, single_threshold=4.5, verdict=QUIET)


def reports(api: Api) -> list[Feedback]:
    return [one.feedback for one in api.behind.hub_api.requests if isinstance(one, TakeFeedback)]


def takes(api: Api) -> None:
    api.behind.hub_api.on(TakeFeedback, lambda _: FeedbackTaken(decayed=(("goals", 6.0, 6.0 * (1.0 - 0.7)),)))


async def client_of(api: Api, *scopes: str) -> httpx.AsyncClient:
    made = (await api.http.post("/api/v1/tokens", json={"name": "-".join(scopes), "scopes": scopes})).json()
    return plain_client(api.address, {"Authorization": f"Bearer {made['token']}"})


async def test_what_presses_is_shown_with_the_last_wake(api: Api) -> None:
    api.behind.hub_api.on(LookAtDrives, lambda _: DrivesShown(view=VIEW))
    before = (await api.http.get(DRIVES)).json()
    assert (before["total"], before["verdict"]["rule"], before["lastWake"]) == (2.1, "below", None)
    await api.behind.write(PutWake(user=USER, wake=WAKE), PutWake(user="bob", wake=WAKE))
    last = (await api.http.get(DRIVES)).json()["lastWake"]
    assert (last["rule"], last["predictionId"], last["ended"]) == ("total", "pred_1", "")
    assert last["says"] == "Pulse woke up because the total pressure was 6.0 of 5.0, most of it from goals (4.2)."


async def test_the_history_is_of_this_person_the_oldest_first(api: Api) -> None:
    line = DriveLine(name="goals", pressure=1.5, grows_per_min=0.01, weight=1.0)
    for days in (9, 8, 3, 0):
        sample = DriveSample(at=NOON - timedelta(days=days), lines=(line,))
        await api.behind.write(AddDriveSample(user=USER, sample=sample), AddDriveSample(user="bob", sample=sample))
    await api.behind.write(PutWake(user=USER, wake=WAKE), PutWake(user="bob", wake=WAKE))
    found = (await api.http.get(f"{DRIVES}/history")).json()
    assert [one["at"][8:10] for one in found["samples"]] == ["21", "26", "01"]
    assert found["samples"][0]["drives"] == [{"name": "goals", "pressure": 1.5, "growsPerMin": 0.01, "weight": 1.0}]
    assert [one["id"] for one in found["wakes"]] == ["w1"]
    assert (found["pressureMax"], found["threshold"], found["thinned"]) == (10.0, 5.0, False)
    assert len((await api.http.get(f"{DRIVES}/history?days=30")).json()["samples"]) == 4


@pytest.mark.parametrize("query", ["days=0", "days=91", "days=x", "days=1&days=2", "weeks=1"])
async def test_a_history_of_nonsense_is_refused(api: Api, query: str) -> None:
    assert problem(await api.http.get(f"{DRIVES}/history?{query}")).code == "invalid-query"


def test_a_long_history_is_thinned_evenly_and_keeps_its_end() -> None:
    every = tuple(DriveSample(at=NOON - timedelta(minutes=one)) for one in range(20_000))
    shown = thinned(every)
    assert len(shown) == SAMPLES_SHOWN_MAX
    assert shown[0] is every[0]
    assert thinned(every[:3]) == every[:3]
    assert thinned(()) == ()


@pytest.mark.parametrize("path", REPORTS)
async def test_a_report_is_answered_in_the_words_of_the_source(api: Api, path: str) -> None:
    takes(api)
    answer = await api.http.post(path, json=DONE)
    assert answer.status_code == 200
    assert answer.json() == {
        "decayed": {"goals": {"before": 6.0, "after": 1.8, "decay_amount": 4.2}},
        "repeated": False,
    }
    assert reports(api) == [
        Feedback(drives=("goals", "curiosity"), outcome="success", summary="Built InvoiceFlow feature X")
    ]


async def test_failure_is_another_word_for_blocked(api: Api) -> None:
    takes(api)
    await api.http.post("/feedback", json={**DONE, "outcome": "failure"})
    assert reports(api)[0].outcome == "blocked"


async def test_a_report_is_known_by_its_key_and_by_whose_it_is(api: Api) -> None:
    takes(api)
    async with await client_of(api, "ask") as agent:
        for http in (api.http, agent):
            await http.post("/feedback", json=DONE, headers={"Idempotency-Key": "turn-7"})
            await http.post("/feedback", json={**DONE, "idempotency_key": "turn-7"})
    keys = [one.key for one in reports(api)]
    assert keys[0] == keys[1] == "feedback/local/turn-7"
    assert keys[2] == keys[3] != keys[0]
    api.behind.hub_api.on(TakeFeedback, lambda _: FeedbackTaken(repeated=True))
    again = await api.http.post("/feedback", json=DONE, headers={"Idempotency-Key": "turn-7"})
    assert again.json() == {"decayed": {}, "repeated": True}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {**DONE, "outcome": "great"},
        {**DONE, "drives_addressed": []},
        {**DONE, "drives_addressed": "goals"},
        {**DONE, "drives_addressed": ["x"] * 16},
        {**DONE, "drives_addressed": ["no such\nname"]},
        {**DONE, "summary": "x" * 501},
        {**DONE, "drivesAddressed": ["goals"]},
        {**DONE, "idempotency_key": ""},
    ],
)
async def test_a_report_that_is_none_is_refused_and_does_nothing(api: Api, body: dict[str, object]) -> None:
    assert problem(await api.http.post("/feedback", json=body)).code == "invalid-body"
    assert reports(api) == []


async def test_an_unknown_drive_is_the_loops_to_refuse(api: Api) -> None:
    refusal = Refused(code="unknown-drive", status=422, detail="No drive is called x.", fix="Name some of: goals.")
    api.behind.hub_api.on(TakeFeedback, lambda _: refusal)
    assert problem(await api.http.post("/feedback", json=DONE)).code == "unknown-drive"


async def test_a_stranger_sees_and_reports_nothing(api: Api) -> None:
    for headers in ({}, {"Authorization": "Bearer guess"}):
        async with plain_client(api.address, headers) as stranger:
            for path in (DRIVES, f"{DRIVES}/history"):
                assert (await stranger.get(path)).status_code == 401
            for path in REPORTS:
                assert (await stranger.post(path, json=DONE)).status_code == 401
    assert reports(api) == []


async def test_who_may_ask_may_report_and_who_may_read_may_look(api: Api) -> None:
    takes(api)
    api.behind.hub_api.on(LookAtDrives, lambda _: DrivesShown(view=VIEW))
    for scope, looks, reports_too in (("ask", False, True), ("read", True, False), ("answer", False, False)):
        async with await client_of(api, scope) as http:
            assert (await http.get(DRIVES)).is_success == looks
            assert (await http.post("/feedback", json=DONE)).is_success == reports_too
