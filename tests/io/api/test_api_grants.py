"""What may run without asking, over HTTP: who sees it, who ends it, and who says yes to a card that asks for it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from hub.contract.permission import Act, Permission
from hub.contract.words import Verb
from hub.domain.judgement import Ledger, StandingYes
from hub.domain.mind import Mind
from hub.domain.permission_grant import AddGrantEvent, GrantEvent, GrantOption, PermissionGrant, PermissionPattern
from hub.domain.requests import AllowKind, DropGrant, Refused, Request, RestoreGrant
from hub.domain.storage import AddCard, Client, PutClient, SaveMind
from hub.domain.suggestion import AloneOffer, Answer
from hub.io.access.confirming import FRESH_FOR
from hub.io.access.tokens import EVERYTHING, sha256
from hub.may import patterns_for
from tests.conformance.store.samples import card
from tests.fakes.hub_api import NOON
from tests.fakes.plain_http import plain_client
from tests.io.api.browser import Browser, NewBrowser, a_code, signed_in
from tests.io.api.running import USER, Api, Behind, hear, problem, running, say
from tests.io.api.test_api_confirming import at_localhost, code_of, stale, with_passkey

GRANTS = "/api/v1/grants"
OFFER = "pred_offer"
CONFIRM = f"/api/v1/predictions/{OFFER}/confirm"
GIVEN = StandingYes(
    id="yes_1",
    kind="run-tests",
    repository="/home/anna/shop",
    shape="s",
    made_at=NOON,
    expires_at=NOON + timedelta(days=1),
    card_id=OFFER,
    by="browser/desk",
    example="Run the tests",
)
ASKED = AloneOffer(kind="run-tests", repository="/home/anna/shop", shape="s", example="Run the tests", yeses=5)
BOTH = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="rm -rf build dist", folder="/home/anna/shop")
OVER = replace(GIVEN, id="yes_0", expires_at=NOON)
BOBS = replace(GIVEN, id="yes_bob", repository="/home/bob/secret")


async def with_grants(api: Api) -> None:
    """Let two things stand, one of them over, and one of somebody else."""
    for user, standing in ((USER, (OVER, GIVEN)), ("bob", (BOBS,))):
        await api.behind.write(SaveMind(user=user, mind=Mind(ledger=Ledger(standing=standing))))


async def with_offer(api: Api) -> None:
    """Let a card of low risk ask whether something may run alone."""
    await api.behind.write(AddCard(card=replace(card(OFFER), user=USER, offer=ASKED)))


async def token_of(api: Api, *scopes: str) -> httpx.AsyncClient:
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": scopes})).json()
    return plain_client(api.address, {"Authorization": f"Bearer {made['token']}"})


def drops(api: Api) -> list[Request]:
    return [one for one in api.behind.hub_api.requests if isinstance(one, DropGrant)]


def persons_yeses(api: Api) -> list[bool]:
    """Say of each answer that reached the loop whether it is told that a person gave it."""
    return [one.is_persons for one in api.behind.hub_api.requests if isinstance(one, Answer)]


async def test_the_list_is_of_this_person_and_of_what_still_holds(api: Api) -> None:
    await with_grants(api)
    found = (await api.http.get(GRANTS)).json()
    assert [one["id"] for one in found["grants"]] == ["yes_1"]
    assert found["count"] == 1
    assert found["grants"][0]["summary"] == "“Run the tests” in shop"


async def test_nobody_else_sees_or_ends_it() -> None:
    """A token of another person's is known to the store before the hub begins, and lets nobody in here."""
    behind = Behind()
    bob = Client(id="c9", user="bob", name="bob", token_sha256=sha256("bobs"), scopes=EVERYTHING, created_at=NOON)
    await behind.write(PutClient(client=bob))
    async with running(behind) as api:
        await with_grants(api)
        for headers in ({}, {"Authorization": "Bearer bobs"}, {"Authorization": "Bearer guess"}):
            async with plain_client(api.address, headers) as http:
                for method, path in (("GET", GRANTS), ("DELETE", f"{GRANTS}/yes_1"), ("DELETE", f"{GRANTS}/yes_bob")):
                    refused = await http.request(method, path)
                    assert refused.status_code == 401
                    assert b"shop" not in refused.content
                    assert b"secret" not in refused.content
        assert drops(api) == []


async def test_who_may_only_read_or_ask_ends_nothing(api: Api) -> None:
    await with_grants(api)
    for scope, sees in (("read", True), ("ask", False)):
        async with await token_of(api, scope) as http:
            assert (await http.get(GRANTS)).is_success == sees
            assert problem(await http.delete(f"{GRANTS}/yes_1")).status == 403
    assert drops(api) == []


