"""Answering over HTTP: every verb, what is handed to the loop, and what comes back when it is refused."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.errors import BusyError
from hub.contract.permission import Act, Permission
from hub.contract.words import HumanInput, Risk, Source, Verb
from hub.domain.requests import Refused, Trigger
from hub.domain.storage import AddCard
from hub.domain.suggestion import Answer
from tests.conformance.store.samples import card
from tests.fakes.hub_api import NOON, a_prediction
from tests.io.api.running import Api, problem

VERBS = {
    "confirm": Verb.APPROVE,
    "reject": Verb.REJECT,
    "snooze": Verb.SNOOZE,
    "edit": Verb.EDIT,
    "undo": Verb.UNDO,
    "stop": Verb.STOP,
}


def answer(api: Api) -> Answer:
    (request,) = api.behind.hub_api.requests
    assert isinstance(request, Answer)
    return request


@pytest.mark.parametrize("name", sorted(VERBS.keys() - {"edit"}))
async def test_an_empty_body_will_do(api: Api, name: str) -> None:
    response = await api.http.post(f"/api/v1/predictions/pred_1/{name}")
    assert response.status_code == 200
    assert response.json()["prediction"]["id"] == "pred_1"
    given = answer(api)
    assert (given.card_id, given.verb, given.by) == ("pred_1", VERBS[name], "anna")
    assert (given.surface, given.device, given.human_input) == ("api", "api", HumanInput.TAP)


async def test_everything_that_is_said_reaches_the_loop(api: Api) -> None:
    await api.behind.write(AddCard(card=card("pred_1")))
    body = {"cardHash": "abc", "prompt": "Run less", "surface": "cli", "device": "desk", "humanInput": "key"}
    assert (await api.http.post("/api/v1/predictions/pred_1/edit", json=body)).status_code == 200
    given = answer(api)
    assert (given.card_hash, given.prompt, given.surface, given.device) == ("abc", "Run less", "cli", "desk")
    assert given.human_input is HumanInput.KEY


async def test_snooze_in_minutes_or_until(api: Api) -> None:
    await api.http.post("/api/v1/predictions/pred_1/snooze", json={"minutes": 30})
    assert answer(api).until == NOON + timedelta(minutes=30)
    api.behind.hub_api.requests.clear()
    await api.http.post("/api/v1/predictions/pred_1/snooze", json={"until": "2026-03-01T15:00:00+01:00"})
    assert answer(api).until == NOON + timedelta(hours=2)


RISKY = "rm -rf /home/anna/photos"


async def test_other_words_that_are_risky_are_shown_before_they_count(api: Api) -> None:
    asked = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="git push", editable=True)
    made = card("pred_1", prompt="git push")
    proposal = replace(made.proposal, source=Source.ASK)
    await api.behind.write(AddCard(card=replace(made, proposal=proposal, permission=asked)))
    edit, tame = "/api/v1/predictions/pred_1/edit", {"prompt": "git push origin main", "cardHash": "h"}
    refusal = problem(await api.http.post(edit, json={"prompt": RISKY, "cardHash": "h"}))
    assert (refusal.code, refusal.prediction.prompt if refusal.prediction else "") == ("not-looked-at", RISKY)
    assert (refusal.prediction.risk if refusal.prediction else "") == Risk.HIGH
    worse = {"prompt": f"{RISKY} /home/anna/music", "cardHash": "h", "look": refusal.look}
    assert problem(await api.http.post(edit, json=worse)).code == "not-looked-at"
    assert api.behind.hub_api.requests == []
    look = problem(await api.http.post(edit, json={"prompt": RISKY})).look
    assert (await api.http.post(edit, json={"prompt": RISKY, "cardHash": "h", "look": look})).is_success
    assert (await api.http.post(edit, json=tame)).is_success
    given = [one.prompt for one in api.behind.hub_api.requests if isinstance(one, Answer)]
    assert given == [RISKY, tame["prompt"]]


async def test_only_edit_may_bring_another_text(api: Api) -> None:
    response = await api.http.post("/api/v1/predictions/pred_1/confirm", json={"prompt": "rm -rf /"})
    assert problem(response).code == "invalid-body"
    assert api.behind.hub_api.requests == []


@pytest.mark.parametrize(("header", "field", "key"), [("k1", None, "k1"), (None, "k2", "k2"), ("k1", "k2", "k1")])
async def test_idempotency_keys(api: Api, header: str | None, field: str | None, key: str) -> None:
    headers = {"Idempotency-Key": header} if header else {}
    body = {"idempotencyKey": field} if field else {}
    await api.http.post("/api/v1/predictions/pred_1/confirm", json=body, headers=headers)
    assert answer(api).key == key


async def test_without_a_key_each_request_has_its_own(api: Api) -> None:
    for _ in range(2):
        await api.http.post("/api/v1/predictions/pred_1/confirm")
    first, second = api.behind.hub_api.requests
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert first.key != second.key


async def test_a_refusal_is_a_problem_that_names_who_won(api: Api) -> None:
    shown = a_prediction()
    refused = Refused(code="already-settled", status=409, detail="Too late.", fix="Undo it.", prediction=shown)
    api.behind.hub_api.on(Answer, lambda _: refused)
    found = problem(await api.http.post("/api/v1/predictions/pred_1/confirm"))
    assert (found.code, found.status, found.fix) == ("already-settled", 409, "Undo it.")
    assert found.prediction == shown
    assert found.instance == "/api/v1/predictions/pred_1/confirm"


async def test_a_full_inbox_asks_to_come_back(api: Api) -> None:
    api.behind.hub_api.on(Answer, lambda _: BusyError())
    response = await api.http.post("/api/v1/predictions/pred_1/confirm")
    assert (problem(response).code, response.headers["retry-after"]) == ("busy", "1")


async def test_no_reply_in_time_says_to_look_first(api: Api) -> None:
    api.behind.hub_api.on(Answer, lambda _: TimeoutError())
    assert problem(await api.http.post("/api/v1/predictions/pred_1/confirm")).code == "no-reply"


@pytest.mark.parametrize("card_id", ["a b", "%00", "x" * 65, "..", "%2e%2e", "ü"])
async def test_ids_that_cannot_be(api: Api, card_id: str) -> None:
    response = await api.http.post(f"/api/v1/predictions/{card_id}/confirm")
    assert problem(response).status == 404
    assert api.behind.hub_api.requests == []


async def test_trigger_starts_a_cycle(api: Api) -> None:
    body = {"targetChannel": "koji-core", "hint": "Run the tests", "force": True}
    response = await api.http.post("/api/v1/crosspoll/trigger", json=body)
    assert response.json()["triggered"] is True
    assert api.behind.hub_api.requests == [
        Trigger(channel="koji-core", hint="Run the tests", force=True, in_person=True)
    ]


async def test_trigger_with_a_card_approves_it(api: Api) -> None:
    await api.behind.write(AddCard(card=card("pred_7")))
    response = await api.http.post("/api/v1/crosspoll/trigger", json={"predictionId": "pred_7"})
    said = response.json()
    assert (said["triggered"], said["targetChannel"], said["prediction"]["id"]) == (True, "koji-core", "pred_7")
    assert answer(api).verb is Verb.APPROVE
