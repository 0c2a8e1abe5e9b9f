"""A broker of ours with some logins, on a loop of its own in a thread, for attackers that block."""

import asyncio
import contextlib
import secrets
import tempfile
import threading
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild
from hub.io.broker.choose import find_mosquitto, find_nats
from hub.io.broker.mosquitto import start_mosquitto
from hub.io.broker.nats import start_nats
from hub.io.broker.passwords import with_password

T = TypeVar("T")
BASE = "pulse/v1/me"
HUB = BrokerUser(name="pulse-hub", user="me", role="hub")
PHONE = BrokerUser(name="phone-p1", user="me", role="device", surface="phone", device="p1")
OTHER = BrokerUser(name="phone-p2", user="me", role="device", surface="phone", device="p2")
GATEWAY = BrokerUser(name="browser-gateway", user="me", role="gateway", surface="browser")
SENSOR = BrokerUser(name="git", user="me", role="sensor", sensor="git")
USERS = (HUB, PHONE, OTHER, GATEWAY, SENSOR)
START = {"nats-server": (find_nats, start_nats), "mosquitto": (find_mosquitto, start_mosquitto)}


class Stand:
    """A running broker; every login's password is `password`, its client id is in `client_ids`."""

    def __init__(self, kind: str, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        find, start = START[kind]
        program = find()
        assert program is not None
        self.kind = kind
        self._loop = loop
        self.password = secrets.token_urlsafe(32)
        self.client_ids = {user.name: f"{user.name}-{secrets.token_hex(16)}" for user in USERS}
        self.child: BrokerChild = self.do(start(program, folder, self.users(USERS)))
        self.port = self.child.address.port

    def users(self, some: Sequence[BrokerUser]) -> tuple[BrokerUser, ...]:
        """Return logins with their hashes."""
        return tuple(with_password(user, f"{user.name}{self.password}") for user in some)

    def admit(self, some: Sequence[BrokerUser]) -> None:
        """Let only some log in from now on."""
        self.do(self.child.admit(self.users(some)))

    def password_of(self, user: BrokerUser) -> str:
        """Return a login's password."""
        return f"{user.name}{self.password}"

    def do(self, work: Coroutine[object, object, T]) -> T:
        """Do something on the broker's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)


@contextlib.contextmanager
def stand(kind: str) -> Iterator[Stand]:
    """Run a broker for as long as the block lasts."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    with tempfile.TemporaryDirectory(prefix="pulse-broker-") as folder:
        made = Stand(kind, loop, Path(folder) / "broker")
        try:
            yield made
        finally:
            made.do(made.child.stop())
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


def kinds() -> tuple[str, ...]:
    """Return the brokers that this machine has."""
    return tuple(kind for kind, (find, _) in START.items() if find() is not None)
