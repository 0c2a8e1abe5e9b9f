"""A browser is let in by a one-time code, holds a session that only its own key opens, and can be shut out at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from hub.contract.surface import Presence
from hub.contract.topics import DeviceAddress
from hub.domain.requests import RegisterDevice, ReportPresence, SaveClient
from hub.io.home.redirect_file import redirect_file_of, write_redirect_file
from hub.kit.called import CALLED
from tests.io.api.browser import Browser, NewBrowser, a_code, signed_in
from tests.io.api.running import VAPID_KEY, Api, Behind, hear, problem, running, say


@asynccontextmanager
async def page_socket(api: Api, browser: Browser) -> AsyncIterator[ClientConnection]:
    """Connect as the page does: the origin with the handshake, token and proof as the first message."""
    async with connect(api.pulse, additional_headers={"Origin": api.address}, proxy=None) as socket:
        await say(socket, browser.key.first_message(api.pulse))
        yield socket


async def test_a_code_signs_a_browser_in_once(api: Api, new_browser: NewBrowser) -> None:
    code = await a_code(api)
    browser = new_browser()
    answer = await browser.pair(code.lower())
    assert answer.json()["vapidKey"] == VAPID_KEY
    assert answer.json()["scopes"] == ["read", "answer", "admin"]
    kinds = [type(request) for request in api.behind.hub_api.requests]
    assert kinds == [RegisterDevice, SaveClient]
    again = problem(await new_browser().pair(code))
    assert (again.code, again.status) == ("bad-code", 403)
    assert (await browser.http.get("/api/v1/session")).json()["device"] == browser.device


async def test_a_session_names_the_command_as_pulse_was_called(
    api: Api, new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CALLED, "/home/me/my pulse/pulse")
    browser = new_browser()
    await browser.pair(await a_code(api))
    assert (await browser.http.get("/api/v1/session")).json()["command"] == "'/home/me/my pulse/pulse'"


async def test_the_file_that_led_a_browser_here_goes_with_its_use_and_with_a_start(tmp_path: Path) -> None:
    write_redirect_file(tmp_path, "http://127.0.0.1/#pair=OLD")
    async with running(Behind(home=tmp_path)) as api:
        assert not redirect_file_of(tmp_path).exists()
        redirect_file = write_redirect_file(tmp_path, "http://127.0.0.1/#pair=NEW")
        browser = Browser(api)
        assert (await browser.pair("WRONG")).status_code == 403
        assert redirect_file.exists()
        assert (await browser.pair(await a_code(api))).is_success
        assert not redirect_file.exists()
        await browser.http.aclose()


async def test_the_link_and_its_picture(api: Api) -> None:
    made = (await api.http.post("/api/v1/pairing")).json()
    assert made["url"] == f"{api.address}/#pair={made['code'].replace('-', '')}"
    assert made["qr"] == [], "no phone can do anything with an address of this machine only"
    async with running(Behind(public_url="https://pulse.example.org")) as reached:
        made = (await reached.http.post("/api/v1/pairing")).json()
    assert made["url"].startswith("https://pulse.example.org/#pair=")
    assert {len(row) for row in made["qr"]} == {len(made["qr"])}
    assert set("".join(made["qr"])) == {"0", "1"}


async def test_a_code_is_good_for_ten_minutes(api: Api, new_browser: NewBrowser) -> None:
    code = await a_code(api)
    api.behind.clock.moment += timedelta(minutes=10)
    assert problem(await new_browser().pair(code)).code == "bad-code"


async def test_a_session_changes_nothing_from_a_foreign_page(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    assert (await browser.http.get("/api/v1/devices")).status_code == 200
    foreign = await browser.http.post("/api/v1/crosspoll/pause", headers={"Origin": "https://evil.example"})
    assert problem(foreign).code == "wrong-origin"


async def test_a_name_that_leads_here_by_rebinding_gets_nothing(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    answer = await browser.http.get("/", headers={"Host": "evil.example:8420"})
    assert problem(answer).code == "wrong-host"


async def test_who_is_not_signed_in_is_told_how(new_browser: NewBrowser) -> None:
    found = problem(await new_browser().http.get("/api/v1/session"))
    assert (found.code, found.status) == ("not-signed-in", 401)
    assert "pulse open" in found.fix


async def test_signing_out_ends_the_session_and_the_pairing(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    assert (await browser.http.delete("/api/v1/session")).is_success
    assert problem(await browser.http.get("/api/v1/devices")).code == "not-signed-in"


async def test_a_revoked_browser_is_shut_out_at_once_and_its_page_told(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    async with page_socket(api, browser) as socket:
        assert (await hear(socket))["type"] == "hello"
        revoked = await api.http.delete(f"/api/v1/devices/browser/{browser.device}")
        assert revoked.is_success
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert (await browser.http.get("/api/v1/devices")).status_code == 401


async def test_a_page_that_can_be_seen_is_presence_until_it_is_gone(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    active = "2026-03-01T11:59:00Z"
    async with page_socket(api, browser) as socket:
        await hear(socket)
        await say(socket, {"type": "presence", "visible": True, "activeAt": active})
        await say(socket, {"type": "presence", "visible": True, "activeAt": active})
        await say(socket, {"type": "subscribe"})
        await hear(socket)
    await api.running.settle()
    sender = DeviceAddress(surface="browser", device=browser.device)
    said = [one for one in api.behind.hub_api.requests if isinstance(one, ReportPresence)]
    assert [(one.sender, one.presence.online) for one in said] == [(sender, True), (sender, False)]
    assert said[0].presence == replace(
        Presence(online=True), at=api.behind.clock.now(), person_active_at=said[0].presence.person_active_at
    )


async def test_a_browser_is_listed_as_a_device_and_not_as_a_token(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    listed = (await browser.http.get("/api/v1/devices")).json()["devices"]
    assert [(one["device"], one["this"]) for one in listed] == [(browser.device, True)]
    assert listed[0]["pairedAt"] == api.behind.clock.now().isoformat().replace("+00:00", "Z")
    assert (await api.http.get("/api/v1/tokens")).json()["tokens"] == []


async def test_an_app_pairs_with_a_code_and_is_told_its_token_once(api: Api) -> None:
    made = (await api.http.post("/api/v1/pairing", json={"profile": "phone", "scopes": ["read", "answer"]})).json()
    answer = await api.http.post("/api/v1/pair", json={"code": made["code"], "title": "Pixel"})
    told = answer.json()
    assert (answer.status_code, told["surface"], told["title"]) == (201, "phone", "Pixel")
    mine = {"Authorization": f"Bearer {told['token']}"}
    assert (await api.http.get("/api/v1/crosspoll/status", headers=mine)).is_success
    assert problem(await api.http.post("/api/v1/pairing", headers=mine)).code == "out-of-scope"
    assert problem(await api.http.post("/api/v1/pair", json={"code": made["code"]})).code == "bad-code"


async def test_a_code_for_an_app_is_none_for_a_browser(api: Api, new_browser: NewBrowser) -> None:
    made = (await api.http.post("/api/v1/pairing", json={"profile": "phone"})).json()
    assert problem(await new_browser().pair(made["code"])).code == "wrong-kind-of-code"
    assert problem(await api.http.post("/api/v1/pairing", json={"profile": "fridge"})).code == "unknown-profile"
