"""What counts as typed at a prompt, and what runs there beside it: that could pass for the person later on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.io.agents.process_table import PROC, TICKS, entry
from hub.io.agents.terminal_shell import OWN_S, NotTyped, Process, Shell, beside, shell_of
from tests.terminals import terminal

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


SAYS_WHO = "import os; print('process', os.getpid(), flush=True); input()"
BY_SCRIPT = NotTyped(why="It was started by a script, not at a prompt.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "why_not"),
    [
        ("{}", None),
        ("true | {}", None),
        ("{} &", NotTyped(why="It does not run in the foreground of its terminal.")),
        ("bash -c '{}; true'", BY_SCRIPT),
        ("({}; true)", BY_SCRIPT),
    ],
)
def test_only_what_a_prompt_runs_in_the_foreground_was_typed_there(
    tmp_path: Path, typed: str, why_not: NotTyped | None
) -> None:
    program = tmp_path / "waits.py"
    program.write_text(SAYS_WHO)
    with terminal({"PATH": os.environ["PATH"]}) as mine:
        mine.type(typed.format(f"{sys.executable} -IS {program}") + "\n")
        pid = int(mine.until(r"process (\d+)\n")[1])
        caller = entry(pid)
        assert caller is not None
        found = shell_of(Process(pid=pid, began=caller.started))
        os.kill(pid, signal.SIGKILL)
        if why_not is None:
            assert isinstance(found, Shell)
            assert (found.pid, found.program, found.terminal) == (mine.pid, "bash", caller.terminal)
        else:
            assert found == why_not
