"""The door for agents: what they ask leave for, waiting for the answer, hanging up, and what was answered elsewhere."""

import asyncio
from datetime import timedelta

import httpx
import pytest
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.events import PredictionSettled
from hub.contract.permission import Act, Permission, PermissionAnswer
from hub.contract.words import Source, Status
from hub.domain.requests import Ask, Withdraw
from hub.domain.storage import AddCard, MoveCard
from hub.domain.suggestion import Card
from hub.loop.asks import ask_id
from tests.conformance.store.samples import NOON, card
from tests.fakes.hub_api import a_prediction
from tests.io.api.running import Api, Behind, problem, running
from tests.io.api.test_api_asks import YES, a_client, begin

PATH = "/api/v1/permissions"
ID = ask_id("local", "k1")
ASKED = Permission(agent="claude-code", session="s1", tool="Bash", act=Act.COMMAND, text="rm -rf build", call="c1")
BODY = {
    "agent": "claude-code",
    "session": "s1",
    "tool": "Bash",
    "act": "command",
    "text": "rm -rf build",
    "call": "c1",
    "idempotencyKey": "k1",
}


def permission_card(card_id: str = ID, permission: Permission = ASKED, owner: str = "local") -> Card:
    made = card(card_id, prompt="rm -rf build")
    proposal = replace(made.proposal, source=Source.ASK)
    return replace(made, proposal=proposal, asker="claude-code", owner=owner, permission=permission)


@pytest.fixture
async def asked(api: Api) -> None:
    await api.behind.write(AddCard(card=permission_card()))


async def test_a_request_reaches_the_loop(api: Api) -> None:
    said = (await api.http.post(PATH, json=BODY | {"timeoutS": 60, "reason": "tidy"})).json()
    assert (said["answered"], said["approved"], said["prediction"]["id"]) == (False, False, ID)
    request = api.behind.hub_api.requests[-1]
    assert isinstance(request, Ask)
    assert (request.question, request.details, request.timeout_s) == ("rm -rf build", "tidy", 60)
    assert request.permission == replace(ASKED, reason="tidy")


@pytest.mark.usefixtures("asked")
async def test_the_answer_comes_with_the_reply(api: Api) -> None:
    waiting = asyncio.create_task(api.http.post(PATH, json=BODY | {"waitS": 300}))
    await begin(api, waiting)
    said = PermissionAnswer(option="always")
    after = replace(
        permission_card(), status=Status.CONFIRMED, version=2, settled=replace(YES, permission=said), settled_at=NOON
    )
    await api.behind.write(MoveCard(card=after, expect_version=1, expect_status=Status.PENDING))
    api.behind.feed.tell(PredictionSettled(prediction=a_prediction(ID, status=Status.CONFIRMED)))
    reply = (await waiting).json()
    assert (reply["answered"], reply["approved"]) == (True, True)
    assert reply["answer"] == {"option": "always", "text": "", "answers": {}, "until": None, "paths": []}


async def withdrawn(api: Api) -> Withdraw:
    """Return the next question that is taken back."""
    while True:
        found = [one for one in api.behind.hub_api.requests if isinstance(one, Withdraw)]
        if found:
            return found[0]
        await api.http.get("/metrics")


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("how", ["post", "get"])
async def test_hanging_up_takes_the_question_back(api: Api, how: str) -> None:
    async with httpx.AsyncClient(base_url=api.address, headers=api.http.headers, trust_env=False) as agent:
        waiting = asyncio.create_task(
            agent.post(PATH, json=BODY | {"waitS": 300, "withdrawWhenGone": True})
            if how == "post"
            else agent.get(f"{PATH}/{ID}?wait=300&withdraw=true")
        )
        await begin(api, waiting)
        waiting.cancel()
        await asyncio.wait([waiting])
    assert (await withdrawn(api)).card_id == ID


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
async def test_hanging_up_leaves_a_question_that_is_to_stay(api: Api) -> None:
    async with httpx.AsyncClient(base_url=api.address, headers=api.http.headers, trust_env=False) as agent:
        waiting = asyncio.create_task(agent.post(PATH, json=BODY | {"waitS": 300}))
        await begin(api, waiting)
        waiting.cancel()
        await asyncio.wait([waiting])
    while "pulse_api_waiting 0" not in (await api.http.get("/metrics")).text:
        pass
    assert not [one for one in api.behind.hub_api.requests if isinstance(one, Withdraw)]


@pytest.mark.parametrize(
    ("body", "taken_back"),
    [
        ({"session": "s1"}, {"a", "b"}),
        ({"session": "s1", "call": "c1"}, {"a"}),
        ({"session": "s1", "call": "c9"}, set()),
        ({"session": "s2"}, set()),
    ],
)
async def test_what_was_answered_elsewhere_is_over(api: Api, body: dict[str, str], taken_back: set[str]) -> None:
    await api.behind.write(
        AddCard(card=permission_card("a")),
        AddCard(card=permission_card("b", replace(ASKED, call="c2"))),
        AddCard(card=permission_card("c", replace(ASKED, agent="codex"))),
        AddCard(card=permission_card("d", owner="client_2")),
    )
    said = await api.http.post(f"{PATH}/over", json={"agent": "claude-code", "how": "allowed", **body})
    assert said.json() == {"count": len(taken_back)}
    gone = [one for one in api.behind.hub_api.requests if isinstance(one, Withdraw)]
    assert {one.card_id for one in gone} == taken_back
    assert all(one.why == "The agent says that it went on without your answer here." for one in gone)


