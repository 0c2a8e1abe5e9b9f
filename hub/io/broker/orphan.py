"""The child of a hub that was killed: find it, make sure that it is ours, end it.

A hub that gets SIGKILL cannot end its broker. So each child is written down with its port, and the next start ends
what is left of it (its saved state is complete, a new one is up within 30 ms and is supervised again).
A process id alone proves nothing, it may have been given to somebody else: the command line must name our file.
"""

import asyncio
import os
import shutil
import signal
import subprocess
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.io.home.private_files import write_private

RECORD_NAME = "child.json"
POLL_S = 0.01
TERM_WAIT_S = 1.0
KILL_WAIT_S = 2.0
PS_TIMEOUT_S = 2.0


class ChildRecord(Value):
    """The last child started: its process id, its port, and the configuration that its command line names."""

    pid: int
    port: int
    conf: str = ""


def remember(folder: Path, record: ChildRecord) -> None:
    """Write ``record`` down in ``folder``."""
    write_private(folder / RECORD_NAME, msgspec.json.encode(record).decode())


def recall(folder: Path) -> ChildRecord | None:
    """Read the record of ``folder``; a missing or broken one is none."""
    try:
        return msgspec.json.decode((folder / RECORD_NAME).read_bytes(), type=ChildRecord)
    except (OSError, msgspec.DecodeError):
        return None


def is_ours(pid: int, conf: str) -> bool:
    """Return True if process ``pid`` is alive and was started with our configuration file ``conf``."""
    return pid > 1 and bool(conf) and conf in _arguments(pid)


async def end_orphan(folder: Path) -> bool:
    """End the recorded child if it still runs and is ours, whichever program it is; True when it is gone."""
    record = recall(folder)
    if record is None or not Path(record.conf).is_relative_to(folder) or not is_ours(record.pid, record.conf):
        return False
    if await _signal_and_wait(record.pid, record.conf, signal.SIGTERM, TERM_WAIT_S):
        return True
    return await _signal_and_wait(record.pid, record.conf, signal.SIGKILL, KILL_WAIT_S)


async def _signal_and_wait(pid: int, conf: str, number: signal.Signals, wait_s: float) -> bool:
    """Send one signal, then look until the process is gone: it is not our child, so nobody reports its end to us."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return True
    for _ in range(int(wait_s / POLL_S)):
        if not is_ours(pid, conf):
            return True
        await asyncio.sleep(POLL_S)
    return False


def _arguments(pid: int) -> list[str]:
    """Give the command line of ``pid``: from /proc where there is one, else from ``ps``; empty when it is gone."""
    if Path("/proc/self/cmdline").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            return []
    program = shutil.which("ps")
    if program is None:
        return []
    command = [program, "-o", "args=", "-p", str(pid)]
    said = subprocess.run(  # noqa: S603  a fixed command line with a number in it
        command, capture_output=True, text=True, timeout=PS_TIMEOUT_S, check=False
    )
    return said.stdout.strip().split(" -c ")
