"""Whether the processes that sessions of the world log name are there, and which agents work besides.

A number is used again; what tells two processes with it apart is when each began (proc(5), field 22). Where that cannot
be seen (no /proc, a process of somebody else's behind `hidepid`) whoever has the number counts as the one that was
named: nobody fails because of what cannot be seen. An agent is known by the marks of Pulse's own runs in its
environment, or because it was connected to Pulse and asked something; one above or below a named process is that one.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path

from hub.domain.world import SessionProcess
from hub.domain.world_findings import LivingProcess, ProcessLook
from hub.io.agents import lineage
from hub.io.agents.environment import MARK, RUN_MARK, marked
from hub.io.agents.process_table import PROC, above, entry, environment_of, has_proc, pids

AGENTS_MAX = 256
"""Agents of which one look tells."""
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def look_at(named: Sequence[SessionProcess], home: Path, now: datetime) -> ProcessLook:
    """Look once; it takes some file reads for each process, so call it in a thread."""
    gone = tuple(one for one in named if not is_there(one))
    return ProcessLook(gone=gone, agents=_agents(named, home, now) if has_proc() else ())


def is_there(process: SessionProcess) -> bool:
    """Return True if a process lives, as far as it can be seen; one that only waits to be collected does not."""
    found = entry(process.pid) if has_proc() else None
    if found is None:
        return _has_number(process.pid) and not _is_visible(process.pid)
    return found.started == process.started and not found.ended


def _has_number(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _is_visible(pid: int) -> bool:
    """Return True if /proc shows this process: then it has ended just now, or cannot be read."""
    return has_proc() and (PROC / str(pid)).exists()


def _agents(named: Sequence[SessionProcess], home: Path, now: datetime) -> tuple[LivingProcess, ...]:
    booted_at = now - timedelta(seconds=float((PROC / "uptime").read_text().split()[0]))
    known = {one.pid for one in named}
    parents = {pid for one in known for pid in _chain(one)}
    found = (*_ours(home), *((pid, "") for pid in lineage.connected()))
    told = []
    for pid, run in dict(reversed(found)).items():
        one = entry(pid)
        if one is None or one.ended or pid in parents or known.intersection(_chain(pid)):
            continue
        process = SessionProcess(pid=pid, started=one.started)
        begun_at = booted_at + timedelta(seconds=one.started / TICKS_PER_S)
        told.append(LivingProcess(process=process, begun_at=begun_at, run=run))
    return tuple(told[:AGENTS_MAX])


def _ours(home: Path) -> Iterator[tuple[int, str]]:
    """Yield each process that a run of this home has, or has left behind, with the run's id."""
    mark = f"{MARK}={marked(home)[MARK]}".encode()
    for pid in pids():
        given = environment_of(pid) if pid != os.getpid() else None
        if given and mark in given and (run := _run_of(given)):
            yield pid, run


def _run_of(environment: Iterable[bytes]) -> str:
    prefix = f"{RUN_MARK}=".encode()
    return next((one[len(prefix) :].decode("ascii", "replace") for one in environment if one.startswith(prefix)), "")


def _chain(pid: int) -> Iterator[int]:
    """Yield a process and those above it, up to the first of the machine."""
    return (found.pid for found in takewhile(lambda one: one.pid > lineage.INIT, above(pid)))
