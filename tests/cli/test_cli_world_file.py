"""`pulse world` while Pulse is not running: the file itself is written and read, and that is said."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hub.domain.world import AgentLine, ReadMarker, WorldEvent
from hub.domain.world_lines import read_line
from hub.io.world.writing import WorldLog
from tests.cli.conftest import Pulse
from tests.house.source import ROOT

START_S_MAX = 60.0


def lines(home: Path) -> list[object]:
    return [read_line(raw) for raw in (home / "world.log").read_bytes().splitlines()]


def test_three_lines_of_a_script_are_kept_for_the_next_start(pulse: Pulse, home: Path) -> None:
    for status, text in (("start", "Book it | need: a number"), ("active", "searching"), ("finish", "done, #1")):
        said = pulse("world", "agent", status, "abc123", text)
        assert (said.code, "not running" in said.err) == (0, True)
    start, _, finish = lines(home)
    assert isinstance(start, AgentLine)
    assert isinstance(finish, AgentLine)
    assert (start.status, start.at is not None, bool(start.need), finish.status) == ("start", True, True, "finish")
    assert (home / "world.log").stat().st_mode & 0o777 == 0o600
    assert json.loads(pulse("world", "event", "bash", "x", "--json").out) == {
        "session": None,
        "repeated": False,
        "predictionId": None,
    }


def test_process_and_folder_stand_in_lines_of_their_own(pulse: Pulse, home: Path) -> None:
    assert pulse("world", "agent", "start", "abc123", "x", "--pid", str(os.getpid()), "--folder", "/srv").code == 0
    assert [one.source for one in lines(home) if isinstance(one, WorldEvent)] == ["system", "system"]


def test_an_answer_is_written_with_what_it_is_worth(pulse: Pulse, home: Path) -> None:
    said = pulse("world", "respond", "abc123", "XKCD42")
    assert (said.code, "again once it runs" in said.err) == (0, True)
    (line,) = lines(home)
    assert isinstance(line, WorldEvent)
    assert line.source == "user"
    assert pulse("world", "respond", "not a name", "x").code == 1
    assert len(lines(home)) == 1


def test_each_reader_has_its_own_place(pulse: Pulse, home: Path) -> None:
    for reader in ("a", "b"):
        assert pulse("world", "check", reader).code == 1
    pulse("world", "event", "bash", "x", "one")
    assert "one" in pulse("world", "check", "a").out
    assert pulse("world", "check", "a").code == 1
    assert "one" in json.loads(pulse("world", "check", "b", "--json").out)["lines"][0]["text"]
    assert [one.reader for one in lines(home) if isinstance(one, ReadMarker)] == ["a", "b"]


def test_what_needs_pulse_says_so(pulse: Pulse) -> None:
    for command in (("query",), ("query", "active"), ("query", "session", "abc123")):
        said = pulse("world", *command)
        assert (said.code, "[not-running]" in said.err) == (3, True)


def test_the_place_and_the_sources_are_those_of_the_settings(pulse: Pulse, home: Path, tmp_path: Path) -> None:
    assert pulse("world", "path").out.strip() == str(home / "world.log")
    assert pulse("world", "event", "mail", "x").code == 1
    home.mkdir(exist_ok=True)
    place = tmp_path / "logs" / "all.log"
    (home / "config.toml").write_text(f'[world]\nlog = "{place}"\nsources = ["mail"]\n')
    assert pulse("world", "event", "mail", "x").code == 0
    assert place.read_bytes().endswith(b"[event:mail][x]\n")
    assert json.loads(pulse("world", "path", "--json").out)["path"] == str(place)
    (home / "config.toml").write_text("[world]\nlog = 1\n")
    assert "[bad-settings]" in pulse("world", "path").err
    (home / "config.toml").write_text("[world]\nenabled = false\n")
    assert "[world-off]" in pulse("world", "event", "bash", "x").err
    assert "[world-off]" in pulse("world", "respond", "abc123", "x").err
    assert not (home / "world.log").exists()


def test_a_log_that_is_no_plain_file_is_refused(pulse: Pulse, home: Path) -> None:
    home.mkdir()
    (home / "world.log").symlink_to("/dev/null")
    for command in (("event", "bash", "x"), ("agent", "start", "abc123"), ("respond", "abc123", "x")):
        said = pulse("world", *command)
        assert (said.code, "[world-log-unusable]" in said.err) == (1, True)


def test_the_last_lines(pulse: Pulse) -> None:
    for number in range(4):
        pulse("world", "event", "bash", "x", f"line-{number}")
    said = pulse("world", "tail", "-n", "2")
    assert [one.split()[-1] for one in said.out.splitlines()] == ["line-2", "line-3"]
    found = [json.loads(one) for one in pulse("world", "tail", "--json").out.splitlines()]
    assert [one["text"] for one in found] == [f"line-{number}" for number in range(4)]
    assert pulse("world", "query", "recent", "1").out.split()[-1] == "line-3"


@pytest.mark.slow
def test_a_tail_follows_until_it_is_interrupted(pulse: Pulse, home: Path) -> None:
    pulse("world", "event", "bash", "x", "before")
    environment = {**os.environ, "PULSE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    program = [sys.executable, "-m", "hub", "world", "tail", "-f"]
    with subprocess.Popen(program, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as tail:
        assert tail.stdout is not None
        assert select.select([tail.stdout], [], [], START_S_MAX)[0]
        assert "before" in tail.stdout.readline()
        log = WorldLog(home / "world.log")
        for raw in (b"[event:bash][x] after", b"[agent:start][abc123] y"):
            line = read_line(raw)
            assert isinstance(line, WorldEvent | AgentLine)
            log.append(line)
        assert "after" in tail.stdout.readline()
        assert "abc123" in tail.stdout.readline()
        tail.send_signal(signal.SIGINT)
        assert tail.wait(START_S_MAX) in {0, 130}
