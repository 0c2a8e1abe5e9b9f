"""WebDriver BiDi over a WebSocket: just enough to drive one tab of Firefox."""

import asyncio
import itertools
import json
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

ANSWER_S_MAX = 90
CONNECT_S_MAX = 40
RETRY_S = 0.1


class BiDiError(RuntimeError):
    """The browser refused a command."""


class BiDi:
    """One connection; commands are answered by number."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def to(cls, port: int) -> Self:
        """Connect as soon as the browser listens."""
        async with asyncio.timeout(CONNECT_S_MAX):
            while True:
                try:
                    url = f"ws://127.0.0.1:{port}/session"
                    return cls(await connect(url, max_size=None, proxy=None, compression=None))
                except OSError:
                    await asyncio.sleep(RETRY_S)

    async def command(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command; return its result."""
        number = next(self._numbers)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        said = await asyncio.wait_for(answer, ANSWER_S_MAX)
        if said["type"] == "error":
            raise BiDiError(f"{method}: {said['error']} {said['message']}")
        result: dict[str, Any] = said["result"]
        return result

    async def close(self) -> None:
        """Close the connection."""
        await self._socket.close()
        await self._reading

    async def _read(self) -> None:
        try:
            async for text in self._socket:
                said = json.loads(text)
                waiting = self._waiting.pop(said.get("id"), None)
                if waiting is not None:
                    waiting.set_result(said)
        except ConnectionClosed:
            return
        finally:
            for waiting in self._waiting.values():
                waiting.cancel()
