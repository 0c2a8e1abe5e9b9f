"""A small HTTP/1.1 load client: keep-alive connections, prepared requests, a fixed rate or as fast as it goes."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

Address = tuple[str, int] | Path
"""Where to connect: host and port, or a Unix socket."""
Sample = tuple[int, float, float]
"""(index of the request, when it was due or sent, when its answer was there), by the monotonic clock."""


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._buffer = b""
        self._waiter: asyncio.Future[int] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, separator, rest = self._buffer.partition(b"\r\n\r\n")
        if not separator:
            return
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if len(rest) >= length and self._waiter is not None and not self._waiter.done():
            self._buffer = rest[length:]
            self._waiter.set_result(int(head[9:12]))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(exc or ConnectionError("closed"))

    def close(self) -> None:
        """End the connection."""
        assert self._transport is not None
        self._transport.close()

    async def send(self, request: bytes) -> int:
        assert self._transport is not None
        self._waiter = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiter


def request(host: str, path: str, token: str, body: bytes = b"") -> bytes:
    """Prepare a POST; without a token, for a way in that knows the caller without one."""
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\n{bearer}"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


async def load(
    address: Address, requests: Sequence[bytes], *, connections: int, rate_per_s: float | None
) -> tuple[list[Sample], int]:
    """Send all requests; return a sample for each success, and how many failed. Without a rate, as fast as it goes.

    With a rate, time counts from when a request was due, so that waiting for a free connection is not hidden.
    """
    loop = asyncio.get_running_loop()
    waiting = deque(enumerate(requests))
    samples: list[Sample] = []
    failures = 0
    began = time.monotonic()

    async def work() -> None:
        nonlocal failures
        if isinstance(address, Path):
            _, connection = await loop.create_unix_connection(_Connection, str(address))
        else:
            _, connection = await loop.create_connection(_Connection, *address)
        while waiting:
            index, prepared = waiting.popleft()
            due = began + index / rate_per_s if rate_per_s else time.monotonic()
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            status = await connection.send(prepared)
            if status < 300:
                samples.append((index, due, time.monotonic()))
            else:
                failures += 1
        connection.close()

    await asyncio.gather(*(work() for _ in range(connections)))
    return samples, failures
