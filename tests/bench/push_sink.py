"""A push service that takes everything: the smallest HTTP/1.1 server, a process of its own. Prints its port."""

import asyncio
import re
import sys

LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
ANSWER = b"HTTP/1.1 201 Created\r\nTTL: 60\r\nLocation: /m/1\r\nContent-Length: 0\r\n\r\n"


class Sink(asyncio.Protocol):
    """One connection: answers each whole request."""

    def __init__(self) -> None:
        self._rest = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._rest += data
        while (end := self._rest.find(b"\r\n\r\n")) >= 0:
            found = LENGTH.search(self._rest, 0, end + 2)
            whole = end + 4 + (int(found[1]) if found else 0)
            if len(self._rest) < whole or self._transport is None:
                return
            self._rest = self._rest[whole:]
            self._transport.write(ANSWER)


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Sink, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)  # until the other end is gone


if __name__ == "__main__":
    asyncio.run(main())
