"""One call of a tool: read, asked, waited for, and told as MCP tells a result."""

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolRequestParams, CallToolResult, TextContent
from msgspec.structs import replace

from hub.contract.base import Value
from hub.io.agents.mcp_server.world import NAMES as WORLD_NAMES
from hub.io.agents.mcp_server.world import WorldTools
from hub.io.agents.questions.arguments import (
    ASK,
    CHECK,
    NOTIFY,
    SUGGEST,
    AskingAgent,
    CheckAnswer,
    HumanQuestion,
    NotifyHuman,
    SuggestIdea,
    UnusableArguments,
    agent_name,
    note_of,
    read_arguments,
    request_of,
    suggestion_of,
)
from hub.io.agents.questions.asking import ProcessQuestions, Told
from hub.io.agents.questions.hub_client import AWAY, AgentHubClient
from hub.io.agents.questions.outcome import TOLD, Outcome, as_data, in_words, outcome_of
from hub.kit.hub_client import HubSaysNo

WAIT_S_DEFAULT = 50.0
"""Most clients give up on a tool after a minute, whatever they are told meanwhile."""
PATIENT_S = {"claude-code": 86_400.0}
"""Clients that are known to wait on, as long as they are told that they wait."""
TAKEN = (
    "Pulse has your idea. The user sees it when it is worth an interruption, and it is done only if they say yes, "
    "perhaps by another agent. Do not wait for it, and do not start on it."
)
KNOWN = "Pulse already has this idea from you. Nothing more was done."
NOT_TAKEN = replace(AWAY, detail="Pulse is not running, so the idea was not accepted.")
Context = ServerRequestContext[Any, Any]
Failure = UnusableArguments | HubSaysNo


class ToolCaller(Value):
    """Whose call it is: how its hub is reached, where it asks from, and whether its client is told of progress."""

    link: AgentHubClient
    agent: AskingAgent
    is_told: bool


class ToolCalls:
    """Answers calls of tools. `wait_s`: how long one waits that does not say; None for as long as its client does."""

    def __init__(
        self,
        asking: ProcessQuestions,
        caller_of: Callable[[Context], tuple[AgentHubClient, AskingAgent]],
        wait_s: float | None,
    ) -> None:
        self.asking = asking
        self._caller_of = caller_of
        self._wait_s = wait_s
        self._world = WorldTools()

    def caller(self, ctx: Context) -> ToolCaller:
        """Return whose call this is."""
        link, agent = self._caller_of(ctx)
        return ToolCaller(link=link, agent=agent, is_told="progress_token" in (ctx.meta or {}))

    async def call(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        """Carry out one call; what goes wrong is told to the model, which can do something about it."""
        caller, given = self.caller(ctx), dict(params.arguments or {})
        if params.name in WORLD_NAMES:
            return await self._world.call(params.name, given, caller.link, caller.agent)
        match params.name:
            case name if name == ASK:
                found = await self._ask(ctx, caller, given)
            case name if name == NOTIFY:
                found = await self._tell(caller, given)
                return result_of(found, TOLD)
            case name if name == SUGGEST:
                return await self._suggest(caller, given)
            case name if name == CHECK:
                found = await self._check(ctx, caller, given)
            case name:
                found = UnusableArguments(why=f"There is no tool {name!r} here.")
        return result_of(found)

    async def opened(self, caller: ToolCaller, asked: HumanQuestion) -> Outcome | Failure:
        """Put a question before the person; say how it stands now."""
        request = request_of(asked, caller.agent)
        if isinstance(request, UnusableArguments):
            return request
        return await self.asking.open(caller.link, request, caller.agent, asked.key)

    async def _ask(self, ctx: Context, caller: ToolCaller, given: dict[str, Any]) -> Outcome | Failure:
        asked = read_arguments(HumanQuestion, given)
        found = asked if isinstance(asked, UnusableArguments) else await self.opened(caller, asked)
        if isinstance(asked, UnusableArguments) or not isinstance(found, Outcome):
            return found
        wait_s = self._patience_s(caller) if asked.wait_s is None else asked.wait_s
        try:
            return await self.asking.wait(caller.link, found, wait_s, _teller(ctx))
        except asyncio.CancelledError:  # the client does not wait any more, so nobody is to be asked any more
            await asyncio.shield(self.asking.take_back(caller.link, found.ask_id))
            raise

    async def _tell(self, caller: ToolCaller, given: dict[str, Any]) -> Outcome | Failure:
        told = read_arguments(NotifyHuman, given)
        request = told if isinstance(told, UnusableArguments) else note_of(told, caller.agent)
        if isinstance(request, UnusableArguments):
            return request
        return await self.asking.open(caller.link, request, caller.agent, stays=True)

    async def _suggest(self, caller: ToolCaller, given: dict[str, Any]) -> CallToolResult:
        said = read_arguments(SuggestIdea, given)
        if isinstance(said, UnusableArguments):
            return result_of(said)
        if not said.idea.strip():
            return result_of(UnusableArguments(why="The idea is empty."))
        found = await caller.link.suggest(suggestion_of(said, caller.agent))
        if isinstance(found, HubSaysNo):
            return result_of(NOT_TAKEN if found.code == AWAY.code else found)
        words = KNOWN if found.repeated else TAKEN
        data = {"id": found.id, "repeated": found.repeated, "means": words}
        return CallToolResult(content=[TextContent(text=words)], structured_content=data)

    async def _check(self, ctx: Context, caller: ToolCaller, given: dict[str, Any]) -> Outcome | Failure:
        asked = read_arguments(CheckAnswer, given)
        if isinstance(asked, UnusableArguments):
            return asked
        reply = await caller.link.look(asked.ask_id)
        if isinstance(reply, HubSaysNo):
            return reply
        return await self.asking.wait(caller.link, outcome_of(reply), asked.wait_s or 0, _teller(ctx))

    def _patience_s(self, caller: ToolCaller) -> float:
        if self._wait_s is not None:
            return self._wait_s
        return PATIENT_S.get(caller.agent.name, WAIT_S_DEFAULT) if caller.is_told else WAIT_S_DEFAULT


def result_of(found: Outcome | Failure, words: str = "") -> CallToolResult:
    """Return the result of a call as MCP has it; `words` stand for how a question stands."""
    match found:
        case Outcome():
            said = words or in_words(found)
            return CallToolResult(content=[TextContent(text=said)], structured_content=as_data(found, said))
        case UnusableArguments(why=why):
            return _failed(why)
        case HubSaysNo(detail=detail, fix=fix):
            return _failed(f"{detail} {fix}".strip())


def client_name(ctx: Context) -> str:
    """Return what the client calls itself, as it can stand on a card."""
    client = ctx.session.client_params
    return agent_name(client.client_info.name if client is not None else "")


def _failed(why: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=why)], is_error=True)


def _teller(ctx: Context) -> Told:
    async def tell(seconds: float, message: str) -> None:
        await ctx.session.report_progress(seconds, None, message)

    return tell
