"""A hundred writers of one world log, all killed at random again and again, and the hub that takes their lines in.

Beside them writers alone, with what `echo >>` does. `python -m tests.bench.bench_world_intake 1000000` for more lines.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from hub.domain.provenance import untrusted
from hub.domain.world import AgentLine, WorldEvent, WorldLine
from hub.loop.events import WorldRead
from tests.bench import world_writers
from tests.bench.figures import Figure
from tests.bench.kept_world import kept_world
from tests.bench.world_writers import PROMISED, TEXT_END, WRITERS
from tests.house.source import ROOT

BENCH: Final = "world_intake"
LINES: Final = 100_000
KILLS: Final = 20
LINES_PER_S_MIN: Final = 20_000.0
ROTATE_BYTES: Final = 16 * 1024 * 1024
"""The log is put aside several times meanwhile."""


class Heard:
    """Which lines of which writer were taken in, and how often."""

    def __init__(self, lines: int) -> None:
        self._of_each = lines // WRITERS
        self._times = bytearray(self._of_each * WRITERS)
        self.others = 0

    def take(self, read: WorldRead) -> None:
        for line in read.lines:
            self._count(line)

    def _count(self, line: WorldLine) -> None:
        text = untrusted(line.text) if isinstance(line, WorldEvent | AgentLine) else ""
        if not text.endswith(TEXT_END):
            self.others += 1
            return
        writer, _, number = text.removesuffix(TEXT_END).partition("-")
        self._times[int(writer) * self._of_each + int(number)] += 1

    @property
    def lines(self) -> int:
        return len(self._times) - self._times.count(0)

    @property
    def doubled(self) -> int:
        return self.lines - self._times.count(1)

    def missing(self, promised: bytes) -> int:
        """Return how many lines were promised and not heard of."""
        assert len(promised) == len(self._times)
        return sum(one and not times for one, times in zip(promised, self._times, strict=True))


def started(path: Path, lines: int, kills: int, how: str) -> "subprocess.Popen[str]":
    argv = [sys.executable, world_writers.__file__, str(path), str(lines), str(kills), how]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)})


def promises(path: Path, writers: "subprocess.Popen[str]") -> tuple[bytes, int]:
    """Wait for the writers; return which lines were promised, and how often all of them were killed."""
    said, _ = writers.communicate()
    assert writers.returncode == 0
    return path.with_name(PROMISED).read_bytes(), int(said)


def alone(folder: Path, lines: int, how: str) -> float:
    """Return the lines a second of the writers without anybody who reads."""
    begin = time.perf_counter()
    path = folder / f"{how}.log"
    promised, _ = promises(path, started(path, lines, 0, how))
    assert sum(promised) == lines // WRITERS * WRITERS
    return lines / (time.perf_counter() - begin)


async def together(folder: Path, lines: int) -> list[Figure]:
    """Take in while all write and are killed."""
    path, heard = folder / "world.log", Heard(lines)
    async with kept_world(path, folder / "pulse.db", ROTATE_BYTES) as kept:
        kept.hear = heard.take
        begin = time.perf_counter()
        writers = await asyncio.to_thread(started, path, lines, KILLS, "pulse")
        while writers.poll() is None:
            await kept.look()
        promised, kills = promises(path, writers)
        await kept.look()
        seconds = time.perf_counter() - begin
        torn = kept.intake.unparsed_lines
        assert kept.intake.lines == heard.lines + heard.others
    return [
        Figure(bench=BENCH, what="all writers killed, times", value=kills, unit="", better="higher"),
        Figure(
            bench=BENCH,
            what=f"written by {WRITERS} killed writers and taken in, {sum(promised):,} lines",
            value=heard.lines / seconds,
            unit="lines/s",
            better="higher",
            reference="the same writers with `echo >>`, unkilled, nobody reads",
            reference_value=await asyncio.to_thread(alone, folder, lines, "echo"),
        ),
        Figure(bench=BENCH, what="promised lines that were lost", value=heard.missing(promised), unit="lines", goal=0),
        Figure(bench=BENCH, what="lines that were taken in twice", value=heard.doubled, unit="lines", goal=0),
        Figure(bench=BENCH, what="halves of killed writers, each alone", value=torn, unit="lines"),
    ]


async def behind(folder: Path, lines: int) -> list[Figure]:
    """Take in all of it at once, as at a start after a long rest."""
    heard = Heard(lines)
    async with kept_world(folder / "world.log", folder / "behind.db", ROTATE_BYTES) as kept:
        kept.hear = heard.take
        begin, worked = time.perf_counter(), time.process_time()
        await kept.look()
        seconds, worked = time.perf_counter() - begin, time.process_time() - worked
        assert heard.doubled == 0
    what = f"taken in at once, {heard.lines:,} lines"
    return [
        Figure(
            bench=BENCH, what=what, value=heard.lines / seconds, unit="lines/s", better="higher", goal=LINES_PER_S_MIN
        ),
        Figure(
            bench=BENCH,
            what=f"{what}, by a second of processor time",
            value=heard.lines / worked,
            unit="lines/s",
            better="higher",
        ),
    ]


def run(lines: int = LINES) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as folder:
        return [*asyncio.run(together(Path(folder), lines)), *asyncio.run(behind(Path(folder), lines))]


if __name__ == "__main__":
    for one in run(int(sys.argv[1]) if len(sys.argv) > 1 else LINES):
        sys.stdout.write(f"{one.what}: {one.value:.4g} {one.unit} ({one.reference}: {one.reference_value})\n")
