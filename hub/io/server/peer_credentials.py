"""Who is at the other end of a Unix socket, as the kernel says it, and whether a process is still the same one.

The kernel notes both when a connection is made: the listener's process when it began to listen, the caller's when it
called. Neither can be made up. A process id alone proves little, for it is given out again once its owner has ended:
together with the moment at which its process began it names one process only.
"""

import errno
import os
import select
import socket
import struct
import subprocess
import sys
from pathlib import Path

from hub.contract.base import Value

PROC = Path("/proc")
BOOT_ID = PROC / "sys" / "kernel" / "random" / "boot_id"
STARTED_FIELD = 19
"""The place of a process's start among the fields of /proc/PID/stat that follow its name (proc(5), field 22)."""
PS = "/bin/ps"
PS_S_MAX = 2.0
UCRED = struct.Struct("iII")
SO_PEERPIDFD = 77
"""A handle on the very process that called; Linux 6.5 and newer, and not yet named by the standard library."""
SOL_LOCAL, LOCAL_PEERCRED, LOCAL_PEERPID = 0, 1, 2
XUCRED = struct.Struct("IIh16I")
XUCRED_BYTES = 76
"""macOS: <sys/un.h> and <sys/ucred.h>."""


class Peer(Value):
    """A process and its user; `pid` is 0 where it cannot be named, as from another PID namespace."""

    pid: int
    uid: int


def peer_of(connection: socket.socket) -> Peer | None:
    """Return who is at the other end; None if this is no Unix socket.

    Raises:
        OSError: the kernel does not say.
    """
    if connection.family != socket.AF_UNIX:
        return None
    if sys.platform == "darwin":
        version_uid = XUCRED.unpack_from(connection.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, XUCRED_BYTES))
        return Peer(pid=connection.getsockopt(SOL_LOCAL, LOCAL_PEERPID), uid=version_uid[1])
    pid, uid, _ = UCRED.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, UCRED.size))
    return Peer(pid=pid, uid=uid)


class Hold:
    """The calling process, held so that its id cannot come to mean another one unnoticed.

    Where the kernel gives out a handle on it this is certain. Elsewhere the process is known by its id and its start,
    and one that ended before it was looked at for the first time is not told from one that has its id by then.
    """

    def __init__(self, connection: socket.socket, pid: int) -> None:
        """Take hold of the process that made this connection."""
        self._pid = pid
        self._handle: int | None = None
        self._started = ""
        try:
            self._handle = connection.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD)
        except OSError as error:
            if sys.platform != "linux" or error.errno == errno.ENOPROTOOPT:
                self._started = started(pid)  # else it has ended already, and is nobody any more

    def lives(self) -> bool:
        """Return True if it is still that process; then all that was read about its id in between was about it."""
        if self._handle is None:
            return bool(self._started) and started(self._pid) == self._started
        waiting = select.poll()
        waiting.register(self._handle, select.POLLIN)
        return not waiting.poll(0)

    def close(self) -> None:
        """Let go."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def folder_of(pid: int) -> str:
    """Return the folder that a process works in; empty where nobody says so, or it has ended."""
    try:
        return str((PROC / str(pid) / "cwd").readlink()) if pid > 0 else ""
    except OSError:
        return ""


def started(pid: int) -> str:
    """Return when a process began, in a form of this machine's own that is only good for comparing.

    Empty if there is no such process.
    """
    if PROC.joinpath("self", "stat").exists():
        try:
            fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
            return f"{BOOT_ID.read_text().strip()} {fields[STARTED_FIELD]}"
        except (OSError, IndexError):
            return ""
    told = subprocess.run(  # noqa: S603  a fixed program and a number
        [PS, "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False, timeout=PS_S_MAX
    )
    return told.stdout.strip()
