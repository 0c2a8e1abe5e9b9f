"""A hundred processes that append to one log, all killed at random and begun again, until so many lines were promised.

python world_writers.py LOG LINES KILLS [pulse|echo]   prints how often all were killed

Which lines are promised to be there is in the file `promised` beside the log: a byte for each line, writer by writer. A
line is promised when its appending has returned, in memory that outlives the writer. The line in whose middle it was
killed may be there or not; it is not written again, so nothing is doubled by the writers themselves.
"""

import math
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
LIFE: Final = (0.01, 0.06)
"""What share of all lines they begin before all of them are killed, drawn anew each time: no machine is too quick."""
SLOT: Final = struct.Struct("q")
"""Of each writer: lines begun."""
TEXT_END: Final = "."
"""Ends the text of a line: half a line of a killed writer may be read as a line, but never as another whole one."""
PROMISED: Final = "promised"
LOOK_S: Final = 0.001


def line_of(writer: int, number: int) -> WorldEntryLine:
    """Return a writer's line; twenty of them are the life of a session."""
    session, step = divmod(number, SESSION_LINES)
    name, text = f"w{writer}s{session}", LogText(f"{writer}-{number}{TEXT_END}")
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


def begun(shared: mmap.mmap) -> int:
    """Return how many lines all of them have begun."""
    return sum(SLOT.unpack_from(shared, writer * SLOT.size)[0] for writer in range(WRITERS))


def ended(pids: list[int], shared: mmap.mmap, begun_max: float) -> bool:
    """Wait until all are done, or kill all that still live after so many lines; say whether all were done."""
    alive = set(pids)
    while alive and begun(shared) < begun_max:
        alive -= {pid for pid in alive if os.waitpid(pid, os.WNOHANG)[0]}
        time.sleep(LOOK_S)
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
        begun_max = begun(shared) + draw.uniform(*LIFE) * WRITERS * of_each if left else math.inf
        if ended(forked(Path(path), how, shared, of_each), shared, begun_max):
            break
        left -= 1
    Path(path).with_name(PROMISED).write_bytes(shared[WRITERS * SLOT.size :])
    sys.stdout.write(f"{int(kills) - left}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
