"""The local way in: whoever calls over the hub's own Unix socket is known by the kernel's word, not by a token.

The person who runs the hub may do everything there; once an agent is connected, only at a terminal that they let in
(hub/io/access/terminals.py), and else no more than look, ask and tighten. A program that one of the hub's runs has
started runs as the same person; it may ask, and never answer. So may what a connected agent of the person's has
started, and whoever says that it speaks for one. Everybody else of this machine is refused.
"""

from starlette.types import Scope as Asgi

from hub.contract.access import Scope
from hub.domain.canonical import digest
from hub.domain.storage import Client
from hub.io.access.tokens import AGENT_ID, EVERYTHING, LOCAL_ID, RUN_ID, UNPROVEN, UNPROVEN_ID
from hub.io.agents.lineage import AGENTS, LIVE
from hub.io.agents.process_table import entry
from hub.io.api.call import Services
from hub.io.http.bodies import header_of
from hub.io.http.errors import AnotherUserError, UnprovenCallerError
from hub.io.server.caller import EXTENSION, Caller

AS = b"pulse-as"
UNKNOWN = "a terminal or program that was not let in"
"""What is told of an unproven caller in the person's place."""
AS_AGENT = "agent"
"""What a request says that is made for an agent, so that it has no more rights than an agent: never the person's."""


def local_client(scope: Asgi, services: Services) -> Client | None:
    """Return whose request this is by the socket that it came over; None if it came another way.

    Raises:
        AnotherUserError: it is another user's.
        UnprovenCallerError: the process that made it no longer exists.
    """
    caller = caller_in(scope)
    if caller is None:
        return None
    match caller.standing:
        case "another-user":
            raise AnotherUserError(fix=AnotherUserError.FIX)
        case "unproven":
            raise UnprovenCallerError(fix=UnprovenCallerError.FIX)
        case "run":
            return _client(services, RUN_ID, "a run of this hub", ("ask",))
        case "agent":
            services.terminals.note_agent()
            return agent_client(services)
        case "person" if header_of(scope, AS) == AS_AGENT:
            services.terminals.note_agent()
            return agent_client(services)
        case "person" if services.terminals.proves(caller.process):
            return _client(services, LOCAL_ID, "this machine", EVERYTHING)
        case "person":
            return _client(services, UNPROVEN_ID, UNKNOWN, UNPROVEN)


def agent_client(services: Services) -> Client:
    """Return who the person's own agents are, all of them; each says its name itself when it asks."""
    return _client(services, AGENT_ID, "", ("ask",))


def share_of(client_id: str, pid: int, session: str = "") -> str | None:
    """Return whose share of its client's questions a request takes; None where the client is one asker.

    What stands for all agents of this machine is told apart by the process that each descends from, by the kernel's
    word and whatever it calls itself; what is not known to be an agent's, by its session, which a process can leave and
    not enter; a process of ours that speaks for one agent's server by the sessions there.
    """
    if client_id == UNPROVEN_ID:
        found = entry(pid) if pid else None
        return "" if found is None else str(found.session)
    if client_id == AGENT_ID:
        return AGENTS.origin_of(pid, outermost=True) if pid else ""
    if client_id == RUN_ID:
        return LIVE.origin_of(pid) if pid else ""
    return digest(session) if client_id.startswith(f"{LOCAL_ID}_") else None


def shares_of(client_id: str, pid: int) -> tuple[str, ...] | None:
    """Return the shares under which whoever calls may have asked; None where its client is one asker.

    An agent that another started was told from it by its own process while the other was not known.
    """
    if client_id == AGENT_ID:
        return (share_of(client_id, pid) or "", AGENTS.origin_of(pid) if pid else "")
    if client_id == UNPROVEN_ID:
        return (share_of(client_id, pid) or "",)
    return (LIVE.origin_of(pid) if pid else "",) if client_id == RUN_ID else None


def caller_in(scope: Asgi) -> Caller | None:
    """Return who made a request over the socket; None if it came another way."""
    caller: Caller | None = scope.get("extensions", {}).get(EXTENSION, {}).get("caller")
    return caller


def _client(services: Services, client_id: str, name: str, scopes: tuple[Scope, ...]) -> Client:
    parts = services.parts
    return Client(
        id=client_id, user=parts.user, name=name, token_sha256="", scopes=scopes, created_at=parts.clock.now()
    )
