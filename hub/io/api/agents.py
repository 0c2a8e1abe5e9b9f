"""The agents: what each channel does now, what it last did, and what it has used since midnight."""

import asyncio
from datetime import datetime
from typing import Literal

from msgspec.structs import replace

from hub.contract.insight import AgentList, AgentView
from hub.contract.words import RunState
from hub.domain.canonical import visible
from hub.domain.execution import Execution
from hub.domain.policy import USD, Channel, Policy
from hub.domain.reports import ChannelNow, ChannelsNow
from hub.io.agents.containment import described
from hub.io.api.call import Call, Nothing
from hub.io.http.parts import ApiParts
from hub.learn import bounds_of, days_until

State = Literal["idle", "queued", "running", "failed"]
STATES: dict[RunState, State] = {
    RunState.QUEUED: "queued",
    RunState.ACTIVE: "running",
    RunState.FAILED: "failed",
}
"""In every other state the agent is idle: its work is done, or somebody stopped it."""


async def agents(call: Call[Nothing, Nothing]) -> AgentList:
    """Return every configured channel with its agent and what that one is doing."""
    views = await agent_views(call.parts)
    return AgentList(agents=views, count=len(views))


async def agent_views(parts: ApiParts) -> tuple[AgentView, ...]:
    """Return every configured channel as everybody outside sees it, in the order of the settings."""
    policy = parts.hub_api.policy()
    midnight = bounds_of(days_until(parts.clock.now(), policy.zone, 1), policy.zone)[0]
    names = tuple(channel.name for channel in policy.channels)
    found = await parts.store.read(ChannelsNow(user=parts.user, channels=names, since=midnight))
    held = await asyncio.to_thread(_containments, policy)
    pairs = zip(policy.channels, found, strict=True)
    return tuple(replace(view(channel, now), containment=held.get(channel.agent, "")) for channel, now in pairs)


def _containments(policy: Policy) -> dict[str, str]:
    """Say for each agent what holds its runs; the first time it is tried out, which takes a moment."""
    return {agent.name: described(agent).text for agent in policy.agents}


def view(channel: Channel, now: ChannelNow) -> AgentView:
    """Return one channel as everybody outside sees it."""
    idle = AgentView(
        channel=channel.name,
        agent=channel.agent,
        specialty=channel.specialty,
        state="idle",
        cost_today_usd=now.cost_microusd / USD,
        runs_today=now.runs,
        tokens_today=now.tokens,
    )
    run = now.run
    if run is None:
        return idle
    return replace(
        idle,
        state=STATES.get(run.state, "idle"),
        card_id=run.card_id,
        doing=visible(run.permit.prompt),
        since=_since(run),
        last_line="" if now.line is None else visible(now.line.text),
    )


def _since(run: Execution) -> datetime:
    return run.ended_at or run.started_at or run.queued_at
