"""Many subscribers in one process of their own: `python -m tests.bench.websocket_clients HOST PORT TOKEN COUNT EVENTS`.

Each event carries the moment it was told, by the machine's monotonic clock. Prints "ready", and at the end, as JSON,
the seconds until each event had reached its last client.
"""

import asyncio
import json
import re
import struct
import sys
import time

from tests.bench.figures import percentile

STAMP = re.compile(rb'"line":"([0-9.]+)"')
SUBSCRIBE = b'{"type":"subscribe"}'


class Subscriber(asyncio.Protocol):
    """Upgrades, subscribes, and notes when each event came."""

    def __init__(self, tally: "Tally", handshake: bytes) -> None:
        self._tally = tally
        self._handshake = handshake
        self._asked = False
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._handshake)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._asked and b'"hello"' in self._buffer:
            self._asked = True
            self._transport.write(masked(SUBSCRIBE))
        if b'"subscribed"' in self._buffer:
            self._transport.set_protocol(Live(self._tally))
            self._tally.one_is_ready()


class Live(asyncio.BufferedProtocol):
    """Notes when events came, into one buffer for all: what is measured is the hub, not this reader."""

    shared = bytearray(65_536)

    def __init__(self, tally: "Tally") -> None:
        self._tally = tally

    def get_buffer(self, sizehint: int) -> bytearray:
        del sizehint
        return self.shared

    def buffer_updated(self, nbytes: int) -> None:
        self._tally.note(bytes(self.shared[:nbytes]))


class Tally:
    """What all subscribers saw."""

    def __init__(self, count: int, events: int) -> None:
        self._missing = count
        self._chunks_left = count * events
        self._seen: list[tuple[float, bytes]] = []
        self.ready = asyncio.Event()
        self.done = asyncio.Event()

    def one_is_ready(self) -> None:
        self._missing -= 1
        if not self._missing:
            self.ready.set()

    def note(self, data: bytes) -> None:
        """Only note what came when; reading it takes time that belongs to nobody's latency."""
        self._seen.append((time.monotonic(), data))
        self._chunks_left -= data.count(b'"line":"')
        if self._chunks_left <= 0:
            self.done.set()

    def result(self, expected: int) -> dict[str, float]:
        last: dict[bytes, float] = {}
        count = 0
        for now, data in self._seen:
            for stamp in STAMP.findall(data):
                last[stamp] = now
                count += 1
        waits = [now - float(stamp) for stamp, now in last.items()]
        return {
            "last_p50_s": percentile(waits, 0.5),
            "last_p99_s": percentile(waits, 0.99),
            "last_max_s": max(waits),
            "lost": expected - count,
        }


def handshake(host: str, token: str) -> bytes:
    return (
        f"GET /pulse HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    ).encode()


def masked(text: bytes) -> bytes:
    """A text frame of a client, masked with zeros."""
    return struct.pack("!BB4x", 0x81, 0x80 | len(text)) + text


async def main(host: str, port: int, token: str, count: int, events: int) -> None:
    tally = Tally(count, events)
    loop, upgrade = asyncio.get_running_loop(), handshake(f"{host}:{port}", token)
    for _ in range(count):
        await loop.create_connection(lambda: Subscriber(tally, upgrade), host, port)
    await tally.ready.wait()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.wait_for(tally.done.wait(), 60)
    sys.stdout.write(json.dumps(tally.result(count * events)) + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
