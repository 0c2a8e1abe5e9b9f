"""How others reach this hub: an address that changes while it runs, and a door of its own with TLS."""

import asyncio
import plistlib
import socket
import ssl
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import connect

from hub.contract.words import DeliveryState
from hub.domain.delivery import LedgerEntry, tried_as
from hub.io.server import tls_proxy
from tests.io.api.browser import Browser
from tests.io.api.running import TOKEN, USER, Api, Behind, problem, running

HOST = "127.0.0.1"
PATH = "/api/v1/outside"
NONCE = "n" * 20


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@pytest_asyncio.fixture
async def open_to_phones(tmp_path: Path) -> AsyncIterator[tuple[Api, str]]:
    async with running(Behind(home=tmp_path)) as api:
        url = f"https://{HOST}:{free_port()}"
        made = await api.http.post(PATH, json={"publicUrl": url, "ownCertificate": True})
        assert made.is_success, made.text
        yield api, url


async def trusting(url: str) -> ssl.SSLContext:
    """Do as a phone does: get the certificate without TLS, and trust it."""
    async with httpx.AsyncClient(trust_env=False) as plain:
        page = await plain.get(url.replace("https:", "http:"))
        assert "/pulse.crt" in page.text
        got = await plain.get(url.replace("https:", "http:") + "/pulse.crt")
        profile = await plain.get(url.replace("https:", "http:") + "/pulse.mobileconfig")
    assert got.headers["content-type"] == "application/x-x509-ca-cert"
    assert profile.headers["content-type"] == "application/x-apple-aspen-config"
    assert plistlib.loads(profile.content)["PayloadContent"][0]["PayloadContent"] == got.content
    return ssl.create_default_context(cadata=got.content)


@pytest.mark.slow
async def test_a_phone_that_trusts_the_certificate_signs_in_and_listens(open_to_phones: tuple[Api, str]) -> None:
    api, url = open_to_phones
    context = await trusting(url)
    async with httpx.AsyncClient(base_url=url, verify=context, trust_env=False) as phone:
        proof = (await phone.get(f"{PATH}/proof?nonce={NONCE}")).json()
        assert proof == (await api.http.get(f"{PATH}/proof?nonce={NONCE}")).json(), "it is this very hub"
        made = (await api.http.post("/api/v1/pairing")).json()
        assert made["url"].startswith(f"{url}/#pair=")
        assert made["qr"]
        home = (await api.http.post("/api/v1/pairing", json={"here": True})).json()
        assert home["url"].startswith(f"{api.address}/#pair="), "this machine's browser needs no certificate"
        browser = Browser(api)
        headers = {**browser.key.headers("POST", f"{url}/api/v1/session"), "Origin": url}
        answer = await phone.post("/api/v1/session", json={"code": made["code"]}, headers=headers)
        assert answer.status_code == 202, "the person lets it in (tests/hostile/test_first_pairing.py)"
        (one,) = (await api.http.get("/api/v1/pairing/waiting")).json()["waiting"]
        assert (await api.http.post(f"/api/v1/pairing/waiting/{one['id']}", json={"warned": False})).is_success
        headers.update(browser.key.headers("POST", f"{url}/api/v1/session"))
        answer = await phone.post("/api/v1/session", json={"code": made["code"]}, headers=headers)
        assert answer.status_code == 200, answer.text
        assert (await phone.post("/api/v1/session", json={"code": made["code"]}, headers=headers)).is_error, "once"
        await browser.http.aclose()
        assert problem(await phone.get(PATH)).code == "not-signed-in"
    socket_url = url.replace("https:", "wss:") + "/pulse"
    async with connect(
        socket_url, ssl=context, proxy=None, additional_headers={"Authorization": f"Bearer {TOKEN}"}
    ) as ws:
        assert "hello" in str(await ws.recv())
    told = (await api.http.get(PATH)).json()
    assert (told["publicUrl"], told["ownCertificate"]) == (url, True)
    assert (told["pages"], told["certificates"]) == (1, 2)
    assert len(told["fingerprint"]) == 32 * 3 - 1


@pytest.mark.slow
async def test_who_does_not_trust_it_is_counted_and_told_nothing(open_to_phones: tuple[Api, str]) -> None:
    api, url = open_to_phones
    async with httpx.AsyncClient(base_url=url, trust_env=False) as stranger:
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            await stranger.get("/")
    for _ in range(1_000):  # each request is a turn of the server's loop, in which the end of the handshake is seen
        told = (await api.http.get(PATH)).json()
        if told["refused"]:
            break
    assert (told["refused"], told["opened"]) == (1, 0)


