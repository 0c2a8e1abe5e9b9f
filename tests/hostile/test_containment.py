"""What a contained run can see and reach; and that no run starts with less than its settings demand."""

import asyncio
import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.execution import RunResult
from hub.domain.plan import Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents import containment
from hub.io.agents.command import CommandRunner
from hub.io.agents.containment import bubblewrap, described, options
from hub.io.agents.playbook.runner import PlaybookRunner
from hub.loop.events import Event, RunEnded
from hub.ports import AgentRunner
from hub.runner.runs import AgentRuns
from tests.fakes.world import utc
from tests.hostile.session_changers import ATTACKS, BEGIN
from tests.io.agents.agent_work import Heard, is_there, job, python, run, write

NOON = utc(2026, 3, 10, 12, 0)
INTERPRETER = os.path.realpath(sys.executable)
"""Wherever this checkout is: its own environment may be among the temporary files, which some runs do not see."""


def agent(*argv: str, **settings: object) -> Agent:
    return Agent(**{"name": "a", "kind": "command", "argv": argv, **settings})  # type: ignore[arg-type]  # each test names its own


async def ran(folder: Path, code: str, **settings: object) -> RunResult:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    runner = CommandRunner(folder / "home", {"PATH": os.environ["PATH"], "HOME": str(folder)})
    argv = (INTERPRETER, "-c", code)
    return await run(runner, job(agent=agent(*argv, **settings), workspace=work), Heard())


@pytest.fixture
def _no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A bubblewrap that is there and does not work, as where the kernel forbids its namespaces."""
    write(tmp_path, {"bin/bwrap": "#!/bin/sh\nexit 1\n"})
    (tmp_path / "bin/bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    containment.bubblewrap.cache_clear()
    yield
    containment.bubblewrap.cache_clear()


def test_what_is_hidden_comes_after_what_is_shown_and_before_what_may_be_written(tmp_path: Path) -> None:
    words = options(agent(read_only=True, network=False), tmp_path, ("/work", "/session"), 1000)
    assert "--unshare-net" in words
    assert "--unshare-pid" in words
    order = [words.index(word) for word in ("--ro-bind", "--tmpfs", str(tmp_path), "--bind-try", "--chdir")]
    assert order == sorted(order)
    assert words[-2:] == ("--chdir", "/work")


def test_by_default_it_may_write_and_reach_the_network(tmp_path: Path) -> None:
    words = options(agent(), tmp_path, ("/work",), 1000)
    assert "--unshare-net" not in words
    assert "--ro-bind" not in words[: words.index(str(tmp_path))]


@pytest.mark.slow
@pytest.mark.usefixtures("_no_bubblewrap")
async def test_without_a_container_that_works_auto_runs_and_says_so(tmp_path: Path) -> None:
    result = await ran(tmp_path, "print(1)")
    assert (result.ended, result.output, result.containment) == ("exited", "1\n", "not sandboxed")


@pytest.mark.usefixtures("_no_bubblewrap")
@pytest.mark.parametrize("demand", [{"contain": "bubblewrap"}, {"network": False}, {"read_only": True}])
async def test_a_demand_that_cannot_be_met_starts_nothing(tmp_path: Path, demand: dict[str, object]) -> None:
    result = await ran(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')", **demand)
    assert result.ended == "failed-to-start"
    assert "Install bubblewrap" in result.detail
    assert "does not start" in described(agent(**demand)).text
    assert not is_there(str(tmp_path / "ran"))


async def test_none_and_a_demand_contradict_each_other(tmp_path: Path) -> None:
    result = await ran(tmp_path, "print(1)", contain="none", network=False)
    assert "contain is none" in result.detail


@pytest.mark.slow
async def test_memory_is_limited_with_and_without_a_container(tmp_path: Path) -> None:
    for contain in ("none", "auto"):
        result = await ran(tmp_path, "print(len(bytearray(600_000_000)))", contain=contain, memory_mb_max=300)
        assert "MemoryError" in result.output


@pytest.fixture
def bwrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A bubblewrap that starts what it is given, and contains nothing."""
    program = tmp_path / "bin/bwrap"
    write(tmp_path, {"bin/bwrap": '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'})
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    containment.bubblewrap.cache_clear()
    yield program
    containment.bubblewrap.cache_clear()


def take_away(program: Path) -> None:
    """Leave a file that is none: it cannot be started."""
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o644)


def make_useless(program: Path) -> None:
    """Have it start, and fail, as where the kernel forbids its namespaces."""
    program.chmod(0o755)
    containment.bubblewrap.cache_clear()


@pytest.mark.parametrize("kind", ["command", "playbook"])
@pytest.mark.parametrize("change", ["the setting", "bubblewrap gone", "bubblewrap gone, Pulse started again"])
async def test_less_containment_than_was_shown_runs_nothing_and_asks_again(
    tmp_path: Path, bwrap: Path, kind: str, change: str
) -> None:
    write(tmp_path, {"work/Makefile": f"test:\n\ttouch {tmp_path}/ran\n"})
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    runners: dict[str, AgentRunner] = {
        "command": CommandRunner(tmp_path / "home", environ),
        "playbook": PlaybookRunner(tmp_path / "home", environ, lambda: NOON),
    }
    playbook = "run-tests" if kind == "playbook" else None
    held = agent("/usr/bin/touch", str(tmp_path / "ran"), kind=kind)
    work = Work(playbook=playbook, workspace=str(tmp_path / "work"))
    shown = await runners[kind].plan(held, work)
    assert isinstance(shown, Plan)
    assert shown.containment == "bubblewrap: Pulse's files hidden"
    if change == "the setting":
        held = replace(held, contain="none")
    else:
        take_away(bwrap)
    if "again" in change:
        make_useless(bwrap)
    permitted = replace(job(agent=held, workspace=tmp_path / "work", playbook=playbook), plan=shown)
    ended: asyncio.Future[RunResult] = asyncio.get_running_loop().create_future()

    def post(event: Event) -> None:
        if isinstance(event, RunEnded):
            ended.set_result(event.result)

    runs = AgentRuns(runners)
    runs.start("pred_1", permitted, post)
    result = await ended
    await runs.close()
    assert (result.ended, result.detail.endswith("since you looked: its sandbox")) == ("changed", True)
    assert not is_there(str(tmp_path / "ran"))


async def test_a_container_that_has_gone_lets_nothing_start_without_it(tmp_path: Path, bwrap: Path) -> None:
    assert bubblewrap() == str(bwrap)
    take_away(bwrap)
    result = await ran(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')")
    assert (result.ended, "cannot be sandboxed" in result.detail) == ("failed-to-start", True)
    assert not is_there(str(tmp_path / "ran"))


@pytest.mark.slow
@pytest.mark.needs_bubblewrap
async def test_pulses_files_and_other_processes_are_not_seen(tmp_path: Path) -> None:
    write(tmp_path, {"home/secrets/local.token": "secret"})
    code = f"import os; print(os.listdir({str(tmp_path / 'home')!r}), [p for p in os.listdir('/proc') if p.isdigit()])"
    result = await ran(tmp_path, code, contain="bubblewrap")
    assert result.output == "[] ['1', '2']\n"
    assert result.containment == "bubblewrap: Pulse's files hidden"


@pytest.mark.slow
@pytest.mark.needs_bubblewrap
async def test_it_writes_only_where_it_may(tmp_path: Path) -> None:
    write(tmp_path, {"listed/x": ""})
    code = """
import os, pathlib, sys
def may(place):
    try:
        pathlib.Path(place, "NAME").touch()
    except OSError:
        return False
    return True
root, cost = os.environ["HOME"], pathlib.Path(os.environ["PULSE_COST_FILE"]).parent
print([may(place) for place in (".", f"{root}/listed", cost, "/tmp", "/etc", "/var")])
"""
    name = f"new-{uuid.uuid4().hex}"
    result = await ran(tmp_path, code.replace("NAME", name), read_only=True, folders=(str(tmp_path / "listed"),))
    assert result.detail == ""
    assert result.output == "[True, True, True, True, False, False]\n"
    assert result.changed_files == (name,)
    assert not is_there(f"/tmp/{name}")  # noqa: S108  its own temporary folder was not everybody's


@pytest.mark.slow
@pytest.mark.needs_bubblewrap
async def test_without_the_network_not_even_this_machines_ports_are_reached(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    code = f"import socket; print(socket.socket().connect_ex(('127.0.0.1', {port})))"
    assert (await ran(tmp_path, code)).output == "0\n"
    assert (await ran(tmp_path, code, network=False)).output != "0\n"
    server.close()


@pytest.mark.slow
@pytest.mark.needs_bubblewrap
async def test_input_exit_codes_and_signals_pass_through(tmp_path: Path) -> None:
    result = await ran(tmp_path, "import sys; print(sys.stdin.read()); sys.exit(3)")
    assert (result.output, result.exit_code) == ("Do it\n", 3)
    assert (await ran(tmp_path, "import os; os.kill(os.getpid(), 9)")).exit_code == -9


@pytest.mark.slow
@pytest.mark.needs_bubblewrap
@pytest.mark.parametrize("attack", ["chain", "daemons"])
async def test_a_stop_ends_all_that_is_inside(tmp_path: Path, attack: str) -> None:
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    heard = Heard()
    runner = CommandRunner(tmp_path / "home", {"PATH": os.environ["PATH"]})
    argv = (*python(BEGIN + ATTACKS[attack]), str(tmp_path / "held"))
    work = asyncio.create_task(run(runner, job(agent=agent(*argv)), heard))
    await asyncio.wait((work, asyncio.ensure_future(heard.line("up"))), return_when=asyncio.FIRST_COMPLETED)
    work.cancel()
    with suppress(asyncio.CancelledError):
        await work
    assert os.read(held, 1) == b""
    os.close(held)


@pytest.mark.slow
@pytest.mark.needs_bubblewrap
async def test_a_polite_program_inside_may_end_by_itself(tmp_path: Path) -> None:
    code = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(print('bye'))); print('up'); time.sleep(99)"
    heard = Heard()
    runner = CommandRunner(tmp_path / "home", {"PATH": os.environ["PATH"]})
    work = asyncio.create_task(run(runner, job(agent=agent(*python(code))), heard))
    await heard.line("up")
    await runner.close()
    assert (await work).output == "up\nbye\n"


@pytest.mark.needs_bubblewrap
def test_it_works_on_this_machine() -> None:
    assert bubblewrap()
