"""What a shell tells of long commands: the real shells, and what is kept of it."""

import io
import json
import os
import re
import shlex
import stat
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.cli.shell_hook import TEMPLATES
from hub.sense.command_lines import command_reading
from tests.cli.conftest import Pulse
from tests.fakes.plain_words import plain

WAIT_S_MAX = 60
BASH = ("bash", "--norc", "--noprofile", "-i")


def test_each_shell_is_told_to_call_this_program(pulse: Pulse) -> None:
    for shell in TEMPLATES:
        said = pulse("shell-hook", shell).out
        assert " shell-hook --ended" in said
        assert "{program}" not in said
    assert pulse("shell-hook").code == 2


def test_a_real_bash_tells_of_a_command_with_its_status(pulse: Pulse, tmp_path: Path) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    recorder = tmp_path / "a recorder"
    recorder.write_text(f'#!/bin/sh\n(echo "$@"; cat) >"{told}"\n')
    recorder.chmod(0o755)
    hook = pulse("shell-hook", "bash").out
    program = next(line for line in hook.splitlines() if " shell-hook --ended" in line)
    own = program.split("| ")[-1].partition(" shell-hook")[0].strip()
    (tmp_path / "hook").write_text(hook.replace(own, shlex.quote(str(recorder))))
    typed = f"source {tmp_path}/hook\nsh -c 'exit 3' # a b\n"
    environment = {**os.environ, "PULSE_LONG_S": "0", "HOME": str(tmp_path), "HISTFILE": "", "TERM": "dumb"}
    with subprocess.Popen(
        BASH, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdin is not None
        process.stdin.write(typed.encode())
        process.stdin.flush()
        said = ""
        while "sh -c" not in said:  # the line with `source` may be told of as well
            said = subprocess.check_output(("timeout", str(WAIT_S_MAX), "cat", told), text=True)
        process.stdin.close()
        process.kill()
    assert re.match(r"shell-hook --ended 3 --seconds [0-9]+\n", said)  # how many is up to the machine
    assert said.splitlines()[1] == "sh -c 'exit 3' # a b"


def noted(pulse: Pulse, home: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    home.mkdir(mode=0o700, exist_ok=True)
    monkeypatch.setattr("sys.stdin", io.StringIO(line))
    assert pulse("shell-hook", "--ended", "2", "--seconds", "90").code == 0
    path = home / "commands.jsonl"
    return [json.loads(each) for each in path.read_text().splitlines()] if path.exists() else []


def test_what_is_kept_is_private_short_and_without_secrets(
    pulse: Pulse, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (said,) = noted(pulse, home, "make build TOKEN=ghp_" + "a1B2" * 9 + "\x1b[2J " + "x" * 400, monkeypatch)
    assert (said["status"], said["seconds"], said["folder"]) == (2, 90, str(Path.cwd()))
    assert "a1B2" not in str(said["command"])
    assert len(str(said["command"])) <= 200
    assert "\x1b" not in str(said["command"])
    assert stat.S_IMODE((home / "commands.jsonl").stat().st_mode) == 0o600


@pytest.mark.parametrize("line", ["vim a.py", "FOO=1 ssh host", "/usr/bin/less x", "python3", "", "  "])
def test_what_a_person_sat_before_is_no_news(
    pulse: Pulse, home: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert noted(pulse, home, line, monkeypatch) == []


def test_a_line_that_is_none_is_passed_over_and_old_ones_are_forgotten() -> None:
    now = datetime(2030, 1, 7, 14, tzinfo=UTC)
    at = ("2030-01-07T13:50:00Z", "2030-01-07T12:00:00Z", "2030-01-07T15:00:00Z", "2030-01-07T13:40:00")
    lines = [json.dumps({"at": each, "folder": "/w", "command": "make", "status": 0, "seconds": 70}) for each in at]
    raw = "\n".join(["{", "[]", *lines]).encode() + b"\n\xff\xfe"
    assert [(plain(each.command), each.at.minute) for each in command_reading(raw, now).commands] == [("make", 50)]


def test_a_short_run_of_tests_is_kept_and_any_other_short_command_is_not(
    pulse: Pulse, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    for line in ("npx tape 'test/*.js'", "npx testcafe-report", "ls tests"):
        monkeypatch.setattr("sys.stdin", io.StringIO(line))
        assert pulse("shell-hook", "--ended", "0", "--seconds", "1").code == 0
    kept = (home / "commands.jsonl").read_text().splitlines()
    assert [json.loads(each)["command"] for each in kept] == ["npx tape 'test/*.js'"]
