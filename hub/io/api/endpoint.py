"""What an endpoint of the HTTP API is: its path, who may call it, and what goes in and comes out."""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

from starlette.responses import Response

from hub.contract.access import Scope
from hub.contract.base import Message, Value
from hub.domain.requests import Refused
from hub.io.access.confirming import Judge, nobody
from hub.io.api.call import Call, Nothing
from hub.io.server.concurrency_limits import Load

Handler = Callable[[Call[Any, Any]], Awaitable[Message | Refused | Response]]
"""The types of body and query are named beside the handler, in its endpoint."""
API = "/api/v1"


def never(_body: object) -> bool:
    """Open it to nobody."""
    return False


def always(_body: object) -> bool:
    """Open it to everybody of this machine's user."""
    return True


class LateHandler:
    """A handler of `hub/io/api` that is loaded for the first who asks: what few ask for costs an idle hub nothing."""

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    def load(self) -> Handler:
        """Return the handler itself."""
        handler: Handler = getattr(import_module(f"hub.io.api.{self._module}"), self._name)
        return handler

    async def __call__(self, call: Call[Any, Any]) -> Message | Refused | Response:
        """Answer."""
        return await self.load()(call)


class Endpoint(Value):
    """One path and what may be done there. `scope` None needs no token; `answers` empty means `media_types`.

    `confirm` says by the body who must have confirmed lately that they are there.
    `load` says which share of what is under way it has; `of_surfaces`, that a surface's process may do it by `admin`;
    `of_apps`, that a phone or watch with `admin` may, though it loosens; `of_agents`, that the person's agents on this
    machine may do it without that scope; `of_wakes`, that an agent that was woken may, with the pass that came with the
    message. `open_to_all` says by the body whether it only tightens, so that over the hub's socket nobody has to show
    that they are the person. `loosens` says by the body that a token alone is not enough once agents are connected, nor
    a device's at any time, as for all that takes `admin` and is not open to all. `of_person` says that it changes what
    is the person's, so that once agents are connected a token alone is not enough, though a device's is.
    `body_bytes_max` is how large its body may be where that is more than the settings allow for all.
    """

    path: str
    handler: Handler
    answers: tuple[type[Message], ...]
    methods: tuple[str, ...] = ("GET",)
    scope: Scope | None = "read"
    body: type[Message] = Nothing
    body_may_be_empty: bool = False
    query: type[Message] = Nothing
    status: int = 200
    media_types: tuple[str, ...] = ("text/plain",)
    confirm: Judge = nobody
    open_to_all: Callable[[Any], bool] = never
    loosens: Callable[[Any], bool] = never
    load: Load = "plain"
    of_person: bool = False
    of_surfaces: bool = False
    of_apps: bool = False
    of_agents: bool = False
    of_wakes: bool = False
    body_bytes_max: int = 0
