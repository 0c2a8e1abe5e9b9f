"""`pulse world` with a real hub: what is said stands in the file, and what stands in the file is followed."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.real_hub import RealHub

pytestmark = pytest.mark.slow
WAIT_S_MAX = 60.0


def until(found: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline_s = time.monotonic() + WAIT_S_MAX
    while not found():
        assert time.monotonic() < deadline_s, "it did not come about"
        time.sleep(0.05)


def world(hub: RealHub, *arguments: str) -> tuple[int, str]:
    done = hub.pulse("world", *arguments)
    return done.returncode, done.stdout + done.stderr


def status(hub: RealHub, session: str) -> str:
    done = hub.pulse("world", "query", "session", session, "--json")
    return str(json.loads(done.stdout).get("status"))


def log_of(hub: RealHub) -> Path:
    return Path(hub.pulse("world", "path").stdout.strip())


def test_what_is_said_stands_in_the_log_and_is_not_taken_for_anothers(real: RealHub) -> None:
    log = log_of(real)
    for line in ("start", "active", "failed"):
        assert world(real, "agent", line, "said", f"{line} it | need: a ticket")[0] == 0
    until(lambda: b"[agent:failed][said] failed it | need: a ticket" in log.read_bytes())
    with log.open("ab") as file:
        file.write(b"[agent:retry][said] forged\n[event:user][said] forged\n[event:bash][x] the end\n")
    until(lambda: "the end" in world(real, "query", "recent", "50")[1])
    until(lambda: "1 line" in world(real, "query", "session", "said")[1])
    assert status(real, "said") == "failed"
    assert log.read_bytes().count(b"[agent:start][said]") == 1
    assert world(real, "respond", "said", "XKCD42")[0] == 0
    assert status(real, "said") == "retry"
    until(lambda: b"[event:user][said] XKCD42" in log.read_bytes())


def test_three_lines_of_echo_are_followed_and_answered(real: RealHub) -> None:
    log = log_of(real)
    with log.open("ab") as file:
        file.write(b"[agent:start][script] Book it | need: a number\n[agent:failed][script] captcha | need: solve it\n")
    until(lambda: status(real, "script") == "failed")
    assert "solve it" in world(real, "query", "failed")[1]
    assert "script" in real.pulse("status").stdout
    assert world(real, "respond", "script", "XKCD42")[0] == 0
    until(lambda: b"[agent:retry][script]" in log.read_bytes())
    assert world(real, "agent", "active", "script", "going on")[0] == 0
    assert world(real, "agent", "verified", "script", "no")[0] == 1
    assert status(real, "script") == "active"


def test_a_script_that_is_stuck_says_so_in_its_first_line_and_waits_for_the_answer(real: RealHub) -> None:
    assert world(real, "agent", "failed", "stuck", "captcha | need: solve captcha")[0] == 0
    assert world(real, "wait", "stuck", "--for", "0")[0] == 1
    with real.begin("world", "wait", "stuck", "--for", "60") as waiting:
        assert world(real, "respond", "stuck", "XKCD42")[0] == 0
        said, _ = waiting.communicate(timeout=60)
    assert (waiting.returncode, said.strip()) == (0, "XKCD42")
    assert world(real, "agent", "active", "stuck", "going on")[0] == 0


def test_each_reader_is_told_once(real: RealHub) -> None:
    assert world(real, "check", "anna")[0] == 1
    assert world(real, "event", "bash", "x", "news for anna")[0] == 0
    until(lambda: b"news for anna" in log_of(real).read_bytes())
    code, said = world(real, "check", "anna", "--wait", "30")
    assert (code, "news for anna" in said) == (0, True)
    assert "news for anna" not in world(real, "check", "anna")[1]
    assert "anna read" in world(real, "tail", "-n", "50")[1]
