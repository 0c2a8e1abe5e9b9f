"""The one way from a decoded call to its handler, over HTTP and as JSON-RPC: whether it may be made, who is told."""

from typing import Any

from starlette.responses import Response

from hub.contract.base import Message
from hub.domain.requests import Refused
from hub.domain.storage import Client
from hub.io.access.in_person import is_plain_token
from hub.io.access.tokens import is_by_hand, require, require_to_loosen
from hub.io.api.call import Call
from hub.io.api.endpoint import Endpoint
from hub.io.api.telling import loosens, tell_others
from hub.io.http.terminal_errors import TokenIsNoPersonError


async def perform(endpoint: Endpoint, method: str, call: Call[Any, Any]) -> Message | Refused | Response:
    """Return what an endpoint answers to a call, once its client is known to be allowed to make it.

    Raises:
        PulseError: it is not, or the handler could not answer.
    """
    if call.client is not None:
        require_use_of(endpoint, call.client)
    _require_by_hand(endpoint, call)
    _require_to_loosen(endpoint, call, method)
    call.to.confirmations.require(call.client, endpoint.confirm(call.body), call.parts.clock.now())
    result = await endpoint.handler(call)
    if isinstance(result, Message):
        await tell_others(endpoint, method, call)
    return result


def require_use_of(endpoint: Endpoint, client: Client) -> None:
    """Check that a client's scopes allow an endpoint; for what came over the socket, its body helps to tell later.

    Raises:
        FromARunError, OutOfScopeError: they do not.
    """
    if endpoint.scope is None or is_by_hand(client):
        return
    require(
        client,
        endpoint.scope,
        of_surfaces=endpoint.of_surfaces,
        of_apps=endpoint.of_apps,
        of_agents=endpoint.of_agents,
        of_wakes=endpoint.of_wakes,
    )


def _require_by_hand(endpoint: Endpoint, call: Call[Any, Any]) -> None:
    """Check that what came over the socket may do this.

    Raises:
        TerminalNotLetInError, NotAtATerminalError, AgentInThisTerminalError, OutOfScopeError: it may not.
    """
    client = call.client
    if client is None or not is_by_hand(client) or endpoint.scope is None or endpoint.scope in client.scopes:
        return
    if endpoint.open_to_all(call.body):
        return
    if call.caller is not None:
        call.to.terminals.require(call.caller.process)
    require(client, endpoint.scope)


def _require_to_loosen(endpoint: Endpoint, call: Call[Any, Any], method: str) -> None:
    """Check that nothing is loosened by a device but what it may, and nothing by a token alone that agents may read.

    Such a token changes nothing either that is the person's.

    Raises:
        TokenIsNoPersonError, OutOfScopeError: it would be.
    """
    is_loosened = loosens(endpoint, method, call.body)
    if (is_loosened or endpoint.of_person) and call.to.terminals.are_needed and is_plain_token(call.client):
        raise TokenIsNoPersonError(fix=TokenIsNoPersonError.FIX)
    if is_loosened:
        require_to_loosen(call.client, of_surfaces=endpoint.of_surfaces, of_apps=endpoint.of_apps)