@pytest.mark.slow
async def test_without_tls_nothing_but_the_certificate_is_told(open_to_phones: tuple[Api, str]) -> None:
    _, url = open_to_phones
    async with httpx.AsyncClient(base_url=url.replace("https:", "http:"), trust_env=False) as plain:
        for path in ("/api/v1/health", "/js/main.js", PATH, "/../../etc/passwd"):
            answer = await plain.get(path, headers={"Authorization": f"Bearer {TOKEN}"})
            assert "Get the certificate" in answer.text
            assert "set-cookie" not in answer.headers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accepted", "language", "button"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de", "Zertifikat laden"),
        ("fr,en;q=0.5,de;q=0.7", "de", "Zertifikat laden"),
        ("DE-at", "de", "Zertifikat laden"),
        ("en-GB,de;q=0.9", "en", "Get the certificate"),
        ("de;q=0,en;q=0.1", "en", "Get the certificate"),
        ("de;q=nan, en;q=x;y, ;q=1, é", "en", "Get the certificate"),
        ("fr", "en", "Get the certificate"),
        ("", "en", "Get the certificate"),
    ],
)
async def test_the_certificate_page_is_in_the_phones_language(
    open_to_phones: tuple[Api, str], accepted: str, language: str, button: str
) -> None:
    _, url = open_to_phones
    async with httpx.AsyncClient(base_url=url.replace("https:", "http:"), trust_env=False) as plain:
        answer = await plain.get("/", headers=[(b"Accept-Language", accepted.encode())])
    assert f'<html lang="{language}">' in answer.text
    assert button in answer.text
    assert url in answer.text
    assert (answer.headers["content-language"], answer.headers["vary"]) == (language, "accept-language")


@pytest.mark.slow
async def test_the_door_holds_so_many_from_one_address_and_none_for_long(
    open_to_phones: tuple[Api, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, url = open_to_phones
    monkeypatch.setattr(tls_proxy, "HELLO_S_MAX", 0.2)
    port = int(url.rpartition(":")[2])
    idle = [await asyncio.open_connection(HOST, port) for _ in range(tls_proxy.CONNECTIONS_PER_PEER_MAX)]
    reader, writer = await asyncio.open_connection(HOST, port)
    assert await reader.read(1) == b"", "one more is shut at once"
    for quiet, shut in idle:
        assert await quiet.read(1) == b"", "who says nothing is shut in time"
        shut.close()
    writer.close()
    assert (await trusting(url)).verify_mode is ssl.CERT_REQUIRED, "and others come in again"


@pytest.mark.slow
async def test_only_the_command_line_of_this_machine_may_change_it(api: Api) -> None:
    made = await api.http.post("/api/v1/tokens", json={"name": "script", "scopes": ["read", "admin"]})
    async with httpx.AsyncClient(base_url=api.address, trust_env=False) as script:
        script.headers["Authorization"] = f"Bearer {made.json()['token']}"
        answer = await script.post(PATH, json={"publicUrl": "https://evil.example"})
    assert problem(answer).code == "by-command-only"


@pytest.mark.parametrize("url", ["http://192.168.1.5:8443", "https://", "https://a/b", "ftp://a", "192.168.1.5"])
async def test_an_address_that_no_phone_could_use_is_refused(api: Api, url: str) -> None:
    assert problem(await api.http.post(PATH, json={"publicUrl": url})).code == "invalid-body"


@pytest.mark.slow
async def test_an_address_that_is_taken_back_is_no_longer_this_hubs(open_to_phones: tuple[Api, str]) -> None:
    api, url = open_to_phones
    context = await trusting(url)
    assert (await api.http.post(PATH, json={})).json()["publicUrl"] == ""
    async with httpx.AsyncClient(base_url=url, verify=context, trust_env=False) as phone:
        with pytest.raises(httpx.ConnectError):
            await phone.get("/")
    for public, code in (("https://pulse.example", 200), ("", 421)):
        await api.http.post(PATH, json={"publicUrl": public})
        answer = await api.http.get("/api/v1/health", headers={"Host": "pulse.example"})
        assert answer.status_code == code


@pytest.mark.slow
async def test_what_cannot_be_opened_changes_nothing(open_to_phones: tuple[Api, str]) -> None:
    api, url = open_to_phones
    elsewhere = {"publicUrl": "https://203.0.113.9:8443", "ownCertificate": True}
    assert problem(await api.http.post(PATH, json=elsewhere)).code == "no-port"
    again = await api.http.post(PATH, json={"publicUrl": url, "ownCertificate": True})
    assert again.json()["publicUrl"] == url
    assert (await trusting(url)).verify_mode is ssl.CERT_REQUIRED, "it is open still"


async def test_a_start_where_the_address_is_gone_goes_on_and_says_so(tmp_path: Path) -> None:
    wanted = Behind(home=tmp_path, public_url="https://203.0.113.9:8443", own_certificate=True)
    async with running(wanted) as api:
        told = (await api.http.get(PATH)).json()
        assert (await api.http.post("/api/v1/pairing")).json()["qr"] == []
    assert "203.0.113.9" in told["trouble"]
    assert "pulse phone" in told["trouble"]
    assert told["ownCertificate"] is False


async def test_what_became_of_a_test_is_told(api: Api) -> None:
    path = "/api/v1/devices/browser/mine/test"
    assert (await api.http.get(path)).json() == {"state": None, "detail": "", "at": None, "fix": ""}
    for number, state in enumerate((DeliveryState.ACCEPTED, DeliveryState.SHOWN)):
        entry = LedgerEntry(
            id=f"dlv_{number}",
            user=USER,
            card_id=tried_as("browser", "mine"),
            surface="browser",
            device="mine",
            event_type="prediction.new",
            state=state,
            at=api.behind.clock.moment + timedelta(seconds=number),
        )
        await api.behind.write(entry)
    assert (await api.http.get(path)).json()["state"] == "shown"
