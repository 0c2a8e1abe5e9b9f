"""The first pairing behind a certificate warning: what somebody on the same Wi-Fi, or an agent, can make of it."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from cryptography import x509
from cryptography.hazmat.primitives import hashes

from hub.domain.delivery import Device
from hub.domain.storage import PutDevice
from hub.io.access.newcomers import CHOICES, PAIRS, SHARED, beginning_of, choices_for
from hub.io.api import outside
from hub.io.home.certificate import authority_at
from hub.io.server.tls_proxy import Behind as BehindProxy
from hub.io.server.tls_proxy import TlsProxy
from tests.io.api.browser import Browser, signed_in
from tests.io.api.running import USER, Api, Behind, problem, running
from tests.io.api.test_api_outside import HOST, PATH, free_port
from tests.io.api.test_api_reaching import subscription

pytestmark = pytest.mark.slow
WAITING = "/api/v1/pairing/waiting"
FINGERPRINT = ":".join(f"{number:02X}" for number in range(32))


async def shown_by(url: str) -> str:
    """Return the beginning of the fingerprint that a browser shows of the certificate at an address."""
    pem = await asyncio.to_thread(ssl.get_server_certificate, (HOST, int(url.rpartition(":")[2])), timeout=10)
    return beginning_of(x509.load_pem_x509_certificate(pem.encode()).fingerprint(hashes.SHA256()).hex(":"))


def going_on() -> ssl.SSLContext:
    """Do as a person does who goes on in spite of the warning."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass
class Wifi:
    """A Pulse that is open to phones, with a page of the person's that shows codes, and phones."""

    api: Api
    url: str
    page: Browser
    stack: contextlib.AsyncExitStack

    def phone(self, at: str = "") -> Browser:
        phone = Browser(self.api, at or self.url, going_on())
        phone.http.auth = phone.key
        self.stack.push_async_callback(phone.http.aclose)
        return phone

    async def code(self) -> dict[str, Any]:
        made = await self.page.http.post("/api/v1/pairing", json={})
        assert made.is_success, made.text
        return dict(made.json())

    async def waiting(self) -> list[dict[str, Any]]:
        return list((await self.page.http.get(WAITING)).json()["waiting"])

    async def say(self, **said: object) -> httpx.Response:
        """Answer the one that waits."""
        (one,) = await self.waiting()
        return await self.page.http.post(f"{WAITING}/{one['id']}", json=said)


@pytest_asyncio.fixture
async def wifi(tmp_path: Path) -> AsyncIterator[Wifi]:
    async with running(Behind(home=tmp_path)) as api, contextlib.AsyncExitStack() as stack:
        page = await signed_in(api, Browser(api))
        stack.push_async_callback(page.http.aclose)
        url = f"https://{HOST}:{free_port()}"
        assert (await api.http.post(PATH, json={"publicUrl": url, "ownCertificate": True})).is_success
        yield Wifi(api, url, page, stack)


async def test_a_phone_that_was_looked_at_is_let_in_by_the_certificate_that_it_shows(wifi: Wifi) -> None:
    made, phone = await wifi.code(), wifi.phone()
    assert await shown_by(wifi.url) in made["certificates"]
    answer = await phone.pair(made["code"])
    assert (answer.status_code, phone.key.token) == (202, "")
    (one,) = await wifi.waiting()
    assert (one["number"], one["host"]) == (answer.json()["number"], wifi.url.removeprefix("https://"))
    assert (await phone.pair(made["code"])).json() == answer.json(), "it waits, and is the same"
    assert (await wifi.say(certificate=await shown_by(wifi.url))).is_success
    assert (await phone.pair(made["code"])).status_code == 200
    assert (await phone.http.get("/api/v1/session")).json()["device"] == phone.device
    assert await wifi.waiting() == []
    again = await phone.pair(made["code"])
    assert problem(again).code == "bad-code", "the code is used up"


async def test_what_began_behind_a_warning_ends_before_a_browser_would_warn_again(wifi: Wifi) -> None:
    warned, trusting = wifi.phone(), wifi.phone()
    for phone, said in ((warned, {"certificate": await shown_by(wifi.url)}), (trusting, {"warned": False})):
        made = await wifi.code()
        await phone.pair(made["code"])
        assert (await wifi.say(**said)).is_success
        assert (await phone.pair(made["code"])).status_code == 200
    wifi.api.behind.clock.moment += timedelta(days=6)
    assert problem(await warned.http.get("/api/v1/session")).code == "session-over"
    assert (await trusting.http.get("/api/v1/session")).is_success


