"""The system's table of processes: who is whose child, in which group, since when.

Read from /proc; where there is none (macOS) `ps` is asked, which knows start times in whole seconds alone. A process's
name may hold anything, brackets and line breaks included, so the fields of /proc/PID/stat are counted from its last
bracket.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from hub.contract.base import Value

PROC = Path("/proc")
REPLACED = " (deleted)"
"""What the system adds to the name of a program that was updated while it runs."""
ENDED_STATES = ("Z", "X")
"""Zombie and dead: over, but not yet collected by its parent; some containers never collect orphans."""

CHAIN_MAX = 512
"""How many parents are followed; no chain of a person's own is near it."""
PS = ("/bin/ps", "/usr/bin/ps")
PS_S_MAX = 5.0
LSTART = "%a %b %d %H:%M:%S %Y"
"""How `ps` tells when a process began, in the language of programs."""
TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _GROUP, _SESSION, _TERMINAL, _FOREGROUND, _STARTED = 1, 2, 3, 4, 5, 19
"""Places in /proc/PID/stat, counted from the state (proc(5), fields 4 to 8 and 22)."""
_IMAGE = (23, 25, 45, 47)
"""Where its code, its stack, its arguments and its environment begin (fields 26, 28, 48 and 50)."""


class ProcessEntry(Value):
    """One process. `started` is in ticks since the machine's start; it tells a number that is used again apart.

    `terminal` is the number of its controlling terminal, `foreground` that terminal's foreground process group; both
    are 0 where there is none or nobody says.
    """

    pid: int
    parent: int
    group: int = 0
    session: int = 0
    state: str = "?"
    started: int = 0
    terminal: int = 0
    foreground: int = 0

    @property
    def ended(self) -> bool:
        """Whether it is over, and only waits for its parent to take note."""
        return self.state in ENDED_STATES


def has_proc() -> bool:
    """Return True if this system shows its processes as files."""
    return (PROC / "self" / "stat").exists()


def entry(pid: int) -> ProcessEntry | None:
    """Return one process, or None if it does not exist or may not be seen."""
    try:
        fields = _read(pid, "stat").rpartition(b")")[2].split()
    except OSError:
        return None if has_proc() else next((one for one in _from_ps(pid)), None)
    try:
        return ProcessEntry(
            pid=pid,
            state=fields[0].decode(),
            parent=int(fields[_PARENT]),
            group=int(fields[_GROUP]),
            session=int(fields[_SESSION]),
            started=int(fields[_STARTED]),
            terminal=int(fields[_TERMINAL]),
            foreground=max(int(fields[_FOREGROUND]), 0),
        )
    except (ValueError, IndexError):
        return None


def image_of(pid: int) -> str:
    """Return what tells one program in a process from the next that it executes; empty if that may not be seen.

    Number and start stay the same over an `exec`. The file that is run may change, and the places in memory, which the
    system draws at random, do, also where a shell executes itself.
    """
    try:
        run = os.stat(f"{PROC}/{pid}/exe")  # noqa: PTH116  the file itself, wherever it lies by now
        fields = _read(pid, "stat").rpartition(b")")[2].split()
        return " ".join((str(run.st_dev), str(run.st_ino), *(fields[place].decode() for place in _IMAGE)))
    except (OSError, IndexError):
        return ""


def called(pid: int) -> str:
    """Return the name of the program that a process runs, without its folder; empty if that may not be seen."""
    try:
        return (PROC / str(pid) / "exe").readlink().name.removesuffix(REPLACED)
    except OSError:
        return ""


def program_owner(pid: int) -> int | None:
    """Return the number of the user who owns the file that a process runs; None if that may not be seen."""
    try:
        return os.stat(f"{PROC}/{pid}/exe").st_uid  # noqa: PTH116  the file itself, wherever it lies by now
    except OSError:
        return None


def environment_of(pid: int) -> frozenset[bytes] | None:
    """Return what a process was given at its start as `NAME=value`; None if that may not be seen, or nowhere is."""
    try:
        return frozenset(_read(pid, "environ").split(b"\0"))
    except OSError:
        return None


def above(pid: int) -> Iterator[ProcessEntry]:
    """Yield a process and all that it descends from, as far as that may be seen."""
    for _ in range(CHAIN_MAX):
        found = entry(pid)
        if found is None:
            return
        yield found
        pid = found.parent


def children_of(pid: int) -> tuple[int, ...]:
    """Return the numbers of a process's children, those that have ended and were not collected yet among them."""
    try:
        threads = os.listdir(f"{PROC}/{pid}/task")  # noqa: PTH208  few, and only names
        return tuple(
            sorted(int(child) for thread in threads for child in _read(pid, f"task/{thread}/children").split())
        )
    except OSError:  # it is gone, or this system keeps no such lists
        found = (entry(other) for other in pids())
        return tuple(sorted(one.pid for one in found if one is not None and one.parent == pid))


def ticks_now() -> int:
    """Return the moment in the unit in which processes begin: ticks since the machine's start."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS)


def began_s(pid: int) -> float | None:
    """Return when a process began, in seconds of Unix time; None where nobody says.

    It is the end of the tick in which it began, so that what was there before it is older. Without /proc `ps` is asked,
    which knows whole seconds.
    """
    found = entry(pid)
    if found is None:
        return None
    if has_proc():
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + (found.started + 1) / TICKS
    try:
        return time.mktime(time.strptime(_said_by_ps("lstart=", pid).strip(), LSTART))
    except ValueError:
        return None


def pids() -> tuple[int, ...]:
    """Return the numbers of all processes that can be seen in /proc; none where there is no /proc."""
    try:
        return tuple(int(name) for name in os.listdir(PROC) if name.isdecimal())  # noqa: PTH208  many, and only names
    except OSError:
        return ()


def _read(pid: int, name: str) -> bytes:
    """Return what a file of a process says. It is read for each process above each caller, so without `pathlib`."""
    with open(f"{PROC}/{pid}/{name}", "rb", buffering=0) as file:  # noqa: PTH123  three times as quick
        return file.read()


def _from_ps(pid: int) -> Iterator[ProcessEntry]:
    for line in _said_by_ps("ppid=,pgid=,stat=", pid).splitlines():
        parent, group, state = line.split()[:3]
        yield ProcessEntry(pid=pid, parent=int(parent), group=int(group), state=state[:1])


def _said_by_ps(fields: str, pid: int) -> str:
    program = next((path for path in PS if Path(path).exists()), None)
    if program is None:
        return ""
    argv, environment = (program, "-o", fields, "-p", str(pid)), {**os.environ, "LC_ALL": "C"}
    try:
        said = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=PS_S_MAX, env=environment)  # noqa: S603  fixed words and a number
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout
