"""What the page shows of the coding agents on this machine: the very change that `pulse connect` would make."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.app.coding_agents import coding_agents
from hub.contract.coding_agents import CodingAgentView
from hub.kit.called import CALLED
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from tests.cli.conftest import Pulse

THEIRS = """{
    "model": "opus",
    "env": {"API_TOKEN": "ghp_0123456789abcdefghijklmnopqrstuvwxyz"}
}
"""


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of a person on whose PATH no agent is."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    for name in ("CODEX_HOME", "OPENCODE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def install(machine: Path, program: str, folder: str = "bin") -> None:
    path = machine / folder / program
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o700)


def found(home: Path, agent: str) -> CodingAgentView:
    return next(one for one in coding_agents(home).agents if one.agent == agent)


def test_only_what_is_here_is_named(machine: Path, home: Path) -> None:
    assert coding_agents(home).agents == ()
    install(machine, "claude", ".local/bin")  # where its installer puts it, whatever PATH a service has
    install(machine, "codex")
    install(machine, "openclaw")
    assert [one.agent for one in coding_agents(home).agents] == ["claude-code", "codex", "openclaw"]
    assert {one.state for one in coding_agents(home).agents} == {"not-connected"}


def test_what_is_not_here_is_named_with_what_to_install_and_its_command(machine: Path, home: Path) -> None:
    install(machine, "claude")
    missing = {one.agent: one for one in coding_agents(home).missing}
    assert "claude-code" not in missing
    assert {"codex", "openclaw", "gemini", "opencode"} <= set(missing)
    gemini = missing["gemini"]
    assert (gemini.title, gemini.program, gemini.command) == ("Gemini CLI", "gemini", "pulse connect gemini")
    assert gemini.get == "npm install -g @google/gemini-cli"
    assert all(one.get.startswith(("npm install -g ", "https://")) for one in missing.values())


def test_the_change_is_the_one_that_the_command_makes(machine: Path, home: Path, pulse: Pulse) -> None:
    install(machine, "claude")
    settings = machine / "claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    view = found(home, "claude-code")
    assert (view.command, view.file) == ("pulse connect claude-code", str(settings))
    assert settings.read_text() == THEIRS
    assert pulse("connect", "claude-code", "--yes").code == 0
    after = json.loads(settings.read_text())
    assert "\n".join(view.adds) in settings.read_text(), "to the letter, with every comma"
    assert json.loads("{" + "\n".join(view.adds) + "}") == {"hooks": after["hooks"]}
    assert view.removes == ()


def test_nothing_else_of_the_settings_is_told_and_what_is_told_is_masked(machine: Path, home: Path) -> None:
    install(machine, "claude")
    settings = machine / "claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    told = "\n".join([*found(home, "claude-code").adds, *found(home, "claude-code").removes])
    assert "opus" not in told
    assert "0123456789abcdef" not in told


def test_a_connected_agent_shows_the_change_that_takes_it_back(machine: Path, home: Path, pulse: Pulse) -> None:
    install(machine, "claude")
    settings = machine / "claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(THEIRS)
    adds = found(home, "claude-code").adds
    began = datetime.now(UTC)
    assert pulse("connect", "claude-code", "--yes").code == 0
    view = found(home, "claude-code")
    assert (view.state, view.command) == ("connected", "pulse connect claude-code --remove")
    assert (view.file, view.adds, view.removes) == (str(settings), (), adds)
    assert view.since is not None
    assert abs(view.since - began) < timedelta(minutes=1)
    assert pulse("connect", "claude-code", "--remove", "--yes").code == 0
    assert (found(home, "claude-code").state, settings.read_text()) == ("not-connected", THEIRS)


def test_a_plugin_is_taken_back_as_a_whole(machine: Path, home: Path, pulse: Pulse) -> None:
    install(machine, "opencode")
    assert pulse("connect", "opencode", "--yes").code == 0
    view = found(home, "opencode")
    assert view.removes
    assert view.adds == ()
    assert view.since is not None


def test_settings_that_cannot_be_read_are_named(machine: Path, home: Path) -> None:
    install(machine, "claude")
    settings = machine / "claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{")
    view = found(home, "claude-code")
    assert view.state == "unreadable"
    assert "is not JSON" in view.notes[0]


def test_what_stands_in_the_way_is_german_on_a_german_page(machine: Path, home: Path, pulse: Pulse) -> None:
    install(machine, "claude")
    assert pulse("connect", "claude-code", "--yes").code == 0
    settings = machine / "claude" / "settings.json"
    document = json.loads(settings.read_text())
    del document["hooks"]["Stop"]
    settings.write_text(json.dumps({**document, "disableAllHooks": True}))
    view = found(home, "claude-code")
    assert view.notes[0] == "It is incomplete (missing: Stop). To repair it: pulse connect claude-code"
    german = [worded(code, text, phrases("de")) for text, code in zip(view.notes, view.notes_worded, strict=True)]
    off = f"Seine Hooks sind in {settings} ausgeschaltet, darum fragt es Pulse nicht."
    assert german == [
        "Es ist unvollständig (es fehlt: Stop). Zum Reparieren: pulse connect claude-code",
        f"{off} Zum Reparieren: diese Einstellung entfernen.",
    ]


def test_a_long_change_is_cut_and_says_so(machine: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(machine, "opencode")
    assert found(home, "opencode").more == 0
    monkeypatch.setattr("hub.app.coding_agents.LINES_MAX", 20)
    view = found(home, "opencode")
    assert len(view.adds) == 20
    assert view.more > 0


def test_codex_says_that_nothing_of_its_own_changes(machine: Path, home: Path, pulse: Pulse) -> None:
    install(machine, "codex")
    view = found(home, "codex")
    assert (view.file, view.adds) == ("", ())
    assert pulse("connect", "codex", "--yes").code == 0
    view = found(home, "codex")
    assert (view.state, view.command, view.since) == ("connected", "pulse connect codex --remove", None)


def test_the_command_is_named_as_pulse_was_called(machine: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(machine, "codex")
    monkeypatch.setenv(CALLED, "./pulse")
    assert found(home, "codex").command == "./pulse connect codex"
