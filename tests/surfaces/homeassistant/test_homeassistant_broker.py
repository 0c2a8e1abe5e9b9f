"""Home Assistant's own broker: where it is away or never acknowledges, its entities show nothing, and that is said."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from hub.kit.gateway.device import OnlyPlace
from hub.kit.gateway.outcome import Accepted, RetryLater
from hub.kit.trouble import ServiceTrouble
from surfaces.homeassistant.broker import HomeEntities
from surfaces.homeassistant.render import PhonePush
from surfaces.homeassistant.settings import Config
from surfaces.homeassistant.surface import HomeSurface
from tests.surfaces.homeassistant.test_homeassistant_surface import PLAIN, surface

CONNECT, SUBSCRIBE = 1, 8
CONNACK, SUBACK = b"\x20\x02\x00\x00", b"\x90\x04"
WAIT_S = 30.0
PUSH = PhonePush(message="x", data={})


class NoRequests:
    """Nothing is pressed here."""

    def pause(self) -> None:
        raise AssertionError

    def resume(self) -> None:
        raise AssertionError

    def ask(self, question: str) -> None:
        raise AssertionError(question)


@contextlib.asynccontextmanager
async def a_broker_that_acknowledges_nothing() -> AsyncIterator[str]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, length, shift = (await reader.readexactly(1))[0] >> 4, 0, 0
                while True:
                    (byte,) = await reader.readexactly(1)
                    length |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                body = await reader.readexactly(length)
                if kind == CONNECT:
                    writer.write(CONNACK)
                elif kind == SUBSCRIBE:
                    writer.write(SUBACK + body[:2] + b"\x01\x01")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"mqtt://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@contextlib.asynccontextmanager
async def entities(config: Config) -> AsyncIterator[tuple[HomeSurface, asyncio.Queue[tuple[str, str, bool]]]]:
    """Run the entities, with what is said of their broker: why, what helps, and whether it only limits."""
    home, _ = surface(config)
    said: asyncio.Queue[tuple[str, str, bool]] = asyncio.Queue()
    home.trouble = ServiceTrouble(
        "",
        lambda why, fix="": said.put_nowait((why, fix, False)),
        lambda why, fix="": said.put_nowait((why, fix, True)),
    )
    running = asyncio.create_task(HomeEntities(home, NoRequests(), "n", "").run())
    try:
        async with asyncio.timeout(WAIT_S):
            yield home, said
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await home.close()


async def test_a_broker_that_is_away_keeps_every_card_from_who_has_no_phone_there() -> None:
    config = replace(PLAIN, phone="", broker="mqtt://127.0.0.1:9")
    async with entities(config) as (home, said):
        assert isinstance(await home.send(OnlyPlace(), PUSH), RetryLater)
        why, fix, is_limit = await said.get()
        assert why.startswith("Home Assistant's broker at mqtt://127.0.0.1:9 ")
        assert "pulse homeassistant setup" in fix
        assert not is_limit
        outcome = await home.send(OnlyPlace(), PUSH)
        assert isinstance(outcome, RetryLater)
        assert (outcome.why, outcome.fix) == (why, fix)


async def test_a_broker_that_is_away_only_limits_who_has_a_phone_there() -> None:
    async with entities(replace(PLAIN, broker="mqtt://127.0.0.1:9")) as (_, said):
        assert (await said.get())[2]


@pytest.mark.slow
async def test_a_broker_that_never_acknowledges_has_shown_nothing() -> None:
    async with (
        a_broker_that_acknowledges_nothing() as url,
        entities(replace(PLAIN, phone="", broker=url)) as (home, said),
    ):
        home.changed(None)
        why, _, _ = await said.get()
        assert why.endswith("does not acknowledge what it is told")
        assert not isinstance(await home.send(OnlyPlace(), PUSH), Accepted)
