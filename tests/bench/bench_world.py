"""The world log: lines taken in each second, and what queries and checks cost on a long log, beside `grep` on it.

Taken in is what the keeper has read, the loop has folded and the store has written. Queries are answered by the loop.
`LINES` lines by default; `python -m tests.bench.bench_world 10000000` measures as many as one likes. Of a longer log
the last `LINES` are taken in, after a place up to which it counts as read, and as many of their sessions are left open
as of all of it would be: what a query costs goes by those. A check and `grep` have the whole file before them.
"""

import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Final

import msgspec

from hub.domain.provenance import LogText
from hub.domain.storage import Committed
from hub.domain.world import WorldEvent, WorldSession
from hub.domain.world_log_state import PutWorldPlace, WorldIntake
from hub.domain.world_requests import GROUPS, SessionGroup
from hub.io.store.sqlite import open_store
from hub.io.world.cursor import LogCursor, fresh, marked
from hub.io.world.files import LogFile, status_of
from hub.io.world.readers import WorldReaders
from hub.io.world.recent import recent
from hub.io.world.writing import WorldLog
from tests.bench.figures import Figure, MissingError, percentile
from tests.bench.kept_world import KeptWorld, kept_world

BENCH: Final = "world"
LINES: Final = 1_000_000
SESSION_LINES: Final = 20
"""Of so many lines one session is told: mostly events, as where agents work in a browser."""
CALLS: Final = 500
APPENDS: Final = 5_000
BEGUN: Final = datetime(2026, 1, 9, tzinfo=UTC)
A_SECOND: Final = 10
STEPS: Final = {
    0: "[agent:start][{id}] Book a flight to Tokyo | need: confirmation number",
    1: "[agent:active][{id}] searching flights",
    17: "[agent:finish][{id}] booked, confirmation #{id}",
    18: "[agent:verified][{id}] success criteria met",
}
STUCK_EVERY: Final = 1_000
"""One session in so many is still failed at the end, and another at work: what a query has to find."""
NEVER: Final = 1 << 50
"""So long is no log: it is not put aside, so that `grep` has all of it before it."""
QUERY_MS_MAX: Final = 20.0
LINES_PER_S_MIN: Final = 20_000.0


