"""One call of an endpoint: who asks, for what, and the services that answer."""

import secrets
from typing import Generic, TypeVar

from hub.contract.base import Message, Value
from hub.domain.storage import Client
from hub.io.http.access import Access
from hub.io.http.codes import Codes
from hub.io.http.counts import Counts
from hub.io.http.fan import Fan
from hub.io.http.guard import LOOPBACK_NAMES
from hub.io.http.parts import ApiParts
from hub.io.http.waiting import Waiting
from hub.io.http.watchers import Watchers

B = TypeVar("B", bound=Message)
Q = TypeVar("Q", bound=Message)
KEY_BYTES = 16


class Nothing(Message):
    """The body or query of an endpoint that takes none."""


class Services(Value):
    """What lives as long as the API."""

    parts: ApiParts
    access: Access
    fan: Fan
    waiting: Waiting
    counts: Counts
    codes: Codes
    watchers: Watchers
    own_host: str

    @property
    def address(self) -> str:
        """Where the API is, on this machine."""
        return f"http://{self.own_host}"

    @property
    def loopback_addresses(self) -> tuple[str, ...]:
        """The names of this machine under which a browser on it may have opened the page."""
        port = self.own_host.rpartition(":")[2]
        return tuple(f"http://{name}:{port}" for name in sorted(LOOPBACK_NAMES))


class Call(Value, Generic[B, Q]):
    """One decoded and permitted request. `key` is its idempotency key, if it brought one in its header.

    `is_https` says that the person's browser sees an encrypted page (a proxy in front of Pulse).
    """

    to: Services
    client: Client | None
    body: B
    query: Q
    path: dict[str, str]
    key: str | None = None
    is_https: bool = False

    @property
    def parts(self) -> ApiParts:
        """What the API was made of."""
        return self.to.parts


def fresh_key() -> str:
    """Return a key for a request that brought none; it can then not be recognised when it is sent again."""
    return secrets.token_hex(KEY_BYTES)
