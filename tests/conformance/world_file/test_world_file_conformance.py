"""What every world log does as a file: gives each line once from a cursor on, and appends what lines can say."""

from datetime import timedelta
from pathlib import Path

import pytest

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import WorldEvent
from hub.domain.world_log_state import LoggedOut
from hub.io.world.on_disk import LogOnDisk
from hub.ports import WorldFile
from tests.io.world.lines import NOON, agent, echo
from tests.runner.kept_log import Fate, FatefulFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "world.log"


@pytest.fixture(params=["disk", "fateful"])
def file(request: pytest.FixtureRequest, path: Path) -> WorldFile:
    real = LogOnDisk(path, rotate_bytes=200)
    return real if request.param == "disk" else FatefulFile(real, Fate())


def out(id_: str, source: str = "api") -> LoggedOut:
    at = NOON + timedelta(microseconds=1)
    return LoggedOut(id=id_, line=WorldEvent(at=at, source=source, identifier=LogText("x"), text=LogText(f"a\n{id_}")))


def test_what_is_appended_is_read_once_as_it_was(file: WorldFile) -> None:
    file.tend(NOON, 0)
    assert file.append((out("one"), out("two", "No source"), out("three"))) == ("two",)
    read = file.read(b"", 2)
    assert read.lines == (out("one").line, out("three").line)
    assert (read.half_bytes, read.gaps) == (0, ())
    assert file.read(read.cursor, 9).lines == ()


def test_no_more_is_read_than_was_asked_for(file: WorldFile, path: Path) -> None:
    file.tend(NOON, 0)
    echo(path, "[agent:start][a] x\n[agent:start][b] x\n")
    first = file.read(b"", 1)
    assert (first.lines, first.has_more) == ((agent(AgentStatus.START, "a"),), True)
    rest = file.read(first.cursor, 1)
    assert rest.lines == (agent(AgentStatus.START, "b"),)


def test_a_half_line_is_told_and_ended_when_it_stays(file: WorldFile, path: Path) -> None:
    file.tend(NOON, 0)
    echo(path, "[agent:start][a] x")
    read = file.read(b"", 9)
    assert (read.lines, read.half_bytes) == ((), 18)
    file.tend(NOON, read.half_bytes)
    file.tend(NOON + timedelta(seconds=44), read.half_bytes)
    assert file.read(read.cursor, 9).lines == ()
    file.tend(NOON + timedelta(seconds=45), read.half_bytes)
    assert file.read(read.cursor, 9).lines == (agent(AgentStatus.START, "a"),)


def test_a_log_that_has_grown_is_put_aside_and_read_on(file: WorldFile, path: Path) -> None:
    file.tend(NOON, 0)
    first = file.read(b"", 9)
    file.append([out(f"l{number}") for number in range(9)])
    file.tend(NOON, 0)
    assert path.stat().st_size == 0
    assert sorted(one.name for one in path.parent.iterdir()) == ["world.log", "world.log.20260109T120000.000000Z"]
    lines, cursor, has_more = first.lines, first.cursor, True
    while has_more:
        read = file.read(cursor, 9)
        lines, cursor, has_more = (*lines, *read.lines), read.cursor, read.has_more
    assert lines == tuple(out(f"l{number}").line for number in range(9))
