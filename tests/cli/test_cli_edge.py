"""`pulse edge …` and `pulse bench voice` reach the glasses' own command."""

import json
import os
import subprocess
import sys
import wave
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.house.source import ROOT

WAIT_S_MAX = 120
WITHOUT_NUMPY = "import runpy, sys; sys.modules['numpy'] = None; runpy.run_module('edge', run_name='__main__')"
"""`python -m edge` where an import of numpy fails, as it does where it is not installed."""


def called(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hub", *arguments],
        cwd=ROOT,
        env={**os.environ, "PULSE_HOME": str(folder / "home"), "PULSE_EDGE_HOME": str(folder / "edge")},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )


@pytest.mark.slow
def test_the_simulator_is_a_command(tmp_path: Path) -> None:
    done = called(tmp_path, "edge", "sim", "--risk", "medium", typed="approve\nconfirm\n")
    assert "answers: approve" in done.stdout
    assert done.returncode == 0


@pytest.mark.slow
def test_what_stands_behind_belongs_to_the_glasses(tmp_path: Path) -> None:
    assert "--show" in called(tmp_path, "edge", "run", "--help").stdout
    alone = called(tmp_path, "edge")
    assert ("doctor" in alone.stdout, alone.returncode) == (True, 0)
    assert called(tmp_path, "edge", "fly").returncode != 0


@pytest.mark.slow
def test_glasses_that_are_not_paired_say_so(tmp_path: Path) -> None:
    done = called(tmp_path, "edge", "run")
    assert done.returncode == 1
    assert "[not-paired]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_ears_are_measured_on_a_folder(tmp_path: Path) -> None:
    with wave.open(str(tmp_path / "silence.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(32_000))
    labels = [{"file": "silence.wav", "label": "none", "text": "", "kind": "silence"}]
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    done = called(tmp_path, "bench", "voice", str(tmp_path), "--json", "--noise", "clean")
    [result] = json.loads(done.stdout)
    assert (result["recordings"], result["falseApprovals"]) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "doctor"])
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, command: str) -> None:
    (tmp_path / "edge").write_text("in the way")
    done = called(tmp_path, "edge", command)
    assert done.returncode == 1
    assert f"{tmp_path / 'edge'}: " in done.stderr
    assert "[no-edge-folder]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("doctor",), ("run",), ("sim",)])
def test_missing_packages_are_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY, "--home", str(tmp_path), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The speech packages are not installed here: numpy. [no-glasses]\n")
    assert "-m pip install numpy" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_service_starts_what_there_is() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    unit.read(ROOT / "edge" / "systemd" / "pulse-edge.service")
    command = unit["Service"]["ExecStart"].split()
    assert Path(command[0]).name == "pulse"
    assert command[1:] == ["edge", "run"]
    assert unit["Service"]["Restart"] == "on-failure"
    assert (ROOT / "docs" / "howto" / "glasses.md").exists()


@pytest.mark.slow
@pytest.mark.needs_systemd
def test_systemd_finds_nothing_wrong_with_the_service(tmp_path: Path) -> None:
    """Its own check, as the person's own manager, with Pulse in ~/pulse as the howto has it."""
    (tmp_path / "pulse").symlink_to(ROOT)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", ROOT / "edge" / "systemd" / "pulse-edge.service"],
        env={**os.environ, "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
