"""The real OpenCode, run by Pulse over ACP with a stub for its model: what it may not do alone is a card."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.cli.told import Told
from tests.io.agents.hooks.real_opencode import StubCompletions, opencode_program, stub_completions, write_settings

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
S_MAX = 90


class Watched:
    """A hub that runs, and what it tells as it happens."""

    def __init__(self, hub: RealHub, model: StubCompletions) -> None:
        self.hub, self.model = hub, model
        self.lines: list[str] = []
        self._told = Told(hub)

    def close(self) -> None:
        self._told.close()

    def told(self, event: str, prompt: str) -> dict[str, Any]:
        """Wait until the hub tells this of the card of this prompt; lines of progress are kept."""
        while True:
            found = self._told.next(S_MAX)
            card = found.get("prediction", {})
            if found["type"].endswith("execution.progress"):
                self.lines.append(found["line"])
            if found["type"].endswith(event) and card.get("prompt") == prompt:
                return dict(card)

    def run(self, hint: str) -> None:
        """Have the agent begin, as a person does: they say what they want, and approve the card."""
        done = self.hub.pulse("trigger", "--hint", hint, "--force")
        assert done.returncode == 0, done.stdout + done.stderr
        assert self.hub.pulse("approve", self.told("new", hint)["id"]).returncode == 0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    program = opencode_program()
    folder = tmp_path_factory.mktemp("acp")
    (folder / "home").mkdir(mode=0o700)
    (folder / "home" / "config.toml").write_text(
        f'[agents.coder]\nkind = "acp"\nargv = ["{program}", "acp"]\n'
        'environment = ["OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH"]\n'
        '[channels.koji-core]\nagent = "coder"\naffinities = ["code"]\n'
    )
    with stub_completions() as model, running_hub(folder) as hub:
        write_settings(Path(hub.environment["HOME"]), model.url)
        own = Path(hub.environment["HOME"]) / ".config" / "opencode" / "opencode.jsonc"
        own.write_text('{"permission": {"bash": {"*": "allow", "rm -rf dist": "deny"}}} // never')
        # a repository that would have its commands run unasked, by every way that there is
        loose = {"bash": "allow", "ba*": "allow", "edit": "allow"}
        agents = {"build": {"permission": loose}}
        (hub.repository / "opencode.json").write_text(json.dumps({"permission": loose, "agent": agents}))
        made = Watched(hub, model)
        yield made
        made.close()


def test_the_run_waits_for_the_person_where_it_must_and_only_there(running: Watched) -> None:
    build = running.hub.repository / "build"
    build.mkdir()
    running.model.commands = ["touch made.txt", "rm -rf build"]
    running.run("Tidy up")
    card = running.told("new", "rm -rf build")
    asked = card["permission"]
    assert (asked["agent"], asked["text"], asked["effects"]) == ("coder", "rm -rf build", ["deletes"])
    assert build.exists()
    assert (running.hub.repository / "made.txt").exists()
    assert running.hub.pulse("approve", card["id"]).returncode == 0
    running.told("executed", "Tidy up")
    assert not build.exists()
    assert "done." in running.lines


def test_what_the_person_denied_opencode_stays_denied_and_what_they_allowed_is_asked(running: Watched) -> None:
    dist, out = running.hub.repository / "dist", running.hub.repository / "out"
    dist.mkdir()
    out.mkdir()
    running.model.commands = ["rm -rf dist", "rm -rf out"]
    running.run("Clear up")
    card = running.told("new", "rm -rf out")
    assert (dist.exists(), out.exists()) == (True, True)
    assert "deny" in running.model.results[-1]
    assert any("may let OpenCode act without asking" in line for line in running.lines)
    assert running.hub.pulse("approve", card["id"]).returncode == 0
    running.told("executed", "Clear up")
    assert (dist.exists(), out.exists()) == (True, False)
