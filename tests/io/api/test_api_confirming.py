"""What loosens Pulse is asked again, by a code or a passkey; stopping never is. A passkey cannot be gone round."""

from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.permission import Act, Permission
from hub.contract.words import Risk
from hub.domain.storage import AddCard
from hub.io.access.confirming import FRESH_FOR
from hub.io.http.confirm_errors import DamagedPasskeysError
from hub.where.token import mint
from tests.conformance.store.samples import card
from tests.fakes.authenticator import Authenticator
from tests.fakes.plain_http import plain_client
from tests.io.api.browser import Browser, a_code, signed_in
from tests.io.api.running import Api, Behind, problem, running
from tests.io.api.test_api_reaching import GRANT

CONFIG = "/api/v1/crosspoll/config"
LOOSENING = [
    ("PATCH", CONFIG, {"autonomous": True}),
    ("PATCH", CONFIG, {"enabled": True}),
    ("PATCH", CONFIG, {"emergencyStop": False}),
    ("PATCH", CONFIG, {"costCapPerDay": 100}),
    ("PATCH", CONFIG, {"autonomous": False, "autoExecuteThreshold": 0.5}),
    ("POST", CONFIG, {"disabledChannels": []}),
    ("DELETE", "/api/v1/crosspoll/overrides", None),
    ("DELETE", "/api/v1/crosspoll/overrides/enabled", None),
    ("POST", "/api/v1/tokens", {"name": "ci", "scopes": ["read"]}),
    ("POST", "/api/v1/pairing", {}),
    ("POST", "/api/v1/pairing", {"profile": "phone"}),
    ("POST", "/api/v1/devices", {"surface": "terminal", "device": "desk", "profile": "terminal"}),
    ("PATCH", "/api/v1/devices/browser/x", {"privacy": "full"}),
    ("DELETE", "/api/v1/devices/browser/x", None),
    ("POST", "/api/v1/passkeys", {"credential": "{}"}),
    ("POST", "/api/v1/passkeys/options", {"purpose": "add"}),
    ("DELETE", "/api/v1/passkeys/x", None),
]
STOPPING = [
    ("PATCH", CONFIG, {"emergencyStop": True}),
    ("PATCH", CONFIG, {"enabled": False}),
    ("PATCH", CONFIG, {"autonomous": False, "dndUntil": "2026-03-01T13:00:00Z"}),
    ("POST", "/api/v1/crosspoll/pause", {}),
    ("POST", "/api/v1/predictions/pred_1/reject", {}),
    ("POST", "/api/v1/predictions/pred_1/stop", {}),
    ("POST", "/api/v1/predictions/pred_1/confirm", {}),
]
PASSED_ON = {"confirm-again"}


async def code_of(browser: Browser, method: str, path: str, body: object) -> str:
    answer = await browser.http.request(method, path, json=body)
    return "" if answer.is_success else problem(answer).code


async def stale(api: Api) -> Browser:
    """Return a browser that signed in some time ago."""
    browser = await signed_in(api, Browser(api))
    api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
    return browser


@pytest.mark.parametrize(("method", "path", "body"), LOOSENING)
async def test_what_loosens_is_asked_again(api: Api, method: str, path: str, body: object) -> None:
    browser = await signed_in(api, Browser(api))
    assert await code_of(browser, method, path, body) not in PASSED_ON
    api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
    before = len(api.behind.hub_api.requests)
    assert await code_of(browser, method, path, body) == "confirm-again"
    assert len(api.behind.hub_api.requests) == before
    assert problem(await browser.http.patch(CONFIG, json={"autonomous": True})).fix.startswith("`pulse confirm`")
    await browser.http.aclose()


@pytest.mark.parametrize(("method", "path", "body"), STOPPING)
async def test_stopping_and_answering_are_never_asked_again(api: Api, method: str, path: str, body: object) -> None:
    await api.behind.write(AddCard(card=card("pred_1")))
    browser = await stale(api)
    assert await code_of(browser, method, path, body) == ""
    await browser.http.aclose()


async def test_a_code_from_the_terminal_confirms_and_lets_nobody_in(api: Api) -> None:
    browser = await stale(api)
    code = await a_code(api, purpose="confirm")
    other = Browser(api)
    assert problem(await other.pair(code)).code == "bad-code"
    assert problem(await api.http.post("/api/v1/pair", json={"code": code})).code == "bad-code"
    sign_in_code = await a_code(api)
    assert await code_of(browser, "POST", "/api/v1/session/confirm", {"code": sign_in_code}) == "bad-code"
    assert await code_of(browser, "POST", "/api/v1/session/confirm", {}) == "invalid-body"
    assert await code_of(browser, "POST", "/api/v1/session/confirm", {"code": code.lower()}) == ""
    assert await code_of(browser, "PATCH", CONFIG, {"autonomous": True}) == ""
    assert await code_of(browser, "POST", "/api/v1/session/confirm", {"code": code}) == "bad-code"
    assert problem(await api.http.post("/api/v1/session/confirm", json={"code": code})).code == "not-signed-in"
    await browser.http.aclose()
    await other.http.aclose()


