"""A web server on another port of this machine gets nothing out of a browser that is signed in to Pulse."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from hub.io.server.listening import IPV6, can_bind, unheld
from tests.bench.hub_process import free_port
from tests.fakes.plain_http import plain_client
from tests.web.chromium import new_page
from tests.web.hostile_site import running_hostile_site
from tests.web.live_hub import LiveHub
from tests.web.signing_in import READY, sign_in

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

TAKE = "async () => { const { token } = await PulseStore.get('facts', 'session'); return token; }"
SIGN = "([method, path]) => PulseSession.headersFor(method, path)"
READ_ALL = """async () => ({
  cookies: document.cookie,
  stored: Object.keys(localStorage),
  databases: (await indexedDB.databases()).map(({ name }) => name),
})"""
TRY = """async ([address, headers]) => {
  const told = [];
  for (const mode of ["cors", "no-cors"]) {
    const options = { method: "POST", mode, credentials: "include", headers: mode === "cors" ? headers : {} };
    told.push(await fetch(address, options).then((answer) => answer.status, (error) => error.name));
  }
  return told;
}"""
SIGN_BY_HAND = """async ([method, address]) => {
  const open = () => new Promise((done) => {
    const request = indexedDB.open("pulse");
    request.onsuccess = () => done(request.result);
  });
  const read = (database) => new Promise((done) => {
    const request = database.transaction("facts").objectStore("facts").get("session");
    request.onsuccess = () => done(request.result);
  });
  const { privateKey, jwk, token, ath } = await read(await open());
  const text = new TextEncoder();
  const plain = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const url = (bytes) => plain(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const claims = { htm: method, htu: address, iat: Date.now() / 1000, jti: crypto.randomUUID(), ath };
  const parts = [{ typ: "dpop+jwt", alg: "ES256", jwk }, claims];
  const said = parts.map((one) => url(text.encode(JSON.stringify(one)))).join(".");
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, text.encode(said));
  return { Authorization: `DPoP ${token}`, DPoP: `${said}.${url(signature)}` };
}"""
SOCKET = """async (address) => new Promise((done) => {
  const socket = new WebSocket(address);
  socket.onmessage = ({ data }) => done(data);
  socket.onclose = () => done("closed");
})"""


@pytest.fixture
def chromium(whole_chromium: Browser) -> Browser:
    """What one port may know of another, the browser decides that people have."""
    return whole_chromium


@pytest_asyncio.fixture(loop_scope="session")
async def victim(chromium: Browser) -> AsyncIterator[Page]:
    """A page beside which an attacker's may complain."""
    async with new_page(chromium, worker=True) as (page, _complaints):
        yield page


async def sent(hub: LiveHub, method: str, path: str, headers: dict[str, str]) -> httpx.Response:
    async with plain_client(hub.api, headers) as http:
        return await http.request(method, path)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
async def test_another_port_gets_no_secret_and_cannot_answer(hub: LiveHub, victim: Page, name: str) -> None:
    await sign_in(victim, hub)
    card = await hub.ask("Deploy to production?", risk="high")
    confirm = f"/api/v1/predictions/{card['id']}/confirm"
    token = await victim.evaluate(TAKE)
    async with running_hostile_site() as site:
        origin = f"http://{name}:{site.port}"
        tab = await victim.context.new_page()
        await tab.goto(f"{origin}/")
        there = await tab.evaluate(READ_ALL)
        assert (there["stored"], there["databases"]) == ([], [])
        stolen = {"authorization": f"DPoP {token}"}
        assert await tab.evaluate(TRY, [hub.api + confirm, stolen]) == ["TypeError", 0]
        assert await tab.evaluate(SOCKET, hub.api.replace("http", "ws") + "/pulse") == "closed"
        await tab.close()
        assert site.sent
        assert token not in site.said()
        assert "pulse" not in site.said().replace("pulse_session_8420=overwritten", "")
    assert (await hub.card(card["id"]))["status"] == "pending"
    await victim.reload()
    await victim.wait_for_selector(READY, state="attached")  # what was overwritten was never asked for


async def test_what_is_stolen_from_a_page_is_worth_nothing(hub: LiveHub, victim: Page) -> None:
    await sign_in(victim, hub)
    card = await hub.ask("Deploy to production?", risk="high")
    path = f"/api/v1/predictions/{card['id']}/confirm"
    proved = await victim.evaluate(SIGN, ["GET", "/api/v1/devices"])
    assert (await sent(hub, "GET", "/api/v1/devices", proved)).is_success
    attempts = [
        ("GET", "/api/v1/devices", proved, "proof-replayed"),
        ("POST", path, proved, "proof-wrong"),
        ("POST", path, {"Authorization": proved["authorization"]}, "proof-missing"),
        ("POST", path, {"Authorization": proved["authorization"].replace("DPoP", "Bearer")}, "proof-missing"),
        ("POST", path, {"Cookie": f"pulse_session_{hub.port}={proved['authorization'][5:]}"}, "not-signed-in"),
    ]
    for method, where, headers, code in attempts:
        assert (await sent(hub, method, where, headers)).json()["code"] == code
    assert (await hub.card(card["id"]))["status"] == "pending"


async def test_who_takes_over_a_past_port_cannot_use_the_key_that_is_kept_there(
    hub: LiveHub, chromium: Browser
) -> None:
    async with new_page(chromium) as (page, _complaints):
        await sign_in(page, hub)
        past, path = hub.port, "/api/v1/devices"
        hub.stop()
        hub.port = free_port()
        hub.start()
        async with running_hostile_site(past):
            tab = await page.context.new_page()
            await tab.goto(f"http://127.0.0.1:{past}/")
            signed = [await tab.evaluate(SIGN_BY_HAND, ["GET", f"{at}{path}"]) for at in (hub.api, tab.url.rstrip("/"))]
        told = [(await sent(hub, "GET", path, headers)).json()["code"] for headers in signed]
        assert told == ["session-over"] * 2


@pytest.mark.skipif(not can_bind(IPV6, 0), reason="this machine has no ::1")
async def test_localhost_is_this_hub_at_both_addresses(hub: LiveHub, victim: Page) -> None:
    """Browsers ask ::1 first, whatever the machine's own list of hosts says."""
    assert unheld(hub.port) == ()
    code = (await hub.pairing_link()).partition("#pair=")[2]
    answered = await victim.goto(f"http://localhost:{hub.port}/#pair={code}")
    assert answered is not None
    asked = await answered.server_addr()
    assert asked is not None
    assert asked["ipAddress"] == f"[{IPV6}]"
    await victim.wait_for_selector(READY, state="attached")
