"""A broker that talks nonsense, or not at all, is no broker at all."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from hub.kit.backoff import RetryPolicy
from hub.kit.mqtt.address import BrokerAddress
from hub.kit.mqtt.connection import LinkOptions, Loss
from hub.kit.mqtt.link import MqttLink, MqttTuning
from tests.fakes.bus import Inbox

ACCEPTED = b"\x20\x02\x00\x00"
PING, PONG = b"\xc0\x00", b"\xd0\x00"
TUNING = MqttTuning(retry=RetryPolicy(base_s=0.001, cap_s=0.001), publish_timeout_s=0.1)
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def broker_that(answer: Answer) -> AsyncIterator[LinkOptions]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    yield LinkOptions(address=BrokerAddress(host="127.0.0.1", port=port), client_id="x", connect_timeout_s=0.2)
    server.close()


@pytest.mark.slow
async def test_random_bytes_never_end_the_bus() -> None:
    draw = random.Random(7)  # noqa: S311  garbage, not secrets
    rounds, enough = 0, asyncio.Event()

    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal rounds
        await reader.read(100)
        body = draw.randbytes(draw.randrange(40))
        kind = bytes([draw.randrange(256), len(body)])
        writer.write(ACCEPTED * draw.randrange(2) + draw.choice([kind + body, body]))
        rounds += 1
        if rounds == 300:
            enough.set()

    async with broker_that(babble) as options:
        bus = MqttLink(options, tuning=TUNING)
        await bus.listen(["#"], Inbox())
        bus.start()
        await asyncio.wait_for(enough.wait(), 30)
        await bus.close()


@pytest.mark.slow
async def test_a_broker_that_never_answers_is_given_up() -> None:
    over = asyncio.Event()

    async def keep_silent(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await over.wait()

    async with broker_that(keep_silent) as options:
        bus = MqttLink(options, tuning=TUNING)
        bus.start()
        assert not await bus.until_connected(0.4)
        assert "does not answer" in bus.health().detail
        await bus.close()
        over.set()


@pytest.mark.slow
async def test_a_publish_that_is_never_acknowledged_is_a_no() -> None:
    over = asyncio.Event()

    async def accept_only(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(ACCEPTED)
        await over.wait()

    async with broker_that(accept_only) as options:
        bus = MqttLink(options, tuning=TUNING)
        bus.start()
        assert await bus.until_connected(5)
        assert await bus.publish("a/b", b"x") is False
        await bus.close()
        over.set()


@pytest.mark.slow
async def test_a_broker_is_pinged_while_all_is_quiet_and_one_that_answers_no_more_is_noticed() -> None:
    heard: list[bytes] = []
    lost: asyncio.Future[Loss] = asyncio.get_running_loop().create_future()

    async def answer_one_ping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(ACCEPTED)
        heard.append(await reader.readexactly(2))
        writer.write(PONG)
        heard.append(await reader.readexactly(2))
        await reader.read()

    def notice(loss: Loss) -> None:
        if not lost.done():
            lost.set_result(loss)

    async with broker_that(answer_one_ping) as options:
        bus = MqttLink(structs.replace(options, keepalive_s=1), on_loss=notice)
        bus.start()
        loss = await asyncio.wait_for(lost, 30)
        await bus.close()
    assert (loss.kind, heard) == ("silent", [PING, PING])