async def test_a_confirmation_is_of_one_session_and_ends(api: Api) -> None:
    one, other = await stale(api), await stale(api)
    code = await a_code(api, purpose="confirm")
    assert await code_of(one, "POST", "/api/v1/session/confirm", {"code": code}) == ""
    assert await code_of(other, "PATCH", CONFIG, {"autonomous": True}) == "confirm-again"
    api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
    assert await code_of(one, "PATCH", CONFIG, {"autonomous": True}) == "confirm-again"
    for browser in (one, other):
        await browser.http.aclose()


async def at_localhost(api: Api) -> Browser:
    """Return a browser that is signed in at http://localhost, where passkeys work."""
    browser = Browser(api)
    browser.http.base_url = api.address.replace("127.0.0.1", "localhost")
    browser.http.headers["origin"] = str(browser.http.base_url).rstrip("/")
    return await signed_in(api, browser)


async def options(browser: Browser, purpose: str) -> str:
    answer = await browser.http.post("/api/v1/passkeys/options", json={"purpose": purpose})
    assert answer.is_success, answer.text
    return str(answer.json()["options"])


async def with_passkey(browser: Browser) -> Authenticator:
    key = Authenticator()
    made = key.make(await options(browser, "add"), browser.http.headers["origin"])
    answer = await browser.http.post("/api/v1/passkeys", json={"credential": made, "title": "Desk"})
    assert answer.status_code == 201, answer.text
    return key


@pytest.mark.slow
async def test_a_passkey_confirms_and_a_code_does_not_any_more(tmp_path: Path) -> None:
    behind = Behind(home=tmp_path)
    async with running(behind) as api:
        browser = await at_localhost(api)
        key = await with_passkey(browser)
        assert await code_of(browser, "PATCH", CONFIG, {"autonomous": True}) == ""
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        assert await code_of(browser, "PATCH", CONFIG, {"autonomous": True}) == "confirm-again"
        code = await a_code(api, purpose="confirm")
        assert await code_of(browser, "POST", "/api/v1/session/confirm", {"code": code}) == "passkey-needed"
        origin = browser.http.headers["origin"]
        signed = key.sign(await options(browser, "confirm"), origin)
        assert await code_of(browser, "POST", "/api/v1/session/confirm", {"credential": signed}) == ""
        assert await code_of(browser, "PATCH", CONFIG, {"autonomous": True}) == ""
        assert await code_of(browser, "POST", "/api/v1/session/confirm", {"credential": signed}) == "passkey-refused"
        newcomer = await signed_in(api, Browser(api))  # who gets hold of a code gets in, and no further
        assert await code_of(newcomer, "PATCH", CONFIG, {"autonomous": True}) == "confirm-again"
        elsewhere = await newcomer.http.post("/api/v1/passkeys/options", json={"purpose": "confirm"})
        assert problem(elsewhere).code == "passkey-elsewhere"
        assert origin in problem(elsewhere).fix
        for one in (browser, newcomer):
            await one.http.aclose()
    async with running(behind) as again:  # passkeys outlive the process
        assert (await again.http.get("/api/v1/passkeys")).json()["count"] == 1


@pytest.mark.parametrize("wrong", ["port", "name", "challenge", "presence", "key", "late", "clock"])
async def test_a_passkeys_answer_is_for_this_page_this_question_and_now(tmp_path: Path, wrong: str) -> None:
    async with running(Behind(home=tmp_path)) as api:
        browser = await at_localhost(api)
        key = await with_passkey(browser)
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        origin = browser.http.headers["origin"]
        asked = await options(browser, "confirm")
        if wrong == "challenge":
            await options(browser, "confirm")
        if wrong == "late":
            api.behind.clock.moment += timedelta(minutes=6)
        if wrong == "clock":
            api.behind.clock.moment -= timedelta(hours=1)
        others = {"port": "http://localhost:1", "name": "http://evil.example"}
        signer = Authenticator() if wrong == "key" else key
        signed = signer.sign(asked, others.get(wrong, origin), verified=wrong != "presence")
        assert await code_of(browser, "POST", "/api/v1/session/confirm", {"credential": signed}) == "passkey-refused"
        assert await code_of(browser, "PATCH", CONFIG, {"autonomous": True}) == "confirm-again"
        await browser.http.aclose()


@pytest.mark.parametrize(
    "credential", ["{}", "[]", "nonsense", '{"id": 5}', '{"id": "a", "rawId": "a", "response": {}}']
)
async def test_nonsense_is_no_passkey(tmp_path: Path, credential: str) -> None:
    async with running(Behind(home=tmp_path)) as api:
        browser = await at_localhost(api)
        await options(browser, "add")
        assert await code_of(browser, "POST", "/api/v1/passkeys", {"credential": credential}) == "passkey-refused"
        await with_passkey(browser)
        await options(browser, "confirm")
        body = {"credential": credential}
        assert await code_of(browser, "POST", "/api/v1/session/confirm", body) == "passkey-refused"
        await browser.http.aclose()


