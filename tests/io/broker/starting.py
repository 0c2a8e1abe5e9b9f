"""The brokers that Pulse can run, for fixtures: each is started the same way."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild, Recipe
from hub.io.broker.choose import find_mosquitto, find_nats
from hub.io.broker.mosquitto import MosquittoRecipe
from hub.io.broker.nats import NatsRecipe
from tests.conformance.bus.world import NAMES, full_user

KINDS = ["nats-server", pytest.param("mosquitto", marks=pytest.mark.needs_mosquitto)]
RECIPES: dict[str, tuple[Callable[[], Path | None], Callable[[Path, Path], Recipe]]] = {
    "nats-server": (find_nats, NatsRecipe),
    "mosquitto": (find_mosquitto, MosquittoRecipe),
}


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
        return await BrokerChild.start(self.recipe(folder), users, port)


async def started(starter: Starter, folder: Path) -> AsyncIterator[BrokerChild]:
    running = await starter.start(folder, [full_user(name) for name in NAMES])
    yield running
    await running.stop()
