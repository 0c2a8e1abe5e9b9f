"""What the drives and all their sensors cost while nothing happens, on a tree of 100,000 files.

Side by side, on the same tree: hubs with every sensor, hubs whose drives are off and that know of no files, programs
or calendar of the person's, and such hubs in an empty repository. Of each kind there are several, and the middle one
counts: two of the same kind differ by a megabyte by chance. What is counted is the processor time of a hub and of all
that it started, its broker too, so that other load on the machine hardly counts. The look at everything that comes
every half hour is not in it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from hub.contract.base import Value
from hub.domain.policy import Timing
from tests.bench.bench_hour import MEETING
from tests.bench.figures import Figure, MissingError, median
from tests.bench.hub_process import HubProcess, running

BENCH: Final = "drives_idle"
FILES: Final = 100_000
FOLDERS: Final = 2_000
CONTENTS: Final = 100
"""So many different files there are, in many places: git keeps each once, and 100,000 objects are made slowly."""
EACH: Final = 3
IDLE_S: Final = 190.0
SETTLE_S: Final = 30.0
LOOK_EVERY_S: Final = 0.2
LOOK_S_MAX: Final = 30.0
FREE_BYTES: Final = 2 * 1024**3
MEMORY: Final = Path("/dev/shm")  # noqa: S108  the fastest place there is; what is made there has a folder of its own
EVERYTHING: Final = "all sensors"
WITHOUT: Final = "a hub without drives"
EMPTY: Final = "a hub without drives in an empty repository"
KINDS: Final = (EVERYTHING, WITHOUT, EMPTY)
CPU_GOAL: Final = 0.02
MEMORY_GOAL_MB: Final = 3.0
WATCHED: Final = f"pulse-bench-{os.getpid()}.py"
"""Of this run only: the end of one of the same name elsewhere would be something that happens."""
DRIVE_FILES: Final[Mapping[str, object]] = {
    "goals.json": {"goals": [{"id": f"g{number}", "title": f"Goal {number}"} for number in range(20)]},
    "curiosity.json": {"questions": [f"Why is it {number}?" for number in range(20)]},
    "emotional-landscape.json": {"emotions": {"frustration": 0.8, "calm": 0.3}},
    "hypotheses.json": {"hypotheses": [f"It may be {number}" for number in range(20)]},
}


class Cost(Value):
    """What a hub has cost so far, with all that it started: processor time, and the memory it holds now."""

    cpu_s: float
    rss_mb: float
    pss_mb: float


def run() -> list[Figure]:
    """Measure; about five minutes, and up to five more."""
    with tempfile.TemporaryDirectory(prefix="pulse-bench-", dir=_fast_place()) as name, ExitStack() as stack:
        folder = Path(name)
        stack.enter_context(_a_program(folder / WATCHED))
        places = {EMPTY: _repository(folder / "empty", 0, 0)}
        places[EVERYTHING] = places[WITHOUT] = _repository(folder / "tree", FILES, FOLDERS)
        hubs = [
            (kind, stack.enter_context(_hub(folder / f"home{number}-{KINDS.index(kind)}", kind, places[kind])))
            for number in range(EACH)
            for kind in KINDS
        ]
        for _, hub in hubs:
            _wait_for_a_look(hub)
        return _figures(hubs)


def _figures(hubs: Sequence[tuple[str, HubProcess]]) -> list[Figure]:
    """Let nothing happen for a while, and compare what each kind has cost meanwhile."""
    _wait_for_calm()
    before = [_cost(hub) for _, hub in hubs]
    time.sleep(IDLE_S)
    after = [_cost(hub) for _, hub in hubs]
    cpu, rss, pss = ({kind: list[float]() for kind in KINDS} for _ in range(3))
    for (kind, _), first, last in zip(hubs, before, after, strict=True):
        cpu[kind].append((last.cpu_s - first.cpu_s) / IDLE_S * 100)
        rss[kind].append(last.rss_mb)
        pss[kind].append(last.pss_mb)
    return [
        *_compared("CPU", "%", cpu, CPU_GOAL),
        *_compared("memory, RSS", "MB", rss, MEMORY_GOAL_MB),
        *_compared("memory, PSS", "MB", pss, MEMORY_GOAL_MB),
    ]


def _wait_for_calm() -> None:
    """Let the start settle; where the half-hourly look would fall into what is measured, let that pass first."""
    next_look_s = Timing().cycle_s - time.time() % Timing().cycle_s
    time.sleep(SETTLE_S + (next_look_s if next_look_s < SETTLE_S + IDLE_S else 0.0))


def _compared(of: str, unit: str, found: Mapping[str, Sequence[float]], goal: float) -> Iterator[Figure]:
    """Yield what all sensors cost at all, and on top of each of the others; the middle of each kind."""
    middle = {kind: median(values) for kind, values in found.items()}
    low, high = min(found[EVERYTHING]), max(found[EVERYTHING])
    what = f"{of}, {FILES:,} files, all sensors ({low:.3g} to {high:.3g})"
    yield Figure(
        bench=BENCH,
        what=what,
        value=middle[EVERYTHING],
        unit=unit,
        reference="the same hub without drives",
        reference_value=middle[WITHOUT],
    )
    for kind in (WITHOUT, EMPTY):
        said = f"{of} on top of {kind}"
        yield Figure(bench=BENCH, what=said, value=middle[EVERYTHING] - middle[kind], unit=unit, goal=goal)


def _fast_place() -> Path:
    """Return a folder in memory, if there is one with room, else the one for what is passing."""
    for place in (MEMORY, Path(tempfile.gettempdir())):
        if place.is_dir() and shutil.disk_usage(place).free >= FREE_BYTES:
            return place
    raise MissingError(f"100,000 files need a place with {FREE_BYTES // 1024**3} GB; name one in TMPDIR")


def _repository(top: Path, files: int, folders: int) -> Path:
    """Make a repository in which all is committed."""
    for number in range(folders):
        (top / f"part{number // 50:02}" / f"module{number:04}").mkdir(parents=True)
    top.mkdir(exist_ok=True)
    for number in range(files):
        folder = number % folders
        place = top / f"part{folder // 50:02}" / f"module{folder:04}" / f"file{number:06}.py"
        place.write_text(f"NUMBER = {number % CONTENTS}\n")
    (top / "README.md").write_text("# A tree\n")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "Begin")):
        named = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(top), *named, *arguments], check=True)
    return top


@contextmanager
def _a_program(path: Path) -> Iterator[None]:
    """Run a program that does nothing, for the hubs to watch."""
    path.write_text("import signal\nsignal.pause()\n")
    process = subprocess.Popen([sys.executable, str(path)])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def _hub(home: Path, kind: str, workspace: Path) -> Iterator[HubProcess]:
    home.mkdir()
    (home / "transcripts").mkdir()
    text = f"[sensors]\ntranscript_folders = [{json.dumps(str(home / 'transcripts'))}]\n"
    text += _everything(home) if kind == EVERYTHING else "[drives]\nenabled = false\n"
    (home / "config.toml").write_text(text)
    with running(home, workspace) as hub:
        yield hub


def _everything(home: Path) -> str:
    start = datetime.now(UTC) + timedelta(hours=6)
    stamp = "%Y%m%dT%H%M%SZ"
    meeting = MEETING.format(start=start.strftime(stamp), end=(start + timedelta(hours=1)).strftime(stamp))
    (home / "calendar.ics").write_text(meeting)
    (home / "ci.json").write_text('{"status": "success"}')
    for name, content in DRIVE_FILES.items():
        (home / name).write_text(json.dumps(content))
    files = json.dumps([str(home / name) for name in DRIVE_FILES])
    return (
        f"calendar = {json.dumps(str(home / 'calendar.ics'))}\nci_file = {json.dumps(str(home / 'ci.json'))}\n"
        f"[drives]\nfiles = {files}\nprocesses = [{json.dumps(WATCHED)}]\n"
    )


def _wait_for_a_look(hub: HubProcess) -> None:
    limit = time.monotonic() + LOOK_S_MAX
    while time.monotonic() < limit:
        parts = hub.call("GET", "/api/v1/health")["parts"]
        if all(one["status"] == "ok" for one in parts if one["name"].startswith("sensor ")):
            return
        time.sleep(LOOK_EVERY_S)
    raise RuntimeError(f"not every sensor could look around within {LOOK_S_MAX:.0f} s")


def _cost(hub: HubProcess) -> Cost:
    pids = _with_children(hub.process.pid)
    return Cost(
        cpu_s=sum(map(_cpu_s, pids)),
        rss_mb=sum(_kb(pid, "Rss") for pid in pids) / 1024,
        pss_mb=sum(_kb(pid, "Pss") for pid in pids) / 1024,
    )


def _with_children(pid: int) -> list[int]:
    """Return a process and all below it that run now."""
    found = [pid]
    for each in found:
        for task in Path(f"/proc/{each}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def _cpu_s(pid: int) -> float:
    """Return the processor time used so far, with that of children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _kb(pid: int, key: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))
