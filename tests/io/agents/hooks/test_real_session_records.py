"""The real agents, each with a stub for its model and no hook: what they write down says that a tool was used."""

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from hub.io.agents.heard_sessions import HeardSessions
from hub.io.agents.hooks.unasked import SETTLED_S, UnaskedWork
from tests.fakes.model_server import model_server
from tests.io.agents.hooks.real_claude import claude_environment, claude_program
from tests.io.agents.hooks.real_opencode import opencode_program, stub_completions
from tests.io.agents.hooks.real_opencode import write_settings as write_opencode
from tests.io.agents.hooks.stub_model import stub_model
from tests.io.agents.mcp_server.clients import node_program, npm_package
from tests.io.attached.real_codex import codex_program, stub_responses
from tests.io.attached.real_codex import write_settings as write_codex

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
S_MAX = 90
COMMAND = "touch made.txt"
SHELL: Mapping[str, object] = {"command": COMMAND, "description": "What the test wants"}
COPILOT = "@github/copilot-linux-x64@1.0.102"
GEMINI = "@google/gemini-cli@0.61.0"


class StubGemini:
    """A model that runs one command, then says that it is done, in the words of Gemini's API."""

    def __init__(self) -> None:
        self._is_asked = False

    def answer(self, body: dict[str, object]) -> bytes:
        parts: list[object] = [{"text": "done."}]
        if body.get("tools") and not self._is_asked:
            self._is_asked = True
            parts = [{"functionCall": {"name": "run_shell_command", "args": SHELL}}]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        return f"data: {json.dumps({'candidates': [candidate]})}\n\n".encode()


Started = tuple[list[str], dict[str, str]]


@contextlib.contextmanager
def claude(home: Path, project: Path) -> Iterator[Started]:
    del project
    with stub_model() as model:
        model.tools = [("Bash", dict(SHELL))]
        environment = claude_environment(home, model.url) | {"IS_SANDBOX": "1"}
        yield [str(claude_program()), "--permission-mode", "bypassPermissions", "-p", "go"], environment


@contextlib.contextmanager
def codex(home: Path, project: Path) -> Iterator[Started]:
    with stub_responses() as model:
        write_codex(home, project, model.url)
        model.commands = ["apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: made.txt\n+hi\n*** End Patch\nEOF\n"]
        settings = ["-c", 'approval_policy="never"', "-c", 'sandbox_mode="danger-full-access"']
        yield [str(codex_program()), "exec", *settings, "go"], {"STUB_KEY": "x"}


@contextlib.contextmanager
def copilot(home: Path, project: Path) -> Iterator[Started]:
    del home, project
    program = npm_package(COPILOT) / "node_modules" / "@github" / "copilot-linux-x64" / "copilot"
    with stub_model() as model:
        model.tools = [("bash", dict(SHELL))]
        yield (
            [str(program), "-p", "go", "--allow-all-tools"],
            {
                "COPILOT_OFFLINE": "true",
                "COPILOT_PROVIDER_TYPE": "anthropic",
                "COPILOT_PROVIDER_BASE_URL": model.url,
                "COPILOT_PROVIDER_API_KEY": "x",
                "COPILOT_MODEL": "claude-sonnet-4.5",
            },
        )


@contextlib.contextmanager
def gemini(home: Path, project: Path) -> Iterator[Started]:
    del project
    program = npm_package(GEMINI) / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}))
    with model_server(StubGemini()) as url:
        environment = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        yield [node_program(), str(program), "-m", "gemini-2.5-flash", "--yolo", "-p", "go"], environment


@contextlib.contextmanager
def opencode(home: Path, project: Path) -> Iterator[Started]:
    del project
    with stub_completions() as model:
        write_opencode(home, model.url)
        model.commands = [COMMAND]
        yield [str(opencode_program()), "run", "--auto", "go"], {"OPENCODE_DISABLE_AUTOUPDATE": "1"}


Agent = Callable[[Path, Path], contextlib.AbstractContextManager[Started]]
AGENTS: Mapping[str, Agent] = {
    "claude-code": claude,
    "codex": codex,
    "copilot": copilot,
    "gemini": gemini,
    "opencode": opencode,
}


@pytest.mark.parametrize("agent", AGENTS)
def test_that_it_used_a_tool_stands_where_it_is_looked_for(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, project = tmp_path / "home", tmp_path / "shop"
    home.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    began_s = time.time() - SETTLED_S
    with AGENTS[agent](home, project) as (words, more):
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), **more}
        ran = subprocess.run(
            words,
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=S_MAX,
            check=False,
        )
    assert (project / "made.txt").exists(), ran.stderr
    work = UnaskedWork(HeardSessions(), now_s=lambda: time.time() + SETTLED_S)
    (told,) = work.look(lambda which: home / which.user, {agent: began_s - 1.0})
    assert told.agent == agent
    assert f"A session of it works in {project} without asking Pulse" in told.why.text
