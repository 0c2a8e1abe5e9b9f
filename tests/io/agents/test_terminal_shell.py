"""What runs at a prompt beside the command that was typed there: it could pass for the person later on."""

import os
import subprocess
import sys

import pytest
from msgspec.structs import replace

from hub.io.agents.process_table import PROC, TICKS, entry
from hub.io.agents.terminal_shell import OWN_S, Process, Shell, beside

pytestmark = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
WAITS = (sys.executable, "-ISc", "print(flush=True); input()")


def begun(**options: int | bool) -> subprocess.Popen[bytes]:
    made = subprocess.Popen(WAITS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)  # type: ignore[call-overload]  # as it is
    assert made.stdout is not None
    made.stdout.readline()
    return made  # type: ignore[no-any-return]  # of the same call


def test_only_what_could_take_the_terminal_is_found() -> None:
    us = entry(os.getpid())
    assert us is not None
    caller = begun(process_group=0)
    typed = entry(caller.pid)
    assert typed is not None
    shell = Shell(pid=us.pid, started=typed.started - OWN_S * TICKS - 1, image="", terminal=0, program="bash")
    process = Process(pid=typed.pid, began=typed.started)
    at_first = beside(process, shell)
    with begun(start_new_session=True) as away:
        assert beside(process, shell) == at_first
        for group in (0, caller.pid):  # anything in the session can join the group of what was typed
            with begun(process_group=group) as left:
                found = beside(process, shell)
                assert found is not None
                assert at_first is not None or found.pid == left.pid
                assert beside(process, replace(shell, started=typed.started)) is None
                left.communicate(b"\n")
        away.communicate(b"\n")
    caller.communicate(b"\n")
