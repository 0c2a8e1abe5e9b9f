"""Agents with a server of their own: which of them Pulse attaches to, and which processes they are."""

from hub.contract.attached import ATTACHED, AgentProcess, AttachedAgents, AttachRequest
from hub.io.access.tokens import LOCAL_ID
from hub.io.agents.lineage import enter_agent_itself, note_server
from hub.io.api.call import Call, Nothing
from hub.io.http.errors import OutOfScopeError

PROGRAMS = {"codex": ("codex",), "openclaw": ("node",)}
"""How each agent's own process may be called."""


async def attach(call: Call[AttachRequest, Nothing]) -> AttachedAgents:
    """Attach to an agent from now on, or no more; one that has no server of its own changes nothing."""
    surfaces, which = call.parts.surfaces, f"{ATTACHED} {call.body.agent}"
    if call.body.attach:
        call.to.terminals.note_agent()
        surfaces.need(which)
    else:
        note_server(call.body.agent, 0)
        await surfaces.release(which)
    return _attached(call)


async def name_process(call: Call[AgentProcess, Nothing]) -> AttachedAgents:
    """Note which process an agent is; what it starts may ask from now on, and not answer.

    Raises:
        OutOfScopeError: it is not the process that Pulse attached to that agent who says so.
    """
    if call.client is None or call.client.id != f"{LOCAL_ID}_{call.body.agent}":
        raise OutOfScopeError("Only the process that Pulse attaches to an agent says which one that is.")
    note_server(call.body.agent, call.body.pid)
    enter_agent_itself(call.body.pid, PROGRAMS.get(call.body.agent, ()))
    return _attached(call)


def _attached(call: Call[AttachRequest, Nothing] | Call[AgentProcess, Nothing]) -> AttachedAgents:
    names = (part.name.partition(" ") for part in call.parts.surfaces.health())
    return AttachedAgents(agents=tuple(agent for kind, _, agent in names if kind == ATTACHED))
