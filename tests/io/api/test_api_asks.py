"""`ask`: the question, waiting for the answer, the same key again."""

import asyncio
import getpass

import httpx
import pytest
from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.events import PredictionExpired, PredictionNew, PredictionSettled
from hub.contract.words import HumanInput, Risk, Source, Status, Verb
from hub.domain.requests import Ask, Refused, Withdraw
from hub.domain.storage import AddCard, MoveCard
from hub.domain.suggestion import Card
from hub.io.api.asks import KEY_CHARS_MAX, safe_key
from hub.loop.asks import ask_id
from tests.conformance.store.samples import NOON, card
from tests.fakes.hub_api import a_prediction
from tests.io.api.running import Api, problem

ID = ask_id("local", "k1")
YES = Settlement(verb=Verb.APPROVE, by="anna", surface="watch", device="w", human_input=HumanInput.TAP, at=NOON)

LOGIN = getpass.getuser()


def question_card() -> Card:
    made = card(ID, prompt="Deploy?")
    return replace(made, proposal=replace(made.proposal, source=Source.ASK), asker="script", owner="local")


async def answered(api: Api, status: Status = Status.CONFIRMED) -> None:
    """Store the answer and tell of it, as the loop does."""
    before = question_card()
    settled = YES if status is Status.CONFIRMED else None
    after = replace(before, status=status, version=2, settled=settled, settled_at=NOON)
    await api.behind.write(MoveCard(card=after, expect_version=1, expect_status=Status.PENDING))
    if status is Status.EXPIRED:
        api.behind.feed.tell(PredictionExpired(card_id=ID))
    else:
        api.behind.feed.tell(PredictionSettled(prediction=a_prediction(ID, status=status)))


async def begin(api: Api, work: asyncio.Task[httpx.Response]) -> None:
    """Look until the request has begun to wait."""
    while "pulse_api_waiting 1" not in (await api.http.get("/metrics")).text:
        assert not work.done()


@pytest.fixture
async def asked(api: Api) -> None:
    await api.behind.write(AddCard(card=question_card()))


async def test_a_question_reaches_the_loop(api: Api) -> None:
    body = {
        "question": "Deploy?",
        "risk": "high",
        "timeoutS": 60,
        "asker": "ci",
        "details": "v2",
        "idempotencyKey": "k",
    }
    said = (await api.http.post("/api/v1/ask", json=body)).json()
    assert (said["answered"], said["approved"], said["prediction"]["id"]) == (False, False, ask_id("local", "k"))
    expected = Ask(key="k", asker="ci", question="Deploy?", details="v2", risk=Risk.HIGH, timeout_s=60)
    assert api.behind.hub_api.requests == [expected]


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("status", "answer"), [(Status.CONFIRMED, (True, True)), (Status.EXPIRED, (False, False))])
async def test_waiting_ends_with_the_answer(api: Api, status: Status, answer: tuple[bool, bool]) -> None:
    body = {"question": "Deploy?", "idempotencyKey": "k1", "waitS": 300}
    waiting = asyncio.create_task(api.http.post("/api/v1/ask", json=body))
    await begin(api, waiting)
    api.behind.feed.tell(PredictionNew(prediction=a_prediction(ID)))
    api.behind.feed.tell(PredictionSettled(prediction=a_prediction("pred_other")))
    await answered(api, status)
    said = (await waiting).json()
    assert (said["answered"], said["approved"]) == answer
    assert said["prediction"]["status"] == status


@pytest.mark.usefixtures("asked")
async def test_waiting_by_id(api: Api) -> None:
    waiting = asyncio.create_task(api.http.get(f"/api/v1/ask/{ID}?wait=300"))
    await begin(api, waiting)
    await answered(api)
    assert (await waiting).json()["approved"] is True
    assert (await api.http.get(f"/api/v1/ask/{ID}?wait=300")).json()["prediction"]["settled"]["device"] == "w"


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
async def test_waiting_ends_by_itself(api: Api) -> None:
    assert (await api.http.get(f"/api/v1/ask/{ID}?wait=0")).json()["answered"] is False
    assert (await api.http.get(f"/api/v1/ask/{ID}?wait=1")).json()["answered"] is False


@pytest.mark.usefixtures("asked")
async def test_waiting_ends_when_the_api_stops(api: Api) -> None:
    waiting = asyncio.create_task(api.http.get(f"/api/v1/ask/{ID}?wait=300"))
    await begin(api, waiting)
    await api.running.close()
    assert (await waiting).json()["answered"] is False


async def a_client(api: Api, name: str = "ci") -> tuple[str, dict[str, str]]:
    """Return the id of one more client that may ask, and its header."""
    made = (await api.http.post("/api/v1/tokens", json={"name": name, "scopes": ["ask"]})).json()
    return made["client"]["id"], {"Authorization": f"Bearer {made['token']}"}


async def asked_as(api: Api, headers: dict[str, str], **body: str) -> Ask:
    assert (await api.http.post("/api/v1/ask", json={"question": "?", **body}, headers=headers)).is_success
    request = api.behind.hub_api.requests[-1]
    assert isinstance(request, Ask)
    return request


