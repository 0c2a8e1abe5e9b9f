"""Whose program listens on a port of this machine: the person's, Pulse's own, or somebody else's.

Theory: whoever may ask can name any port as the one to be told. What is told is a question's answer, and the request
itself is one that a program here may act upon. So by default a port is told only where a program of the same user
listens, which Pulse can see and did not start. Whatever cannot be shown to be one is refused. Nobody knows a port
before something listens there, so this is looked at before each attempt.
"""

import os
from collections.abc import Iterator

from hub.contract.base import Value
from hub.io.agents.process_table import CHAIN_MAX, PROC, entry, pids

TABLES = ("tcp", "tcp6")
LISTENS = "0A"
"""The state of a listening socket (proc_net_tcp: `st`)."""
PULSE = "That is Pulse itself."
NOT_YOURS = "Another user's program, or one that cannot be identified, is listening there."
NOT_TOLD = "This machine does not show who listens on a port; name the address with --push-to."


class _ListeningSocket(Value):
    uid: int
    inode: str


def why_not_here(port: int, hub_pid: int, *, named: bool = False) -> str:
    """Return why a port of this machine is not told; empty if it may be, or nothing listens there yet.

    Args:
        port: on any of the addresses of this machine.
        hub_pid: the hub's process; whatever it started is Pulse's own. 0 while there is none.
        named: the person named the address themselves, so it may be another user's.
    """
    try:
        listeners = tuple(_listening_on(port))
    except OSError:
        return "" if named else NOT_TOLD
    owners = _owners({one.inode for one in listeners})
    if any(_is_ours(pid, hub_pid) for found in owners.values() for pid in found):
        return PULSE
    if named or all(one.uid == os.geteuid() and owners.get(one.inode) for one in listeners):
        return ""
    return NOT_YOURS


def _listening_on(port: int) -> Iterator[_ListeningSocket]:
    """Yield who listens on a port, on whatever address.

    Raises:
        OSError: the system does not show it.
    """
    for table in TABLES:
        path = PROC / "self" / "net" / table
        if table != TABLES[0] and not path.exists():  # a system without IPv6
            continue
        for line in path.read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                yield _ListeningSocket(uid=int(fields[7]), inode=fields[9])


def _owners(inodes: set[str]) -> dict[str, set[int]]:
    """Return the processes that hold these sockets, as far as they can be seen."""
    wanted = {f"socket:[{inode}]": inode for inode in inodes}
    found: dict[str, set[int]] = {}
    for pid in pids() if wanted else ():
        for target in _open_files(pid):
            if target in wanted:
                found.setdefault(wanted[target], set()).add(pid)
    return found


def _open_files(pid: int) -> Iterator[str]:
    folder = f"{PROC}/{pid}/fd"
    try:
        names = os.listdir(folder)  # noqa: PTH208  many, and only names
    except OSError:  # another user's, or gone
        return
    for name in names:
        try:
            yield os.readlink(f"{folder}/{name}")  # noqa: PTH115  as above
        except OSError:
            continue


def _is_ours(pid: int, hub_pid: int) -> bool:
    """Return True if a process is this one, the hub, or one that the hub started."""
    if pid == os.getpid():
        return True
    for _ in range(CHAIN_MAX):
        if pid == hub_pid:
            return True
        found = entry(pid)
        if found is None or found.parent <= 1:
            return False
        pid = found.parent
    return True
