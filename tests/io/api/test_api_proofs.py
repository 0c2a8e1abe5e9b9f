"""A session is worth nothing without its browser's key: not the token, not a used proof, not one made for elsewhere."""

from datetime import timedelta
from http.cookies import SimpleCookie

import httpx
import jwt
import pytest
from websockets.asyncio.client import connect

from hub.domain.requests import SaveClient
from hub.domain.storage import Client, PutClient
from hub.io.access import proofs
from hub.io.access.tokens import sha256
from tests.fakes.browser_key import BrowserKey
from tests.fakes.plain_http import plain_client
from tests.io.api.browser import Browser, NewBrowser, a_code, signed_in
from tests.io.api.running import USER, Api, Behind, hear, problem, running, say
from tests.io.broker.starting import quiet_port

PATH = "/api/v1/devices"
PUBLIC = "https://pulse.example.org"


async def asked(api: Api, headers: dict[str, str], method: str = "GET", path: str = PATH) -> httpx.Response:
    async with plain_client(api.address) as http:
        return await http.request(method, path, headers=headers)


@pytest.mark.parametrize("header", ["Authorization", "Cookie"])
async def test_a_stolen_token_alone_opens_nothing(api: Api, new_browser: NewBrowser, header: str) -> None:
    browser = await signed_in(api, new_browser())
    port = api.address.rpartition(":")[2]
    sent = {"Authorization": f"Bearer {browser.key.token}", "Cookie": f"pulse_session_{port}={browser.key.token}"}
    answer = problem(await asked(api, {header: sent[header]}))
    assert (answer.status, answer.code) == (401, "proof-missing" if header == "Authorization" else "not-signed-in")
    assert problem(await asked(api, {"Authorization": f"DPoP {browser.key.token}"})).code == "proof-missing"


async def test_a_stolen_token_with_a_thiefs_key_opens_nothing(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    thief = BrowserKey(api.now)
    thief.token = browser.key.token
    assert problem(await asked(api, thief.headers("GET", api.address + PATH))).code == "proof-wrong"


@pytest.mark.slow
async def test_a_proof_is_good_once(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    headers = browser.key.headers("GET", api.address + PATH)
    assert (await asked(api, headers)).is_success
    assert problem(await asked(api, headers)).code == "proof-replayed"


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("POST", "{here}" + PATH),
        ("GET", "{here}/api/v1/tokens"),
        ("GET", "http://127.0.0.1:1" + PATH),
        ("GET", "http://localhost:1" + PATH),
        ("GET", "http://localhost:{port}" + PATH),
        ("GET", PATH),
    ],
)
async def test_a_proof_for_another_request_or_address_is_none_here(
    api: Api, new_browser: NewBrowser, method: str, address: str
) -> None:
    browser = await signed_in(api, new_browser())
    made_for = address.format(here=api.address, port=api.address.rpartition(":")[2])
    assert problem(await asked(api, browser.key.headers(method, made_for))).code == "proof-wrong"


@pytest.mark.slow
async def test_a_proof_of_another_session_is_none_of_this_one(api: Api, new_browser: NewBrowser) -> None:
    one, other = await signed_in(api, new_browser()), await signed_in(api, new_browser())
    headers = {**one.key.headers("GET", api.address + PATH), "Authorization": f"DPoP {other.key.token}"}
    assert problem(await asked(api, headers)).code == "proof-wrong"


@pytest.mark.parametrize("claims", [{"jti": None}, {"jti": ""}, {"jti": 5}, {"jti": "x" * 65}, {"ath": "x"}])
async def test_a_proof_without_its_parts_is_none(api: Api, new_browser: NewBrowser, claims: dict[str, object]) -> None:
    browser = await signed_in(api, new_browser())
    headers = browser.key.headers("GET", api.address + PATH, **claims)
    assert problem(await asked(api, headers)).code == "proof-wrong"


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["none", "HS256"])
async def test_a_proof_is_signed_by_the_key_and_nothing_else(api: Api, new_browser: NewBrowser, algorithm: str) -> None:
    browser = await signed_in(api, new_browser())
    good = browser.key.headers("GET", api.address + PATH)
    claims = jwt.decode(good["DPoP"], options={"verify_signature": False})
    secret = browser.key.jwk["x"] if algorithm == "HS256" else ""
    forged = jwt.encode(claims, secret, algorithm=algorithm, headers={"typ": proofs.TYPE, "jwk": browser.key.jwk})
    assert problem(await asked(api, {**good, "DPoP": forged})).code == "proof-wrong"
    assert problem(await asked(api, {**good, "DPoP": "x" * 5_000})).code == "proof-wrong"
    other_type = jwt.encode(claims, browser.key.private, algorithm="ES256")
    assert problem(await asked(api, {**good, "DPoP": other_type})).code == "proof-wrong"


