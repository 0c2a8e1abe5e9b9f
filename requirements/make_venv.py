# ruff: noqa: INP001  a program on its own, in a folder that is no package
"""Makes or renews .venv from a hashed lock file; ``pulse`` calls it when the lock is not the one that is installed.

Standard library only, since it runs before anything is installed. Safe against two at once (a lock that the kernel
lifts when its holder dies) and against being interrupted: the stamp, a copy of the lock file, is removed first and
written last, so half an installation is never taken for a whole one. A lock that is a part of the one being installed
keeps its stamp: nothing of it changes. Whatever is shown goes to stderr; stdout belongs to the command that follows.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
COVERED = {"run": ("run",), "edge": ("run", "edge"), "test": ("run", "edge", "test")}
"""Which locks are satisfied once a lock is installed; requirements/update keeps the versions the same."""
ADDED = {"edge": "what the glasses need", "test": "what the tests need"}
"""What a lock brings beyond the packages of `run`."""
PIP = (str(PYTHON), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input")
OUTPUT_TAIL_LINES = 15
LINE_WIDTH = 78
COUNT_S = 0.5
ONE_PACKAGE = ("Collecting ", "Processing ", "Ignoring ")
"""How pip begins its line on a package: from an index, from a file, not for this platform."""


def say(text: str, *, end: str = "\n") -> None:
    """Tell the person at the terminal."""
    sys.stderr.write(text + end)
    sys.stderr.flush()


def lock_file(name: str) -> Path:
    """Return the lock file called ``name``."""
    return ROOT / "requirements" / f"{name}.txt"


def stamp(name: str) -> Path:
    """Return the copy of the lock file that says: all of this is installed."""
    return VENV / f"installed-{name}.txt"


def is_installed(name: str) -> bool:
    """Say whether exactly this lock file is installed."""
    try:
        same = stamp(name).read_bytes() == lock_file(name).read_bytes()
    except FileNotFoundError:
        return False
    return same and PYTHON.exists()


def packages_in(lock: str) -> int:
    """Count the packages of a lock file's text, those for other platforms included."""
    return sum(1 for line in lock.splitlines() if line[:1].isalnum())


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Hold the installation lock: an flock on the requirements folder, so that nothing is left lying about."""
    folder = os.open(ROOT / "requirements", os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("pulse: another pulse is installing; waiting for it…")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def works(command: tuple[str, ...]) -> bool:
    """Say whether a command exists and succeeds."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603  our own interpreter
    except OSError:
        return False


def make_venv() -> None:
    """Make .venv, or mend it where it is broken; start afresh only when mending does not help.

    Raises:
        SystemExit: It could not be made; the reason was shown.
    """
    if works((*PIP, "--version")):
        return
    for options in ((), ("--clear",)):
        command = (sys.executable, "-I", "-m", "venv", *options, str(VENV))
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own interpreter
        if works((*PIP, "--version")):
            return
    say(f"{done.stdout}{done.stderr}")
    sys.exit(f"pulse: could not make {VENV} with {sys.executable}; the reason is above. Mend it and try again.")


def install(name: str) -> None:
    """Install the lock file with pip, showing how far it is.

    Raises:
        SystemExit: pip failed; its last words and the next step were shown.
    """
    total = packages_in(lock_file(name).read_text(encoding="utf-8"))
    # Every package is pinned and hashed, so pip need not ask for their requirements.
    options = ("--require-hashes", "--no-deps", "--no-compile", "--progress-bar=off", "-r", str(lock_file(name)))
    command = (*PIP, "install", *options)
    tail: deque[str] = deque(maxlen=OUTPUT_TAIL_LINES)
    progress = Progress(total)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:  # noqa: S603  our own pip
        for line in pip.stdout or ():
            tail.append(line)
            progress.hear(line)
    progress.end()
    if pip.returncode:
        say("".join(tail))
        sys.exit(
            "pulse: pip could not install the packages that Pulse needs; its last words are above.\n"
            "pulse: Check the network connection, or pip's own settings if you use a mirror, and run the same "
            "command again: it goes on where it stopped."
        )


