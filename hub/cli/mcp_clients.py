"""How `pulse mcp` is added to the agents that can start it: by this installation's own program, with its own home."""

import json
import shlex
import sys
from pathlib import Path

from hub.contract.base import Value

CODEX_TIMEOUT_S = 3_600
"""Codex gives up on a tool after a minute unless its settings say otherwise."""
START_S_MAX = 30
"""The server starts in a second or two, and in more on a busy machine; agents wait for five or ten unless told so."""


class ClientStep(Value):
    """What to do for one agent: a line for a shell, or what to put into which file."""

    title: str
    where: str
    text: str


def program_words(home: Path) -> list[str]:
    """Return how an agent starts the server; the home is named, for an agent's environment may know none."""
    return [sys.executable, "-I", "-m", "hub", "mcp", "--home", str(home)]


def steps(words: list[str]) -> tuple[ClientStep, ...]:
    """Return what to do for each agent that we know of, and for all others."""
    program, *arguments = words
    usual = {"command": program, "args": arguments}
    waits = ["--wait", f"{CODEX_TIMEOUT_S - 60}s"]
    codex = [
        "[mcp_servers.pulse]",
        f"command = {json.dumps(program)}",
        f"args = {json.dumps([*arguments, *waits])}",
        f"startup_timeout_sec = {START_S_MAX}",
        f"tool_timeout_sec = {CODEX_TIMEOUT_S}",
    ]
    allow = {"permissions": {"allow": ["mcp__pulse"]}}
    opencode = {"mcp": {"pulse": {"type": "local", "command": words, "enabled": True, "timeout": START_S_MAX * 1_000}}}
    return (
        ClientStep(
            title="Claude Code",
            where="run",
            text=shlex.join(["claude", "mcp", "add", "-s", "user", "pulse", "--", *words]),
        ),
        ClientStep(
            title="Claude Code, so that it need not ask before using ask_human",
            where="merge into ~/.claude/settings.json",
            text=json.dumps(allow),
        ),
        ClientStep(title="Codex", where="add to ~/.codex/config.toml", text="\n".join(codex)),
        ClientStep(title="OpenCode", where="add to ~/.config/opencode/opencode.json", text=json.dumps(opencode)),
        ClientStep(
            title="Others", where="add to their list of MCP servers", text=json.dumps({"mcpServers": {"pulse": usual}})
        ),
    )
