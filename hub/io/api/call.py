"""One call of an endpoint: who asks, for what, and the services that answer."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from hub.contract.base import Message, Value
from hub.domain.storage import Client
from hub.io.access.codes import Codes
from hub.io.access.confirming import Confirmations
from hub.io.access.in_person import is_over
from hub.io.access.newcomers import Newcomers
from hub.io.access.passkeys import Passkeys
from hub.io.access.proofs import Proofs
from hub.io.access.terminals import Terminals
from hub.io.access.tokens import Access
from hub.io.http.addresses import Addresses
from hub.io.http.counts import Counts
from hub.io.http.parts import ApiParts
from hub.io.live.broadcaster import Broadcaster
from hub.io.live.waiting import Waiting
from hub.io.live.watchers import Watchers
from hub.io.server.caller import Caller
from hub.io.server.concurrency_limits import ConcurrencyLimits
from hub.io.server.tls_proxy import TlsProxy
from hub.io.world.checks import WorldChecks

B = TypeVar("B", bound=Message)
Q = TypeVar("Q", bound=Message)
C = TypeVar("C", bound="Closing")
KEY_BYTES = 16


class Nothing(Message):
    """The body or query of an endpoint that takes none."""


async def never() -> None:
    """Wait for a connection that does not end."""
    await asyncio.Event().wait()


class WayIn:
    """How others reach this hub: its addresses, its TLS proxy if there is one, and the seal of its proofs."""

    def __init__(self, addresses: Addresses, seal: bytes) -> None:
        self.addresses = addresses
        self.seal = seal
        self.tls_proxy: TlsProxy | None = None
        self.fingerprint = ""
        self.server_fingerprint = ""
        self.trouble = ""


class Closing(Protocol):
    """What is to be told when the API ends."""

    async def close(self) -> None:
        """End what it does beside the requests."""


class MadeLate:
    """What some endpoints keep for as long as the API lives, each made when it is first needed (docs/adr/0125)."""

    def __init__(self) -> None:
        self._made: dict[type[Closing], Closing] = {}

    def one(self, kind: type[C], make: Callable[[], C]) -> C:
        """Return the one of this kind."""
        found = self._made.get(kind)
        if not isinstance(found, kind):
            found = self._made[kind] = make()
        return found

    async def close(self) -> None:
        """Tell each that the API ends."""
        for one in self._made.values():
            await one.close()


class Services(Value):
    """What lives as long as the API."""

    parts: ApiParts
    access: Access
    proofs: Proofs
    outside: WayIn
    passkeys: Passkeys
    confirmations: Confirmations
    broadcaster: Broadcaster
    waiting: Waiting
    counts: Counts
    concurrency: ConcurrencyLimits
    codes: Codes
    newcomers: Newcomers
    terminals: Terminals
    watchers: Watchers
    late: MadeLate
    world: WorldChecks | None = None

    def has_page_or_phone(self) -> bool:
        """Return True if a page or a phone of the person's is signed in."""
        now = self.parts.clock.now()
        return any(one.device and not (one.key and is_over(one, now)) for one in self.access.clients())

    @property
    def addresses(self) -> Addresses:
        """Where this hub is asked."""
        return self.outside.addresses


class Call(Value, Generic[B, Q]):
    """One decoded and permitted request. `key` and `proof` are its headers `Idempotency-Key` and `DPoP`, if sent.

    `hung_up` returns when the asking side has closed the connection; `caller` is their process, where they came over
    the hub's own socket.
    """

    to: Services
    client: Client | None
    body: B
    query: Q
    path: dict[str, str]
    key: str | None = None
    proof: str | None = None
    hung_up: Callable[[], Awaitable[None]] = never
    caller: Caller | None = None

    @property
    def parts(self) -> ApiParts:
        """What the API was made of."""
        return self.to.parts

    @property
    def caller_pid(self) -> int:
        """The number of the process that asks over the hub's own socket, else 0."""
        return 0 if self.caller is None else self.caller.peer.pid

    @property
    def caller_origin(self) -> str:
        """The run or agent that the process which asks is of, where that is known."""
        return "" if self.caller is None else self.caller.origin


def fresh_key() -> str:
    """Return a key for a request that brought none; it can then not be recognised when it is sent again."""
    return secrets.token_hex(KEY_BYTES)