def compile_packages() -> None:
    """Compile what is new on all cores; pip would do it on one, which took a third of its time.

    What does not compile is a template or for another Python, and is never imported; pip passes over it, too.
    """
    folders = map(str, VENV.glob("lib/python*/site-packages"))
    command = (str(PYTHON), "-I", "-m", "compileall", "-q", "-j0", *folders)
    subprocess.run(command, capture_output=True, check=False)  # noqa: S603  our own interpreter


class Progress:
    """What a terminal shows of an installation, in place: which package is fetched, then how many are unpacked."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._fetched = 0
        self._began = time.time()
        self._ended = threading.Event()
        self._counting = threading.Thread(target=self._count, daemon=True)

    def hear(self, line: str) -> None:
        """Take a line of pip's."""
        if line.startswith(ONE_PACKAGE):
            self._fetched += 1
            self._show(f"{self._fetched}/{self._total}  {line.split()[1].rpartition('/')[2]}")
        elif line.startswith("Installing ") and sys.stderr.isatty() and not self._counting.is_alive():
            self._total = line.count(",") + 1  # those for other platforms are not among them
            self._counting.start()

    def end(self) -> None:
        """Leave an empty line to whatever comes next."""
        self._ended.set()
        if self._counting.is_alive():
            self._counting.join()
        self._show("")

    def _count(self) -> None:
        """Pip says nothing while it unpacks, which takes most of the time."""
        while True:
            self._show(f"{unpacked_since(self._began)}/{self._total}  unpacking")
            if self._ended.wait(COUNT_S):
                return

    @staticmethod
    def _show(words: str) -> None:
        if sys.stderr.isatty():
            say(f"\r  {words}"[:LINE_WIDTH].ljust(LINE_WIDTH) + ("" if words else "\r"), end="")


def unpacked_since(began: float) -> int:
    """Count the packages in .venv that were unpacked since then (seconds since the epoch)."""
    count = 0
    for about in VENV.glob("lib/python*/site-packages/*.dist-info"):
        with contextlib.suppress(FileNotFoundError):  # of an older version, just taken away
            count += about.stat().st_mtime >= began
    return count


def let_venv_find_the_checkout() -> None:
    """Put the checkout on .venv's module path; a relative path, so that a moved checkout finds itself."""
    for packages in VENV.glob("lib/python*/site-packages"):
        relative = os.path.relpath(ROOT, packages)
        (packages / "pulse.pth").write_text(f"{relative}\n", encoding="utf-8")


def occasion(name: str) -> str:
    """Say what is done now, and why."""
    if not PYTHON.exists():
        return "First start: making .venv"
    if name in ADDED and is_installed("run"):
        return f"Adding {ADDED[name]} to .venv"
    return "Bringing .venv up to date"


def main() -> None:
    """Install the lock named on the command line, unless somebody else just did."""
    name = sys.argv[1]
    with alone():
        if is_installed(name):
            return
        started_s = time.monotonic()
        say(f"pulse: {occasion(name)} in {ROOT} (about a minute; only when requirements change)…")
        for doubtful in COVERED:
            if doubtful not in COVERED[name] or not is_installed(doubtful):
                stamp(doubtful).unlink(missing_ok=True)
        make_venv()
        install(name)
        compile_packages()
        let_venv_find_the_checkout()
        for covered in COVERED[name]:
            shutil.copyfile(lock_file(covered), stamp(covered))
        say(f"pulse: done in {time.monotonic() - started_s:.0f} s.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\npulse: interrupted; run the same command again and it goes on where it stopped.")
    except OSError as error:
        sys.exit(
            f"pulse: could not write to {VENV}: {error.strerror or error}. Is the disk full, or not yours to write?"
        )
