"""Nothing that a run started outlives it: not its program, not a stop, not the hub's own death."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.io.agents.command import CommandRunner
from hub.io.agents.process_table import PROC
from hub.io.agents.supervised import ATTACKED, LEFT
from tests.hostile.session_changers import ATTACKS, BEGIN, KILLS, outlived
from tests.io.agents.agent_work import Heard, job, python, run

pytestmark = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
WAIT_S_MAX = 60
HUB = """
import asyncio, os, sys
from pathlib import Path
from hub.io.agents.command import CommandRunner
from tests.io.agents.agent_work import job, run
async def main():
    runner = CommandRunner(Path(sys.argv[1]) / "home", {"PATH": os.environ["PATH"]})
    await run(runner, job(*sys.argv[2:], duration_s_max=60), lambda line: print(line, flush=True))
asyncio.run(main())
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    """The reading end of the pipe that the attackers hold."""
    os.mkfifo(tmp_path / "held")
    heard = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    yield heard
    os.close(heard)


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["chain", "kills-outer"])
async def test_a_stop_ends_all_of_it(tmp_path: Path, attack: str) -> None:
    alive, _ = await outlived(tmp_path, attack)
    assert not alive


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["chain", "executing", "daemons"])
def test_it_does_not_outlive_the_hub(tmp_path: Path, held: int, attack: str) -> None:
    argv = (sys.executable, "-c", HUB, str(tmp_path), *python(BEGIN + ATTACKS[attack]), str(tmp_path / "held"))
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as hub:
        assert hub.stdout is not None
        assert hub.stdout.readline() == "up\n"
        hub.kill()
    assert select.select([held], [], [], WAIT_S_MAX)[0]
    assert os.read(held, 1) == b""


@pytest.mark.slow
@pytest.mark.parametrize("who", ["inner", "outer"])
async def test_a_run_that_turns_on_its_supervisor_is_ended_and_told_so(tmp_path: Path, held: int, who: str) -> None:
    code = f"{BEGIN}{KILLS.format(who=who, how='SIGKILL')}"
    runner = CommandRunner(tmp_path / "home", {"PATH": os.environ["PATH"]})
    result = await run(runner, job(*python(code), str(tmp_path / "held")), Heard())
    assert (result.ended, result.detail) == ("lost", ATTACKED)
    assert os.read(held, 1) == b""


async def test_a_run_that_kills_both_is_never_told_as_ended(tmp_path: Path, held: int) -> None:
    both = "away(); [os.kill(one, how) for how in (19, 9) for one in supervisors()]; time.sleep(99)"
    code = f"{BEGIN}{both}"
    runner = CommandRunner(tmp_path / "home", {"PATH": os.environ["PATH"]})
    result = await run(runner, job(*python(code), str(tmp_path / "held")), Heard())
    assert (result.ended, result.detail) == ("lost", LEFT)
    assert os.read(held, 1) == b""  # it kept the marks of its run, and was found by them


@pytest.mark.parametrize("attack", ["chain", "chains", "executing"])
def test_the_attackers_themselves_end_when_nobody_reads_any_more(tmp_path: Path, attack: str) -> None:
    os.mkfifo(tmp_path / "held")
    reader = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    alive, inherited = os.pipe()
    argv = (*python(BEGIN + ATTACKS[attack]), str(tmp_path / "held"))
    with subprocess.Popen(argv, stdout=subprocess.PIPE, pass_fds=[inherited]) as first:
        os.close(inherited)
        assert first.stdout is not None
        assert first.stdout.readline() == b"up\n"
        os.close(reader)  # as when the run of the tests is killed
        first.kill()
    assert select.select([alive], [], [], WAIT_S_MAX)[0]
    assert os.read(alive, 1) == b""
    os.close(alive)
