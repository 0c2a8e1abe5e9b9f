"""One call of an endpoint: who asks, for what, and the services that answer."""

import uuid
from typing import Generic, TypeVar

from hub.contract.base import Message, Value
from hub.domain.storage import Client
from hub.io.http.access import Access
from hub.io.http.counts import Counts
from hub.io.http.fan import Fan
from hub.io.http.parts import ApiParts
from hub.io.http.waiting import Waiting

B = TypeVar("B", bound=Message)
Q = TypeVar("Q", bound=Message)


class Nothing(Message):
    """The body or query of an endpoint that takes none."""


class Services(Value):
    """What lives as long as the API."""

    parts: ApiParts
    access: Access
    fan: Fan
    waiting: Waiting
    counts: Counts


class Call(Value, Generic[B, Q]):
    """One decoded and permitted request. `key` is its idempotency key, if it brought one in its header."""

    to: Services
    client: Client | None
    body: B
    query: Q
    path: dict[str, str]
    key: str | None = None

    @property
    def parts(self) -> ApiParts:
        """What the API was made of."""
        return self.to.parts


def fresh_key() -> str:
    """Return a key for a request that brought none; it can then not be recognised when it is sent again."""
    return uuid.uuid4().hex
