"""The hub as the MCP server reaches it: its API, over the hub's own socket as an agent, or over a port by a token."""

from collections.abc import Callable
from typing import Literal, TypeVar

import httpx
import msgspec

from hub.contract.base import Message
from hub.contract.control import PermissionList, PermissionReply
from hub.contract.permission import WAIT_S_MAX, PermissionRequest
from hub.contract.suggestions import SuggestionAnswer, SuggestionRequest
from hub.kit.hub_api import HubAddress
from hub.kit.hub_client import HubSaysNo, hub_client, read_answer

ANSWER_S_MAX = 15.0
"""How long the hub may take to answer what waits for nobody."""
PERMISSIONS = "/api/v1/permissions"
UNAUTHORIZED = 401
M = TypeVar("M", bound=Message)


AWAY = HubSaysNo(detail="Pulse is not running, so nobody can be asked.", fix="Start it with `pulse up`.", code="away")


class AgentHubClient:
    """Asks, looks, waits and takes back. `find` says where the hub is now, None while it is not running."""

    def __init__(self, find: Callable[[], HubAddress | None]) -> None:
        self._find = find

    async def ask(self, request: PermissionRequest, key: str) -> PermissionReply | HubSaysNo:
        """Put a question before the person; the same key again is the same question."""
        body = msgspec.json.encode(request)
        return await self._call("POST", PERMISSIONS, ANSWER_S_MAX, PermissionReply, body, key=key)

    async def look(self, ask_id: str) -> PermissionReply | HubSaysNo:
        """Say how a question stands."""
        return await self._call("GET", f"{PERMISSIONS}/{ask_id}", ANSWER_S_MAX, PermissionReply)

    async def wait(self, ask_id: str, *, withdraws: bool) -> PermissionReply | HubSaysNo:
        """Wait until a question is settled; with `withdraws`, not to wait any more takes it back."""
        path = f"{PERMISSIONS}/{ask_id}?wait={WAIT_S_MAX}&withdraw={str(withdraws).lower()}"
        return await self._call("GET", path, WAIT_S_MAX + ANSWER_S_MAX, PermissionReply)

    async def withdraw(self, ask_id: str) -> PermissionReply | HubSaysNo:
        """Take a question back."""
        return await self._call("DELETE", f"{PERMISSIONS}/{ask_id}", ANSWER_S_MAX, PermissionReply)

    async def listed(self, query: str) -> PermissionList | HubSaysNo:
        """Return a page of one's own questions."""
        return await self._call("GET", f"{PERMISSIONS}?{query}", ANSWER_S_MAX, PermissionList)

    async def suggest(self, request: SuggestionRequest) -> SuggestionAnswer | HubSaysNo:
        """Hand in an idea; the same key again is the same idea."""
        body = msgspec.json.encode(request)
        return await self._call("POST", "/api/v1/suggestions", ANSWER_S_MAX, SuggestionAnswer, body)

    async def world(
        self, method: Literal["GET", "POST"], path: str, kind: type[M], body: Message | None = None
    ) -> M | HubSaysNo:
        """Say something in the world log, or look at it."""
        return await self._call(method, path, ANSWER_S_MAX, kind, b"" if body is None else _sparse(body))

    async def _call(
        self,
        method: Literal["GET", "POST", "DELETE"],
        path: str,
        within_s: float,
        kind: type[M],
        body: bytes = b"",
        *,
        key: str = "",
    ) -> M | HubSaysNo:
        hub = self._find()
        if hub is None:
            return AWAY
        as_whom = {} if hub.token else {"Pulse-As": "agent"}
        headers = {"Content-Type": "application/json", **as_whom, **({"Idempotency-Key": key} if key else {})}
        try:
            async with hub_client(hub, within_s) as client:
                answer = await client.request(method, path, content=body, headers=headers)
        except httpx.HTTPError:
            return AWAY
        return read_answer(answer, kind)


def _sparse(body: Message) -> bytes:
    """Return a body without the fields that were left out."""
    said = {name: value for name, value in msgspec.to_builtins(body).items() if value is not None}
    return msgspec.json.encode(said)
