"""Who walks a path: real repositories, a terminal with the shell's hook, a calendar, a colleague. For `bench_paths`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from tests.bench.figures import MissingError
from tests.bench.path_lists import CalendarEntry, Place
from tests.fetched import fetched, install
from tests.terminals import PULSE, Terminal

TOOLS: Final = ("git", "python3", "npm", "node", "make", "bash")
WITHOUT: Final = ("uv", "pytest", "tox", "cargo", "go", "poetry", "gh")
"""What the lists take to be missing on the person's machine."""
COMMAND_S_MAX: Final = 300.0
SHARED: Final = (".npmrc", ".config/pip", ".cache/pip", ".npm")
"""What of the home of who runs this says where packages come from, and what was had before."""
STAMP: Final = "%Y%m%dT%H%M%SZ"


@contextmanager
def a_person(folder: Path) -> Iterator[Mapping[str, str]]:
    """Give the person a home, a name and the ordinary programs alone, for as long as the block lasts.

    Raises:
        MissingError: this machine cannot be made like theirs.
    """
    before = dict(os.environ)
    home, programs = folder / "person", folder / "bin"
    for one in SHARED:
        if (Path.home() / one).exists():
            (home / one).parent.mkdir(parents=True, exist_ok=True)
            (home / one).symlink_to(Path.home() / one)
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n"
        "[advice]\n\tdetachedHead = false\n[pull]\n\tff = true\n"
    )
    _only_ordinary(programs)
    for name in [name for name in os.environ if name.startswith(("GIT_", "VIRTUAL_ENV", "PYTHON", "npm_"))]:
        del os.environ[name]
    os.environ.update({"HOME": str(home), "PATH": str(programs)})
    try:
        yield os.environ
    finally:
        os.environ.clear()
        os.environ.update(before)


def _only_ordinary(programs: Path) -> None:
    """Fill a folder with links to the system's programs, but for those that the person does not have."""
    programs.mkdir()
    for place in ("/usr/local/bin", "/usr/bin", "/bin"):
        for program in sorted(Path(place).iterdir()) if Path(place).is_dir() else ():
            link = programs / program.name
            if program.name not in WITHOUT and not link.exists():
                link.symlink_to(program)
    missing = [name for name in TOOLS if not (programs / name).exists()]
    if missing:
        raise MissingError(f"the paths need {', '.join(missing)} of the system's own")
    has = subprocess.run((programs / "python3", "-c", "import pytest"), check=False, capture_output=True)
    if has.returncode == 0:
        raise MissingError("the paths need a system's Python without pytest, as the lists take it to be")


def shell(text: str, folder: Path) -> None:
    """Run commands in a folder, as a script."""
    subprocess.run(("bash", "-e", "-c", text), cwd=folder, check=True, capture_output=True, timeout=COMMAND_S_MAX)


def make(place: Place, folder: Path, written_out: Callable[[str], str]) -> Path:
    """Make a folder, or an origin of a published package with some history and the person's clone of it."""
    work = folder / "src" / place.id
    if not (place.pypi or place.npm):
        work.mkdir(parents=True)
        shell(written_out(place.shell), work)
        return work
    first = folder / "first" / place.id
    shutil.copytree(_sources(place), first)
    shell("git init -q -b main", first)
    shell(place.history, first)
    origin = folder / "origin" / f"{place.id}.git"
    shell(f"git clone -q --bare {first} {origin}", folder)
    work.parent.mkdir(exist_ok=True)
    shell(f"git clone -q {origin} {work}", folder)
    shell(f"git clone -q {origin} {folder / 'colleague' / place.id}", folder)
    return work


def by_a_colleague(text: str, place: Place, folder: Path) -> None:
    """Run commands in a colleague's clone, up to date with the origin, and have them pushed."""
    theirs = folder / "colleague" / place.id
    shell("git pull -q --rebase", theirs)
    shell(text, theirs)


def _sources(place: Place) -> Path:
    package = place.pypi or place.npm
    folder = fetched(f"sources-{package.replace('@', '-')}", lambda empty: _fetch(place, empty))
    return next(one for one in folder.iterdir() if one.is_dir())


def _fetch(place: Place, folder: Path) -> None:
    """Fetch a package's sources by pip or npm, and unpack them, without what only the packing made."""
    if place.pypi:
        options = ("--quiet", "--no-deps", "--no-binary", place.pypi.partition("==")[0], "--dest")
        install(sys.executable, "-m", "pip", "download", *options, folder, place.pypi)
    else:
        install("npm", "pack", "--silent", place.npm, cwd=folder)
    packed = next(one for one in folder.iterdir() if one.name.endswith((".tar.gz", ".tgz")))
    install("tar", "-xzf", packed, "-C", folder)
    packed.unlink()
    top = next(one for one in folder.iterdir() if one.is_dir())
    for made in ("PKG-INFO", "setup.cfg"):
        (top / made).unlink(missing_ok=True)
    for made_folder in [*top.glob("*.egg-info"), *top.glob("src/*.egg-info")]:
        shutil.rmtree(made_folder)


def calendar(entries: Sequence[CalendarEntry], now: datetime, file: Path) -> None:
    """Write the person's calendar; `now` is their local time."""
    events = "".join(_event(number, entry, now) for number, entry in enumerate(entries))
    file.write_text(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//paths//EN\r\n{events}END:VCALENDAR\r\n")


def _event(number: int, entry: CalendarEntry, now: datetime) -> str:
    if entry.day is not None:
        day = (now + timedelta(days=entry.day)).date()
        when = f"DTSTART;VALUE=DATE:{day:%Y%m%d}\r\nDTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}\r\n"
    else:
        at = [now.astimezone(UTC) + timedelta(minutes=int(one.strip("+m"))) for one in (entry.starts, entry.ends)]
        when = f"DTSTART:{at[0].strftime(STAMP)}\r\nDTEND:{at[1].strftime(STAMP)}\r\n"
    place = f"LOCATION:{entry.place}\r\n" if entry.place else ""
    free = "TRANSP:TRANSPARENT\r\n" if entry.free else ""
    head = f"BEGIN:VEVENT\r\nUID:{number}-{entry.summary.replace(' ', '-')}\r\nDTSTAMP:20260101T000000Z\r\n"
    return f"{head}{when}SUMMARY:{entry.summary}\r\n{place}{free}END:VEVENT\r\n"


def own_terminal(environment: Mapping[str, str], home: Path, folder: Path) -> Terminal:
    """Open the person's terminal in a folder, with the shell's hook as Pulse's pages tell to install it."""
    opened = Terminal({**environment, "PULSE_HOME": str(home), "TERM": "dumb"}, folder)
    opened.run(f'eval "$({PULSE} shell-hook bash)"')
    return opened
