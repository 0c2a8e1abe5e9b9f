"""Copilot CLI's hooks, after GitHub's own reference and what 1.0.102 does: one is asked before its own rules.

Its event for leave comes before its own rules have spoken, for everything but reading. What is harmless is therefore
left to them; what is risky waits here for a person, whose yes or no counts in the place of its dialog. Nothing that it
is told can change a command, nor let one leave its sandbox.

Of several hooks the last one's word counts there, a project's after its person's, and a yes before the tool skips them
all. Before the tool one no counts. So beside hooks of others a person is asked there already.
"""

from collections.abc import Mapping

from hub.contract.permission import Act
from hub.domain.provenance import say
from hub.io.agents.hooks import call_fields, own_tools
from hub.io.agents.hooks.claude_tools import other, replacement, searched
from hub.io.agents.hooks.step import (
    TEST_SESSION,
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
from hub.io.agents.hooks.wiring import HookWish, Json, asking_entries, gate_options
from hub.kit.line_diff import blanks_told
from hub.kit.loose_json import object_of, text_of

LEAVE, BEFORE = "PermissionRequest", "PreToolUse"
EVENTS: Mapping[str, At] = {
    LEAVE: At.BEFORE,
    BEFORE: At.BEFORE,
    "PostToolUse": At.AFTER,
    "PostToolUseFailure": At.FAILED,
    "Notification": At.NOTICE,
    "UserPromptSubmit": At.PROMPT,
    "Stop": At.TURN_END,
    "SessionStart": At.BEGIN,
    "SessionEnd": At.END,
}
NEEDS_TOOL = frozenset({At.BEFORE, At.AFTER, At.FAILED})
COMMANDS = frozenset({"Bash", "bash", "powershell"})
READS = frozenset({"Read", "view", "Grep", "grep", "rg", "Glob", "glob"})
FETCHES = frozenset({"WebFetch", "web_fetch", "WebSearch", "web_search"})
WRITES = frozenset({"Write", "create"})
EDITS = frozenset({"Edit", "edit", "str_replace_editor"})
NOTES = ("UserPromptSubmit", "Stop", "SessionEnd")
SAYS = (
    say("Harmless requests follow Copilot's own rules."),
    say("Risky ones become a card, and Copilot waits for your answer."),
    say("No answer in time (--wait) counts as a no."),
)


def read(raw: bytes) -> HookStep | Unreadable:
    """Read what one hook was given.

    For events with a capital it says what Claude Code says, by the same names; but a request for leave comes in names
    of its own (`hookName`, `toolName`, `toolInput`), however it was asked for (1.0.102).
    """
    fields = fields_of(raw)
    if isinstance(fields, Unreadable):
        return fields
    event = name_of(fields, "hook_event_name", "hookName")
    event = event[:1].upper() + event[1:]
    at, tool = EVENTS.get(event, At.ELSE), name_of(fields, "tool_name", "toolName")
    if not event or (at in NEEDS_TOOL and not tool):
        return Unreadable(why="It does not name the event or the tool.")
    return HookStep(
        at=at,
        event=event,
        session=name_of(fields, "session_id", "sessionId"),
        folder=text_of(fields, "cwd"),
        tool=tool,
        input=_given(fields),
        message=text_of(fields, "message"),
    )


def write(step: HookStep, word: Word) -> HookOutput:
    """Say it so that Copilot understands; with nothing to say its own rules and its own dialog go on."""
    if step.at is not At.BEFORE or word.says not in {"allow", "deny"}:
        return HookOutput()
    if step.event == BEFORE:
        reason = {"permissionDecisionReason": word.reason} if word.reason else {}
        return HookOutput(text=plain_json({"permissionDecision": word.says, **reason}))
    said = {"behavior": word.says}
    return HookOutput(text=plain_json({**said, "message": word.reason} if word.says == "deny" else said))


def wanted_of(step: HookStep) -> Wanted:
    """Say what the tool of this step would do; its names are Claude's, or Copilot's own."""
    given, path = step.input, text_of(step.input, "path", "file_path")
    if step.tool in COMMANDS:
        return Wanted(act=Act.COMMAND, text=text_of(given, "command"), reason=text_of(given, "description"))
    if step.tool in WRITES and path:
        return Wanted(act=Act.EDIT, target=path, text=text_of(given, "file_text", "content"))
    if step.tool in EDITS and path and text_of(given, "diff"):
        return Wanted(act=Act.EDIT, target=path, text=blanks_told(text_of(given, "diff")))
    if step.tool in EDITS and path and text_of(given, "file_text"):
        return Wanted(act=Act.EDIT, target=path, text=text_of(given, "file_text"))
    if step.tool in EDITS and path:
        before, after = text_of(given, "old_str", "old_string"), text_of(given, "new_str", "new_string")
        return Wanted(act=Act.EDIT, target=path, text=replacement(path, before, after))
    if step.tool in READS:
        files = (text_of(given, "glob"), text_of(given, "include"))
        return searched(path or step.folder, text_of(given, "pattern", "query"), *files)
    if step.tool in FETCHES:
        return Wanted(act=Act.FETCH, target=text_of(given, "url", "query"))
    return other(given)


def entries(wish: HookWish) -> dict[str, Json]:
    """Return what stands in its file of hooks."""
    gate = _entry(wish, gate_options(wish), wish.wait_s)
    return {BEFORE: gate, **asking_entries(wish, NOTES, _entry)}


def sample(command: str) -> bytes:
    """Return what it says before a command."""
    tool = {"tool_name": "Bash", "tool_input": {"command": command, "description": "A test of Pulse"}}
    said = {"hook_event_name": "PermissionRequest", "session_id": TEST_SESSION, "cwd": "/", **tool}
    return plain_json(said).encode()


def _entry(wish: HookWish, options: list[str], timeout_s: int) -> Json:
    return {"type": "command", "exec": wish.program, "args": options, "timeoutSec": timeout_s}


def _given(fields: ToolInput) -> ToolInput:
    """Return what the tool is given; some tools' arguments come as the text of an object."""
    found = object_of(fields, "tool_input", "toolInput", "toolArgs")
    if found:
        return found
    text = text_of(fields, "tool_input", "toolInput", "toolArgs")
    parsed = fields_of(text.encode())
    return ({"input": text} if text else {}) if isinstance(parsed, Unreadable) else parsed


COPILOT = Dialect(
    name="copilot",
    title="Copilot",
    read=read,
    write=write,
    wanted=wanted_of,
    fields=call_fields.COPILOT,
    own_tools=own_tools.COPILOT,
    events=EVENTS,
    before=LEAVE,
    decides_at=("permissionRequest", BEFORE),
    changes_at=(BEFORE,),
    holds_at=BEFORE,
    unread="deny",
    waits_before=True,
)
