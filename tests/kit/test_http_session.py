"""No session of a surface's goes where a server sends it, websockets included."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hub.io.attached.openclaw import connection
from hub.io.attached.openclaw.connection import OpenClawAwayError, open_gateway
from hub.io.attached.openclaw.kept_device import OpenClawDevice
from hub.kit.http_session import RedirectedError, http_session


@asynccontextmanager
async def serving(answer: str) -> AsyncIterator[tuple[int, list[bytes]]]:
    """Serve one answer to whatever comes; yield the port, and the first lines of what came."""
    came: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.readline())
        writer.write(answer.encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], came


def _sent_to(port: int) -> str:
    return f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/admin?restart=1\r\nContent-Length: 0\r\n\r\n"


async def test_no_request_and_no_websocket_is_sent_where_a_redirect_leads() -> None:
    async with serving("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as (elsewhere, came):
        async with serving(_sent_to(elsewhere)) as (port, asked), http_session() as session:
            with pytest.raises(RedirectedError):
                await session.ws_connect(f"http://127.0.0.1:{port}/api/websocket")
            with pytest.raises(RedirectedError):
                await session.get(f"http://127.0.0.1:{port}/")
        assert (len(asked), came) == (2, [])


async def test_no_gateway_sends_the_attachment_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HANDSHAKE_S_MAX", 5.0)
    async with serving("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as (elsewhere, came):
        async with serving(_sent_to(elsewhere).replace("http:", "ws:")) as (port, asked):
            with pytest.raises(OpenClawAwayError):
                async with open_gateway(OpenClawDevice(url=f"ws://127.0.0.1:{port}", key="00" * 32)):
                    pass
        assert (len(asked), came) == (1, [])
