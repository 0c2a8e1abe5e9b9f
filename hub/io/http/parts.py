"""What the API is made of, handed in by the composition root."""

from hub.contract.base import Value
from hub.ports import Clock, Desk, Feed, Pairing, Store


class ApiParts(Value):
    """Everything that the API talks to, and its limits.

    `local_token` belongs to the person on this machine and may do everything. `body_bytes_max` bounds a request's
    body, `sockets_max` the open WebSockets.
    """

    desk: Desk
    store: Store
    feed: Feed
    clock: Clock
    pairing: Pairing
    user: str
    version: str
    body_bytes_max: int
    sockets_max: int
    local_token: str
