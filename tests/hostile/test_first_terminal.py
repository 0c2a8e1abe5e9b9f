"""The terminal of the first `pulse connect`: what a program left behind in it earlier must not be let in with it."""

import os
import re
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hub.cli.api import open_api
from hub.contract.access import TerminalList
from hub.io.agents.terminal_shell import OWN_S
from tests.cli.real_hub import running_hub
from tests.hostile.person_stand import Before, connected_to, let_in, let_in_by, signed_in
from tests.terminals import PULSE, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
    pytest.mark.skipif(os.uname().machine != "x86_64", reason="a system call is made by its number"),
]
LEFT = """
import ctypes, os, signal, sys, time
if ctypes.CDLL(None).syscall(56, 0x8000 | 17, 0, 0, 0, 0): os._exit(0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
with open(sys.argv[1], "w") as file: file.write(str(os.getpid()))
tty = os.open("/dev/tty", os.O_RDWR)
while not os.path.exists(sys.argv[2]):
    if sys.argv[3] == "joins":
        try: os.setpgid(0, os.tcgetpgrp(tty))
        except OSError: pass
    time.sleep(.01)
os.setpgid(0, 0)
os.tcsetpgrp(tty, os.getpid())
os.execv(sys.argv[4], sys.argv[4:])
"""
"""Become a child of the shell, wait in a group of its own or in that of what is typed, and attack when told to."""


def leaving(folder: Path, how: str) -> Before:
    """Return what leaves a process behind in a terminal that says its number, and attacks once `go` is there."""
    program, number = folder / "left.py", folder / "number"
    program.write_text(LEFT)

    def typed(attack: str) -> str:
        words = (sys.executable, "-IS", str(program), str(number), str(folder / "go"), how, *shlex.split(attack))
        grown = f"until [ $SECONDS -gt {OWN_S} ]; do sleep .1; done"  # what begins with a shell is its own
        return f"{grown}; {shlex.join(words)}; until [ -s {number} ]; do sleep .05; done"

    return typed


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """End the process that a test left behind, which outlives its terminal."""
    yield
    number = tmp_path / "number"
    if number.exists():
        with suppress(ProcessLookupError):  # the test ended it
            os.kill(int(number.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("how", ["waits", "joins"])
def test_what_was_left_there_before_the_first_agent_is_not_let_in_with_it(tmp_path: Path, how: str) -> None:
    with connected_to(tmp_path, before=leaving(tmp_path, how)) as stand:
        left = int((tmp_path / "number").read_text())
        assert "is connected" in stand.said
        assert "devices let-in`" in stand.said
        assert f"process {left})" in stand.said
        assert "is let in: it can" not in stand.said
        assert open_api(stand.hub.home).get("/terminals", TerminalList).terminals == ()
        (tmp_path / "go").touch()
        stand.require_refused()


def test_once_it_is_ended_the_terminal_is_let_in_by_a_word(tmp_path: Path) -> None:
    with connected_to(tmp_path, before=leaving(tmp_path, "waits")) as stand:
        (end,) = re.findall(r"`(kill \d+)`", stand.said)
        stand.mine.run(end)
        let_in(stand, stand.mine)
        assert stand.mine.run(f"{PULSE} resume")[1] == 0


def test_a_terminal_that_was_let_in_before_the_first_agent_is_let_in_no_more(tmp_path: Path) -> None:
    """Any program passes for the person until then, so it could have let one of its own in."""
    with (
        running_hub(tmp_path) as hub,
        signed_in(hub) as page,
        terminal(hub.environment) as other,
        terminal(hub.environment) as mine,
    ):
        let_in_by(page, other)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        assert "is let in: it can" in mine.run(f"{PULSE} connect claude-code --yes")[0]
        assert len(open_api(hub.home).get("/terminals", TerminalList).terminals) == 1
        said, ended = other.run(f"{PULSE} resume </dev/null")
        assert (ended != 0, "not let in" in " ".join(said.split())) == (True, True)
        let_in_by(page, other)
        assert other.run(f"{PULSE} resume")[1] == 0


def test_what_is_left_where_a_terminal_asks_keeps_another_one_from_letting_it_in(tmp_path: Path) -> None:
    """It can be left there after the terminal has asked."""
    with connected_to(tmp_path) as stand, terminal(stand.hub.environment) as other:
        typed = leaving(tmp_path, "waits")(stand.attack)
        other.type(f"{PULSE} devices let-in\n")
        name = other.until(r" devices let-in (\S+)\s+\(")[1]
        other.until("Word: ")
        other.type("\x1a")
        other.until(r"Stopped")
        other.run(typed)
        said, ended = stand.mine.run(f"{PULSE} devices let-in {name}")
        assert ended != 0
        assert f"process {(tmp_path / 'number').read_text()})" in " ".join(said.split())
