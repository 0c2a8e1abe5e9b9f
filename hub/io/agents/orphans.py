"""What agents leave running outside their process group: found by the marks in its environment, and ended.

Two occasions. A hub that was killed leaves whole runs behind: the next start ends them before anything new begins,
else an interrupted execution that a person approves again could run beside its first attempt. And a program may have
made a session of its own (`setsid`, a daemon): it is out of its group's reach, and is ended when its run is over.
Processes are found where there is a /proc; elsewhere nothing is found, and docs/agents.md says so.
"""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

from hub.io.agents.environment import MARK, RUN_MARK, marked
from hub.io.agents.process_table import ENDED_STATES, PROC
from hub.io.agents.session import remove_left_behind

GRACE_S = 0.5
KILLED_S_MAX = 2.0
"""How long a killed process may take to be gone."""
POLL_S = 0.02
Marks = frozenset[bytes]


async def end_orphans(home: Path) -> int:
    """End every process that an earlier hub of this home started and left behind; return how many there were.

    Their session folders go as well. Call it with the home's lock held and before any agent is started.
    """
    count = await _end(_marks(home))
    remove_left_behind(home)
    return count


async def end_strays(environment: Mapping[str, str]) -> int:
    """End what a run that is over has left behind, by the environment that it was given; return how many there were.

    An environment without both marks is of no run, and nothing is ended.
    """
    marks = frozenset(f"{name}={environment[name]}".encode() for name in (MARK, RUN_MARK) if environment.get(name))
    return await _end(marks) if len(marks) > 1 else 0


def orphans(home: Path) -> tuple[int, ...]:
    """Return the process ids that carry this home's mark and are not ourselves."""
    return _marked(_marks(home))


def _marks(home: Path) -> Marks:
    return frozenset(f"{name}={value}".encode() for name, value in marked(home).items())


async def _end(marks: Marks) -> int:
    """Ask all that carry these marks to end, and kill those that do not within their grace."""
    left = await asyncio.to_thread(_marked, marks)
    if left:
        _signal(left, signal.SIGTERM)
        _signal(await _still_there(marks, GRACE_S), signal.SIGKILL)
        await _still_there(marks, KILLED_S_MAX)
    return len(left)


async def _still_there(marks: Marks, wait_s: float) -> tuple[int, ...]:
    """Return who is left once all have ended, or the time is over."""
    left = await asyncio.to_thread(_marked, marks)
    for _ in range(int(wait_s / POLL_S)):
        if not left:
            break
        await asyncio.sleep(POLL_S)
        left = await asyncio.to_thread(_marked, marks)
    return left


def _marked(marks: Marks) -> tuple[int, ...]:
    found = (int(folder.name) for folder in PROC.glob("[0-9]*") if _carries(folder, marks))
    return tuple(pid for pid in found if pid != os.getpid())


def _carries(folder: Path, marks: Marks) -> bool:
    try:
        environment = (folder / "environ").read_bytes()
        if not marks <= frozenset(environment.split(b"\0")):
            return False
        state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in ENDED_STATES


def _signal(pids: tuple[int, ...], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue
