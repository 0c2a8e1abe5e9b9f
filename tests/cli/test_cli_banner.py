"""What `pulse up` says when it is up although something is missing."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.app.start import Running
from hub.app.watched import without_git
from hub.cli.command import CommandContext
from hub.cli.start import no_repository, say_where
from tests.cli.real_hub import PULSE, environment_of, make_repository
from tests.house.source import ROOT

END_S_MAX = 40


@pytest.mark.slow
def test_a_broker_that_is_not_there_is_named_and_what_follows(tmp_path: Path) -> None:
    make_repository(tmp_path / "repository")
    (tmp_path / "home").mkdir()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound but not listening: whoever connects is refused
        url = f"mqtt://127.0.0.1:{nobody.getsockname()[1]}"
        (tmp_path / "home" / "config.toml").write_text(f'[mqtt]\nurl = "{url}"\n')
        said = banner(tmp_path, environment_of(tmp_path))
    assert url in said
    assert "! The broker cannot be reached" in said
    assert "Pulse keeps running without it" in said
    assert "mqtt.url" in said


@pytest.mark.slow
def test_a_start_after_an_emergency_stop_says_that_nothing_runs(tmp_path: Path) -> None:
    make_repository(tmp_path / "repository")
    (tmp_path / "home").mkdir()
    environment = environment_of(tmp_path)
    assert "Nothing runs" not in banner(tmp_path, environment)
    stopped = subprocess.run([*PULSE, "kill"], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert stopped.returncode == 0, stopped.stderr
    said = banner(tmp_path, environment)
    assert "! Nothing runs (emergency stop is on; `" in said
    assert " resume --emergency` lifts it)." in said


def test_a_folder_that_is_no_repository_is_said_to_be_none_and_which_could_be_named(tmp_path: Path) -> None:
    for name in ("my shop", "blog"):
        (tmp_path / name / ".git").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    assert without_git((tmp_path, tmp_path / "blog", tmp_path / "empty"), tmp_path) == (tmp_path / "empty",)
    said = no_repository((tmp_path,))
    assert "is not a Git repository" in said
    assert f"--workspace {tmp_path}/blog --workspace '{tmp_path}/my shop'" in said
    assert "--workspace ~/src/shop" in no_repository((tmp_path / "empty",))


@pytest.mark.parametrize(("link", "is_said"), [("http://h/#pair=A", True), ("http://h", False), ("", False)])
def test_a_link_that_agents_could_read_is_to_be_opened_before_one_is_connected(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    link: str,
    *,
    is_said: bool,
) -> None:
    monkeypatch.setenv("TMUX", "tmux-1000/default,1,0")
    running = Running(
        api="http://h", broker="", broker_kind="", home=tmp_path, workspaces=(), zone="UTC", autonomous=False, link=link
    )
    say_where(CommandContext(tmp_path, as_json=False, colour=False), running)
    said = capsys.readouterr().out
    assert ("once you connect an agent" in said) is is_said
    assert ("signs no browser in" in said) is (link == "http://h")


def test_how_autopilot_stands_and_what_lifts_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hub.kit.called.called_as", lambda: "../pulse/pulse")
    running = Running(
        api="http://h", broker="", broker_kind="", home=tmp_path, workspaces=(), zone="UTC", autonomous=False, link=""
    )
    context = CommandContext(tmp_path, as_json=False, colour=False)
    say_where(context, replace(running, stopped="`pulse resume --emergency` lifts it"))
    said = capsys.readouterr().out
    assert "  autopilot  off: Pulse asks before everything that no permission covers\n" in said
    assert "`../pulse/pulse resume --emergency`" in said
    say_where(context, replace(running, autonomous=True))
    assert "on, but nothing is allowed yet: `../pulse/pulse autopilot`" in capsys.readouterr().out


def banner(folder: Path, environment: dict[str, str]) -> str:
    """Start Pulse, stop it as soon as it says how to stop it, and return what it printed."""
    program = [*PULSE, "up", "--port", "0", "--workspace", str(folder / "repository")]
    environment = {**environment, "PYTHONUNBUFFERED": "1"}
    lines: list[str] = []
    with subprocess.Popen(
        program, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as up:
        assert up.stdout is not None
        for line in up.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                os.kill(up.pid, signal.SIGTERM)
        assert up.wait(END_S_MAX) == 0
    return "".join(lines)