@pytest.mark.slow
async def test_a_client_asks_under_the_name_that_it_was_given(api: Api) -> None:
    own, ci = await a_client(api)
    await a_client(api, "Night shift")
    assert (await asked_as(api, ci)).client == own
    assert (await asked_as(api, ci)).asker == "ci"
    assert (await asked_as(api, ci, asker="CI")).asker == "ci"
    assert (await asked_as(api, ci, asker="deploy")).asker == "ci (as “deploy”)"
    assert (await asked_as(api, {}, asker="deploy")).asker == "deploy"
    for taken in ("pulse", "PULSE", "Pulse-hub", "night-shift", "Night_Shift"):
        for headers in (ci, {}):
            answer = await api.http.post("/api/v1/ask", json={"question": "?", "asker": taken}, headers=headers)
            assert problem(answer).code == "name-taken"


@pytest.mark.parametrize("name", ["you", "You", "ME", "d-u", "ich", "System", LOGIN])
async def test_nobody_asks_as_the_person(api: Api, name: str) -> None:
    answer = await api.http.post("/api/v1/ask", json={"question": "?", "asker": name})
    assert problem(answer).code == "name-taken"
    made = await api.http.post("/api/v1/tokens", json={"name": name, "scopes": ["ask"]})
    assert problem(made).code == "name-taken"


@pytest.mark.parametrize(
    "name",
    ["pulse", "Pulse", "\uff50\uff55\uff4c\uff53\uff45", "Pu\u200blse", "p\u0443lse", "pulse hub", "y\u043eu", "m e"],
)
async def test_no_client_is_called_pulse_or_as_the_person(api: Api, name: str) -> None:
    answer = await api.http.post("/api/v1/tokens", json={"name": name, "scopes": ["ask"]})
    assert problem(answer).code == "name-taken"


@pytest.mark.usefixtures("asked")
async def test_a_client_looks_after_its_own_questions_only(api: Api) -> None:
    own, ci = await a_client(api)
    assert problem(await api.http.get(f"/api/v1/ask/{ID}", headers=ci)).code == "unknown-card"
    mine = replace(question_card(), id=ask_id(own, "k1"), owner=own)
    await api.behind.write(AddCard(card=mine))
    for headers in (ci, {}):
        assert (await api.http.get(f"/api/v1/ask/{mine.id}", headers=headers)).is_success
    await api.http.delete(f"/api/v1/ask/{ID}", headers=ci)
    assert api.behind.hub_api.requests[-1] == Withdraw(card_id=ID, client=own)


async def test_questions_are_withdrawn(api: Api) -> None:
    said = (await api.http.delete(f"/api/v1/ask/{ID}")).json()
    assert said["prediction"]["status"] == "cancelled"
    assert api.behind.hub_api.requests == [Withdraw(card_id=ID)]


async def test_questions_that_are_not(api: Api) -> None:
    await api.behind.write(AddCard(card=card("pred_1")))
    for path in ("/api/v1/ask/pred_1", "/api/v1/ask/pred_ask_none", "/api/v1/ask/a%20b"):
        assert problem(await api.http.get(path)).code == "unknown-card"
    assert problem(await api.http.delete("/api/v1/ask/a%20b")).code == "unknown-card"


async def test_too_many_open_suggestions(api: Api) -> None:
    api.behind.hub_api.on(Ask, lambda _: Refused(code="too-many-open", status=429, detail="Full."))
    assert problem(await api.http.post("/api/v1/ask", json={"question": "?"})).status == 429


async def test_only_so_many_may_wait(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.live.waiting.WAITING_MAX", 0)
    assert problem(await api.http.post("/api/v1/ask", json={"question": "?"})).code == "busy"


@pytest.mark.usefixtures("asked")
async def test_one_client_waits_in_so_many_requests_and_no_more(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.live.waiting.WAITING_MAX_PER_CLIENT", 1)
    work = asyncio.create_task(api.http.get(f"/api/v1/ask/{ID}?wait=300"))
    await begin(api, work)
    refused = problem(await api.http.get(f"/api/v1/ask/{ID}?wait=300"))
    assert (refused.code, "Wait for one of them" in refused.fix) == ("busy", True)
    assert (await api.http.get(f"/api/v1/ask/{ID}")).status_code == 200, "a look that does not wait is free"
    await answered(api)
    assert (await work).json()["approved"]
    assert (await api.http.get(f"/api/v1/ask/{ID}?wait=300")).status_code == 200, "its place is free again"


@pytest.mark.parametrize("key", ["deploy prod", "a/b", "+", "#", "x" * 49, "ü", "\n"])
def test_keys_become_fit_for_topics(key: str) -> None:
    made = safe_key(key)
    assert len(made) == KEY_CHARS_MAX
    assert made.isalnum()
    assert made == safe_key(key)


def test_good_keys_stay_as_they_are() -> None:
    assert safe_key("deploy-2026_03") == "deploy-2026_03"
    assert safe_key(None) != safe_key(None)
