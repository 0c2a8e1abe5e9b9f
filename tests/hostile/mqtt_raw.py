"""MQTT 3.1.1 by hand, over a blocking socket: an attacker sends what no library would."""

import contextlib
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ, PINGRESP = 1, 2, 3, 4, 8, 9, 12, 13
WAIT_S = 5.0
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Will:
    """What the broker is asked to say when the client is gone."""

    topic: str
    payload: bytes = b"forged"
    retain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as it came."""

    topic: str
    payload: bytes
    retained: bool


def packet(kind: int, body: bytes, flags: int = 0) -> bytes:
    """Write one packet: kind, length, body."""
    length, rest = bytearray(), len(body)
    while True:
        length.append(rest % 128 | (0x80 if rest >= 128 else 0))
        rest //= 128
        if not rest:
            return bytes([kind << 4 | flags]) + bytes(length) + body


def text(value: str | bytes) -> bytes:
    """Write a string with its length before it."""
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("!H", len(data)) + data


def connect_packet(
    client_id: str,
    username: str | None = None,
    password: str | bytes | None = None,
    *,
    clean: bool = True,
    will: Will | None = None,
    level: int = 4,
    keepalive_s: int = 60,
) -> bytes:
    """Write a CONNECT; `level` 5 gets an empty list of properties."""
    flags = 2 if clean else 0
    body = text(client_id)
    if will is not None:
        flags |= 0x0C | (0x20 if will.retain else 0)
        body += (b"\0" if level == 5 else b"") + text(will.topic) + text(will.payload)
    if username is not None:
        flags |= 0x80
        body += text(username)
    if password is not None:
        flags |= 0x40
        body += text(password)
    head = text("MQTT") + bytes([level, flags]) + struct.pack("!H", keepalive_s) + (b"\0" if level == 5 else b"")
    return packet(CONNECT, head + body)


def publish_packet(topic: str | bytes, payload: bytes, *, qos: int = 1, retain: bool = False, mid: int = 7) -> bytes:
    """Write a PUBLISH."""
    body = text(topic) + (struct.pack("!H", mid) if qos else b"") + payload
    return packet(PUBLISH, body, qos << 1 | int(retain))


def subscribe_packet(pattern: str | bytes, qos: int = 1, mid: int = 9) -> bytes:
    """Write a SUBSCRIBE for one pattern."""
    return packet(SUBSCRIBE, struct.pack("!H", mid) + text(pattern) + bytes([qos]), 2)


class RawClient:
    """One connection. Whatever the broker does to it is an answer, never an error."""

    def __init__(self, port: int) -> None:
        self._sock = socket.create_connection((HOST, port), WAIT_S)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock.settimeout(WAIT_S)
        self._mids = 10

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        """Send; a broker that has hung up already is not worth a word."""
        with contextlib.suppress(OSError):
            self._sock.sendall(data)

    def close(self) -> None:
        """Hang up without a good-bye."""
        self._sock.close()

    def read(self) -> tuple[int, int, bytes] | None:
        """Return kind, flags and body of the next packet; None when the broker has hung up or says nothing."""
        try:
            head = self._exactly(1)[0]
            length = shift = 0
            while True:
                byte = self._exactly(1)[0]
                length |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            return head >> 4, head & 15, self._exactly(length)
        except OSError:
            return None

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._sock.recv(count - len(data))
            if not more:
                raise ConnectionResetError
            data += more
        return data

    def login(self, client_id: str, username: str | None, password: str | bytes | None, **more: object) -> bool:
        """Send CONNECT; say whether the broker accepted."""
        self.send(connect_packet(client_id, username, password, **more))  # type: ignore[arg-type]  # passed through
        answer = self.read()
        return answer is not None and answer[0] == CONNACK and answer[2][1:2] == b"\0"

    def publish(self, topic: str | bytes, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Send a PUBLISH and do not wait."""
        self._mids += 1
        self.send(publish_packet(topic, payload, qos=qos, retain=retain, mid=self._mids))

    def subscribe(self, pattern: str | bytes, qos: int = 1) -> None:
        """Send a SUBSCRIBE and do not wait."""
        self._mids += 1
        self.send(subscribe_packet(pattern, qos, self._mids))

    def is_alive(self) -> bool:
        """Say whether the broker still answers; all that was sent before has then been dealt with."""
        self.send(packet(PINGREQ, b""))
        return any(one is None for one in self._until_pong())

    def messages(self) -> tuple[Message, ...]:
        """Return every message that comes until the broker has answered a ping, or hung up."""
        self.send(packet(PINGREQ, b""))
        return tuple(one for one in self._until_pong() if one is not None)

    def until(self, payload: bytes) -> tuple[Message, ...]:
        """Return every message until one with `payload` has come, that one left out."""
        found = []
        for kind, flags, body in self._packets():
            if kind == PUBLISH and (message := self._message(flags, body)).payload != payload:
                found.append(message)
            elif kind == PUBLISH:
                break
        return tuple(found)

    def _until_pong(self) -> Iterator[Message | None]:
        for kind, flags, body in self._packets():
            if kind == PUBLISH:
                yield self._message(flags, body)
            if kind == PINGRESP:
                yield None
                return

    def _packets(self) -> Iterator[tuple[int, int, bytes]]:
        while (one := self.read()) is not None:
            yield one

    def _message(self, flags: int, body: bytes) -> Message:
        (length,) = struct.unpack("!H", body[:2])
        topic, rest = body[2 : 2 + length].decode(errors="replace"), body[2 + length :]
        if flags & 6:
            self.send(packet(PUBACK, rest[:2]))
            rest = rest[2:]
        return Message(topic=topic, payload=rest, retained=bool(flags & 1))
