"""The brokers that Pulse can run, for fixtures: each is started the same way."""

import itertools
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild, Recipe
from hub.io.broker.choose import find_mosquitto, find_nats
from hub.io.broker.loopback import free_port
from hub.io.broker.mosquitto import MosquittoRecipe
from hub.io.broker.nats import NatsRecipe
from hub.io.broker.orphan import RECORD_NAME
from tests.conformance.bus.world import NAMES, full_user

KINDS = ["nats-server", pytest.param("mosquitto", marks=pytest.mark.needs_mosquitto)]
RECIPES: dict[str, tuple[Callable[[], Path | None], Callable[[Path, Path], Recipe]]] = {
    "nats-server": (find_nats, NatsRecipe),
    "mosquitto": (find_mosquitto, MosquittoRecipe),
}

QUIET_PORTS = range(15_000, 30_000)
"""Below those that systems hand out for connections: while a broker is down, nobody's connection takes its port."""
APART = 9_271


def quiet_port() -> int:
    """Return a free port on which a broker that was killed can come back."""
    ports = itertools.islice(_ports_of(os.getpid()), len(QUIET_PORTS))
    return next(port for port in ports if free_port(port) == port)


@cache
def _ports_of(pid: int) -> Iterator[int]:
    """Return the ports in turn: each process of the tests begins elsewhere, also one that was forked.

    Workers have numbers in a row; by the golden ratio each is 800 ports and more from every other, so that no one
    comes to a port of another while its broker is down.
    """
    begin = pid * APART % len(QUIET_PORTS)
    return itertools.cycle((*QUIET_PORTS[begin:], *QUIET_PORTS[:begin]))


class Starter:
    """Starts one kind of broker."""

    def __init__(self, kind: str) -> None:
        find, self._recipe = RECIPES[kind]
        found = find()
        if found is None:
            pytest.skip(f"needs the program {kind}")
        self.kind, self.program = kind, found

    def recipe(self, folder: Path, program: Path | None = None) -> Recipe:
        return self._recipe(program or self.program, folder)

    async def start(self, folder: Path, users: Sequence[BrokerUser] = (), port: int | None = None) -> BrokerChild:
        begins = not (folder / RECORD_NAME).exists()  # else it takes the port that it had
        return await BrokerChild.start(self.recipe(folder), users, port or (quiet_port() if begins else None))


async def started(starter: Starter, folder: Path) -> AsyncIterator[BrokerChild]:
    running = await starter.start(folder, [full_user(name) for name in NAMES])
    yield running
    await running.stop()