async def test_a_browser_that_can_notify_trusts_the_certificate_and_stays(wifi: Wifi) -> None:
    made, phone = await wifi.code(), wifi.phone()
    await phone.pair(made["code"])
    await wifi.say(certificate=await shown_by(wifi.url))
    await phone.pair(made["code"])
    device = Device(user=USER, surface="browser", device=phone.device, profile="browser")
    await wifi.api.behind.write(PutDevice(device=device))
    path = f"/api/v1/devices/browser/{phone.device}/address"
    answer = await phone.http.put(path, json=subscription(wifi.api, origin=wifi.url))
    assert answer.is_success, answer.text
    wifi.api.behind.clock.moment += timedelta(days=7)
    assert (await phone.http.get("/api/v1/session")).is_success


@contextlib.asynccontextmanager
async def a_man_in_the_middle(wifi: Wifi, folder: Path) -> AsyncIterator[str]:
    """Answer phones with a certificate of one's own, made to look like Pulse's, and pass everything on."""
    server = authority_at(folder, "laptop", HOST).server_at(HOST, folder)
    port = int(wifi.api.address.rpartition(":")[2])
    proxy = TlsProxy(BehindProxy(host=HOST, port=port, der=b"", profile=b"", context=server.context))
    proxy.open(HOST, 0)
    try:
        yield f"https://{proxy.address}"
    finally:
        await proxy.close()


async def test_a_man_in_the_middle_has_code_and_number_and_is_not_let_in(wifi: Wifi, tmp_path: Path) -> None:
    """The page on the phone is theirs: it hands them the code, and shows whatever number they are told."""
    made, theirs = await wifi.code(), wifi.phone()
    async with a_man_in_the_middle(wifi, tmp_path / "theirs") as between:
        assert (await theirs.pair(made["code"])).status_code == 202, "who has the code is asked for, with its number"
        seen = await shown_by(between)
    assert seen not in made["certificates"], "the person finds nothing that is the same"
    assert problem(await wifi.say(certificate=seen)).code == "wrong-certificate"
    assert problem(await theirs.pair(made["code"])).code == "turned-away"
    assert problem(await theirs.pair(made["code"])).code == "bad-code"
    assert problem(await theirs.http.get("/api/v1/session")).code == "not-signed-in"


@pytest.mark.parametrize("which", range(CHOICES - 1))
async def test_a_wrong_guess_ends_the_code(wifi: Wifi, which: int) -> None:
    made, phone = await wifi.code(), wifi.phone()
    await phone.pair(made["code"])
    wrong = sorted({*made["certificates"]} - {await shown_by(wifi.url)})
    assert problem(await wifi.say(certificate=wrong[which])).code == "wrong-certificate"
    assert problem(await phone.pair(made["code"])).code == "turned-away"


async def test_who_is_turned_away_stays_out(wifi: Wifi) -> None:
    made, phone = await wifi.code(), wifi.phone()
    await phone.pair(made["code"])
    (one,) = await wifi.waiting()
    assert (await wifi.page.http.delete(f"{WAITING}/{one['id']}")).is_success
    late = await wifi.page.http.post(f"{WAITING}/{one['id']}", json={"certificate": await shown_by(wifi.url)})
    assert problem(late).code == "not-waiting"
    assert problem(await phone.pair(made["code"])).code == "turned-away"


async def test_a_code_is_for_the_first_key_and_a_replay_gets_nothing(wifi: Wifi) -> None:
    """An agent that read the code off a screen is either late, or the phone shows no number at all."""
    made, agent, phone = await wifi.code(), Browser(wifi.api), wifi.phone()
    wifi.stack.push_async_callback(agent.http.aclose)
    assert (await agent.pair(made["code"])).status_code == 202, "over loopback the code lets nobody in either"
    assert problem(await phone.pair(made["code"])).code == "bad-code"
    (one,) = await wifi.waiting()
    assert one["host"] == wifi.api.address.removeprefix("http://"), "the computer says that it is no phone"
    seen = wifi.phone()
    seen.key.private = phone.key.private
    assert problem(await seen.pair(made["code"])).code == "bad-code"


