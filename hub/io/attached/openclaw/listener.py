"""Which process listens at a port of this machine: what the gateway starts may ask, and never answer for its person.

Read from Linux's /proc, and of this user's own processes only; elsewhere, or where another user's listens, nobody is
found, and the gateway is then somebody else's machine as far as we can see.
"""

from pathlib import Path

PROC = Path("/proc")
TABLES = ("net/tcp", "net/tcp6")
LISTENS = "0A"
INODE_FIELD = 9
PROCESSES_MAX = 65_536


def listener_at(port: int) -> int | None:
    """Return the process that listens there; None if it cannot be seen."""
    inodes = {inode for table in TABLES for inode in _inodes(PROC / table, port)}
    links = {f"socket:[{inode}]" for inode in inodes}
    if not links:
        return None
    ours = (one for one in PROC.iterdir() if one.name.isdigit())
    return next((int(one.name) for one, _ in zip(ours, range(PROCESSES_MAX), strict=False) if _holds(one, links)), None)


def _inodes(table: Path, port: int) -> list[str]:
    try:
        lines = table.read_text().splitlines()[1:]
    except OSError:
        return []
    rows = (line.split() for line in lines)
    return [row[INODE_FIELD] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == LISTENS]


def _holds(process: Path, links: set[str]) -> bool:
    try:
        return any(str(one.readlink()) in links for one in (process / "fd").iterdir())
    except OSError:  # it has ended, or is another user's
        return False
