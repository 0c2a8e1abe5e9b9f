"""When an agent's process is over, and what of that which it had begun goes on without it."""

import asyncio
import os
from datetime import timedelta

from hub.io.agents.process_table import entry, environment_of, pids
from hub.ports import Clock

LOOK_EVERY = timedelta(seconds=5)
"""How often it is looked where the system does not tell of an end."""
NAMED_MAX = 3
"""So many processes are named at most."""


async def until_ended(pid: int, started: int, clock: Clock) -> None:
    """Return when that process is over; at once where it is already, or its number is another's by now."""
    handle = _handle(pid)
    if handle is None:
        while _runs(pid, started):
            await clock.sleep_until(clock.now() + LOOK_EVERY)
        return
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    loop.add_reader(handle, over.set)
    try:
        if _runs(pid, started):
            await over.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)


def left_running(mark: str, since: int) -> tuple[int, ...]:
    """Return the processes that have this in their environment (`NAME=value`) and began at that tick or later.

    Of a process and those below it, the first alone. Nothing where the system does not show environments.
    """
    found = {}
    for pid in pids():
        process = entry(pid)
        if process is None or process.ended or process.started < since:
            continue
        if mark.encode() in (environment_of(pid) or ()):
            found[pid] = process.parent
    return tuple(sorted(pid for pid, parent in found.items() if parent not in found))[:NAMED_MAX]


def _handle(pid: int) -> int | None:
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:  # it is over, or there are too many files: then it is looked
        return None


def _runs(pid: int, started: int) -> bool:
    found = entry(pid)
    return found is not None and not found.ended and found.started == started
