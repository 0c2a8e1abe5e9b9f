"""Google's push service on loopback, as far as Chromium needs it: check-in, registration, connection, sending.

The check-in and MCS messages are protocol buffers (google_apis/gcm/protocol in Chromium's source); the few fields that
matter are read and written by hand. Senders speak RFC 8030; what is sent while no browser is connected waits.
"""

import asyncio
import base64
import contextlib
import itertools
import os
import ssl
import struct
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import parse_qs

from aiohttp import web

from tests.web.journal import Journal
from tests.web.loopback_certificate import Certificate, make_certificate

PING, LOGIN, LOGIN_ANSWER, CLOSE, MESSAGE = 0, 2, 3, 4, 8
MCS_VERSION = 41
ACCEPTED, GONE = 201, 410
VARINT, FIXED, BYTES = 0, 1, 2

Fields = list[tuple[int, int | bytes]]


class GcmService:
    """The service; `sent` is the length of each message that a sender sent, in bytes."""

    def __init__(self) -> None:
        self.http_origin = ""
        self.mcs_origin = ""
        self.certificate = Certificate(path=Path(), key_hash="")
        self.sent: Journal[int] = Journal()
        self._subscriptions: dict[str, dict[str, str]] = {}
        self._browsers: dict[str, asyncio.StreamWriter] = {}
        self._waiting: list[tuple[str, bytes]] = []
        self._numbers = itertools.count(1)

    def switches(self) -> tuple[str, ...]:
        """Return what Chromium must be told to use this service."""
        return (
            f"--gcm-checkin-url={self.http_origin}/checkin",
            f"--gcm-registration-url={self.http_origin}/register3",
            f"--gcm-mcs-endpoint={self.mcs_origin}",
            f"--ignore-certificate-errors-spki-list={self.certificate.key_hash}",
        )

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_post("/checkin", self._check_in)
        made.router.add_post("/register3", self._register)
        made.router.add_post("/fcm/send/{token}", self._send)
        return made

    async def _check_in(self, request: web.Request) -> web.Response:
        await request.read()
        body = number(1, 1) + number(3, _now_ms()) + fixed(7, 4_711) + fixed(8, 4_712) + text(4, "1-digest")
        return web.Response(body=body, content_type="application/x-protobuffer")

    async def _register(self, request: web.Request) -> web.Response:
        said = {name: values[0] for name, values in parse_qs((await request.read()).decode()).items()}
        if said.get("delete"):
            kept = self._subscriptions.items()
            self._subscriptions = {one: has for one, has in kept if has.get("X-subtype") != said.get("X-subtype")}
            return web.Response(text=f"token={said.get('app', '')}")
        token = f"{base64.urlsafe_b64encode(os.urandom(9)).decode()}:APA91b{os.urandom(30).hex()}"
        self._subscriptions[token] = said
        return web.Response(text=f"token={token}")

    async def _send(self, request: web.Request) -> web.Response:
        body = await request.read()
        subscription = self._subscriptions.get(request.match_info["token"])
        if subscription is None:
            return web.Response(status=GONE)
        self.sent.add(len(body))
        message = self._message(subscription, request.headers["Content-Encoding"], int(request.headers["TTL"]), body)
        device = subscription["device"]
        browser = self._browsers.get(device)
        if browser is None:
            self._waiting.append((device, message))
        else:
            browser.write(message)
            await browser.drain()
        return web.Response(status=ACCEPTED, headers={"Location": f"{self.http_origin}/m/1"})

    def _message(self, subscription: dict[str, str], encoding: str, ttl_s: int, body: bytes) -> bytes:
        """Return a DataMessageStanza with its tag and length."""
        stanza = text(3, subscription["sender"]) + text(5, subscription["app"])
        for name, value in (("subtype", subscription["X-subtype"]), ("content-encoding", encoding)):
            stanza += data(7, text(1, name) + text(2, value))
        stanza += text(9, f"0:{next(self._numbers)}") + number(17, ttl_s) + number(18, _now_ms()) + data(21, body)
        return bytes([MESSAGE]) + varint(len(stanza)) + stanza

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk to one browser until it goes."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readexactly(1)  # its version
            while await self._hear(reader, writer):
                await writer.drain()
        self._browsers = {device: one for device, one in self._browsers.items() if one is not writer}
        writer.close()

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        tag = (await reader.readexactly(1))[0]
        fields = fields_of(await reader.readexactly(await _length(reader)))
        if tag == LOGIN:
            self._log_in(dict(fields), writer)
        elif tag == PING:
            writer.write(bytes([1, 0]))
        return tag != CLOSE

    def _log_in(self, login: dict[int, int | bytes], writer: asyncio.StreamWriter) -> None:
        name, device = login[1], login[3]
        assert isinstance(name, bytes)
        assert isinstance(device, bytes)
        body = data(1, name) + number(8, _now_ms())
        writer.write(bytes([MCS_VERSION, LOGIN_ANSWER]) + varint(len(body)) + body)
        self._browsers[device.decode()] = writer
        due = [message for waits, message in self._waiting if waits == device.decode()]
        self._waiting = [one for one in self._waiting if one[0] != device.decode()]
        writer.writelines(due)


async def _length(reader: asyncio.StreamReader) -> int:
    value, shift = 0, 0
    while True:
        byte = (await reader.readexactly(1))[0]
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value


def _now_ms() -> int:
    return int(time.time() * 1e3)


def varint(value: int) -> bytes:
    """Encode a number in base 128, the lowest seven bits first."""
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3 | VARINT) + varint(value)


def fixed(field: int, value: int) -> bytes:
    return varint(field << 3 | FIXED) + struct.pack("<Q", value)


def data(field: int, value: bytes) -> bytes:
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    return data(field, value.encode())


def fields_of(message: bytes) -> Fields:
    """Read the fields of a message; groups and 32-bit numbers do not occur here."""
    rest, found = iter(message), Fields()
    for first in rest:
        key = _varint_of(itertools.chain([first], rest))
        if key & 7 == VARINT:
            found.append((key >> 3, _varint_of(rest)))
        else:
            size = 8 if key & 7 == FIXED else _varint_of(rest)
            found.append((key >> 3, bytes(itertools.islice(rest, size))))
    return found


def _varint_of(rest: Iterator[int]) -> int:
    value, shift = 0, 0
    for byte in rest:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return value


@contextlib.asynccontextmanager
async def running_gcm(folder: Path) -> AsyncIterator[GcmService]:
    """Run the service for as long as the block lasts."""
    service = GcmService()
    service.certificate = make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(service.certificate.path)
    runner = web.AppRunner(service.application())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    mcs = await asyncio.start_server(service.connected, "127.0.0.1", 0, ssl=context)
    service.http_origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    service.mcs_origin = f"https://localhost:{mcs.sockets[0].getsockname()[1]}"
    try:
        yield service
    finally:
        mcs.close()
        await runner.cleanup()
