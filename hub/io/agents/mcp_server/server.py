"""The MCP server itself: the tools, both revisions of the protocol, over standard streams or over HTTP."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

from hub.io.agents.mcp_server.calls import Context, ToolCalls, client_name
from hub.io.agents.mcp_server.tasks import AskTasks
from hub.io.agents.mcp_server.tools import INSTRUCTIONS, TOOLS
from hub.io.agents.questions.arguments import AskingAgent
from hub.io.agents.questions.asking import ProcessQuestions
from hub.io.agents.questions.hub_client import AgentHubClient
from hub.kit.hub_api import HubAddress

NAME = "pulse"
LISTED_MS = 3_600_000
"""How long a client need not list the tools again."""


def make_server(calls: ToolCalls, version: str) -> Server[Any]:
    """Return a server with our tools and tasks."""
    tasks = AskTasks(calls)

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=TOOLS)

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult | dict[str, Any]:
        task = await tasks.task_for(ctx, params)
        return await calls.call(ctx, params) if task is None else task

    server: Server[Any] = Server(
        NAME,
        version=version,
        title="Pulse",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(ttl_ms=LISTED_MS, scope="public")},
        on_list_tools=list_tools,
    )
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    tasks.serve(server)
    return server


async def serve_streams(find: Callable[[], HubAddress | None], version: str, wait_s: float | None) -> None:
    """Serve the one client at our standard streams, until it closes them; what it asked goes with it."""
    link, folder = AgentHubClient(find), str(Path.cwd())
    asking = ProcessQuestions(attends=True)

    def caller_of(ctx: Context) -> tuple[AgentHubClient, AskingAgent]:
        return link, AskingAgent(name=client_name(ctx), folder=folder)

    server = make_server(ToolCalls(asking, caller_of, wait_s), version)
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        await asking.close()


def run_streams(find: Callable[[], HubAddress | None], version: str, wait_s: float | None) -> None:
    """Serve the one client at our standard streams; what the libraries have to say goes to standard error."""
    logging.basicConfig(level=logging.ERROR)
    try:
        asyncio.run(serve_streams(find, version, wait_s))
    except* BrokenPipeError:  # the client has gone in the middle of what it was told; its questions were taken back
        os.close(sys.stdout.fileno())  # or Python would try to write what is left, and complain
