"""Gemini CLI's hooks, after the reference that @google/gemini-cli-core 0.61.0 brings along.

Its hooks can refuse a tool or change what it is given, and cannot allow one: after a yes its own dialog still asks,
unless it was started to approve by itself. So the one place to ask a person is before the tool, and it waits there.
"""

from collections.abc import Mapping

from hub.contract.permission import Act
from hub.io.agents.hooks import call_fields, own_tools
from hub.io.agents.hooks.claude_tools import other, replacement, searched
from hub.io.agents.hooks.step import (
    NAME_CHARS_MAX,
    At,
    Dialect,
    HookOutput,
    HookStep,
    ToolInput,
    Unreadable,
    Wanted,
    Word,
    fields_of,
    name_of,
    plain_json,
)
from hub.kit.loose_json import object_of, text_of, texts_of

EVENTS: Mapping[str, At] = {
    "BeforeTool": At.BEFORE,
    "AfterTool": At.AFTER,
    "Notification": At.NOTICE,
    "BeforeAgent": At.PROMPT,
    "AfterAgent": At.TURN_END,
    "SessionStart": At.BEGIN,
    "SessionEnd": At.END,
}
READS = frozenset({"read_file", "list_directory", "glob", "grep_search"})
READS_MANY = "read_many_files"
SERVERS = "mcp_"
"""How the name of a server's tool begins (`mcp_SERVER_TOOL`), which its own have not."""


def read(raw: bytes) -> HookStep | Unreadable:
    """Read what one hook was given."""
    fields = fields_of(raw)
    if isinstance(fields, Unreadable):
        return fields
    event = name_of(fields, "hook_event_name")
    at, tool = EVENTS.get(event, At.ELSE), _tool(fields)
    if not event or (at in {At.BEFORE, At.AFTER} and not tool):
        return Unreadable(why="It does not name the event or the tool.")
    return HookStep(
        at=at,
        event=event,
        session=name_of(fields, "session_id"),
        folder=text_of(fields, "cwd"),
        tool=tool,
        input=object_of(fields, "tool_input"),
        message=text_of(fields, "message"),
    )


def write(step: HookStep, word: Word) -> HookOutput:
    """Write it as Gemini understands it: a no with its reason, or what the tool is given instead."""
    if step.at is At.AFTER and word.context:
        said = {"hookEventName": step.event, "additionalContext": word.context}
        return HookOutput(text=plain_json({"hookSpecificOutput": said}))
    if step.at is not At.BEFORE:
        return HookOutput()
    if word.says in {"deny", "ask"}:  # nobody answered: it cannot be told to ask, so it is told no
        return HookOutput(text=plain_json({"decision": "deny", "reason": word.reason}))
    if word.input is None:
        return HookOutput()
    return HookOutput(text=plain_json({"hookSpecificOutput": {"hookEventName": step.event, "tool_input": word.input}}))


def _tool(fields: ToolInput) -> str:
    """Return the tool's name; a server's is told from Gemini's own by its prefix, also where it came without one."""
    name, server = name_of(fields, "tool_name"), text_of(object_of(fields, "mcp_context"), "server_name")
    if not name or name.startswith(SERVERS) or fields.get("mcp_context") is None:
        return name
    return f"{SERVERS}{server}_{name}"[:NAME_CHARS_MAX]


def wanted_of(step: HookStep) -> Wanted:
    """Say what the tool of this step would do."""
    given, path = step.input, text_of(step.input, "file_path", "dir_path", "path")
    if step.tool == "run_shell_command":
        command, why = text_of(given, "command"), text_of(given, "description")
        return Wanted(act=Act.COMMAND, text=command, reason=why, text_in="command")
    if step.tool == "write_file":
        return Wanted(act=Act.EDIT, target=path, text=text_of(given, "content"), text_in="content")
    if step.tool == "replace":
        return _replace(given, path)
    if step.tool in READS:
        files = (text_of(given, "include"), text_of(given, "include_pattern"), text_of(given, "glob"))
        path = path or text_of(given, "absolute_path")
        return searched(path or step.folder, text_of(given, "pattern"), *files)
    if step.tool == READS_MANY:
        named = (
            *texts_of(given, "paths"),
            *texts_of(given, "include"),
            text_of(given, "paths"),
            text_of(given, "include"),
        )
        return searched(step.folder, "", *named)
    return other(given)


def _replace(given: ToolInput, path: str) -> Wanted:
    diff = replacement(path, text_of(given, "old_string"), text_of(given, "new_string"))
    return Wanted(act=Act.EDIT, target=path, text=diff, reason=text_of(given, "instruction"))


GEMINI = Dialect(
    name="gemini",
    title="Gemini",
    read=read,
    write=write,
    wanted=wanted_of,
    fields=call_fields.GEMINI,
    own_tools=own_tools.GEMINI,
    events=EVENTS,
    before="BeforeTool",
    changes_at=("BeforeTool",),
    unread="deny",
    waits_before=True,
)
