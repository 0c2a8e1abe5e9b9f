"""What a chat's service answers is one JSON object and bounded; all else is told as a thing of the network."""

import aiohttp
import pytest
from aiohttp import web

from hub.kit.chat.answer import read_object

BYTES_MAX = 200


async def answered(body: bytes) -> dict[str, object]:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=body)

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        async with aiohttp.ClientSession() as session, session.get(f"http://{host}:{port}/") as found:
            return await read_object(found, BYTES_MAX)
    finally:
        await runner.cleanup()


async def test_an_object_is_returned() -> None:
    assert await answered(b'{"ok": true}') == {"ok": True}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"a": "' + b"x" * BYTES_MAX + b'"}', "too long"),
        (b"<html>", "malformed"),
        (b"[1]", "Expected `object`"),
        (b"", "truncated"),
    ],
)
async def test_anything_else_is_refused(body: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        await answered(body)
