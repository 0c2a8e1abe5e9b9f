"""Telling the person's other devices at once what was loosened at a command line, in case that it was not them."""

import contextlib
from typing import Any

from hub.contract.access import TerminalRequest
from hub.contract.errors import PulseError
from hub.domain.requests import Noted, TellDevices
from hub.io.access.terminals import title_of
from hub.io.access.tokens import is_by_hand
from hub.io.agents.terminal_shell import Shell, shell_of
from hub.io.api.call import Call
from hub.io.api.endpoint import API, Endpoint
from hub.io.http.loop_requests import ask_loop

LOOKS = frozenset({"GET", "HEAD"})
WHAT = {
    f"{API}/tokens": "a token was created",
    f"{API}/pairing": "a code was created that signs in a browser or an app",
    f"{API}/pairing/waiting/{{id}}": "a browser was let in",
    f"{API}/outside/wifi": "Pulse was opened to phones on its Wi-Fi",
    f"{API}/devices": "a device was paired",
    f"{API}/terminals": "this terminal was let in",
    f"{API}/crosspoll/config": "what Pulse may do, or when it may disturb you, was changed",
    f"{API}/crosspoll/resume": "a pause was lifted",
    f"{API}/mutes": "what you are always to be asked about was changed",
    f"{API}/mutes/{{id}}": "something you muted, or wanted to be asked about, was undone",
    f"{API}/agents/attached": "whether Pulse is attached to an agent was changed",
}
OTHERWISE = "a setting was changed"


def loosens(endpoint: Endpoint, method: str, body: object) -> bool:
    """Return True if a request to an endpoint changes what may be done, or who may come in."""
    if method in LOOKS or endpoint.open_to_all(body):
        return False
    return endpoint.loosens(body) or endpoint.scope == "admin"


async def tell_others(endpoint: Endpoint, method: str, call: Call[Any, Any]) -> None:
    """Tell every device what was just loosened over the hub's socket, once agents are connected."""
    client = call.client
    if client is None or not is_by_hand(client) or not call.to.terminals.are_needed or call.caller is None:
        return
    if not loosens(endpoint, method, call.body):
        return
    shell = shell_of(call.caller.process)
    where = title_of(shell) if isinstance(shell, Shell) else "a terminal"
    what = f"At {where}: {_what(endpoint, call.body)}."
    with contextlib.suppress(PulseError):  # it is done, and whoever did it must not read that it was not
        await ask_loop(call.parts.hub_api, TellDevices(what=what), Noted)


def _what(endpoint: Endpoint, body: object) -> str:
    if isinstance(body, TerminalRequest) and body.removes:
        return f"{body.agent} is being disconnected" if body.agent else "all agents are being disconnected"
    if isinstance(body, TerminalRequest) and body.agent:
        return f"{body.agent} is being connected"
    return WHAT.get(endpoint.path, OTHERWISE)
