"""What comes first in Matrix: the sign that an answer has arrived, then the messages, then the signs below them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from hub.kit.chat.post import ChatPost, Choice, PostPart
from hub.kit.chat.service import Posted
from surfaces.matrix.bot import MatrixBot, bot_of
from surfaces.matrix.settings import TOKEN, Config

ROOM, ANNA, EVE = "!r:home", "@ana:home", "@eve:home"
WAIT_S = 20.0


class HomeServer:
    """Takes what is sent, and hands out what is said; signs wait until they may."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.may_sign = asyncio.Event()
        self.rooms: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._changed = asyncio.Event()

    async def serve(self, request: web.Request) -> web.Response:
        path, body = request.path, await request.json() if request.can_read_body else {}
        if path.endswith("/whoami"):
            return web.json_response({"user_id": "@pulse:home"})
        if path.endswith("/sync"):
            return web.json_response({"next_batch": "s", "rooms": await self.rooms.get()})
        kind = next(one for one in ("m.reaction", "m.room.message", "m.read") if one in path)
        if kind == "m.reaction":
            await self.may_sign.wait()
        self.log.append(kind)
        self.bodies.append(body)
        self._changed.set()
        return web.json_response({"event_id": f"${len(self.log)}"})

    async def until(self, *log: str) -> None:
        async with asyncio.timeout(WAIT_S):
            while self.log != list(log):
                self._changed.clear()
                await self._changed.wait()

    def says(self, sender: str, event_id: str) -> None:
        event = {
            "type": "m.room.message",
            "sender": sender,
            "event_id": event_id,
            "content": {"msgtype": "m.text", "body": "hello"},
            "unsigned": {"age": 1},
        }
        self.rooms.put_nowait({"join": {ROOM: {"timeline": {"events": [event]}}}})


@pytest.fixture
async def home() -> AsyncIterator[tuple[HomeServer, MatrixBot]]:
    server, app = HomeServer(), web.Application()
    app.router.add_route("*", "/{path:.*}", server.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with bot_of(Config(server=url, person=ANNA, room_id=ROOM), {TOKEN: "t"}) as bot:
        yield server, bot
    await runner.cleanup()


def a_post(**more: Any) -> ChatPost:  # noqa: ANN401  fields of ChatPost
    choice = Choice(id="a", label="Approve", sign="✅", tone="yes")
    return ChatPost(parts=(PostPart(kind="text", text="Run it?"),), rows=((choice,),), **more)


async def test_no_message_waits_for_the_signs_of_another(home: tuple[HomeServer, MatrixBot]) -> None:
    server, bot = home
    async with asyncio.timeout(WAIT_S):
        assert await bot.post("one", a_post()) == Posted(message_id="$1")
        assert await bot.post("two", a_post(binding="x")) == Posted(message_id="$2")
    server.may_sign.set()
    await server.until("m.room.message", "m.room.message", "m.reaction", "m.reaction")


async def test_the_person_is_mentioned_by_what_waits_for_them_and_nobody_else(
    home: tuple[HomeServer, MatrixBot],
) -> None:
    server, bot = home
    server.may_sign.set()
    await bot.post("one", a_post(calls=True))
    await bot.post("two", a_post(binding="x"))
    texts = [one for one in server.bodies if "m.mentions" in one]
    assert [one["m.mentions"] for one in texts] == [{"user_ids": [ANNA]}, {}]


async def test_what_the_person_says_is_marked_as_seen_before_anything_comes_of_it(
    home: tuple[HomeServer, MatrixBot],
) -> None:
    server, bot = home
    server.rooms.put_nowait({})  # what was said before the start
    server.says(EVE, "$eve")
    server.says(ANNA, "$ana")
    heard = bot.heard()
    async with asyncio.timeout(WAIT_S):
        assert [(await anext(heard)).event_id for _ in range(2)] == ["$eve", "$ana"]
    await server.until("m.read")
    with contextlib.suppress(RuntimeError):
        await heard.aclose()  # type: ignore[attr-defined]  # a generator behind the protocol


async def test_a_bot_that_is_put_out_of_its_room_says_so(home: tuple[HomeServer, MatrixBot]) -> None:
    server, bot = home
    said: list[tuple[str, str]] = []
    bot.trouble._tell = lambda why, fix="": said.append((why, fix))  # noqa: SLF001  what health is told
    states: tuple[dict[str, Any], ...] = ({}, {"leave": {ROOM: {}}}, {}, {"join": {ROOM: {}}})
    for rooms in states:
        server.rooms.put_nowait(rooms)
    server.says(ANNA, "$back")
    async with asyncio.timeout(WAIT_S):
        assert (await anext(bot.heard())).event_id == "$back"
    assert [why for why, _ in said] == ["The bot is no longer in its Matrix room", ""]
    assert "pulse matrix setup" in said[0][1]
