"""Process groups: sending them a signal, and seeing whether anybody in one is alive."""

import os
from pathlib import Path

PROC = Path("/proc")
ENDED_STATES = ("Z", "X")
"""Zombie and dead: over, but not yet collected by its parent; some containers never collect orphans."""


def send(group: int, number: int) -> bool:
    """Send a signal to a group; 0 only looks. False when nobody is there."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def alive(group: int) -> bool:
    """Say whether any process of a group still runs; where there is no /proc, one that was not collected counts."""
    if not send(group, 0):
        return False
    if not (PROC / "self" / "stat").exists():
        return True
    return any(_runs_in(folder / "stat", group) for folder in PROC.iterdir() if folder.name.isdecimal())


def _runs_in(stat: Path, group: int) -> bool:
    """Read one process's state and group; its name may hold anything, so fields count from its last bracket."""
    try:
        state, _, of_group = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(of_group) == group and state not in ENDED_STATES
