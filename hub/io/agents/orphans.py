"""What a hub that was killed left running: found by the mark in its environment, and ended before anything new starts.

Without this, an interrupted execution that a person approves again could run beside its first attempt.
Processes are found where there is a /proc; elsewhere nothing is found, and docs/agents.md says so.
"""

import asyncio
import os
import shutil
import signal
from pathlib import Path

from hub.io.agents.environment import MARK
from hub.io.agents.group import ENDED_STATES, PROC
from hub.io.agents.session import SESSIONS_FOLDER

GRACE_S = 0.5
POLL_S = 0.02


async def end_orphans(home: Path) -> int:
    """End every process that an earlier hub of this home started and left behind; return how many there were.

    Their session folders go as well. Call it with the home's lock held and before any agent is started.
    """
    left = orphans(home)
    _signal(left, signal.SIGTERM)
    for _ in range(int(GRACE_S / POLL_S)):
        if not orphans(home):
            break
        await asyncio.sleep(POLL_S)
    _signal(orphans(home), signal.SIGKILL)
    shutil.rmtree(home / SESSIONS_FOLDER, ignore_errors=True)
    return len(left)


def orphans(home: Path) -> tuple[int, ...]:
    """Return the process ids that carry this home's mark and are not ourselves."""
    mark = f"{MARK}={home}".encode()
    found = (int(folder.name) for folder in PROC.glob("[0-9]*") if _is_marked(folder, mark))
    return tuple(pid for pid in found if pid != os.getpid())


def _is_marked(folder: Path, mark: bytes) -> bool:
    try:
        environment = (folder / "environ").read_bytes()
        state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return mark in environment.split(b"\0") and state not in ENDED_STATES


def _signal(pids: tuple[int, ...], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue
