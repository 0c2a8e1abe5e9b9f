"""Bytes written into a store's files past SQLite, as any program of the same user can."""

from pathlib import Path


def write_over(folder: Path, before: str, after: str) -> int:
    """Write words over others of the same length, wherever a store in this folder has them; return how often."""
    old, new = before.encode(), after.encode()
    assert len(old) == len(new)
    times = 0
    for file in sorted(folder.glob("*.db*")):
        with file.open("r+b") as opened:
            data, place = opened.read(), -1
            while (place := data.find(old, place + 1)) >= 0:
                opened.seek(place)
                opened.write(new)
                times += 1
    return times