def texts(lines: int, stuck_every: int) -> Iterator[str]:
    """Yield the lines of a log, a tenth of a second apart, those of a second at once."""
    for begin in range(0, lines, A_SECOND):
        at = (BEGUN + timedelta(seconds=begin // A_SECOND)).strftime("%Y-%m-%dT%H:%M:%S")
        yield "".join(
            f"[{at}.{number % A_SECOND}Z]{_text(*divmod(number, SESSION_LINES), stuck_every)}\n"
            for number in range(begin, min(begin + A_SECOND, lines))
        )


def _text(session: int, step: int, stuck_every: int) -> str:
    name = f"s{session}"
    if session % stuck_every == 0 and step in {17, 18}:
        return f"[agent:failed][{name}] captcha required | need: solve captcha"
    if session % stuck_every == 1 and step in {17, 18}:
        return f"[agent:active][{name}] still searching"
    if step not in STEPS:
        return f"[event:chrome][kayak.com] found {name} flights, step by step"
    return STEPS[step].format(id=name)


def fill(path: Path, lines: int, stuck_every: int) -> None:
    with path.open("w", encoding="utf-8", buffering=1 << 20) as file:
        file.writelines(texts(lines, stuck_every))


def _there(path: Path) -> LogFile:
    found = status_of(path)
    assert found is not None
    return found


async def read_before(path: Path, database: Path, lines: int) -> None:
    """Have the store say that so many lines of the log were read; what came of them is not known there."""
    with path.open("rb") as file:
        offset = sum(len(line) for line in islice(file, lines))
        mark = marked(file.fileno(), fresh(_there(path)), offset, None)
    place = PutWorldPlace(
        user="me", cursor=msgspec.json.encode(LogCursor(marks=(mark,))), intake=WorldIntake(lines=lines)
    )
    store = await open_store(database)
    try:
        assert await store.commit([(place,)]) == (Committed(),)
    finally:
        await store.close()


async def slowest_ms(call: Callable[[], Awaitable[object]]) -> float:
    """Return the p99 of many calls, in milliseconds."""
    took = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        await call()
        took.append(time.perf_counter() - begin)
    return percentile(took, 0.99) * 1e3


async def group(kept: KeptWorld, name: SessionGroup) -> list[WorldSession]:
    """Return the sessions of a group as the loop knows them."""
    return [one for one in (await kept.shown()).sessions if one.status in GROUPS[name]]


async def session(kept: KeptWorld, session_id: str) -> WorldSession:
    return next(one for one in (await kept.shown()).sessions if one.id == session_id)


def grep_ms(path: Path, pattern: str) -> float:
    """Return how long `grep` takes to find what a query answers, in milliseconds; the file is in memory by then."""
    program = shutil.which("grep")
    if program is None:
        raise MissingError("Install grep: it is what queries are measured against.")
    took = []
    for _ in range(3):
        begin = time.perf_counter()
        # Into a pipe: where nobody reads it, GNU grep stops at the first line that it finds.
        subprocess.run([program, "-c", pattern, str(path)], stdout=subprocess.PIPE, check=True)
        took.append(time.perf_counter() - begin)
    return statistics.median(took) * 1e3


def append_seconds(path: Path, append: Callable[[int], object]) -> float:
    begin = time.perf_counter()
    for number in range(APPENDS):
        append(number)
    path.unlink()
    return time.perf_counter() - begin


def writing(folder: Path) -> Figure:
    """Measure one writer, beside a plain `echo >>` from one process, which takes no lock."""
    path = folder / "written.log"
    log = WorldLog(path)

    def echo(number: int) -> None:
        with path.open("ab", buffering=0) as file:
            file.write(f"[event:bash][test] line {number}\n".encode())

    ours = append_seconds(
        path, lambda n: log.append(WorldEvent(source="bash", identifier=LogText("test"), text=LogText(f"line {n}")))
    )
    return Figure(
        bench=BENCH,
        what="append, one writer",
        value=APPENDS / ours,
        unit="lines/s",
        better="higher",
        reference="open, write, close",
        reference_value=APPENDS / append_seconds(path, echo),
    )


def checking(path: Path, folder: Path, lines: int) -> float:
    """Return the p99 of a check that finds one new line, in milliseconds."""
    readers, log, numbers = WorldReaders(path, folder / "readers"), WorldLog(path), count()
    readers.check("reader")

    def check() -> None:
        batch = readers.check("reader")
        assert len(batch.lines) == 1
        readers.keep("reader", batch.cursor)

    took = []
    for _ in range(CALLS):
        log.append(WorldEvent(source="bash", identifier=LogText("x"), text=LogText(f"{lines} and {next(numbers)}")))
        begin = time.perf_counter()
        check()
        took.append(time.perf_counter() - begin)
    return percentile(took, 0.99) * 1e3


async def asking(kept: KeptWorld, path: Path, lines: int) -> list[Figure]:
    """Measure what queries cost, beside `grep` on the same file."""
    failed = await group(kept, "failed")
    assert len(failed) == lines // SESSION_LINES // STUCK_EVERY + bool(lines // SESSION_LINES % STUCK_EVERY)
    found = grep_ms(path, r"\[agent:failed\]")

    async def query(what: str, call: Callable[[], Awaitable[object]]) -> Figure:
        return Figure(
            bench=BENCH,
            what=f"{what}, {lines:,} lines, p99",
            value=await slowest_ms(call),
            unit="ms",
            goal=QUERY_MS_MAX,
            reference="grep",
            reference_value=found,
        )

    async def latest() -> object:
        return recent(path, 20)

    return [
        await query("query failed", lambda: group(kept, "failed")),
        await query("query active", lambda: group(kept, "active")),
        await query("query session", lambda: session(kept, failed[0].id)),
        await query("query recent 20", latest),
        await query("look for new lines, none", kept.look),
    ]


async def kept(folder: Path, path: Path, lines: int, before: int) -> list[Figure]:
    """Measure taking in what the log has beyond `before` lines, asking about it, and beginning anew."""
    if before:
        await read_before(path, folder / "pulse.db", before)
    async with kept_world(path, folder / "pulse.db", NEVER) as world:
        begin = time.perf_counter()
        await world.look()
        seconds = time.perf_counter() - begin
        assert world.intake.lines == lines
        figures = await asking(world, path, lines)
    begin = time.perf_counter()
    async with kept_world(path, folder / "pulse.db", NEVER) as world:
        assert await group(world, "failed")
        begun_ms = (time.perf_counter() - begin) * 1e3
    return [
        Figure(
            bench=BENCH,
            what=f"taken in, {lines - before:,} lines",
            value=(lines - before) / seconds,
            unit="lines/s",
            better="higher",
            goal=LINES_PER_S_MIN,
        ),
        *figures,
        Figure(bench=BENCH, what="begin with what is stored", value=begun_ms, unit="ms"),
    ]


def measured(folder: Path, lines: int, taken_in: int) -> list[Figure]:
    """Measure on a log of so many lines, of which the last ones are taken in."""
    path, before = folder / "world.log", max(0, lines - taken_in)
    fill(path, lines, STUCK_EVERY * min(lines, taken_in) // lines)
    figures = asyncio.run(kept(folder, path, lines, before))
    check = Figure(
        bench=BENCH, what=f"check, one new line, {lines:,} lines, p99", value=checking(path, folder, lines), unit="ms"
    )
    return [*figures, check, writing(folder)]


def run(lines: int = LINES, taken_in: int = LINES) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as folder:
        return measured(Path(folder), lines, taken_in)


if __name__ == "__main__":
    for one in run(int(sys.argv[1]) if len(sys.argv) > 1 else LINES):
        sys.stdout.write(f"{one.what}: {one.value:.4g} {one.unit} ({one.reference}: {one.reference_value})\n")
