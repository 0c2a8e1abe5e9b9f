"""The tasks extension (SEP-2663): a client that has it is handed a question as a task, and asks for it when it likes.

A task is the hub's card and nothing else: its id is the card's, so it outlives this process, and the hub's own rule
says who may look at it.
"""

from datetime import UTC, datetime
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequestParams,
    ClientCapabilities,
    MissingRequiredClientCapabilityErrorData,
    RequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.requests import Request

from hub.contract.control import PermissionReply
from hub.contract.topics import is_segment
from hub.io.agents.mcp_server.calls import Context, ToolCalls, result_of
from hub.io.agents.questions.arguments import ASK, HumanQuestion, read_arguments
from hub.io.agents.questions.outcome import Outcome, outcome_of
from hub.kit.hub_client import HubSaysNo

EXTENSION = "io.modelcontextprotocol/tasks"
POLL_MS = 2_000
COMPLETE = {"resultType": "complete"}
WAITING = "Waiting for a person to answer"
NOT_FOUND = 404
NAME_HEADER = "mcp-name"
STATES = {"pending": "working", "withdrawn": "cancelled"}
"""What a question's standing is as a task's; every other one is an answer that can be read: completed."""


class TaskParams(RequestParams):
    """Parameters of `tasks/get`, `tasks/cancel` and `tasks/update`; what else an update has is not looked at."""

    task_id: str


class AskTasks:
    """Hands questions over as tasks to clients that declare the extension."""

    def __init__(self, calls: ToolCalls) -> None:
        self._calls = calls

    def serve(self, server: Server[Any]) -> None:
        """Let a server speak the extension."""
        server.extensions[EXTENSION] = {}
        server.add_request_handler("tasks/get", TaskParams, self.get)
        server.add_request_handler("tasks/cancel", TaskParams, self.cancel)
        server.add_request_handler("tasks/update", TaskParams, self.update)

    async def task_for(self, ctx: Context, params: CallToolRequestParams) -> dict[str, Any] | None:
        """Return a call of a tool as a task; None where it is to be answered at once."""
        if params.name != ASK or not _is_declared(ctx):
            return None
        asked = read_arguments(HumanQuestion, dict(params.arguments or {}))
        if not isinstance(asked, HumanQuestion) or asked.wait_s is not None:
            return None
        caller = self._calls.caller(ctx)
        found = await self._calls.opened(caller, asked)
        if not isinstance(found, Outcome) or found.status != "pending":
            return None
        reply = await caller.link.look(found.ask_id)
        return None if isinstance(reply, HubSaysNo) else {"resultType": "task", **_task(reply, found)}

    async def get(self, ctx: Context, params: TaskParams) -> dict[str, Any]:
        """Say how a task stands, with its result once there is one."""
        _require(ctx)
        link = self._calls.caller(ctx).link
        reply = await link.look(_known(ctx, params))
        if isinstance(reply, HubSaysNo):
            raise _error(reply)
        found = outcome_of(reply)
        state = {**COMPLETE, **_task(reply, found)}
        if state["status"] != "completed":
            return state
        self._calls.asking.handed_over(found)
        return {**state, "result": result_of(found).model_dump(by_alias=True, mode="json", exclude_none=True)}

    async def cancel(self, ctx: Context, params: TaskParams) -> dict[str, Any]:
        """Take a question back; one that is settled stays as it is."""
        _require(ctx)
        reply = await self._calls.asking.take_back(self._calls.caller(ctx).link, _known(ctx, params))
        if isinstance(reply, HubSaysNo) and reply.code != "already-settled":
            raise _error(reply)
        return dict(COMPLETE)

    async def update(self, ctx: Context, params: TaskParams) -> dict[str, Any]:
        """Take note that a client has sent input; a question asks its client for none."""
        _require(ctx)
        reply = await self._calls.caller(ctx).link.look(_known(ctx, params))
        if isinstance(reply, HubSaysNo):
            raise _error(reply)
        return dict(COMPLETE)


def _task(reply: PermissionReply, found: Outcome) -> dict[str, Any]:
    status, card = STATES.get(found.status, "completed"), reply.prediction
    ttl_ms = round((card.expires_at - card.created_at).total_seconds() * 1_000)
    return {
        "taskId": card.id,
        "status": status,
        "createdAt": _at(card.created_at),
        "lastUpdatedAt": _at(reply.since or card.created_at),
        "ttlMs": ttl_ms,
        "pollIntervalMs": POLL_MS,
        **({"statusMessage": WAITING} if status == "working" else {}),
    }


def _at(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _is_declared(ctx: Context) -> bool:
    capabilities = ctx.session.client_capabilities
    declared = capabilities.extensions if capabilities else None
    return declared is not None and EXTENSION in declared and ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def _require(ctx: Context) -> None:
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        raise MCPError(code=METHOD_NOT_FOUND, message="Method not found")
    if not _is_declared(ctx):
        needed = MissingRequiredClientCapabilityErrorData(
            required_capabilities=ClientCapabilities(extensions={EXTENSION: {}})
        )
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message=f"The client did not declare {EXTENSION!r}",
            data=needed.model_dump(by_alias=True, mode="json", exclude_none=True),
        )


def _known(ctx: Context, params: TaskParams) -> str:
    if isinstance(ctx.request, Request) and ctx.request.headers.get(NAME_HEADER) != params.task_id:
        raise MCPError(code=HEADER_MISMATCH, message=f"The header {NAME_HEADER} does not name the task")
    if not is_segment(params.task_id):
        raise MCPError(code=INVALID_PARAMS, message="There is no such task")
    return params.task_id


def _error(refusal: HubSaysNo) -> MCPError:
    message = "There is no such task" if refusal.status == NOT_FOUND else f"{refusal.detail} {refusal.fix}".strip()
    return MCPError(code=INVALID_PARAMS, message=message)
