"""`pulse connect codex`: Codex's own settings stay as they are, Pulse attaches to its server."""

import json
from pathlib import Path

import pytest

from hub.app.surfaces import settings_at
from hub.io.home.folder import Home
from tests.cli.conftest import Pulse


@pytest.fixture(autouse=True)
def codex_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    return tmp_path / "codex"


def state(pulse: Pulse) -> tuple[str, list[str]]:
    (found,) = json.loads(pulse("connect", "codex", "--status", "--json").out)["agents"]
    return found["state"], found["notes"]


def test_it_is_attached_to_and_left(pulse: Pulse, home: Path, codex_home: Path) -> None:
    assert state(pulse)[0] == "not connected"
    done = pulse("connect", "codex", "--yes", "--wait", "10m")
    assert (done.code, "✓ Codex is connected." in done.out) == (0, True)
    wanted = settings_at(Home(home).config).codex
    assert (wanted.attach, wanted.home, wanted.wait_s) == (True, str(codex_home), 600)
    assert not codex_home.exists()
    found, notes = state(pulse)
    assert found == "connected"
    assert any("Pulse is not running" in note for note in notes)
    assert any("is not running" in note for note in notes)
    assert "already connected" in pulse("connect", "codex", "--yes", "--wait", "10m").out
    assert "no longer connected" in pulse("connect", "codex", "--remove", "--yes").out
    assert "is not connected" in pulse("connect", "codex", "--remove", "--yes").out
    assert state(pulse)[0] == "not connected"


def test_nothing_is_attached_to_without_a_yes(pulse: Pulse, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    done = pulse("connect", "codex")
    assert (done.code, "Nothing was changed." in done.out) == (1, True)
    assert pulse("connect", "codex", "--json").code == 1
    assert not settings_at(Home(home).config).codex.attach


def test_what_the_persons_own_file_says_is_stronger(pulse: Pulse, home: Path) -> None:
    home.mkdir(mode=0o700)
    Home(home).config.write_text("[codex]\nattach = false\n")
    done = pulse("connect", "codex", "--yes")
    assert (done.code, "takes precedence" in done.err) == (1, True)


@pytest.mark.parametrize("option", ["--project", "--closed"])
def test_what_its_server_cannot_do_is_said(pulse: Pulse, option: str) -> None:
    done = pulse("connect", "codex", option, "--yes")
    assert (done.code, f"Leave out {option}" in done.err) == (1, True)


def test_its_hooks_are_the_other_way_and_stand_beside_it(pulse: Pulse, codex_home: Path) -> None:
    done = pulse("connect", "codex", "--hooks", "--yes", "--wait", "10m")
    assert done.code == 0
    assert "trust Pulse's hooks" in done.out
    assert "pulse connect codex --hooks --test" in done.out
    hooks = json.loads((codex_home / "hooks.json").read_text())["hooks"]
    assert set(hooks) == {"PermissionRequest", "SessionStart", "UserPromptSubmit", "Stop"}
    (asks,) = hooks["PermissionRequest"][0]["hooks"]
    assert (asks["type"], asks["timeout"], "/hooks/pulse-codex --wait=" in asks["command"]) == ("command", 600, True)
    found = json.loads(pulse("connect", "codex", "--status", "--json").out)["agents"]
    assert [(one["title"], one["state"]) for one in found] == [
        ("Codex", "not connected"),
        ("Codex (hooks)", "connected"),
    ]
    assert pulse("connect", "codex", "--hooks", "--remove", "--yes").code == 0
    assert not (codex_home / "hooks.json").exists(), "it was not there before"


def test_no_other_agent_has_two_ways(pulse: Pulse) -> None:
    assert "Only Codex can be connected in two ways." in pulse("connect", "claude-code", "--hooks").err


def test_a_test_needs_a_running_pulse(pulse: Pulse) -> None:
    assert "[not-running]" in pulse("connect", "codex", "--test").err
