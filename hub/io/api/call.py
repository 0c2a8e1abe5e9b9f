"""One call of an endpoint: who asks, for what, and the services that answer."""

import secrets
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from hub.contract.base import Message, Value
from hub.domain.storage import Client
from hub.io.access.codes import Codes
from hub.io.access.confirming import Confirmations
from hub.io.access.passkeys import Passkeys
from hub.io.access.proofs import Proofs
from hub.io.access.tokens import Access
from hub.io.http.counts import Counts
from hub.io.http.parts import ApiParts
from hub.io.live.broadcaster import Broadcaster
from hub.io.live.waiting import Waiting
from hub.io.live.watchers import Watchers
from hub.io.server.guard import LOOPBACK_NAMES
from hub.io.server.shares import Shares

B = TypeVar("B", bound=Message)
Q = TypeVar("Q", bound=Message)
KEY_BYTES = 16


class Nothing(Message):
    """The body or query of an endpoint that takes none."""


class Services(Value):
    """What lives as long as the API."""

    parts: ApiParts
    access: Access
    proofs: Proofs
    own_origins: frozenset[str]
    passkeys: Passkeys
    confirmations: Confirmations
    fan: Broadcaster
    waiting: Waiting
    counts: Counts
    shares: Shares
    codes: Codes
    watchers: Watchers
    own_host: str

    @property
    def address(self) -> str:
        """Where the API is, on this machine."""
        return f"http://{self.own_host}"


class Call(Value, Generic[B, Q]):
    """One decoded and permitted request. `key` and `proof` are its headers `Idempotency-Key` and `DPoP`, if sent."""

    to: Services
    client: Client | None
    body: B
    query: Q
    path: dict[str, str]
    key: str | None = None
    proof: str | None = None

    @property
    def parts(self) -> ApiParts:
        """What the API was made of."""
        return self.to.parts


def origins_of(own_host: str, public_url: str) -> frozenset[str]:
    """Return where the page may have been opened, as browsers write it; another port is another origin."""
    port = own_host.rpartition(":")[2]
    ours = {f"http://{name}:{port}" for name in LOOPBACK_NAMES} | {f"http://{own_host}"}
    return frozenset(ours | {_plain(public_url)} if public_url else ours)


def _plain(url: str) -> str:
    """Return an origin in small letters and without the port that its scheme has anyway."""
    parts = urlsplit(url.lower())
    standard = {"http": ":80", "https": ":443"}.get(parts.scheme, "")
    return f"{parts.scheme}://{parts.netloc.removesuffix(standard)}"


def fresh_key() -> str:
    """Return a key for a request that brought none; it can then not be recognised when it is sent again."""
    return secrets.token_hex(KEY_BYTES)
