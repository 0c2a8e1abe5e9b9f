"""Training pairs over the API: the gate, the switch, the forms, and what counts as exported."""

import json

import pytest
from msgspec.structs import replace

from hub.domain.lessons import AddPair, MarkExported
from hub.domain.mind import Mind
from hub.domain.requests import BackToModel, NoteModel, NotePairs
from hub.domain.storage import SaveMind
from hub.domain.training import TrainedModel, Training
from hub.io.agents.twin_context import INSTRUCTION
from hub.learn.pairs import PAIRS_MIN
from tests.conformance.store.samples import NOON, after, pair
from tests.io.api.running import USER, Api
from tests.rooms.learn.preference_formats import together_faults, trl_chat_faults, trl_faults

PAIRS = "/api/v1/training/pairs"
SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


async def with_pairs(api: Api, count: int, *, on: bool = True) -> None:
    api.behind.hub_api.rules = replace(api.behind.hub_api.rules, dpo_export=on)
    made = [AddPair(pair=replace(pair(f"c{n}", f"r{n}", at=n, user=USER), context=f"Time {n}")) for n in range(count)]
    await api.behind.store.commit([tuple(made)])


@pytest.mark.parametrize(
    ("form", "faults"), [("dpo", trl_faults), ("chat", trl_chat_faults), ("together", together_faults)]
)
async def test_the_forms_pass_the_published_rules(api: Api, form: str, faults: object) -> None:
    await with_pairs(api, 2 * PAIRS_MIN + 250)
    response = await api.http.get(f"{PAIRS}?format={form}")
    assert response.headers["content-type"] == "application/x-ndjson"
    assert f'filename="pulse-{form}-2026-03-01.jsonl"' in response.headers["content-disposition"]
    assert len(response.content.splitlines()) == 2 * PAIRS_MIN + 250
    assert callable(faults)
    assert faults(response.content) == []


async def test_a_row_is_that_of_the_specification(api: Api) -> None:
    await with_pairs(api, PAIRS_MIN)
    row = json.loads((await api.http.get(PAIRS)).content.splitlines()[0])
    assert row == {
        "prompt": "Time 0",
        "chosen": "Run the tests → koji-core",
        "rejected": "Sum up → chronicle-hub",
        "metadata": {"timestamp": "2026-03-01T12:00:00Z", "confidence_chosen": 0.7, "confidence_rejected": 0.4},
    }


async def test_a_chat_is_the_one_in_which_a_model_is_asked_and_answers_as_it_is_asked_to(api: Api) -> None:
    await with_pairs(api, PAIRS_MIN)
    row = json.loads((await api.http.get(f"{PAIRS}?format=chat")).content.splitlines()[0])
    assert [one["role"] for one in row["prompt"]] == ["system", "user"]
    assert (row["prompt"][0]["content"], row["prompt"][1]["content"]) == (INSTRUCTION, "Time 0")
    (chosen,) = row["chosen"]
    assert json.loads(chosen["content"]) == {"candidates": [{"prompt": "Run the tests", "channel": "koji-core"}]}


async def test_what_was_kept_before_a_rule_of_masking_is_masked_on_its_way_out(api: Api) -> None:
    await with_pairs(api, PAIRS_MIN)
    leaky = replace(pair("x", user=USER), context=f"token={SECRET}", chosen=f"Use {SECRET}", rejected=SECRET)
    await api.behind.store.commit([(AddPair(pair=leaky),)])
    for form in ("dpo", "chat", "together"):
        assert SECRET not in (await api.http.get(f"{PAIRS}?format={form}")).text


@pytest.mark.parametrize(
    ("count", "on", "code"), [(PAIRS_MIN - 1, True, "too-few-pairs"), (PAIRS_MIN, False, "training-off")]
)
async def test_it_is_refused(api: Api, count: int, on: bool, code: str) -> None:  # noqa: FBT001  a column
    await with_pairs(api, count, on=on)
    response = await api.http.get(PAIRS)
    assert (response.status_code, response.json()["code"]) == (409, code)


@pytest.mark.parametrize(("count", "said"), [(0, "There are 0 training pairs,"), (1, "There is 1 training pair,")])
async def test_how_many_there_are_is_said_as_it_is_counted(api: Api, count: int, said: str) -> None:
    await with_pairs(api, count)
    assert (await api.http.get(PAIRS)).json()["detail"].startswith(said)


async def test_only_new_ones_and_only_up_to_a_number(api: Api) -> None:
    await with_pairs(api, 3 * PAIRS_MIN)
    await api.behind.store.commit([(MarkExported(user=USER, through=PAIRS_MIN, at=after(9)),)])
    new = (await api.http.get(f"{PAIRS}?new=true")).content.splitlines()
    assert len(new) == 2 * PAIRS_MIN
    assert len((await api.http.get(f"{PAIRS}?through=60")).content.splitlines()) == 60
    view = (await api.http.get("/api/v1/training")).json()
    assert view == {
        "pairs": 150,
        "newPairs": 100,
        "newSince": "2026-03-01T12:00:50Z",
        "lastPair": 150,
        "pairsNeeded": PAIRS_MIN,
        "exportEnabled": True,
        "due": "first",
        "model": "",
        "models": [],
        "lastTraining": None,
    }


async def test_that_it_was_exported_goes_through_the_loop(api: Api) -> None:
    response = await api.http.post("/api/v1/training/exported", json={"through": 7})
    assert response.status_code == 200
    assert NotePairs(through=7) in api.behind.hub_api.requests


async def test_the_last_training_is_the_last_model(api: Api) -> None:
    made = TrainedModel(name="me/twin-1", by="together", at=NOON, pairs=60)
    mind = Mind(training=Training(models=(made,), active=made.name))
    await api.behind.store.commit([(SaveMind(user=USER, mind=mind),)])
    view = (await api.http.get("/api/v1/training")).json()
    assert (view["model"], view["lastTraining"], view["due"]) == ("me/twin-1", "2026-03-01T12:00:00Z", "")
    metrics = (await api.http.get("/api/v1/crosspoll/metrics")).json()
    assert metrics["lastDpoTraining"] == "2026-03-01T12:00:00Z"


@pytest.mark.parametrize("name", ["", "two words", "two\nlines", "x" * 201])
async def test_a_models_name_is_one_short_line(api: Api, name: str) -> None:
    body = {"name": name, "by": "local", "pairs": 60}
    assert (await api.http.post("/api/v1/training/models", json=body)).status_code == 422
    assert api.behind.hub_api.requests == []


async def test_a_model_is_noted_and_taken_back_through_the_loop(api: Api) -> None:
    body = {"name": "me/twin-1", "by": "local", "pairs": 60, "use": False}
    assert (await api.http.post("/api/v1/training/models", json=body)).status_code == 200
    assert (await api.http.post("/api/v1/training/back")).status_code == 200
    noted = NoteModel(name="me/twin-1", by="local", pairs=60, use=False)
    assert api.behind.hub_api.requests == [noted, BackToModel()]
