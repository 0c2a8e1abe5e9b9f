"""What each agent's settings must hold for it to ask Pulse, and where those settings are."""

from collections.abc import Callable, Mapping

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import Wording, say
from hub.io.agents.hooks import codex, copilot, cursor
from hub.io.agents.hooks.step import TEST_SESSION
from hub.io.agents.hooks.wiring import (
    ASK_BEFORE_S,
    GATE_S,
    OWN_NAME,
    QUIET_S,
    HookWish,
    Json,
    gate_options,
    program_line,
)


class AgentConnection(Value):
    """How one agent is connected.

    `user` and `project` are where its settings are, below the person's home and below a project; `folder_variable` is
    the environment variable that moves the first, and `below` its place there where that is no plain name. `closable`
    says that it can be told to refuse while Pulse is away. `says` is what a person should know before they agree,
    `program` what the agent itself is called, and the samples are what it would say before something harmless and when
    it asks for leave. `plugin` is the file beside this one that is put in whole, for an agent whose settings name no
    programs. `beside` are the files of settings in its folders, the person's and a project's, that may switch hooks off
    as well. `yes_is_silent`: it is told a no, and nothing where it may go on. `own_tools` is its rule that
    lets Pulse's tools be used unasked. `get` installs it: a command, or the address of its download. `option` is what
    `pulse connect` needs beside its name.
    """

    agent: str
    title: str
    program: str
    get: str
    user: str
    project: str
    entries: Callable[[HookWish], dict[str, Json]]
    plugin: str = ""
    extra: Mapping[str, object] = {}
    folder_variable: str = ""
    below: str = ""
    beside: tuple[str, ...] = ()
    closable: bool = True
    says: tuple[Wording, ...] = ()
    sample_harmless: bytes = b"{}"
    sample_ask: bytes = b"{}"
    yes_is_silent: bool = False
    own_tools: str = ""
    option: str = ""

    @property
    def command(self) -> str:
        """Return what a person types to connect it."""
        return " ".join(filter(None, ("pulse connect", self.agent, self.option)))


PLUGIN = "plugin"
"""The one entry of an agent that is connected by a plugin."""


def _claude(wish: HookWish) -> dict[str, Json]:
    gate = [f"--within={GATE_S - ASK_BEFORE_S}", *gate_options(wish)]
    gate_more: Json = {"timeout": wish.wait_s, **({"onFailure": "block"} if wish.fail == "closed" else {})}
    note: Json = {"timeout": QUIET_S, "async": True}
    quiet = [f"--within={QUIET_S - ASK_BEFORE_S}"]
    return {
        "PreToolUse": _claude_entry(wish, gate, gate_more),
        **{event: _claude_entry(wish, [], {"timeout": wish.wait_s}) for event in ("PermissionRequest", "Elicitation")},
        **{event: _claude_entry(wish, quiet, {"timeout": QUIET_S}) for event in CLAUDE_ENDS},
        **{event: _claude_entry(wish, quiet, note) for event in CLAUDE_NOTES},
    }


def _claude_entry(wish: HookWish, options: list[str], more: Json) -> Json:
    return {"hooks": [{"type": "command", "command": wish.program, "args": options, **more}]}


CLAUDE_ENDS = ("PostToolUse", "PostToolUseFailure")
"""What Claude Code waits for: only so does what its person changed reach the model with what came of the tool."""
CLAUDE_NOTES = (
    "ElicitationResult",
    "Notification",
    "UserPromptSubmit",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "PermissionDenied",
    "SessionStart",
    "SessionEnd",
)
"""What Claude Code does not wait for: it says so and goes on."""


def _opencode(wish: HookWish) -> dict[str, Json]:
    return {PLUGIN: {"command": wish.program}}


def _opencode_sample(event: str, **about: object) -> bytes:
    return msgspec.json.encode({"event": event, "folder": "/", "properties": {"sessionID": TEST_SESSION, **about}})


def _claude_sample(event: str, command: str) -> bytes:
    tool = {"tool_name": "Bash", "tool_input": {"command": command, "description": "A test of Pulse"}}
    return msgspec.json.encode({"hook_event_name": event, "session_id": TEST_SESSION, "cwd": "/", **tool})


def _gemini(wish: HookWish) -> dict[str, Json]:
    quiet = [f"--within={QUIET_S - ASK_BEFORE_S}"]
    return {
        "BeforeTool": _gemini_entry(wish, gate_options(wish), wish.wait_s),
        **{event: _gemini_entry(wish, quiet, QUIET_S) for event in ("AfterTool", "AfterAgent", "SessionEnd")},
    }