async def test_who_has_a_passkey_loosens_nothing_by_a_token(tmp_path: Path) -> None:
    async with running(Behind(home=tmp_path)) as api:
        browser = await at_localhost(api)
        await with_passkey(browser)
        for method, path, body in (
            ("PATCH", CONFIG, {"autonomous": True}),
            ("POST", "/api/v1/tokens", {"name": "ci", "scopes": ["read"]}),
            ("POST", "/api/v1/pairing", {"profile": "phone"}),
            ("DELETE", "/api/v1/passkeys/x", None),
        ):
            refused = problem(await api.http.request(method, path, json=body))
            assert refused.code == "confirm-again"
            assert "page" in refused.fix
        for stop in ({"emergencyStop": True}, {"autonomous": False}):
            assert (await api.http.patch(CONFIG, json=stop)).is_success
        assert (await api.http.post("/api/v1/pairing", json={})).is_success
        await browser.http.aclose()


async def test_the_word_for_a_terminal_takes_the_passkey_where_there_is_one_and_no_code(tmp_path: Path) -> None:
    word = ("POST", "/api/v1/pairing", {"purpose": "terminal", "terminal": "1-1"})
    async with running(Behind(home=tmp_path)) as api:
        browser = await stale(api)
        assert await code_of(browser, *word) == "unknown-terminal"
        await browser.http.aclose()
        browser = await at_localhost(api)
        key = await with_passkey(browser)
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        assert await code_of(browser, *word) == "confirm-again"
        signed = key.sign(await options(browser, "confirm"), browser.http.headers["origin"])
        assert await code_of(browser, "POST", "/api/v1/session/confirm", {"credential": signed}) == ""
        assert await code_of(browser, *word) == "unknown-terminal"
        await browser.http.aclose()


async def test_words_that_make_it_risky_take_the_passkey(tmp_path: Path) -> None:
    async with running(Behind(home=tmp_path)) as api:
        browser = await at_localhost(api)
        await with_passkey(browser)
        asked = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="git push", editable=True)
        await api.behind.write(AddCard(card=replace(card("pred_1"), user="anna", prompt="git push", permission=asked)))
        edit, said = "/api/v1/predictions/pred_1/edit", {"prompt": "rm -rf /home/anna/photos"}
        look = problem(await browser.http.post(edit, json=said)).look
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        assert await code_of(browser, "POST", edit, {**said, "look": look}) == "confirm-again"
        assert await code_of(browser, "POST", edit, {"prompt": "git push origin main"}) == ""
        await browser.http.aclose()


async def test_high_risk_takes_the_passkey_and_nothing_else_does(tmp_path: Path) -> None:
    async with running(Behind(home=tmp_path)) as api:
        browser = await at_localhost(api)
        risky, safe = card("pred_1"), card("pred_2")
        risky = replace(risky, user="anna", proposal=replace(risky.proposal, risk=Risk.HIGH))
        for one in (risky, replace(safe, user="anna")):
            await api.behind.write(AddCard(card=one))
        invitation = {"code": await a_code(api, profile="phone")}
        phone = (await api.http.post("/api/v1/pair", json=invitation)).json()
        app = plain_client(api.address, {"Authorization": f"Bearer {phone['token']}"})
        confirm = "/api/v1/predictions/pred_{}/{}"
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        assert await code_of(browser, "POST", confirm.format(1, "confirm"), {}) == ""  # there is no passkey yet
        assert (
            await code_of(browser, "POST", "/api/v1/session/confirm", {"code": await a_code(api, purpose="confirm")})
            == ""
        )
        await with_passkey(browser)
        assert await code_of(browser, "POST", confirm.format(1, "confirm"), {}) == ""
        api.behind.clock.moment += FRESH_FOR + timedelta(seconds=1)
        for verb, expected in (("confirm", "confirm-again"), ("retry", "confirm-again"), ("reject", ""), ("stop", "")):
            assert await code_of(browser, "POST", confirm.format(1, verb), {}) == expected
        assert await code_of(browser, "POST", confirm.format(2, "confirm"), {}) == ""
        assert problem(await api.http.post(confirm.format(1, "confirm"))).code == "confirm-again"
        token = api.behind.hub_api.secret
        for device, http, code in (("browser", browser.http, "not-shown"), ("phone", app, "")):  # ADR 198
            named = browser.device if device == "browser" else phone["device"]
            said = {"token": mint(token, replace(GRANT, card_id="pred_1", surface=device, device=named))}
            answer = await http.post("/api/v1/actions", json={**said, "decisionId": device, "verb": "approve"})
            assert (answer.is_success, answer.json().get("code", "")) == (code == "", code)
        await app.aclose()
        assert (await api.http.post(confirm.format(2, "confirm"))).is_success
        await browser.http.aclose()


async def test_damaged_passkeys_do_not_count_as_none(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "passkeys.json").write_text("[{]")
    with pytest.raises(DamagedPasskeysError):
        async with running(Behind(home=tmp_path)):
            pass


async def test_an_approval_that_nothing_has_to_confirm_reads_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running() as api:
        monkeypatch.setattr(api.behind.store, "read", None)
        answered = await api.http.post("/api/v1/predictions/pred_1/confirm", json={})
    assert answered.is_success
