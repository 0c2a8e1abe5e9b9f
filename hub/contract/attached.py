"""Agents with a server of their own, which a process beside the hub is attached to."""

from typing import Annotated

from msgspec import Meta

from hub.contract.base import HubMessage, Message
from hub.contract.permission import AgentName

ATTACHED = "agent"
"""What the processes that are attached to agents are called in health, before the agent's name."""


class AttachRequest(Message):
    """Body of `POST /api/v1/agents/attached`: attach to this agent's own server from now on, or do so no more."""

    agent: AgentName
    attach: bool = True


class AgentProcess(Message):
    """Body of `POST /api/v1/agents/processes`: which process an agent is. What it starts may ask, and never answer."""

    agent: AgentName
    pid: Annotated[int, Meta(ge=2)]


class AttachedAgents(HubMessage):
    """Which agents' own servers Pulse attaches to."""

    agents: tuple[AgentName, ...]
