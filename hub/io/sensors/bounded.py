"""Reading files that others wrote: regular files only, never more than the limit, never waiting for a pipe."""

import os
from pathlib import Path

from hub.kit.files import read_regular

MANIFEST_BYTES_MAX = 256 * 1024


def head(path: Path, limit_bytes: int, *, follow: bool = True) -> bytes:
    """Return the beginning of a file.

    Args:
        path: the file.
        limit_bytes: how much to read at most.
        follow: whether a symbolic link is followed.

    Raises:
        OSError: it is missing, unreadable, or no regular file.
    """
    return read_regular(path, limit_bytes, follow=follow)[0]


def head_as_it_was(path: Path, limit_bytes: int) -> tuple[bytes, os.stat_result]:
    """Return the beginning of a file, and its time, size and number once it was read; the same errors as `head`."""
    return read_regular(path, limit_bytes)


def tail(path: Path, limit_bytes: int, *, follow: bool = True) -> bytes:
    """Return the end of a file, from its first whole line on; as `head` otherwise."""
    size = path.stat(follow_symlinks=follow).st_size
    start = max(0, size - limit_bytes)
    raw, _ = read_regular(path, limit_bytes, start=start, follow=follow)
    return raw[raw.find(b"\n") + 1 :] if start else raw


def manifest_text(path: Path) -> str:
    """Return what a project's manifest says, as far as it is read; empty where there is none."""
    try:
        return head(path, MANIFEST_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ""


def entries(folder: str | Path) -> list[os.DirEntry[str]]:
    """Return what lies in a folder; nothing where it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
