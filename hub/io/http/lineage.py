"""Whether the process that asks was started by a run: what an agent starts must not answer in its person's name.

Two traces are followed from the process upwards: the chain of its parents, which meets this hub if a run started it,
and the marks that every process of a run is started with. A chain that cannot be read to its end is a run's.
"""

import os
import subprocess
from pathlib import Path

from hub.io.agents.environment import MARK
from hub.io.peer import PS, PS_S_MAX, STARTED_FIELD

PROC = Path("/proc")
CHAIN_MAX = 512
"""How many parents are followed; no chain of a person's own comes near."""
TRIES_MAX = 3
"""How often a chain is read anew whose processes ended while it was read."""
FIRST = 1


class _BrokenError(Exception):
    """The chain changed while it was read, or cannot be read."""


def descends_from_run(pid: int) -> bool:
    """Say whether a process descends from a run of this hub, or cannot be shown not to; True means: refuse it."""
    if pid == os.getpid():
        return False
    for _ in range(TRIES_MAX):
        try:
            return _meets_us(pid)
        except _BrokenError:
            continue
    return True


def _meets_us(pid: int) -> bool:
    """Follow the parents; each of them began before its child, or its id was given to another meanwhile."""
    began, parent = _read(pid)
    for _ in range(CHAIN_MAX):
        if _marked(pid) or parent == os.getpid():
            return True
        if parent < FIRST or pid == FIRST:
            return False
        parent_began, above = _read(parent)
        if parent_began > began:
            raise _BrokenError
        pid, began, parent = parent, parent_began, above
    return True


def _read(pid: int) -> tuple[int, int]:
    """Return when a process began, and its parent."""
    if not (PROC / "self").exists():
        return 0, _parent_by_ps(pid)
    try:
        fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return int(fields[STARTED_FIELD]), int(fields[1])
    except (OSError, IndexError, ValueError) as error:
        raise _BrokenError from error


def _parent_by_ps(pid: int) -> int:
    told = subprocess.run([PS, "-o", "ppid=", "-p", str(pid)], capture_output=True, check=False, timeout=PS_S_MAX)  # noqa: S603  a fixed program and a number
    if not told.stdout.strip().isdigit():
        raise _BrokenError
    return int(told.stdout)


def _marked(pid: int) -> bool:
    """Say whether a process shows a run's mark. One that hides its environment shows none: logins do that too."""
    try:
        environment = (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    own = f"{MARK}={os.environ.get(MARK, '')}".encode()  # what the hub itself was started with says nothing of others
    return any(one.startswith(f"{MARK}=".encode()) and one != own for one in environment.split(b"\0"))
