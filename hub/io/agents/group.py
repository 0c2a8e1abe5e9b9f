"""Process groups: sending them a signal, and seeing whether anybody in one is alive."""

import os

from hub.io.agents.process_table import entry, has_proc, pids


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
    if not has_proc():
        return True
    found = map(entry, pids())
    return any(one is not None and one.group == group and not one.ended for one in found)
