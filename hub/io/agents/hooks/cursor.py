"""Cursor's hooks before a command and before a tool of a server; written after descriptions by others, not its maker's.

Each answers with a permission. What is harmless is left to Cursor's own rules, what is risky waits here for a person;
where nobody answers, Cursor is told to ask in its own window. Other words than its own it takes from nobody.
"""

from collections.abc import Mapping

from hub.contract.permission import Act
from hub.domain.provenance import say
from hub.io.agents.hooks import call_fields
from hub.io.agents.hooks.claude_tools import other
from hub.io.agents.hooks.skills import HELPER_TOOLS, SKILL_TOOLS
from hub.io.agents.hooks.step import (
    NAME_CHARS_MAX,
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
from hub.io.agents.hooks.wiring import ASK_BEFORE_S, QUIET_S, HookWish, Json, gate_options, program_line
from hub.kit.loose_json import text_of, texts_of
from hub.screening.commands.places import is_within

SHELL, SERVER = "beforeShellExecution", "beforeMCPExecution"
EVENTS: Mapping[str, At] = {
    SHELL: At.BEFORE,
    SERVER: At.BEFORE,
    "beforeSubmitPrompt": At.PROMPT,
    "stop": At.TURN_END,
    "sessionStart": At.BEGIN,
    "sessionEnd": At.END,
}
NOTES = ("beforeSubmitPrompt", "stop", "sessionEnd")
SHELL_TOOL = "Shell"
SAYS = (
    say("Harmless requests follow Cursor's own rules."),
    say("Risky ones become a card, and Cursor waits for your answer."),
    say("It asks in its own window when nobody has answered in time (--wait)."),
    say("It asks before commands and servers' tools."),
)


def read(raw: bytes) -> HookStep | Unreadable:
    """Read what one hook was given."""
    fields = fields_of(raw)
    if isinstance(fields, Unreadable):
        return fields
    event = name_of(fields, "hook_event_name")
    tool = SHELL_TOOL if event == SHELL else _servers_tool(fields)
    at = EVENTS.get(event, At.ELSE)
    if not event or (at is At.BEFORE and not tool):
        return Unreadable(why="It does not name the event or the tool.")
    cwd = text_of(fields, "cwd")
    root = _root(fields, cwd)
    command = {"command": text_of(fields, "command"), **({"cwd": cwd} if cwd not in {"", root} else {})}
    given = command if event == SHELL else _given(fields)
    if isinstance(given, Unreadable):
        return given
    return HookStep(
        at=at,
        event=event,
        session=name_of(fields, "conversation_id"),
        folder=root,
        tool=tool,
        input=given,
    )


def _servers_tool(fields: ToolInput) -> str:
    """Return the name of a server's tool, which comes without the server's, told from the names of agents' own."""
    name = name_of(fields, "tool_name")
    return f"mcp__{name}"[:NAME_CHARS_MAX] if name in {SHELL_TOOL, *SKILL_TOOLS, *HELPER_TOOLS} else name


def write(step: HookStep, word: Word) -> HookOutput:
    """Say it so that Cursor understands; with nothing to say its own rules go on."""
    if step.at is not At.BEFORE or word.says == "none":
        return HookOutput()
    said: dict[str, str] = {"permission": word.says}
    if word.says == "deny":
        said |= {"user_message": word.reason, "agent_message": word.reason}
    return HookOutput(text=plain_json(said))


def wanted_of(step: HookStep) -> Wanted:
    """Say what the tool of this step would do."""
    if step.tool == SHELL_TOOL:
        return Wanted(act=Act.COMMAND, text=text_of(step.input, "command"))
    return other(step.input)


def entries(wish: HookWish) -> dict[str, Json]:
    """Return what stands in its file of hooks."""
    closed: Json = {"failClosed": True} if wish.fail == "closed" else {}  # also where our program cannot be started
    quiet = [f"--within={QUIET_S - ASK_BEFORE_S}"]
    return {
        **{event: {**_entry(wish, gate_options(wish), wish.wait_s), **closed} for event in (SHELL, SERVER)},
        **{event: _entry(wish, quiet, QUIET_S) for event in NOTES},
    }


def sample(command: str) -> bytes:
    """Return what it says before a command."""
    said = {"hook_event_name": SHELL, "conversation_id": TEST_SESSION, "command": command, "cwd": "/"}
    return plain_json(said).encode()


def _entry(wish: HookWish, options: list[str], timeout_s: int) -> Json:
    return {"command": program_line(wish, *options), "timeout": timeout_s}


def _given(fields: ToolInput) -> ToolInput | Unreadable:
    """Return what the tool is given: nothing, an object, or an object as a text, as Cursor sends it."""
    given = fields.get("tool_input")
    if given in (None, "", "null"):
        return {}
    parsed = fields_of(given.encode("utf-8", "replace")) if isinstance(given, str) else given
    return parsed if isinstance(parsed, dict | Unreadable) else Unreadable(why="It gives the tool no object.")


def _root(fields: ToolInput, cwd: str) -> str:
    """Return the folder that the agent was given to work in: of several that in which the command would run.

    Where a command runs is the model's word, so that it is the workspace only where Cursor names none.
    """
    roots = texts_of(fields, "workspace_roots")
    return next((root for root in roots if is_within(cwd, root)), next(iter(roots), cwd))


CURSOR = Dialect(
    name="cursor",
    title="Cursor",
    read=read,
    write=write,
    wanted=wanted_of,
    fields=call_fields.CURSOR,
    events=EVENTS,
    before=SHELL,
    decides_at=(SHELL, SERVER),
    changes_at=("preToolUse",),
    waits_before=True,
)