async def test_another_page_in_the_browser_ends_nothing(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    answer = await browser.http.delete(f"{GRANTS}/yes_1", headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    assert drops(api) == []


async def test_ending_it_is_never_asked_again(api: Api) -> None:
    browser = await stale(api)
    assert await code_of(browser, "DELETE", f"{GRANTS}/yes_1", None) == ""
    assert drops(api) == [
        DropGrant(grant_id="yes_1", by=f"browser/{(await browser.http.get('/api/v1/session')).json()['device']}")
    ]
    await browser.http.aclose()


async def test_undoing_a_removal_takes_what_a_new_permission_takes(api: Api) -> None:
    def restored() -> list[RestoreGrant]:
        return [one for one in api.behind.hub_api.requests if isinstance(one, RestoreGrant)]

    path = f"{GRANTS}/yes_1/restore"
    for scopes, code in ((("read", "answer"), "out-of-scope"), (("read", "answer", "admin"), "yes-of-your-own")):
        async with await token_of(api, *scopes) as http:
            assert problem(await http.post(path)).code == code
    browser = await stale(api)
    assert await code_of(browser, "POST", path, None) == "confirm-again"
    assert restored() == []
    code = await a_code(api, purpose="confirm")
    assert await code_of(browser, "POST", "/api/v1/session/confirm", {"code": code}) == ""
    assert await code_of(browser, "POST", path, None) == ""
    assert [one.grant_id for one in restored()] == ["yes_1"]
    await browser.http.aclose()


@pytest.mark.parametrize("name", ["%2e%2e", "yes_1%2Fx", "yes%20_1", "%00", "+", "%23", "y" * 300])
async def test_no_name_of_a_grant_is_anything_else(api: Api, name: str) -> None:
    def unknown(request: Request) -> Refused:
        assert isinstance(request, DropGrant)
        return Refused(code="unknown-grant", status=404, detail=f"There is no {request.grant_id!r}.")

    api.behind.hub_api.on(DropGrant, unknown)
    assert problem(await api.http.delete(f"{GRANTS}/{name}")).status == 404
    assert {one.grant_id for one in drops(api) if isinstance(one, DropGrant)} <= {""}


def ways() -> Iterator[tuple[str, dict[str, object]]]:
    """Every way to say yes to the offer that the API has."""
    yield CONFIRM, {}
    yield "/api/v1/crosspoll/trigger", {"predictionId": OFFER}
    yield f"/api/v1/predictions/{OFFER}/edit", {"prompt": "Let everything run alone"}


@pytest.mark.slow
async def test_a_bare_token_says_no_persons_yes_to_the_offer(api: Api) -> None:
    """Whatever it may and whichever way it takes: the loop is told that nobody is known to be there."""
    await with_offer(api)
    async with await token_of(api, "read", "answer", "ask", "admin") as http:
        for path, body in (*ways(), (CONFIRM, {"surface": "script", "humanInput": "key"})):
            assert (await http.post(path, json=body)).is_success
        for claim in ({"surface": "cli"}, {"surface": "browser"}, {"surface": "phone", "device": "mine"}):
            assert problem(await http.post(CONFIRM, json=claim)).code == "not-your-surface"
        for forged in ({"inPerson": True}, {"byDevice": True}):
            await http.post(CONFIRM, json=forged)
    assert persons_yeses(api)
    assert not any(persons_yeses(api))


async def test_nor_over_json_rpc(api: Api) -> None:
    await with_offer(api)
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read", "answer"]})).json()
    async with api.socket(made["token"]) as socket:
        await hear(socket)
        await say(socket, {"jsonrpc": "2.0", "id": 1, "method": "pulse.predictions.confirm", "params": {"id": OFFER}})
        await hear(socket)
    assert persons_yeses(api) == [False]


async def test_a_page_confirms_before_it_says_yes_to_the_offer(api: Api) -> None:
    await with_offer(api)
    browser = await stale(api)
    for path, body in ways():
        assert await code_of(browser, "POST", path, body) == "confirm-again"
    assert persons_yeses(api) == []
    for verb in (Verb.REJECT, Verb.LESS, Verb.NEVER, Verb.SNOOZE):
        said = {"minutes": 5} if verb is Verb.SNOOZE else {}
        assert await code_of(browser, "POST", f"/api/v1/predictions/{OFFER}/{verb}", said) == ""
    code = await a_code(api, purpose="confirm")
    assert await code_of(browser, "POST", "/api/v1/session/confirm", {"code": code}) == ""
    assert await code_of(browser, "POST", CONFIRM, {}) == ""
    assert persons_yeses(api)[-1]
    await browser.http.aclose()


@pytest.mark.slow
async def test_with_a_passkey_no_token_and_no_code_says_yes_to_the_offer(tmp_path: Path) -> None:
    async with running(Behind(home=tmp_path)) as api:
        await with_offer(api)
        bare = await token_of(api, "read", "answer")  # made before there was a passkey
        browser = await at_localhost(api)
        await with_passkey(browser)
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        newcomer = await signed_in(api, Browser(api))
        for client in (bare, api.http, browser.http, newcomer.http):
            for path, body in ways():
                assert problem(await client.post(path, json=body)).code == "confirm-again"
        assert persons_yeses(api) == []
        for http in (bare, browser.http, newcomer.http):
            await http.aclose()


async def test_a_page_confirms_before_it_lets_an_agent_do_something_for_good(api: Api) -> None:
    pattern = PermissionPattern(
        agent="claude-code", act=Act.COMMAND, tool="Bash", place="/home/anna/shop", effects=(), text="x"
    )
    option = GrantOption(id="pulse-1", label="Always allow x", note="", pattern=pattern, expires_at=NOON)
    asked = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="x", folder="/home/anna/shop")
    made = replace(card(OFFER), user=USER, permission=asked, grants=(option,))
    await api.behind.write(AddCard(card=made))
    browser = await stale(api)
    assert await code_of(browser, "POST", CONFIRM, {"permission": {"option": "pulse-1"}}) == "confirm-again"
    assert await code_of(browser, "POST", CONFIRM, {}) == ""
    await browser.http.aclose()


async def test_what_a_choice_would_let_on_is_said_and_nothing_is_saved(api: Api) -> None:
    pattern = patterns_for(BOTH)[0]
    option = GrantOption(id="pulse-1", label="Always", note="", pattern=pattern, expires_at=NOON + timedelta(days=7))
    made = replace(card(OFFER), user=USER, permission=BOTH, grants=(option,))
    await api.behind.write(AddCard(card=made))
    path = f"/api/v1/predictions/{OFFER}/grant"
    said = {"option": "pulse-1", "until": (NOON + timedelta(hours=1)).isoformat(), "paths": ["build"]}
    found = (await api.http.post(path, json=said)).json()
    assert found["label"] == "Allow `rm -rf build` in shop, until 13:00 on 1 March 2026"
    assert (found["proposed"], found["whyNot"]) == (["build", "dist"], "")
    wider = (await api.http.post(path, json={**said, "paths": ["src"]})).json()
    assert wider["whyNot"] == "“src” is not part of what was offered."
    assert problem(await api.http.post(path, json={"option": "other"})).code == "answer-does-not-fit"
    assert problem(await api.http.post(path.replace(OFFER, "pred_none"), json=said)).code == "unknown-card"
    assert api.behind.hub_api.requests == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"option": "pulse-1", "until": "2026-03-09T13:00:00"},
        {"option": "pulse-1", "paths": ["a"] * 9},
        {"option": "pulse-1", "paths": ["a" * 401]},
        {"option": "pulse-1", "paths": [""]},
        {"option": "pulse-1", "pattern": {}},
    ],
)
async def test_a_choice_that_is_none_is_refused(api: Api, body: object) -> None:
    assert problem(await api.http.post(f"/api/v1/predictions/{OFFER}/grant", json=body)).status in {400, 422}


