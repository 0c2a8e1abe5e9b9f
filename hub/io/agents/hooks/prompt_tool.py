"""Claude Code's permission prompts as a tool of an MCP server (`--permission-prompt-tool`), for `claude -p`. Pure.

Claude calls the one tool with `tool_name`, `input` and `tool_use_id` where it would open a dialog, and takes a text
that holds its answer. What it asks is handed on as its hook for leave would say it, so both ask the same card.
"""

from collections.abc import Mapping

import msgspec

from hub.contract.base import Value
from hub.io.agents.hooks.claude_code import BY_TOOL
from hub.io.agents.hooks.step import ToolInput, Unreadable, fields_of, plain_json
from hub.kit.loose_json import object_of, text_of

TOOL = "approve"
SERVER = {"name": "pulse", "version": "1"}
PROTOCOL = "2025-11-25"
UNKNOWN_METHOD, BAD_PARAMS = -32601, -32602
NOBODY = "Nobody answered, so it was not allowed. Ask the user what they want instead."
ABOUT = {
    "name": TOOL,
    "description": "Asks the user whether a tool may be used. Called by Claude Code itself, never by the model.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "tool_name": {"type": "string"},
            "input": {"type": "object"},
            "tool_use_id": {"type": "string"},
        },
        "required": ["tool_name", "input"],
    },
}


class PromptCall(Value):
    """Claude asks for leave: `number` is its request's, `said` what its hook would have said, `given` the input."""

    number: int | str
    said: bytes
    given: ToolInput


def read_line(raw: bytes, folder: str, session: str) -> PromptCall | bytes | None:
    """Read one line of Claude's; return what it asks for, what to reply at once, or None where nothing is expected."""
    fields = fields_of(raw)
    if isinstance(fields, Unreadable):
        return None
    number, method, params = fields.get("id"), text_of(fields, "method"), object_of(fields, "params")
    if not isinstance(number, int | str):
        return None
    match method:
        case "initialize":
            version = text_of(params, "protocolVersion") or PROTOCOL
            return reply(number, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": SERVER})
        case "ping":
            return reply(number, {})
        case "tools/list":
            return reply(number, {"tools": [ABOUT]})
        case "tools/call":
            return _call(number, params, folder, session)
    return _error(number, UNKNOWN_METHOD, f"There is no method {method[:40]!r}.")


def answer(call: PromptCall, printed: bytes) -> bytes:
    """Return the reply to a call, from what the hub would have had the hook print; without an answer it is a no."""
    fields = fields_of(printed)
    said = {} if isinstance(fields, Unreadable) else object_of(object_of(fields, "hookSpecificOutput"), "decision")
    if text_of(said, "behavior") == "allow":
        return _told(call, {"behavior": "allow", "updatedInput": object_of(said, "updatedInput") or call.given})
    return refusal(call, text_of(said, "message") or NOBODY)


def refusal(call: PromptCall, why: str) -> bytes:
    """Return the reply that refuses it, with the reason."""
    return _told(call, {"behavior": "deny", "message": why})


def reply(number: int | str, result: Mapping[str, object]) -> bytes:
    """Return the reply to a request."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": number, "result": result})


def _call(number: int | str, params: ToolInput, folder: str, session: str) -> PromptCall | bytes:
    asked = object_of(params, "arguments")
    tool, given = text_of(asked, "tool_name"), object_of(asked, "input")
    if text_of(params, "name") != TOOL or not tool:
        return _error(number, BAD_PARAMS, "It does not name the tool.")
    said = {"hook_event_name": "PermissionRequest", "session_id": session, "cwd": folder, "tool_name": tool}
    about = {**said, "tool_input": given, BY_TOOL: True}
    return PromptCall(number=number, said=plain_json(about).encode(), given=given)


def _told(call: PromptCall, said: Mapping[str, object]) -> bytes:
    return reply(call.number, {"content": [{"type": "text", "text": plain_json(said)}]})


def _error(number: int | str, code: int, message: str) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})
