"""`pulse agent`: a coding agent is tried, kept in a file of its own, and taken out again."""

import json
from pathlib import Path

import pytest

from hub.app.surfaces import settings_at
from tests.cli.conftest import Pulse
from tests.io.agents import acp_agent
from tests.io.agents.agent_work import PYTHON


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with what a system has, and `opencode`, which is the small agent of the tests."""
    folder = tmp_path / "bin"
    folder.mkdir()
    _program(folder / "opencode", f'exec {PYTHON} {acp_agent.__file__} "$@"')
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return folder


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def test_the_only_one_that_is_here_is_tried_and_kept(pulse: Pulse, programs: Path, home: Path) -> None:
    done = pulse("agent", "setup", "--yes")
    assert (done.code, "✓ OpenCode answers" in done.out) == (0, True), done.out
    settings = settings_at(home / "config.toml")
    kept, channel = settings.agents["opencode"], settings.channels["koji-core"]
    assert (kept.kind, kept.argv) == ("acp", (str(programs / "opencode"), "acp"))
    assert (channel.agent, channel.affinities) == ("opencode", ("code",))
    rows = json.loads(pulse("agent", "list", "--json").out)["agents"]
    assert rows[0] == {"name": "opencode", "here": True, "channels": ["koji-core"]}
    assert pulse("agent", "remove", "opencode").code == 0
    assert "opencode" not in settings_at(home / "config.toml").agents
    assert settings_at(home / "config.toml").channels["koji-core"].agent == "playbook"


def test_it_is_shown_and_asked_first(pulse: Pulse, programs: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    done = pulse("agent", "setup", "opencode")
    assert (done.code, f"{programs / 'opencode'} acp" in done.out) == (1, True)
    assert not (home / "set-up.json").exists()


def test_one_that_cannot_be_used_is_not_kept_and_says_why(pulse: Pulse, programs: Path, home: Path) -> None:
    _program(programs / "opencode", "echo No licence here >&2; exit 1")
    done = pulse("agent", "setup", "opencode", "--yes")
    assert done.code != 0
    assert "OpenCode cannot be used yet: Its program ended before it answered. No licence here" in done.err
    assert not (home / "set-up.json").exists()


def test_what_is_missing_unclear_or_already_written_is_refused(pulse: Pulse, programs: Path, home: Path) -> None:
    assert "npm install -g @google/gemini-cli" in pulse("agent", "setup", "gemini").err
    assert "There is no channel nowhere" in pulse("agent", "setup", "opencode", "--channel", "nowhere").err
    _program(programs / "gemini", "exit 0")
    assert "opencode and gemini" in pulse("agent", "setup").err
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text('[channels.koji-core]\nspecialty = "Code"\n')
    assert "already has a table [channels.koji-core]" in pulse("agent", "setup", "opencode").err


def test_only_keys_that_are_set_are_named(
    pulse: Pulse, programs: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (programs / "opencode").rename(programs / "claude-agent-acp")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    done = pulse("agent", "setup", "claude", "--yes")
    assert settings_at(home / "config.toml").agents["claude"].environment == ("ANTHROPIC_API_KEY",)
    assert "sk-secret" not in done.out + (home / "set-up.json").read_text()