async def test_only_the_person_lets_one_in(wifi: Wifi, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a token, whatever it may do, once agents are connected, nor the one that waits itself."""
    made, phone = await wifi.code(), wifi.phone()
    await phone.pair(made["code"])
    (one,) = await wifi.waiting()
    path = f"{WAITING}/{one['id']}"
    said = {"certificate": await shown_by(wifi.url)}
    assert problem(await phone.http.post(path, json=said)).code == "not-signed-in"
    monkeypatch.setattr(type(wifi.api.running.services.terminals), "are_needed", True)
    for scopes, code in ((["read", "answer"], "out-of-scope"), (["read", "answer", "admin"], "token-is-no-person")):
        token = await wifi.page.http.post("/api/v1/tokens", json={"name": f"to {scopes[-1]}", "scopes": scopes})
        headers = {"Authorization": f"Bearer {token.json()['token']}"}
        async with httpx.AsyncClient(base_url=wifi.api.address, trust_env=False, headers=headers) as agent:
            for asked in (path, f"{PATH}/wifi"):
                assert problem(await agent.post(asked, json=said if asked == path else {})).code == code
    assert [waiting["id"] for waiting in await wifi.waiting()] == [one["id"]], "it waits still"


async def test_one_that_waits_too_long_is_forgotten(wifi: Wifi) -> None:
    made, phone = await wifi.code(), wifi.phone()
    await phone.pair(made["code"])
    wifi.api.behind.clock.moment += timedelta(minutes=10)
    assert await wifi.waiting() == []
    assert problem(await phone.pair(made["code"])).code == "bad-code"


def test_what_can_be_chosen_differs_in_the_middle_alone_and_in_all_of_it() -> None:
    for _ in range(50):
        found = [one.split() for one in choices_for(FINGERPRINT)]
        assert len({tuple(one) for one in found}) == CHOICES
        assert beginning_of(FINGERPRINT).split() in found
        assert {len(one) for one in found} == {PAIRS}
        for one in found:
            assert one[:SHARED] == found[0][:SHARED]
            assert one[-SHARED:] == found[0][-SHARED:]
        others = [one for one in found if " ".join(one) != beginning_of(FINGERPRINT)]
        assert all(one[at] != f"{at:02X}" for one in others for at in range(SHARED, PAIRS - SHARED))
    places = {choices_for(FINGERPRINT).index(beginning_of(FINGERPRINT)) for _ in range(200)}
    assert places == set(range(CHOICES)), "ours is nowhere in particular"


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> str:
    """Have this machine in a private network; it listens on loopback all the same."""
    monkeypatch.setattr(outside, "phone_address", lambda: HOST)
    port = free_port()
    monkeypatch.setattr(outside, "PORT", port)
    return f"https://{HOST}:{port}"


async def test_a_page_opens_pulse_to_the_wifi_and_closes_it_and_a_token_does_not(tmp_path: Path, at_home: str) -> None:
    async with running(Behind(home=tmp_path)) as api:
        page = await signed_in(api, Browser(api))
        assert (await page.http.get(PATH)).json()["wifi"] == at_home
        made = await api.http.post("/api/v1/tokens", json={"name": "script", "scopes": ["read", "answer", "admin"]})
        script = {"Authorization": f"Bearer {made.json()['token']}"}
        async with httpx.AsyncClient(base_url=api.address, trust_env=False, headers=script) as agent:
            assert problem(await agent.post(f"{PATH}/wifi")).code == "by-command-only"
        opened = (await page.http.post(f"{PATH}/wifi")).json()
        assert (opened["publicUrl"], opened["ownCertificate"], opened["wifi"]) == (at_home, True, "")
        assert (await page.http.post(f"{PATH}/wifi")).json()["publicUrl"] == at_home, "once more changes nothing"
        assert at_home in (tmp_path / "set-up.json").read_text(), "it holds for later starts"
        assert await shown_by(at_home)
        assert (await page.http.delete(f"{PATH}/wifi")).json()["publicUrl"] == ""
        assert at_home not in (tmp_path / "set-up.json").read_text()
        await page.http.aclose()


async def test_opening_is_asked_again_of_a_page_that_has_been_signed_in_for_long(tmp_path: Path, at_home: str) -> None:
    async with running(Behind(home=tmp_path)) as api:
        page = await signed_in(api, Browser(api))
        api.behind.clock.moment += timedelta(minutes=11)
        assert problem(await page.http.post(f"{PATH}/wifi")).code == "confirm-again"
        assert (await page.http.get(PATH)).json()["wifi"] == at_home
        await page.http.aclose()


async def test_without_a_private_network_there_is_nothing_to_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "phone_address", lambda: "")
    async with running(Behind(home=tmp_path)) as api:
        page = await signed_in(api, Browser(api))
        assert (await page.http.get(PATH)).json()["wifi"] == ""
        assert problem(await page.http.post(f"{PATH}/wifi")).code == "by-command-only"
        await page.http.aclose()
