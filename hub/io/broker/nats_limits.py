"""Bounds for what nats-server keeps for its MQTT clients; it has no setting for them, only its own protocol.

Without them one device that is away, or that makes up client ids, fills the store, and then nobody can log in any more.
With them the oldest message or session gives way. The streams are made by the server at its first MQTT login, and
remembered on disk.
"""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.io.broker.acl import BrokerUser
from hub.io.broker.loopback import LOOPBACK
from hub.io.broker.passwords import new_password, with_password
from hub.io.broker.running import BrokerStartError

LIMITS: dict[str, dict[str, int]] = {
    "$MQTT_msgs": {"max_bytes": 128 * 1024 * 1024, "max_msgs": 100_000},
    "$MQTT_sess": {"max_bytes": 8 * 1024 * 1024, "max_msgs": 2_000},
    "$MQTT_rmsgs": {"max_bytes": 32 * 1024 * 1024, "max_msgs": 10_000},
    "$MQTT_out": {"max_bytes": 8 * 1024 * 1024, "max_msgs": 10_000},
}
"""By stream: messages that wait for clients, sessions, retained messages, half-done handshakes of quality 2."""
RETAINED = "$MQTT_rmsgs"
"""The server reads these through a consumer of its own, a new one at each start; a kill leaves the old one behind."""
API = "$JS.API"
INBOX = "_INBOX.pulse"
TIMEOUT_S = 5.0
PORTS_POLL_S = 0.005
LINE_BYTES_MAX = 1024 * 1024
CONNACK_ACCEPTED = b"\x20\x02\x00\x00"
OWN_LOGIN = "pulse-broker"


class LimitsLogin(Value):
    """The login that sets the limits, and can do nothing else; its password is new at each start and only in memory."""

    user: BrokerUser
    password: str

    def __repr__(self) -> str:
        return f"LimitsLogin({self.user.name})"

    def login(self) -> dict[str, object]:
        """Return its entry in the configuration."""
        api = [f"{API}.STREAM.{verb}.{name}" for verb in ("INFO", "UPDATE") for name in LIMITS]
        api += [f"{API}.CONSUMER.LIST.{RETAINED}", f"{API}.CONSUMER.DELETE.{RETAINED}.*"]
        return {
            "user": self.user.name,
            "password": self.user.bcrypt,
            "allowed_connection_types": ["STANDARD", "MQTT"],
            "permissions": {"publish": {"allow": api}, "subscribe": {"allow": [f"{INBOX}.>"]}},
        }


def new_limits_login() -> LimitsLogin:
    """Make that login."""
    password = new_password()
    return LimitsLogin(
        user=with_password(BrokerUser(name=OWN_LOGIN, user="me", role="hub"), password), password=password
    )


async def set_limits(limits_login: LimitsLogin, mqtt_port: int, ports_file: Path) -> None:
    """Bound every stream of the server that was just started.

    Raises:
        BrokerStartError: it did not take them.
    """
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await _make_streams(limits_login, mqtt_port)
            async with _own_door(limits_login, await own_port(ports_file)) as door:
                for name, limits in LIMITS.items():
                    await _bound(door, name, limits)
                await _forget_old_readers(door)
    except (OSError, EOFError, ValueError, KeyError, TimeoutError) as error:
        raise BrokerStartError(f"nats-server did not take its limits: {error!r}.") from error


async def _bound(door: "_ServerProtocol", name: str, limits: dict[str, int]) -> None:
    config = (await door.ask(f"{API}.STREAM.INFO.{name}", {}))["config"]
    if not isinstance(config, dict):
        raise BrokerStartError(f"nats-server has no stream {name}.")
    if any(config.get(key) != value for key, value in limits.items()):
        await door.ask(f"{API}.STREAM.UPDATE.{name}", {**config, **limits})


async def _forget_old_readers(door: "_ServerProtocol") -> None:
    """Delete the consumers that nobody reads from; hundreds of them would make each start slower."""
    found = (await door.ask(f"{API}.CONSUMER.LIST.{RETAINED}", {})).get("consumers")
    for consumer in msgspec.convert(found or [], list[_Consumer]):
        if not consumer.push_bound:
            await door.ask(f"{API}.CONSUMER.DELETE.{RETAINED}.{consumer.name}", {})


async def _make_streams(limits_login: LimitsLogin, port: int) -> None:
    """Log in once over MQTT."""
    words = (b"", limits_login.user.name.encode(), limits_login.password.encode())  # no client id: the server draws one
    body = b"\x00\x04MQTT\x04\xc2\x00\x3c" + b"".join(struct.pack("!H", len(word)) + word for word in words)
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    with contextlib.closing(writer):
        writer.write(bytes([0x10, len(body)]) + body)
        if await reader.readexactly(len(CONNACK_ACCEPTED)) != CONNACK_ACCEPTED:
            raise ConnectionRefusedError("login refused")


async def own_port(ports_file: Path) -> int:
    """Wait until the server has written down where its own protocol is spoken; it may speak MQTT before that."""
    while True:
        try:
            document = msgspec.json.decode(await asyncio.to_thread(ports_file.read_bytes), type=dict[str, list[str]])
            return int(document["nats"][0].rpartition(":")[2])
        except (FileNotFoundError, msgspec.DecodeError):  # not there yet, or half written
            await asyncio.sleep(PORTS_POLL_S)


class _Consumer(msgspec.Struct):
    """A consumer, as the server lists it; `push_bound` while somebody reads from it."""

    name: str
    push_bound: bool = False


class _ServerProtocol:
    """The server's own protocol: one question at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def ask(self, subject: str, question: object) -> dict[str, object]:
        """Send a request and read its answer.

        Raises:
            ValueError: it is refused.
        """
        body = msgspec.json.encode(question)
        self._writer.write(b"PUB %s %s.1 %d\r\n%s\r\n" % (subject.encode(), INBOX.encode(), len(body), body))
        while not (line := await self._reader.readline()).startswith(b"MSG "):
            if not line or line.startswith(b"-ERR"):
                raise ConnectionRefusedError(line.decode(errors="replace").strip())
        answer = await self._reader.readexactly(int(line.split()[-1]) + 2)
        document = msgspec.json.decode(answer, type=dict[str, object])
        if "error" in document:
            raise ConnectionRefusedError(f"{subject}: {document['error']}")
        return document


@contextlib.asynccontextmanager
async def _own_door(limits_login: LimitsLogin, port: int) -> AsyncIterator[_ServerProtocol]:
    reader, writer = await asyncio.open_connection(LOOPBACK, port, limit=LINE_BYTES_MAX)
    with contextlib.closing(writer):
        await reader.readline()
        login = msgspec.json.encode({"user": limits_login.user.name, "pass": limits_login.password, "verbose": False})
        writer.write(b"CONNECT %s\r\nSUB %s.> 1\r\n" % (login, INBOX.encode()))
        yield _ServerProtocol(reader, writer)