@pytest.mark.parametrize("iat", [None, True, "now", 10**400, -1, float("inf")])
async def test_a_proof_with_a_mad_time_is_stale(api: Api, new_browser: NewBrowser, iat: object) -> None:
    browser = await signed_in(api, new_browser())
    headers = browser.key.headers("GET", api.address + PATH, iat=iat)
    assert problem(await asked(api, headers)).code == "proof-stale"


@pytest.mark.slow
async def test_a_browser_with_a_wrong_clock_is_helped_along(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    clock = api.behind.clock
    slow = BrowserKey(lambda: api.now() - 3_600)
    slow.private, slow.token = browser.key.private, browser.key.token
    refused = await asked(api, slow.headers("GET", api.address + PATH))
    assert problem(refused).code == "proof-stale"
    slow.nonce = refused.headers["dpop-nonce"]
    assert (await asked(api, slow.headers("GET", api.address + PATH))).is_success
    clock.moment += proofs.LASTS + timedelta(seconds=2)
    assert problem(await asked(api, slow.headers("GET", api.address + PATH))).code == "proof-stale"
    forged = f"{int(clock.moment.timestamp())}.{slow.nonce.partition('.')[2]}"
    assert problem(await asked(api, slow.headers("GET", api.address + PATH, nonce=forged))).code == "proof-stale"


async def test_what_was_made_before_a_start_is_not_taken_after_it(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    headers = browser.key.headers("GET", api.address + PATH, iat=api.behind.clock.moment.timestamp() - 1)
    assert problem(await asked(api, headers)).code == "proof-stale"


@pytest.mark.slow
async def test_proofs_are_remembered_as_long_as_they_are_good_and_no_longer(
    api: Api, new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "SEEN_MAX_PER_SESSION", 3)
    browser, other = await signed_in(api, new_browser()), await signed_in(api, new_browser())
    for _ in range(3):
        assert (await browser.http.get(PATH)).is_success
    assert problem(await browser.http.get(PATH)).code == "too-many-proofs"
    assert (await other.http.get(PATH)).is_success
    api.behind.clock.moment += proofs.REMEMBERED_FOR + timedelta(seconds=1)
    assert (await browser.http.get(PATH)).is_success


async def test_signing_in_takes_a_proof_of_a_key_on_our_curve_and_of_our_address(api: Api) -> None:
    path = "/api/v1/session"
    key = BrowserKey(api.now)
    body = {"code": await a_code(api)}

    async def code_of(headers: dict[str, str]) -> str:
        async with plain_client(api.address, headers) as http:
            return problem(await http.post(path, json=body)).code

    assert await code_of({}) == "proof-missing"
    assert await code_of({"DPoP": "no.proof.atall"}) == "proof-wrong"
    assert await code_of(key.headers("POST", "http://127.0.0.1:1" + path)) == "foreign-address"
    assert await code_of(key.headers("GET", api.address + path)) == "proof-wrong"
    claims = {"htm": "POST", "htu": api.address + path, "iat": api.behind.clock.moment.timestamp(), "jti": "a"}
    for jwk in ({}, {**key.jwk, "crv": "P-384"}, {**key.jwk, "x": 5}, {**key.jwk, "x": "AA"}, "key", None):
        forged = jwt.encode(claims, key.private, algorithm="ES256", headers={"typ": proofs.TYPE, "jwk": jwk})
        assert await code_of({"DPoP": forged}) == "proof-wrong"
    async with plain_client(api.address, key.headers("POST", api.address + path)) as http:
        assert (await http.post(path, json=body)).is_success  # none of them used the code up


async def test_a_session_is_over_after_a_time_of_quiet_and_after_a_time_at_all(
    api: Api, new_browser: NewBrowser
) -> None:
    browser, clock = await signed_in(api, new_browser()), api.behind.clock
    for _ in range(8):
        clock.moment += timedelta(days=11)
        assert (await browser.http.get(PATH)).is_success
    clock.moment += timedelta(days=3)
    assert problem(await browser.http.get(PATH)).code == "session-over"
    quiet = await signed_in(api, new_browser())
    clock.moment += timedelta(days=14)
    over = problem(await quiet.http.get("/api/v1/session"))
    assert (over.code, over.status) == ("session-over", 401)
    assert "pulse open" in over.detail


async def test_who_signs_in_again_with_the_same_key_is_the_same_device(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    device, token = browser.device, browser.key.token
    api.behind.clock.moment += timedelta(days=90)
    await signed_in(api, browser)
    assert (browser.device, browser.key.token != token) == (device, True)
    assert (await browser.http.get(PATH)).is_success


async def test_a_session_of_a_past_port_is_over(new_browser: NewBrowser, api: Api) -> None:
    browser = await signed_in(api, new_browser())
    (kept,) = [one for one in api.running.services.access.clients() if one.key]
    behind = Behind()
    await behind.write(PutClient(client=kept))
    async with running(behind) as moved:
        assert moved.address != api.address
        for address in (moved.address, api.address):
            answer = problem(await asked(moved, browser.key.headers("GET", address + PATH)))
            assert answer.code == "session-over"


async def test_a_session_outlives_a_restart_at_its_address() -> None:
    behind, port = Behind(), quiet_port()  # no other test takes it meanwhile
    async with running(behind, port=port) as api:
        browser = await signed_in(api, Browser(api))
        saved = [one.client for one in behind.hub_api.requests if isinstance(one, SaveClient)]
        await api.running.close()
        await behind.write(PutClient(client=saved[-1]))
        async with running(behind, port=port):
            assert (await browser.http.get(PATH)).is_success
        await browser.http.aclose()


async def test_a_browser_of_the_time_of_cookies_signs_in_anew_and_loses_its_cookie() -> None:
    behind = Behind()
    old = Client(
        id="client_old",
        user=USER,
        name="Firefox",
        token_sha256=sha256("pulse_old"),
        scopes=("read", "answer", "admin"),
        created_at=behind.clock.now(),
        surface="browser",
        device="abc",
    )
    await behind.write(PutClient(client=old))
    async with running(behind) as api:
        name = f"pulse_session_{api.address.rpartition(':')[2]}"
        answer = await asked(api, {"Cookie": f"{name}=pulse_old"}, path="/api/v1/session")
        assert problem(answer).code == "not-signed-in"
        assert SimpleCookie(answer.headers["set-cookie"])[name]["max-age"] == "0"
        assert problem(await asked(api, {"Authorization": "Bearer pulse_old"})).code == "not-signed-in"
        assert "set-cookie" not in (await asked(api, {}, path="/api/v1/session")).headers


async def test_behind_an_encrypting_proxy_the_address_is_the_public_one() -> None:
    async with running(Behind(public_url=PUBLIC)) as api:
        browser = Browser(api)
        made = (await api.http.post("/api/v1/pairing")).json()
        assert made["url"].startswith(f"{PUBLIC}/#pair=")
        for path, method, body in (("/api/v1/session", "POST", {"code": made["code"]}), (PATH, "GET", None)):
            headers = {"Host": "pulse.example.org", **browser.key.headers(method, PUBLIC + path)}
            answer = await browser.http.request(method, path, json=body, headers={**headers, "Origin": PUBLIC})
            assert answer.is_success
            browser.key.token = browser.key.token or answer.json()["token"]
        assert problem(await browser.http.get(PATH)).code == "proof-wrong"
        await browser.http.aclose()


async def test_a_page_says_first_on_its_socket_who_it_is(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    first = browser.key.first_message(api.pulse)
    for said, told in (
        (first, "hello"),
        (first, "proof-replayed"),
        ({**first, "proof": ""}, "proof-missing"),
        (browser.key.first_message(api.pulse.replace("ws:", "http:")), "proof-wrong"),
        (browser.key.first_message("ws://127.0.0.1:1/pulse"), "proof-wrong"),
        (browser.key.first_message(api.pulse, iat=5), "proof-stale"),
    ):
        async with connect(api.pulse, additional_headers={"Origin": api.address}, proxy=None) as socket:
            await say(socket, said)
            heard = await hear(socket)
            assert told in {heard["type"], heard.get("problem", {}).get("code")}