def _gemini_entry(wish: HookWish, options: list[str], timeout_s: int) -> Json:
    hook = {"type": "command", "command": program_line(wish, *options), "name": OWN_NAME, "timeout": timeout_s * 1_000}
    return {"hooks": [hook]}


def _gemini_sample(command: str) -> bytes:
    tool = {"tool_name": "run_shell_command", "tool_input": {"command": command, "description": "A test of Pulse"}}
    return msgspec.json.encode({"hook_event_name": "BeforeTool", "session_id": TEST_SESSION, "cwd": "/", **tool})


CODEX_HOOKS = AgentConnection(
    agent="codex",
    title="Codex (hooks)",
    option="--hooks",
    program="codex",
    get="npm install -g @openai/codex",
    user=".codex/hooks.json",
    project=".codex/hooks.json",
    folder_variable="CODEX_HOME",
    beside=("config.toml",),
    entries=codex.entries,
    says=codex.SAYS,
    sample_harmless=_claude_sample("SessionStart", ""),
    sample_ask=_claude_sample("PermissionRequest", "echo This is a test of Pulse"),
)
"""Codex by its hooks, beside the usual way, which changes nothing of its own (`pulse connect codex`)."""
CONNECTIONS: Mapping[str, AgentConnection] = {
    one.agent: one
    for one in (
        AgentConnection(
            agent="claude-code",
            title="Claude Code",
            program="claude",
            get="npm install -g @anthropic-ai/claude-code",
            user=".claude/settings.json",
            project=".claude/settings.local.json",
            folder_variable="CLAUDE_CONFIG_DIR",
            beside=("settings.json", "settings.local.json"),
            entries=_claude,
            says=(
                say("Harmless requests go on as before."),
                say("Risky ones become a card, and Claude's own dialog stays open as well."),
                say("The first answer counts, wherever you give it."),
            ),
            sample_harmless=_claude_sample("PreToolUse", "git status"),
            sample_ask=_claude_sample("PermissionRequest", "echo This is a test of Pulse"),
            own_tools="mcp__pulse",
        ),
        AgentConnection(
            agent="opencode",
            title="OpenCode",
            program="opencode",
            get="npm install -g opencode-ai",
            user=".config/opencode/plugins/pulse.js",
            project=".opencode/plugins/pulse.js",
            folder_variable="OPENCODE_CONFIG_DIR",
            below="plugins/pulse.js",
            plugin="opencode_plugin.js",
            entries=_opencode,
            closable=False,
            says=(
                say("What OpenCode asks by its own rules (`permission` in its settings) becomes a card."),
                say("Its own dialog stays open as well."),
                say("The first answer counts, wherever you give it."),
            ),
            sample_harmless=_opencode_sample("session.created"),
            sample_ask=_opencode_sample(
                "permission.asked",
                id="per_pulse_test",
                permission="bash",
                metadata={"command": "echo This is a test of Pulse"},
            ),
        ),
        AgentConnection(
            agent="gemini",
            title="Gemini CLI",
            program="gemini",
            get="npm install -g @google/gemini-cli",
            user=".gemini/settings.json",
            project=".gemini/settings.json",
            beside=("settings.json",),
            entries=_gemini,
            says=(
                say("Harmless requests go on as before."),
                say("Risky ones become a card, and Gemini waits for your answer."),
                say("After a yes its own dialog asks too, unless it approves automatically."),
                say("Hooks cannot prevent that."),
            ),
            sample_harmless=_gemini_sample("git status"),
            sample_ask=_gemini_sample("rm -rf a-folder-of-pulse-connect-test"),
            yes_is_silent=True,
        ),
        AgentConnection(
            agent="copilot",
            title="Copilot CLI",
            program="copilot",
            get="npm install -g @github/copilot",
            user=".copilot/hooks/pulse.json",
            project=".github/copilot/settings.local.json",
            folder_variable="COPILOT_HOME",
            below="hooks/pulse.json",
            beside=("settings.json", "settings.local.json", "config.json"),
            entries=copilot.entries,
            extra={"version": 1},
            says=copilot.SAYS,
            sample_harmless=copilot.sample("git status"),
            sample_ask=copilot.sample("rm -rf a-folder-of-pulse-connect-test"),
        ),
        AgentConnection(
            agent="cursor",
            title="Cursor",
            program="cursor",
            get="https://cursor.com/download",
            user=".cursor/hooks.json",
            project=".cursor/hooks.json",
            entries=cursor.entries,
            extra={"version": 1},
            says=cursor.SAYS,
            sample_harmless=cursor.sample("git status"),
            sample_ask=cursor.sample("rm -rf a-folder-of-pulse-connect-test"),
        ),
    )
}
BY_HOOKS = (*CONNECTIONS.values(), CODEX_HOOKS)
"""All that hooks or a plugin connect."""
