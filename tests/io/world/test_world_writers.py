"""Many writers at once, some killed in the middle: no line is torn, lost or doubled, while the log is rotated, too."""

import subprocess
import sys
import threading
from collections import Counter
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from hub.contract.base import Value
from hub.domain.provenance import untrusted
from hub.domain.world import Unparsed, WorldEvent
from hub.io.world.cursor import BEGINNING
from hub.io.world.reading import LoggedLine, read_on
from hub.io.world.writing import WorldLog
from tests.house.source import ROOT
from tests.io.world.lines import NOON
from tests.io.world.writer_child import text_of

CHILD = Path(__file__).with_name("writer_child.py")
LINES = 100


class Writer(Value):
    """One writer: how it writes, and after how many lines it is killed."""

    name: str
    how: str = "pulse"
    kill_at: int | None = None


def heard(path: Path, writer: Writer) -> int:
    """Let a writer write; return how many lines it said are there."""
    argv = [sys.executable, str(CHILD), str(path), writer.name, str(LINES), writer.how]
    waiting = subprocess.DEVNULL if writer.kill_at is None else subprocess.PIPE
    environment = {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(argv, stdin=waiting, stdout=subprocess.PIPE, cwd=ROOT, env=environment) as child:
        assert child.stdout is not None
        said = 0
        for _ in child.stdout:
            said += 1
            if said == writer.kill_at:
                child.kill()
    return said


def rotate_beside(log: WorldLog, writers: list[threading.Thread]) -> None:
    """Put the log aside whenever it has grown, until nobody writes any more: also in the middle of its being read."""
    for turn in count():
        log.rotate(NOON + timedelta(seconds=turn))
        if not any(writer.is_alive() for writer in writers):
            return


def written_and_read(path: Path, writers: list[Writer]) -> tuple[list[int], list[LoggedLine]]:
    """Let all write at once, rotating and reading meanwhile; return what each said is there, and what was read."""
    log, said = WorldLog(path, rotate_bytes=60_000), [0] * len(writers)

    def listen(number: int) -> None:
        said[number] = heard(path, writers[number])

    threads = [threading.Thread(target=listen, args=(number,)) for number in range(len(writers))]
    at_work = [*threads, threading.Thread(target=rotate_beside, args=(log, threads))]
    for thread in at_work:
        thread.start()
    lines: list[LoggedLine] = []
    cursor = BEGINNING
    while any(thread.is_alive() for thread in at_work):
        batch = read_on(path, cursor, lines_max=500)
        cursor, lines = batch.cursor, lines + list(batch.lines)
    log.end_half_line()
    while (batch := read_on(path, cursor)).lines:
        cursor, lines = batch.cursor, lines + list(batch.lines)
    return said, lines


def check(writers: list[Writer], said: list[int], lines: list[LoggedLine]) -> None:
    found = Counter(untrusted(each.line.text) for each in lines if isinstance(each.line, WorldEvent))
    promised = {text_of(one.name, n) for one, count in zip(writers, said, strict=True) for n in range(count)}
    whole = {text_of(one.name, number) for one in writers for number in range(LINES)}
    assert len(promised) > len(writers) * LINES // 4
    assert promised <= set(found)
    assert set(found.values()) == {1}
    # Of a line in the middle of which its writer was killed a half may stay, alone; nobody said that it was there.
    torn = sum(isinstance(each.line, Unparsed) for each in lines) + len(set(found) - whole)
    assert torn <= sum(one.kill_at is not None for one in writers)


@pytest.mark.slow
def test_a_hundred_writers_of_which_every_third_is_killed(tmp_path: Path) -> None:
    kills = [10 + number % 50 if number % 3 == 0 else None for number in range(100)]
    writers = [Writer(name=f"w{number}", kill_at=kill_at) for number, kill_at in enumerate(kills)]
    said, lines = written_and_read(tmp_path / "world.log", writers)
    check(writers, said, lines)
    assert [count for count, kill_at in zip(said, kills, strict=True) if kill_at is None] == [LINES] * 66


@pytest.mark.slow
def test_scripts_that_echo_beside_others(tmp_path: Path) -> None:
    writers = [Writer(name=f"w{number}", how="echo" if number % 2 else "pulse") for number in range(20)]
    said, lines = written_and_read(tmp_path / "world.log", writers)
    check(writers, said, lines)
    assert said == [LINES] * 20
