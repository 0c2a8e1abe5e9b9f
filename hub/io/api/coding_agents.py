"""The coding agents on this machine, and what connecting one would change; nothing is changed here."""

import asyncio

from hub.contract.coding_agents import CodingAgentList
from hub.io.api.call import Call, Nothing


async def coding_agents(call: Call[Nothing, Nothing]) -> CodingAgentList:
    """Look at the agents' settings now."""
    look = call.parts.coding_agents
    return CodingAgentList(agents=(), count=0) if look is None else await asyncio.to_thread(look)
