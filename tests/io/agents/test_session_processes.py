"""Whether the processes that sessions name are there: real processes, started, ended and left uncollected."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.world import SessionProcess
from hub.domain.world_findings import ProcessLook
from hub.io.agents import lineage
from hub.io.agents.environment import marked
from hub.io.agents.process_table import PROC, entry
from hub.io.agents.session_processes import is_there, look_at

pytestmark = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
WAITS = "import sys; sys.stdout.write('up\\n'); sys.stdout.flush(); sys.stdin.read()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WAITS!r}])"
NOBODY = 2_147_483_646
BEYOND = 9_999_999_999


@contextmanager
def working(code: str = WAITS, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that is up, and works until its input ends."""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **environment},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        yield process
        assert process.stdin is not None
        process.stdin.close()


def named(pid: int) -> SessionProcess:
    found = entry(pid)
    assert found is not None
    return SessionProcess(pid=pid, started=found.started)


def look(home: Path, *processes: SessionProcess) -> ProcessLook:
    return look_at(processes, home, datetime.now(UTC))


def test_a_process_is_there_until_it_ends_and_not_while_it_waits_to_be_collected(tmp_path: Path) -> None:
    with working() as process:
        one = named(process.pid)
        assert look(tmp_path, one).gone == ()
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and its number is still taken
        assert look(tmp_path, one).gone == (one,)
        process.wait()
        assert look(tmp_path, one).gone == (one,)


def test_a_number_that_is_used_again_is_no_life(tmp_path: Path) -> None:
    with working() as process:
        earlier = replace(named(process.pid), started=named(process.pid).started - 1)
        assert look(tmp_path, earlier, named(process.pid)).gone == (earlier,)


@pytest.mark.parametrize("pid", [NOBODY, BEYOND])
def test_a_number_that_nobody_has_is_gone(pid: int) -> None:
    assert not is_there(SessionProcess(pid=pid, started=1))


def test_what_cannot_be_seen_counts_as_there_while_its_number_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("hub.io.agents.process_table.PROC", tmp_path)  # a system that shows no processes
    monkeypatch.setattr("hub.io.agents.session_processes.PROC", tmp_path)
    assert is_there(SessionProcess(pid=os.getpid(), started=1))
    assert not is_there(SessionProcess(pid=NOBODY, started=1))
    assert look(tmp_path).agents == ()


def test_what_a_run_of_this_home_has_is_found_by_its_marks_with_its_run_and_its_age(tmp_path: Path) -> None:
    ours, others = marked(tmp_path / "home", "exec_1_1"), marked(tmp_path / "other", "exec_2_1")
    with ExitStack() as stack:
        mine, _, unmarked = (stack.enter_context(working(**one)) for one in (ours, others, {}))
        (found,) = look(tmp_path / "home").agents
        assert (found.process, found.run) == (named(mine.pid), "exec_1_1")
        assert abs(datetime.now(UTC) - found.begun_at) < timedelta(minutes=10)
        (still,) = look(tmp_path / "home", named(unmarked.pid)).agents
        assert still.process == found.process
        assert look(tmp_path / "home", named(mine.pid)).agents == ()


def test_who_stands_above_or_below_a_named_process_is_that_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with working(PARENT) as parent, working() as alone:
        children = PROC / str(parent.pid) / "task" / str(parent.pid) / "children"
        child = int(children.read_text().split()[0])
        agents = {pid: entry(pid) for pid in (parent.pid, child, alone.pid)}
        monkeypatch.setattr(lineage, "_entered", agents)
        assert {one.process.pid for one in look(tmp_path).agents} == {parent.pid, child, alone.pid}
        for one in (parent.pid, child):
            assert {found.process.pid for found in look(tmp_path, named(one)).agents} == {alone.pid}
        mine = entry(alone.pid)
        assert mine is not None
        monkeypatch.setattr(lineage, "_entered", {alone.pid: replace(mine, started=mine.started - 1)})
        assert look(tmp_path).agents == ()
