"""A hundred processes that append to one log, all killed at random and begun again, until so many lines were promised.

python world_writers.py LOG LINES KILLS [pulse|echo]   prints how often all were killed

Which lines are promised to be there is in the file `promised` beside the log: a byte for each line, writer by writer. A
line is promised when its appending has returned, in memory that outlives the writer. The line in whose middle it was
killed may be there or not; it is not written again, so nothing is doubled by the writers themselves.
"""

import mmap
import os
import random
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import AgentLine, WorldEntryLine, WorldEvent
from hub.domain.world_lines import write_line
from hub.io.world.writing import WorldLog

WRITERS: Final = 100
SESSION_LINES: Final = 20
LIFE_S: Final = (0.05, 0.6)
"""So long all of them live, drawn anew after each killing."""
SLOT: Final = struct.Struct("q")
"""Of each writer: lines begun."""
PROMISED: Final = "promised"
NO_KILL_S: Final = 3_600.0


def line_of(writer: int, number: int) -> WorldEntryLine:
    """Return a writer's line; twenty of them are the life of a session."""
    session, step = divmod(number, SESSION_LINES)
    name, text = f"w{writer}s{session}", LogText(f"{writer}-{number}")
    status = {0: AgentStatus.START, 1: AgentStatus.ACTIVE, 18: AgentStatus.FINISH, 19: AgentStatus.VERIFIED}.get(step)
    if status is None:
        return WorldEvent(source="bash", identifier=LogText(name), text=text)
    return AgentLine(status=status, session=name, text=text)


def appender(path: Path, how: str) -> Callable[[WorldEntryLine], object]:
    """Return what appends a line: Pulse's writer, or what `echo >>` does."""
    if how == "pulse":
        return WorldLog(path).append

    def echo(line: WorldEntryLine) -> None:
        with path.open("ab", buffering=0) as file:
            file.write(write_line(line))

    return echo


def write(path: Path, how: str, shared: mmap.mmap, writer: int, lines: int) -> None:
    """Go on where this writer was killed; never returns."""
    append, first = appender(path, how), WRITERS * SLOT.size + writer * lines
    (begun,) = SLOT.unpack_from(shared, writer * SLOT.size)
    for number in range(begun, lines):
        SLOT.pack_into(shared, writer * SLOT.size, number + 1)
        append(line_of(writer, number))
        shared[first + number] = 1
    os._exit(0)


def forked(path: Path, how: str, shared: mmap.mmap, lines: int) -> list[int]:
    pids = []
    for writer in range(WRITERS):
        pid = os.fork()
        if pid == 0:
            write(path, how, shared, writer, lines)
        pids.append(pid)
    return pids


def ended(pids: list[int], life_s: float) -> bool:
    """Wait until all are done, or kill all that still live after so long; say whether all were done."""
    deadline, alive = time.monotonic() + life_s, set(pids)
    while alive and time.monotonic() < deadline:
        alive -= {pid for pid in alive if os.waitpid(pid, os.WNOHANG)[0]}
        time.sleep(0.005)
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    for pid in alive:
        os.waitpid(pid, 0)
    return not alive


def main(path: str, lines: str, kills: str, how: str = "pulse") -> None:
    of_each, left = int(lines) // WRITERS, int(kills)
    shared = mmap.mmap(-1, WRITERS * (SLOT.size + of_each))
    draw = random.Random(16)  # noqa: S311  the same lives in each run
    while True:
        life_s = draw.uniform(*LIFE_S) if left else NO_KILL_S
        if ended(forked(Path(path), how, shared, of_each), life_s):
            break
        left -= 1
    Path(path).with_name(PROMISED).write_bytes(shared[WRITERS * SLOT.size :])
    sys.stdout.write(f"{int(kills) - left}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