async def test_who_may_only_read_or_ask_sees_no_choice(api: Api) -> None:
    for scope in ("read", "ask"):
        async with await token_of(api, scope) as http:
            refused = await http.post(f"/api/v1/predictions/{OFFER}/grant", json={"option": "pulse-1"})
            assert problem(refused).status == 403


async def test_the_record_says_what_agents_did_without_asking(api: Api) -> None:
    used = GrantEvent(grant_id="let_1", at=NOON, what="used", by="claude-code", text="rm -rf build")
    await api.behind.write(AddGrantEvent(user=USER, event=used), AddGrantEvent(user="bob", event=used))
    found = (await api.http.get(f"{GRANTS}/record")).json()
    assert found["count"] == 1
    assert found["lines"][0]["text"] == "rm -rf build"


async def test_what_agents_may_do_stands_in_the_same_list(api: Api) -> None:
    pattern = PermissionPattern(
        agent="claude-code", act=Act.COMMAND, tool="Bash", place="/home/anna/shop", effects=(), text="make x"
    )
    later = NOON + timedelta(days=1)
    given = PermissionGrant(
        id="let_1", pattern=pattern, label="", made_at=NOON, expires_at=later, card_id=OFFER, by="browser/desk"
    )
    await api.behind.write(SaveMind(user=USER, mind=Mind(ledger=Ledger(standing=(GIVEN,)), grants=(given,))))
    found = (await api.http.get(GRANTS)).json()["grants"]
    assert {one["kind"] for one in found} == {"run-tests", "permission"}
    assert "claude-code: “make x”, word for word, in shop" in {one["summary"] for one in found}


async def test_a_kind_is_let_run_alone_by_the_person_and_by_no_token(api: Api) -> None:
    said = {"kind": "run-tests", "folder": "/home/anna/shop/", "threshold": 0.7, "forS": 86_400}
    async with await token_of(api, "read", "answer", "ask", "admin") as http:
        assert problem(await http.post(GRANTS, json=said)).code == "yes-of-your-own"
    assert not [one for one in api.behind.hub_api.requests if isinstance(one, AllowKind)]
    assert (await api.http.post(GRANTS, json=said)).is_success
    (asked,) = [one for one in api.behind.hub_api.requests if isinstance(one, AllowKind)]
    assert asked == AllowKind(kind="run-tests", folder="/home/anna/shop", threshold=0.7, for_s=86_400, by="cli/local")
    assert problem(await api.http.post(GRANTS, json={**said, "folder": "shop"})).code == "invalid-body"
    assert (await api.http.post(GRANTS, json={**said, "threshold": 1.5})).status_code == 422
