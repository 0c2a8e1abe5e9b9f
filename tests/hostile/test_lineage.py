"""Who descends from a run is known, whatever it does to be forgotten; it may not answer in its person's name."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.io.agents import process_table
from hub.io.agents.environment import marked
from hub.io.agents.lineage import LIVE, Lineage, descends_from_run
from hub.io.agents.process import Processes
from hub.io.agents.process_table import PROC
from hub.io.agents.supervised import Program
from tests.io.agents.agent_work import Heard, python

THROUGH_PROC = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
STAYS = "print('up', flush=True); input()"
GRANDCHILD = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, '-c', "import os; print(os.getpid(), flush=True); input()"], {})
    os._exit(0)
os.wait()
input()
"""
DAEMON = GRANDCHILD.replace("os.wait()\ninput()", "os._exit(0)")
REAPER = """
import os, subprocess, sys
from pathlib import Path
from hub.io.agents.lineage import descends_from_run, guard
guard(Path(sys.argv[1]))
child = subprocess.Popen([sys.executable, "-c", sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
daemon = int(child.stdout.readline())
child.stdin.close()
child.wait()
print(descends_from_run(daemon), descends_from_run(os.getppid()))
os.kill(daemon, 9)
"""


@pytest.fixture
def outsider() -> Iterator[subprocess.Popen[str]]:
    with started(STAYS) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def started(code: str, **environment: str) -> subprocess.Popen[str]:
    argv = (sys.executable, "-c", code)
    env = {**os.environ, **environment}
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)


def test_one_of_the_persons_own_is_none(outsider: subprocess.Popen[str]) -> None:
    assert not descends_from_run(outsider.pid)
    assert not descends_from_run(os.getpid())


def test_a_run_and_what_stands_below_it_are_known_until_it_is_over() -> None:
    lineage = Lineage()
    with started(GRANDCHILD) as root:
        lineage.enter(root.pid)
        assert root.stdout is not None
        assert lineage.descends(root.pid)
        root.stdout.readline()
        lineage.leave(root.pid)
        assert not lineage.descends(root.pid)
        root.kill()


@pytest.mark.slow
@THROUGH_PROC
def test_a_daemon_without_marks_still_falls_to_the_hub(tmp_path: Path) -> None:
    argv = (sys.executable, "-c", REAPER, str(tmp_path), DAEMON)
    said = subprocess.run(argv, check=True, capture_output=True, text=True, timeout=30)
    assert said.stdout.split() == ["True", "False"]


@THROUGH_PROC
def test_the_mark_of_this_home_is_enough(tmp_path: Path) -> None:
    lineage = Lineage()
    for name, value in marked(tmp_path).items():
        lineage.know(f"{name}={value}")
    with started(STAYS, **marked(tmp_path)) as ours, started(STAYS, **marked(tmp_path / "other")) as other:
        for process in (ours, other):
            assert process.stdout is not None
            process.stdout.readline()
        assert lineage.descends(ours.pid)
        assert not lineage.descends(other.pid)
        ours.kill()
        other.kill()


def test_who_is_gone_cannot_be_judged_and_counts_as_one(outsider: subprocess.Popen[str]) -> None:
    outsider.kill()
    outsider.wait()
    assert descends_from_run(outsider.pid)


@THROUGH_PROC
def test_who_hides_its_environment_counts_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.agents.lineage.environment_of", lambda _pid: None)
    assert descends_from_run(os.getppid())


@THROUGH_PROC
def test_a_number_that_is_used_again_is_another_process(outsider: subprocess.Popen[str]) -> None:
    lineage = Lineage()
    lineage.enter(outsider.pid)
    lineage._roots[outsider.pid] -= 1  # noqa: SLF001  as if it had begun earlier
    assert not lineage.descends(outsider.pid)


@pytest.mark.slow
def test_without_proc_the_chain_is_asked_of_ps(
    outsider: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(process_table, "PROC", tmp_path)
    lineage = Lineage()
    assert not lineage.descends(outsider.pid)
    lineage.enter(os.getpid())
    assert lineage.descends(outsider.pid)


@THROUGH_PROC
async def test_a_running_program_is_entered_and_leaves_when_it_is_over(tmp_path: Path) -> None:
    heard = Heard()
    program = Program(
        argv=python("import os; print('pid', os.getpid()); import time; time.sleep(99)"),
        cwd=str(tmp_path),
        environment={"PATH": os.environ["PATH"]},
        duration_s_max=20,
        output_bytes_max=1_000,
    )
    work = asyncio.create_task(Processes().run(program, heard))
    pid = int((await heard.line("pid")).split()[1])
    assert descends_from_run(pid)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert LIVE._roots == {}  # noqa: SLF001  nothing is kept of what is over
