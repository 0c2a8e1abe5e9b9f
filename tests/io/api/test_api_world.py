"""The world log over HTTP: whose lines they are, what is shown of them, and that reading is each reader's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.contract.world_api import SAID_CHARS_MAX
from hub.domain.policy import Policy
from hub.domain.provenance import LogText
from hub.domain.requests import LOCAL_CLIENT, Refused
from hub.domain.world import AgentLine, SessionProcess, WorldEvent, WorldSession
from hub.domain.world_log_state import PutSession, WorldIntake
from hub.domain.world_requests import LookAtWorld, RespondToSession, SayWorld, WorldSaid, WorldShown
from hub.domain.world_rules import WorldRules
from hub.io.access.tokens import AGENT_ID, RUN_ID, require
from hub.io.api.world import reader_of
from hub.io.http.errors import FromARunError
from hub.io.world.place import world_files
from hub.io.world.writing import WorldLog
from tests.fakes.hub_api import NOON, POLICY
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api, Behind, problem, running
from tests.io.api.test_api_access import a_client

WORLD = "/api/v1/world"
FACT = {"source": "chrome", "identifier": "kayak.com", "output": "found 15 flights"}
START = {"status": "start", "session": "abc123", "output": "Book Tokyo flight", "need": "confirmation number"}
SESSION = WorldSession(
    id="abc123",
    status=AgentStatus.FAILED,
    started_at=NOON,
    moved_at=NOON,
    heard_at=NOON,
    task=LogText("Book Tokyo\u202e flight"),
    need=LogText("confirmation number"),
    said=LogText("captcha required"),
    asks=LogText("solve captcha"),
    process=SessionProcess(pid=4242, started=9),
    folder="/home/anna/shop",
    proven=True,
)


@pytest_asyncio.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with running(Behind(world=world_files(tmp_path, ""))) as made:
        made.behind.hub_api.on(SayWorld, lambda _: WorldSaid(session=SESSION))
        made.behind.hub_api.on(RespondToSession, lambda _: WorldSaid(session=SESSION, card_id="pred_1"))
        made.behind.hub_api.on(LookAtWorld, lambda _: shown(SESSION))
        yield made


def shown(*sessions: WorldSession) -> WorldShown:
    return WorldShown(sessions=sessions, intake=WorldIntake())


def said(api: Api) -> list[SayWorld]:
    return [one for one in api.behind.hub_api.requests if isinstance(one, SayWorld)]


async def client_of(api: Api, *scopes: str) -> httpx.AsyncClient:
    made = (await api.http.post("/api/v1/tokens", json={"name": "-".join(scopes), "scopes": scopes})).json()
    return plain_client(api.address, {"Authorization": f"Bearer {made['token']}"})


def write(api: Api, *texts: str) -> None:
    assert api.behind.world is not None
    log = WorldLog(api.behind.world.log)
    for text in texts:
        log.append(WorldEvent(source="bash", identifier=LogText("x"), text=LogText(text)))


async def test_a_fact_and_a_status_are_handed_on_with_whose_they_are(api: Api) -> None:
    answer = await api.http.post(f"{WORLD}/events", json=FACT)
    assert answer.status_code == 200
    await api.http.post(f"{WORLD}/agents", json=START)
    async with await client_of(api, "ask") as agent:
        await agent.post(f"{WORLD}/agents", json=START)
    fact, start, theirs = said(api)
    assert fact.line == WorldEvent(source="chrome", identifier=LogText("kayak.com"), text=LogText("found 15 flights"))
    assert start.line == AgentLine(
        status=AgentStatus.START,
        session="abc123",
        text=LogText("Book Tokyo flight"),
        need=LogText("confirmation number"),
    )
    assert (fact.client, fact.is_here) == (LOCAL_CLIENT, True)
    assert theirs.client.startswith("client_")
    assert not theirs.is_here


async def test_the_answer_is_the_session_with_its_words_made_safe(api: Api) -> None:
    found = (await api.http.post(f"{WORLD}/agents", json=START)).json()["session"]
    assert (found["id"], found["status"], found["pid"], found["folder"]) == (
        "abc123",
        "failed",
        4242,
        "/home/anna/shop",
    )
    assert "\u202e" not in found["task"]
    assert "U+202E" in found["task"]


async def test_a_line_is_known_by_its_key_as_header_or_in_the_body(api: Api) -> None:
    await api.http.post(f"{WORLD}/events", json=FACT, headers={"Idempotency-Key": "turn-7"})
    await api.http.post(f"{WORLD}/events", json={**FACT, "idempotencyKey": "turn-7"})
    await api.http.post(f"{WORLD}/events", json=FACT)
    assert [one.key for one in said(api)] == ["turn-7", "turn-7", ""]
    api.behind.hub_api.on(SayWorld, lambda _: WorldSaid(repeated=True))
    again = await api.http.post(f"{WORLD}/events", json=FACT, headers={"Idempotency-Key": "turn-7"})
    assert again.json() == {"session": None, "repeated": True, "predictionId": None}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("events", {}),
        ("events", {**FACT, "source": ""}),
        ("events", {**FACT, "output": "x" * (SAID_CHARS_MAX + 1)}),
        ("events", {**FACT, "idempotencyKey": ""}),
        ("events", {**FACT, "client": "client_other"}),
        ("agents", {**START, "status": "flying"}),
        ("agents", {**START, "session": "../../etc"}),
        ("agents", {**START, "session": "a b"}),
        ("agents", {**START, "session": "x" * 129}),
        ("agents", {**START, "owner": "client_other"}),
        ("check", {"reader": "../x"}),
        ("check", {"reader": "a", "most": 201}),
        ("check", {"reader": "a", "done": "x" * 129}),
        ("sessions/abc123/respond", {"text": ""}),
        ("sessions/abc123/respond", {"text": "x" * 2_001}),
        ("sessions/abc123/respond", {"text": "x", "inPerson": True}),
    ],
)
async def test_what_is_no_line_is_refused_and_nothing_said(api: Api, path: str, body: dict[str, object]) -> None:
    api.behind.hub_api.requests.clear()
    found = problem(await api.http.post(f"{WORLD}/{path}", json=body))
    assert found.code in {"invalid-body", "too-large"}
    assert api.behind.hub_api.requests == []


async def test_the_loops_refusals_come_with_their_status(api: Api) -> None:
    refusal = Refused(code="session-of-another", status=403, detail="Somebody else began it.", fix="Begin your own.")
    api.behind.hub_api.on(SayWorld, lambda _: refusal)
    answer = await api.http.post(f"{WORLD}/agents", json=START)
    assert (answer.status_code, problem(answer).code) == (403, "session-of-another")


async def test_sessions_are_listed_by_what_they_are_and_what_was_left_out_is_counted(api: Api) -> None:
    each = [replace(SESSION, id=f"s-{status}", status=status) for status in AgentStatus]
    api.behind.hub_api.on(LookAtWorld, lambda _: shown(*each))
    for kind, ids in (
        ("active", ["s-start", "s-active", "s-retry"]),
        ("pending", ["s-finish"]),
        ("failed", ["s-failed"]),
        ("verified", ["s-verified"]),
    ):
        found = (await api.http.get(f"{WORLD}/sessions?kind={kind}")).json()
        assert ([one["id"] for one in found["sessions"]], found["more"]) == (ids, 0)
    found = (await api.http.get(f"{WORLD}/sessions?limit=2")).json()
    assert (len(found["sessions"]), found["more"]) == (2, 4)


@pytest.mark.parametrize("query", ["kind=lost", "limit=0", "limit=1001", "limit=x", "kind=active&kind=failed"])
async def test_a_list_of_nonsense_is_refused(api: Api, query: str) -> None:
    assert problem(await api.http.get(f"{WORLD}/sessions?{query}")).code == "invalid-query"


async def test_one_session_is_found_also_where_only_the_store_knows_it(api: Api) -> None:
    assert (await api.http.get(f"{WORLD}/sessions/abc123")).json()["asks"] == "solve captcha"
    await api.behind.write(
        PutSession(user=USER, session=replace(SESSION, id="long-ago")),
        PutSession(user="bob", session=replace(SESSION, id="bobs")),
    )
    assert (await api.http.get(f"{WORLD}/sessions/long-ago")).json()["id"] == "long-ago"
    for name in ("bobs", "nobody", "a%20b"):
        assert problem(await api.http.get(f"{WORLD}/sessions/{name}")).code == "unknown-session"


async def test_an_answer_says_whether_the_person_is_there_in_person(api: Api) -> None:
    found = await api.http.post(f"{WORLD}/sessions/abc123/respond", json={"text": "XKCD42"})
    assert found.json()["predictionId"] == "pred_1"
    async with await client_of(api, "answer") as phone:
        await phone.post(f"{WORLD}/sessions/abc123/respond", json={"text": "XKCD42"})
    asked = [one for one in api.behind.hub_api.requests if isinstance(one, RespondToSession)]
    assert [(one.session, one.text, one.in_person) for one in asked] == [
        ("abc123", "XKCD42", True),
        ("abc123", "XKCD42", False),
    ]
    assert problem(await api.http.post(f"{WORLD}/sessions/a%20b/respond", json={"text": "x"})).code == "unknown-session"


async def test_the_last_lines_the_oldest_first_as_they_may_be_shown(api: Api) -> None:
    write(api, "one", "two", "three \u202e")
    found = (await api.http.get(f"{WORLD}/recent?n=2")).json()
    assert [one["text"][:5] for one in found["lines"]] == ["two", "three"]
    assert "\u202e" not in found["lines"][1]["text"]
    for count in ("0", "1001", "x"):
        assert problem(await api.http.get(f"{WORLD}/recent?n={count}")).code == "invalid-query"


async def check(http: httpx.AsyncClient, reader: str, **more: object) -> tuple[list[str], str, bool]:
    found = (await http.post(f"{WORLD}/check", json={"reader": reader, **more})).json()
    return [one["text"] for one in found["lines"]], found["batch"], found["hasMore"]


async def test_a_reader_is_told_what_is_new_until_it_says_that_it_has_read_it(api: Api) -> None:
    write(api, "before")
    assert await check(api.http, "anna") == ([], "", False)
    write(api, "one", "two")
    lines, batch, _ = await check(api.http, "anna")
    assert lines == ["one", "two"]
    assert (await check(api.http, "anna"))[0] == ["one", "two"]
    assert (await check(api.http, "anna", done="no such batch"))[0] == ["one", "two"]
    assert await check(api.http, "anna", done=batch) == ([], "", False)
    recent = (await api.http.get(f"{WORLD}/recent")).json()["lines"]
    assert (recent[-1]["kind"], recent[-1]["tag"], recent[-1]["name"]) == ("read", "anna", "2")
    write(api, "three")
    assert (await check(api.http, "anna"))[0] == ["three"]


async def test_nobodys_reading_takes_lines_from_anybody_else(api: Api) -> None:
    async with await client_of(api, "read") as token:
        for http, reader in ((api.http, "a"), (api.http, "b"), (token, "a")):
            await check(http, reader)
        write(api, "one")
        _, batch, _ = await check(api.http, "a")
        assert (await check(token, "a", done=batch))[0] == ["one"]
        assert (await check(api.http, "b", done=batch))[0] == ["one"]
        assert (await check(api.http, "a"))[0] == ["one"]
        await check(api.http, "a", done=batch)
        assert (await check(token, "a"))[0] == (await check(api.http, "b"))[0] == ["one"]


async def test_much_that_is_new_comes_in_batches(api: Api) -> None:
    await check(api.http, "a")
    write(api, *map(str, range(5)))
    got, done = [], ""
    for _ in range(3):
        lines, done, has_more = await check(api.http, "a", most=2, done=done)
        got += lines
    assert (got, has_more) == (list("01234"), False)


async def test_a_log_that_is_off_is_said_so(api: Api) -> None:
    api.behind.hub_api.rules = off()
    for found in (
        await api.http.get(f"{WORLD}/recent"),
        await api.http.post(f"{WORLD}/check", json={"reader": "a"}),
    ):
        assert problem(found).code == "world-off"
    assert (await api.http.get(f"{WORLD}/path")).json()["enabled"] is False


def off() -> Policy:
    return replace(POLICY, world=WorldRules(enabled=False))


async def test_where_the_log_lies(api: Api, tmp_path: Path) -> None:
    assert (await api.http.get(f"{WORLD}/path")).json() == {"path": str(tmp_path / "world.log"), "enabled": True}


async def test_each_scope_reaches_as_far_as_it_says(api: Api) -> None:
    reads = [("GET", "sessions"), ("GET", "sessions/abc123"), ("GET", "recent"), ("GET", "path"), ("POST", "check")]
    says = [("POST", "events"), ("POST", "agents")]
    answers = [("POST", "sessions/abc123/respond")]
    bodies = {"check": {"reader": "a"}, "events": FACT, "agents": START, "sessions/abc123/respond": {"text": "x"}}
    for scope, may in (("read", reads), ("ask", says), ("answer", answers), ("admin", [])):
        async with await client_of(api, scope) as http:
            for method, path in (*reads, *says, *answers):
                done = await http.request(method, f"{WORLD}/{path}", json=bodies.get(path))
                assert done.is_success == ((method, path) in may), (scope, path)
                assert done.is_success or problem(done).code == "out-of-scope"


def test_agents_of_this_machine_read_without_a_scope_and_answer_nothing() -> None:
    for name in (AGENT_ID, RUN_ID):
        agent = replace(a_client("ask"), id=name)
        require(agent, "read", of_agents=True)
        for scope in ("read", "answer", "admin"):
            with pytest.raises(FromARunError):
                require(agent, scope)
        assert reader_of(agent, "a") == reader_of(None, "a") == "a"
    assert reader_of(a_client("read"), "a") == "a@client_1"
