"""The real Codex where Pulse cannot attach: its hook asks, briefly where somebody sits before it; then its dialog."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.questions.served import api
from tests.io.attached.real_codex import (
    S_MAX,
    CodexTerminal,
    StubResponses,
    codex_program,
    start_server,
    stub_responses,
    write_settings,
)

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHub]:
    with running_hub(tmp_path_factory.mktemp("hooks")) as running:
        yield running


def trust(terminal: CodexTerminal, project: Path, *events: str) -> None:
    """Trust hooks of these events as a person does by `/hooks`."""
    (listed,) = terminal.call("hooks/list", {"cwds": [str(project)]})["data"]
    state = {one["key"]: {"trusted_hash": one["currentHash"]} for one in listed["hooks"] if one["eventName"] in events}
    assert len(state) == len(events)
    edit = {"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
    terminal.call("config/batchWrite", {"edits": [edit], "reloadUserConfig": True})


def asked(hub: RealHub, command: str) -> dict[str, Any]:
    """Wait until a card asks for a command."""
    until = time.monotonic() + S_MAX
    while not (found := [one for one in cards(hub) if one["status"] == "pending" and command in one["prompt"]]):
        assert time.monotonic() < until
    return found[0]


def cards(hub: RealHub) -> list[dict[str, Any]]:
    return [dict(one) for one in api(hub, "GET", "/predictions?limit=20")["predictions"]]


def test_the_hook_asks_and_soon_leaves_it_to_the_dialog_where_somebody_sits_there(hub: RealHub) -> None:
    program, home, project = codex_program(), Path(hub.environment["HOME"]), hub.repository
    with stub_responses() as model:
        write_settings(home, project, model.url)
        hub.sit_down()
        assert hub.pulse("connect", "codex", "--hooks", "--yes").returncode == 0
        server = start_server(program, home)
        terminal = CodexTerminal(home, project)
        trust(terminal, project, "permissionRequest")
        try:
            _no_one_there(hub, home, model)
            trust(terminal, project, "userPromptSubmit")
            _somebody_there(home, project, model)
        finally:
            terminal.close()
            server.kill()
            server.wait()
    assert len([one for one in cards(hub) if "there.txt" in one["prompt"]]) == 1


def _no_one_there(hub: RealHub, home: Path, model: StubResponses) -> None:
    model.commands = ["touch yes.txt", "touch no.txt"]
    terminal = CodexTerminal(home, hub.repository)
    terminal.say("Do both")
    card = asked(hub, "touch yes.txt")
    assert (card["permission"]["agent"], card["permission"]["folder"]) == ("codex", str(hub.repository))
    assert hub.pulse("approve", card["id"]).returncode == 0
    assert hub.pulse("reject", asked(hub, "touch no.txt")["id"], "--reason", "Not that one").returncode == 0
    assert terminal.turn() == "completed"
    assert terminal.requests.empty(), "its own dialog had nothing to ask"
    assert [(hub.repository / f"{name}.txt").exists() for name in ("yes", "no")] == [True, False]
    assert "Not that one" in json.dumps(model.heard)
    terminal.close()


def _somebody_there(home: Path, project: Path, model: StubResponses) -> None:
    model.commands = ["touch there.txt"]
    terminal = CodexTerminal(home, project)
    terminal.say("Do it")
    terminal.answer(terminal.asked(), "accept")
    assert terminal.turn() == "completed"
    assert (project / "there.txt").exists()
    terminal.close()
