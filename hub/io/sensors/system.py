"""How the machine is: load, memory, and the disk that Pulse lives on."""

import os
import shutil
from datetime import datetime
from pathlib import Path

from hub.domain.readings import AnyReading, SystemReading
from hub.domain.situation import SystemLoad
from hub.io.sensors.bounded import head
from hub.io.sensors.guard import DiskSensor, UnreadableError

MEMINFO = Path("/proc/meminfo")
MEMINFO_BYTES_MAX = 16_384


class SystemSensor(DiskSensor):
    """Reads load per core, the used share of memory, and the used share of the disk under `home`."""

    name = "system"

    def __init__(self, home: Path, meminfo: Path = MEMINFO) -> None:
        super().__init__()
        self._home = home
        self._meminfo = meminfo

    def look(self, now: datetime) -> AnyReading:  # noqa: ARG002  it is as it is
        """Look once, beside the loop."""
        usage = shutil.disk_usage(self._home)
        load = SystemLoad(
            load_per_core=os.getloadavg()[0] / (os.cpu_count() or 1),
            memory_used=memory_used(head(self._meminfo, MEMINFO_BYTES_MAX)),
            disk_used=usage.used / usage.total if usage.total else 0.0,
        )
        return SystemReading(load=load)


def memory_used(meminfo: bytes) -> float:
    """Return the share of memory that is not available to programs, 0 to 1, from /proc/meminfo (proc(5)).

    Raises:
        UnreadableError: its fields are not there.
    """
    fields = dict(line.split(b":", 1) for line in meminfo.splitlines() if b":" in line)
    try:
        total, available = (int(fields[name].split()[0]) for name in (b"MemTotal", b"MemAvailable"))
    except (KeyError, ValueError, IndexError):
        raise UnreadableError("This system does not tell how much memory is free.") from None
    return min(1.0, max(0.0, 1 - available / total)) if total > 0 else 0.0
