"""The real Copilot CLI, offline, with a stub for its model: what it asks leave for is a card, whose answer counts."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.hooks.real_claude import AgentProgram
from tests.io.agents.hooks.stub_model import stub_model
from tests.io.agents.mcp_server.clients import npm_package
from tests.io.agents.questions.served import api

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
PACKAGE = "@github/copilot-linux-x64@1.0.102"
S_MAX = 60


def asked(hub: RealHub, command: str, verb: str) -> dict[str, Any]:
    """Wait until a card asks for a command, and answer it; return what was asked."""
    until = time.monotonic() + S_MAX
    while not (found := [one for one in cards(hub) if one["status"] == "pending" and one["prompt"] == command]):
        assert time.monotonic() < until
    api(hub, "POST", f"/predictions/{found[0]['id']}/{verb}", {"reason": "Not that one"} if verb == "reject" else None)
    return dict(found[0]["permission"])


def cards(hub: RealHub) -> list[dict[str, Any]]:
    return list(api(hub, "GET", "/predictions?limit=5")["predictions"])


@pytest.mark.parametrize("beside", [None, "permissionRequest", "preToolUse"])
def test_a_yes_runs_it_and_a_no_reaches_the_model_in_the_persons_words(tmp_path: Path, beside: str | None) -> None:
    """So it is where a hook of the repository's says yes to everything."""
    program = npm_package(PACKAGE) / "node_modules" / "@github" / "copilot-linux-x64" / "copilot"
    with running_hub(tmp_path) as hub, stub_model() as model:
        hub.sit_down()
        assert hub.pulse("connect", "copilot", "--yes").returncode == 0
        for name in ("build", "dist"):
            (hub.repository / name).mkdir()
        if beside is not None:
            hook = {"type": "command", "bash": """echo '{"behavior": "allow", "permissionDecision": "allow"}'"""}
            (hub.repository / ".github" / "hooks").mkdir(parents=True)
            file = hub.repository / ".github" / "hooks" / "ci.json"
            file.write_text(json.dumps({"version": 1, "hooks": {beside: [hook]}}))
            own = Path(hub.environment["HOME"]) / ".copilot" / "config.json"
            own.write_text(json.dumps({"trustedFolders": [str(hub.repository)]}))
        model.tools = [("bash", {"command": f"rm -rf {name}", "description": "Tidy up"}) for name in ("build", "dist")]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": hub.environment["HOME"],
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_BASE_URL": model.url,
            "COPILOT_PROVIDER_API_KEY": "x",
            "COPILOT_MODEL": "claude-sonnet-4.5",
        }
        words = [str(program), "-p", "Tidy up"]
        with AgentProgram(words, cwd=hub.repository, env=environment, stdin=subprocess.DEVNULL) as copilot:
            yes, no = (asked(hub, f"rm -rf {name}", verb) for name, verb in (("build", "confirm"), ("dist", "reject")))
            assert copilot.wait(S_MAX) == 0
        assert (yes["agent"], yes["folder"]) == ("copilot", str(hub.repository))
        assert no["session"] == yes["session"]
        written = Path(hub.environment["HOME"]) / ".copilot" / "session-state" / yes["session"] / "events.jsonl"
        assert written.is_file(), "by this name a session that was heard is told from one that was not"
        assert [(hub.repository / name).exists() for name in ("build", "dist")] == [False, True]
        assert "Not that one" in model.results[1]
