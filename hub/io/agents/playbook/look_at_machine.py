"""Writes down what fills the disk or the memory, or how things stand with a program that is to run; changes nothing."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult, not_started
from hub.domain.provenance import say
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import Workplace
from hub.kit.text import counted, file_size

ENTRIES_MAX = 400_000
SECONDS_MAX = 45.0
LISTED_MAX = 15
LARGE_BYTES = 100 * 1024 * 1024
DEPTH_MAX = 2
"""Folders are told one by one down to this depth below the home folder."""
BLOCK_BYTES = 512
"""The unit of `st_blocks`, whatever the file system's own is (stat(2))."""
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROC = Path("/proc")
KNOWN = "disk, memory, or program and its name"


class Sizes(NamedTuple):
    """Bytes on disk of folders and of large files below one folder, and whether all of it was read."""

    folders: Counter[str]
    files: Counter[str]
    is_whole: bool


async def look_at_machine(place: Workplace) -> RunResult:
    """Look at what the arguments name: `disk`, `memory`, or `program` and its name."""
    match place.job.args:
        case ("disk",):
            return await _disk(place)
        case ("memory",):
            lines = await asyncio.to_thread(_memory, PROC)
            return place.note("What fills the memory", lines, topic="memory")
        case ("program", name):
            lines = await asyncio.to_thread(_program, PROC, name)
            return place.note(f"{name} is not running", lines, topic="program")
    return not_started(say("This checks one thing: {names}.", names=KNOWN))


async def _disk(place: Workplace) -> RunResult:
    home = Path(place.environ.get("HOME") or Path.home())
    place.say(f"Adding up what lies in {home}")
    sizes = await asyncio.to_thread(sizes_below, home)
    lines = (
        "## Largest folders",
        "",
        *_largest(sizes.folders),
        "",
        "## Largest files",
        "",
        *(_largest(sizes.files) or ("No file of 100 MB or more.",)),
        *(
            ()
            if sizes.is_whole
            else ("", "There was more than could be read in 45 seconds, so this list is incomplete.")
        ),
        "",
        "Nothing was removed.",
    )
    return place.note(f"What fills the disk, in {home}", lines, topic="disk")


def sizes_below(folder: Path, entries_max: int = ENTRIES_MAX, seconds_max: float = SECONDS_MAX) -> Sizes:
    """Add up what lies below a folder, on its own file system; links are not followed, and it ends in time."""
    folders, files, until = Counter[str](), Counter[str](), time.monotonic() + seconds_max
    device, left = folder.stat().st_dev, entries_max
    waiting: list[tuple[Path, int, tuple[str, ...]]] = [(folder, 0, ())]
    seen = set[int]()
    while waiting:
        where, depth, above = waiting.pop()
        for entry in _entries(where):
            left -= 1
            if left < 0 or time.monotonic() > until:
                return Sizes(folders, files, is_whole=False)
            with suppress(OSError):  # it went meanwhile, or is not ours to look at
                found = entry.stat(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                if found.st_dev != device or found.st_ino in seen:
                    continue
                size = found.st_blocks * BLOCK_BYTES
                folders.update(dict.fromkeys(above, size))
                if is_folder:
                    named = (*above, entry.path) if depth < DEPTH_MAX else above
                    waiting.append((Path(entry.path), depth + 1, named))
                elif found.st_nlink > 1:  # the same bytes under another name
                    seen.add(found.st_ino)
                if size >= LARGE_BYTES and not is_folder:
                    files[entry.path] = size
    return Sizes(folders, files, is_whole=True)


def _entries(folder: Path) -> Iterator["os.DirEntry[str]"]:
    with suppress(OSError), os.scandir(folder) as entries:
        yield from entries


def _largest(sizes: Counter[str]) -> tuple[str, ...]:
    return tuple(f"- {file_size(size)}  `{clip_line(path)}`" for path, size in sizes.most_common(LISTED_MAX))


def _memory(proc: Path) -> tuple[str, ...]:
    """Return the programs that hold the most memory, those of one name together."""
    held, processes = Counter[str](), Counter[str]()
    for name, pages in _running(proc):
        held[name] += pages * PAGE_BYTES
        processes[name] += 1
    most = nlargest(LISTED_MAX, held, key=held.__getitem__)
    return (
        *(
            f"- {file_size(held[name])}  {clip_line(name)} ({counted(processes[name], 'process', 'processes')})"
            for name in most
        ),
        "",
        "Shared memory is counted for each process. Nothing was stopped.",
    )


def _program(proc: Path, name: str) -> tuple[str, ...]:
    """Return whether a program of this name runs now, and which have a name like it."""
    names = {running for running, _ in _running(proc)}
    like = sorted(one for one in names if name.lower() in one.lower() or one.lower() in name.lower())
    if name in names:
        return (f"A process named {clip_line(name)} is running again.",)
    return (
        f"No process named {clip_line(name)} is running.",
        *(("", "Similar names:", "", *(f"- {clip_line(one)}" for one in like[:LISTED_MAX])) if like else ()),
        "",
        "Start it as you usually do. If its name has changed, change `drives.processes` in the settings file.",
    )


def _running(proc: Path) -> Iterator[tuple[str, int]]:
    """Yield each process's name and its resident pages (proc(5)); kernel threads have none and are left out."""
    for folder in proc.iterdir():
        if folder.name.isdecimal():
            with suppress(OSError, ValueError, IndexError):  # it has ended meanwhile
                pages = int((folder / "statm").read_text().split()[1])
                if pages:
                    yield (folder / "comm").read_text(errors="replace").strip(), pages


PLAYBOOK = Playbook(
    name="look-at-machine",
    description="Write a note on what fills the disk or the memory, or on a program that does not run.",
    risk=Risk.LOW,
    needs="nothing; its arguments name what to look at",
    work=look_at_machine,
)
