"""The hub's HTTP API for a process on asyncio: the client that reaches it, and what it answered."""

from typing import TypeVar

import httpx
import msgspec

from hub.contract.api import Problem
from hub.contract.base import Message, Value
from hub.kit.hub_api import HOST, UNIX, HubAddress

M = TypeVar("M", bound=Message)


class HubSaysNo(Value):
    """The hub did not do it: it is away, or refuses. The words are for the person who asked."""

    detail: str
    fix: str = ""
    code: str = ""
    status: int = 0


def hub_client(hub: HubAddress, timeout_s: float) -> httpx.AsyncClient:
    """Return a client of the hub, over its own socket or a port; use it in an `async with`."""
    socket = hub.api.removeprefix(UNIX) if hub.api.startswith(UNIX) else None
    is_secret = hub.api.startswith("https:")  # else there is no certificate, and loading the known ones takes long
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(uds=socket, verify=is_secret),
        base_url=f"http://{HOST}" if socket else hub.api,
        headers={"Authorization": f"Bearer {hub.token}"} if hub.token else {},
        timeout=timeout_s,
        trust_env=False,
    )


def read_answer(answer: httpx.Response, kind: type[M]) -> M | HubSaysNo:
    """Return what the hub answered, or why it did not do what it was asked for."""
    try:
        if answer.is_success:
            return msgspec.json.decode(answer.content, type=kind)
        problem = msgspec.json.decode(answer.content, type=Problem)
    except msgspec.DecodeError:
        detail = f"Pulse answered {answer.status_code}, in an unknown form."
        return HubSaysNo(detail=detail, code=str(answer.status_code))
    return HubSaysNo(detail=problem.detail, fix=problem.fix, code=problem.code, status=answer.status_code)
