"""What the services are told, each once, and a whole journey with the real Apprise and a real hub."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from hub.contract.surface import CardDelivery
from hub.contract.topics import DeviceAddress
from hub.io.home.profiles import read_profiles
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import OnlyPlace
from hub.kit.gateway.outcome import Accepted, RetryLater
from hub.kit.phrase_files import phrases
from surfaces.apprise.app import told_by
from surfaces.apprise.render import TextPush, read_urls, render
from surfaces.apprise.settings import URLS, Config
from surfaces.apprise.surface import TO_MEND, AppriseSurface
from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository
from tests.surfaces.apprise.real_apprise import apprise_folder
from tests.surfaces.homeassistant.test_homeassistant_surface import Link
from tests.surfaces.shown import NOW, delivery

HERE = DeviceAddress(surface="apprise", device="services")
WAIT_S_MAX = 40.0
STEP_S = 0.1


def shown(one: CardDelivery, page: str = "", chars_max: int = 2_000) -> TextPush | None:
    return render(one, phrases(), HERE, page=page, chars_max=chars_max)


def test_a_card_is_told_with_the_pages_address_and_what_is_silent_is_not() -> None:
    told = shown(delivery(), "https://pulse.example/")
    assert told is not None
    assert told.body == "Run the tests\n\nhttps://pulse.example/#card=card_1"
    assert shown(delivery(loudness="silent")) is None
    hidden = shown(delivery(privacy="title"))
    assert hidden is not None
    assert "Run" not in hidden.body


def test_its_profile_answers_nothing_and_shows_no_text_at_first() -> None:
    profile = read_profiles()["apprise"]
    assert (profile.verbs, profile.inputs, profile.privacy) == ((), (), "title")


def test_addresses_are_secrets() -> None:
    secret = "mailto://me:secret@example.org"
    told = told_by({"PULSE_APPRISE_CONFIG": '{"enabled": true}', "PULSE_APPRISE_STATE": "/x", URLS: f"{secret}\n\n"})
    assert (told.urls, "secret" in repr(told)) == ((secret,), False)
    assert read_urls(" a \n\n b ") == ("a", "b")


class Two:
    """Two services; the second one fails at first."""

    def __init__(self) -> None:
        self.tried: list[int] = []

    def __len__(self) -> int:
        return 2

    async def tell(self, number: int, push: TextPush) -> bool:
        assert push.title
        self.tried.append(number)
        return number == 0 or self.tried.count(1) > 1


async def test_a_service_that_took_it_is_not_told_again_for_another_that_did_not() -> None:
    outside = Outside(tell=lambda *_: None, fail=lambda _: None, clock=lambda: NOW, draw=lambda: 0.0)
    services = Two()
    surface = AppriseSurface(HERE, Link(), None, outside, config=Config(enabled=True), services=services)
    push = shown(delivery())
    assert push is not None
    assert await surface.send(OnlyPlace(), push) == RetryLater(
        why="Apprise's service number 2 of 2 did not take it", fix=TO_MEND
    )
    assert await surface.send(OnlyPlace(), push) == Accepted()
    assert services.tried == [0, 1, 1]
    await surface.close()


@pytest.mark.slow
async def test_a_card_reaches_a_service_of_the_real_apprise(tmp_path: Path) -> None:
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def take(request: web.Request) -> web.Response:
        told.put_nowait(await request.json())
        return web.Response()

    app = web.Application()
    app.router.add_post("/secret", take)
    service = web.AppRunner(app)
    await service.setup()
    await web.TCPSite(service, "127.0.0.1", 0).start()
    make_repository(tmp_path / "repository")
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))
    hub.environment["PYTHONPATH"] = str(await asyncio.to_thread(apprise_folder))
    wrong = {**hub.environment, URLS: "bogus://secret"}
    right = {**hub.environment, URLS: f"json://127.0.0.1:{service.addresses[0][1]}/secret"}
    plain = hub.environment
    try:
        hub.environment = wrong
        refused = await asyncio.to_thread(hub.pulse, "apprise", "setup")
        assert (refused.returncode, "number 1" in refused.stderr, "secret" in refused.stderr) == (1, True, False)
        hub.environment = right
        said = await asyncio.to_thread(hub.pulse, "apprise", "setup")
        assert "The service took a message" in said.stdout, said.stderr
        assert (await told.get())["title"] == "Pulse is being set up"
        hub.environment = plain
        await asyncio.to_thread(hub.start)
        try:
            async with asyncio.timeout(WAIT_S_MAX):
                trying = ("devices", "test", "apprise", "services")
                while (await asyncio.to_thread(hub.pulse, *trying)).returncode:  # noqa: ASYNC110  until it is paired
                    await asyncio.sleep(STEP_S)
                card = await told.get()
            assert card["title"].startswith("Suggestion")
            assert "This is a test" not in str(card), "its profile shows titles alone"
        finally:
            assert await asyncio.to_thread(hub.stop) == ENDED_WELL
    finally:
        await service.cleanup()