async def test_that_its_dialog_allowed_something_is_said_by_what_has_a_token_alone(api: Api) -> None:
    client, token = await a_client(api)
    await api.behind.write(AddCard(card=permission_card("a", owner=client)))
    body = {"agent": "claude-code", "session": "s1", "how": "allowed"}
    assert (await api.http.post(f"{PATH}/over", json=body, headers=token)).json() == {"count": 1}
    (gone,) = [one for one in api.behind.hub_api.requests if isinstance(one, Withdraw)]
    assert gone.why == "Allowed in the agent's own dialog."


async def test_only_what_speaks_for_an_agent_with_a_token_says_that_an_answer_was_not_taken(api: Api) -> None:
    _, token = await a_client(api)
    body = {"agent": "codex", "session": "s1", "how": "refused", "predictionId": "a"}
    api.behind.hub_api.on(Withdraw, lambda _: AnswerReply(prediction=a_prediction()))
    for headers, count in (({}, 0), ({"Pulse-As": "agent"}, 0), (token, 1)):
        assert (await api.http.post(f"{PATH}/over", json=body, headers=headers)).json() == {"count": count}
    for odd in ({"how": "ended"}, {"predictionId": "../x"}):
        assert (await api.http.post(f"{PATH}/over", json=body | odd, headers=token)).json() == {"count": 0}
    (gone,) = (one for one in api.behind.hub_api.requests if isinstance(one, Withdraw))
    assert (gone.card_id, gone.overrules, gone.why) == ("a", True, "Refused in the agent's own dialog.")
    assert gone.client not in {"local", "agent"}


@pytest.mark.usefixtures("asked")
async def test_nobody_sees_the_question_of_another(api: Api) -> None:
    _, other = await a_client(api)
    assert problem(await api.http.get(f"{PATH}/{ID}", headers=other)).code == "unknown-card"


QUESTION = {"agent": "x", "tool": "Ask", "act": "question"}
RED = {"label": "Red"}


@pytest.mark.parametrize(
    "body",
    [
        {"agent": "x", "tool": "Bash", "act": "command", "text": " \n"},
        {"agent": "x", "tool": "Bash", "act": "command", "text": "x" * 16_385},
        {"agent": "x\u202ey", "tool": "Bash", "act": "command", "text": "ls"},
        {"agent": "x", "tool": "Read", "act": "read"},
        {"agent": "x", "tool": "T", "act": "delete"},
        {"agent": "x", "tool": "Bash", "act": "command", "text": "ls", "effects": ["reads"]},
        {"agent": "x", "tool": "Bash", "act": "command", "text": "ls", "options": [{"id": "a", "label": "A"}] * 2},
        QUESTION,
        QUESTION | {"questions": [{"id": "q", "text": "?", "choices": [RED, RED]}]},
        QUESTION | {"questions": [{"id": "q", "text": "?", "ownWords": False}]},
    ],
)
async def test_what_cannot_be_a_question_is_refused(api: Api, body: dict[str, object]) -> None:
    said = await api.http.post(PATH, json=body)
    assert said.status_code in {413, 422}
    assert problem(said).code in {"invalid-body", "body-too-large", "too-large"}
    assert api.behind.hub_api.requests == []


async def test_after_a_start_what_nobody_waits_for_is_taken_back() -> None:
    behind = Behind()
    attended = replace(permission_card("a"), is_attended=True)
    await behind.write(AddCard(card=attended), AddCard(card=permission_card("b")))
    async with running(behind) as api:
        assert (await withdrawn(api)).card_id == "a"
        assert len([one for one in behind.hub_api.requests if isinstance(one, Withdraw)]) == 1


def one_of(card_id: str, owner: str, **said: object) -> Card:
    made = permission_card(card_id, replace(ASKED, **said), owner)
    return replace(made, proposal=replace(made.proposal, signature=owner))


async def test_a_client_goes_through_its_own_questions_page_by_page(api: Api) -> None:
    mine, headers = await a_client(api)
    other, _ = await a_client(api, "other")
    asked = [one_of(f"pred_{number}", mine, session=f"s{number % 2}") for number in range(4)]
    ended = replace(one_of("pred_9", mine, tool="a2a"), status=Status.CANCELLED, settled_at=NOON + timedelta(hours=1))
    await api.behind.write(*(AddCard(card=one) for one in (*asked, ended, one_of("pred_x", other))))

    async def page(**query: str) -> tuple[list[str], int, str]:
        said = (await api.http.get(PATH, params=query, headers=headers)).json()
        return [one["prediction"]["id"] for one in said["permissions"]], said["count"], said["next"]

    first, count, place = await page(limit="2")
    assert (first, count) == (["pred_9", "pred_3"], 5)
    second, count, place = await page(limit="2", after=place)
    assert (second, count) == (["pred_2", "pred_1"], 5)
    assert await page(limit="2", after=place) == (["pred_0"], 5, "")
    assert await page(session="s1", tool="Bash") == (["pred_3", "pred_1"], 2, "")
    assert await page(tool="a2a", status="cancelled") == (["pred_9"], 1, "")
    assert await page(since=(NOON + timedelta(hours=1)).isoformat()) == (["pred_9"], 1, "")
    said = (await api.http.get(f"{PATH}?limit=1", headers=headers)).json()["permissions"][0]
    assert said["since"] == "2026-03-01T13:00:00Z"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("after=x", "invalid-query"),
        ("limit=101", "invalid-query"),
        ("limit=0", "invalid-query"),
        ("status=new", "invalid-query"),
        ("since=9999-01-01T00:00:00Z", "bad-time"),
    ],
)
async def test_a_page_that_cannot_be_is_refused(api: Api, query: str, code: str) -> None:
    assert problem(await api.http.get(f"{PATH}?{query}")).code == code
