"""A running API on a free port, with fakes behind it, and clients for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from hub.contract.api import Problem
from hub.contract.coding_agents import CodingAgentList
from hub.domain.readings import Reading
from hub.domain.storage import Change, Client, Committed, PutClient
from hub.io.access.tokens import EVERYTHING, LOCAL_ID, sha256
from hub.io.api import ApiParts, RunningApi, start_api
from hub.io.home.profiles import read_profiles
from hub.io.home.revocations import Revocations
from hub.io.http.parts import Models
from hub.io.server.unix_socket import LocalSocket
from hub.io.world.place import WorldFiles
from tests.fakes.feed import FakeFeed
from tests.fakes.hub_api import NOON, ScriptedHubApi
from tests.fakes.pairing import FakePairing
from tests.fakes.plain_http import plain_client
from tests.fakes.revocations import TemporaryRevocations
from tests.fakes.store import MemoryStore
from tests.fakes.surfaces import FakeSurfaces

PAGE = Path(__file__).parents[3] / "surfaces" / "web" / "page"
VAPID_KEY = "BPubLicKey"
TOKEN = "local-token"
USER = "anna"
BODY_BYTES_MAX = 4_096
PROFILES = read_profiles()


async def _vapid_key() -> str:
    return VAPID_KEY


class FixedClock:
    """Always the same moment, unless a test says otherwise."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    async def sleep_until(self, moment: datetime) -> None:
        self.moment = max(self.moment, moment)


@dataclass
class Behind:
    """Everything behind the API, for tests to set and to look at."""

    hub_api: ScriptedHubApi = field(default_factory=ScriptedHubApi)
    store: MemoryStore = field(default_factory=MemoryStore)
    feed: FakeFeed = field(default_factory=FakeFeed)
    clock: FixedClock = field(default_factory=FixedClock)
    pairing: FakePairing = field(default_factory=FakePairing)
    surfaces: FakeSurfaces = field(default_factory=FakeSurfaces)
    revocations: Revocations = field(default_factory=TemporaryRevocations)
    sockets_max: int = 50
    public_url: str = ""
    own_certificate: bool = False
    home: Path | None = None
    models: Models | None = None
    world: WorldFiles | None = None
    coding_agents: CodingAgentList = field(default_factory=lambda: CodingAgentList(agents=(), count=0))
    seen: Reading | None = None
    """What a look at the repositories gives."""
    without_git: tuple[Path, ...] = ()

    def parts(self) -> ApiParts:
        return ApiParts(
            hub_api=self.hub_api,
            store=self.store,
            feed=self.feed,
            clock=self.clock,
            pairing=self.pairing,
            user=USER,
            version="1.2.3",
            body_bytes_max=BODY_BYTES_MAX,
            sockets_max=self.sockets_max,
            action_key=self.hub_api.secret,
            page=PAGE,
            vapid_key=_vapid_key,
            surfaces=self.surfaces,
            revocations=self.revocations,
            profiles=PROFILES,
            public_url=self.public_url,
            own_certificate=self.own_certificate,
            home=self.home,
            glance=self._glance,
            without_git=lambda: self.without_git,
            models=self.models,
            coding_agents=lambda: self.coding_agents,
            world=self.world,
        )

    async def _glance(self, _sensor: str) -> Reading | None:
        return self.seen

    async def let_in(self, token: str = TOKEN) -> None:
        """Let a client in that may do everything, as the person on this machine may."""
        client = Client(
            id=LOCAL_ID,
            user=USER,
            name="this machine",
            token_sha256=sha256(token),
            scopes=EVERYTHING,
            created_at=self.clock.now(),
        )
        await self.write(PutClient(client=client))

    async def write(self, *changes: Change) -> None:
        assert await self.store.commit([changes]) == (Committed(),)


@dataclass
class Api:
    """The running API; `http` carries a token that may do everything."""

    behind: Behind
    running: RunningApi
    http: httpx.AsyncClient

    @property
    def address(self) -> str:
        return self.running.address

    @property
    def pulse(self) -> str:
        return self.running.address.replace("http:", "ws:") + "/pulse"

    def now(self) -> float:
        """Return the hub's time, in seconds since 1970."""
        return self.behind.clock.moment.timestamp()

    def socket(self, token: str | None = TOKEN, **options: Any) -> connect:  # noqa: ANN401  whatever websockets takes
        """Connect to /pulse; use it as an async context manager."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return connect(self.pulse, additional_headers=headers, proxy=None, compression=None, **options)


@asynccontextmanager
async def running(
    behind: Behind | None = None, local: LocalSocket | None = None, *, port: int = 0
) -> AsyncIterator[Api]:
    made = behind or Behind()
    await made.let_in()
    api = await start_api(made.parts(), host="127.0.0.1", port=port, local=local.socket if local else None)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with plain_client(api.address, headers) as http:
        try:
            yield Api(made, api, http)
        finally:
            await api.close()


def problem(response: httpx.Response) -> Problem:
    """Read a problem document, and hold what is true of each."""
    assert response.headers["content-type"] == "application/problem+json"
    found = msgspec.json.decode(response.content, type=Problem)
    assert (found.status, found.type) == (response.status_code, f"urn:pulse:error:{found.code}")
    assert found.detail
    assert found.title
    return found


async def hear(socket: ClientConnection) -> dict[str, Any]:
    """Return the next message."""
    said: dict[str, Any] = msgspec.json.decode(await socket.recv())
    return said


async def say(socket: ClientConnection, message: object) -> None:
    await socket.send(msgspec.json.encode(message).decode())
