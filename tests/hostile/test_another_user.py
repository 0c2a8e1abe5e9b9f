"""`pulse up --as-user` at root's terminal: a program of that user reaches nothing of root's through the hub."""

import json
import os
import pwd
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest

from tests.bench.hub_process import free_port
from tests.house.source import ROOT
from tests.terminals import Terminal

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")

NOBODY = "nobody"
SECRET = "of-roots-session"
ROOTS_WORDS = "for root alone"
WAIT_S_MAX = 30
ATTACK = """
import ctypes, fcntl, json, os, sys, termios
hub, terminal = int(sys.argv[1]), sys.argv[2]
libc, report = ctypes.CDLL(None, use_errno=True), {"fds": {}, "typed": [], "uid": os.getuid()}
os.setsid()
for number in range(64):
    try:
        shown = os.readlink(f"/proc/{hub}/fd/{number}")
    except OSError:
        continue
    stolen = libc.syscall(438, os.pidfd_open(hub), number, 0)  # pidfd_getfd
    report["fds"][number] = shown if stolen >= 0 else ""
    if stolen < 0:
        continue
    for request in (termios.TIOCSCTTY, termios.TIOCSTI):
        try:
            fcntl.ioctl(stolen, request, b"x" if request == termios.TIOCSTI else 0)
        except OSError:
            continue
        report["typed"].append(shown)
for path in (terminal, f"/proc/{hub}/fd/0", f"/proc/{hub}/fd/7"):
    try:
        report[path] = os.read(os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK), 64).decode(errors="replace")
    except OSError:
        report[path] = None
report["environ"] = open(f"/proc/{hub}/environ").read()
status = open(f"/proc/{hub}/status").read().split("\\n")
report["status"] = dict(line.split(":\\t") for line in status if line.startswith(("Uid", "Gid", "Groups", "NoNew")))
report["terminal"] = int(open(f"/proc/{hub}/stat").read().rpartition(")")[2].split()[4])
report["core"] = [line.split()[4:6] for line in open(f"/proc/{hub}/limits") if line.startswith("Max core")][0]
print(json.dumps(report))
"""


class Stand:
    """A shell of root's at a terminal, in which Pulse runs as another user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.user = pwd.getpwnam(NOBODY)
        folder.chmod(0o755)
        for name in ("home", "workspace"):
            (folder / name).mkdir(0o700)
            os.chown(folder / name, self.user.pw_uid, self.user.pw_gid)
        (folder / "only-roots").write_text(ROOTS_WORDS)
        (folder / "only-roots").chmod(0o600)
        packages = next(path for path in sys.path if path.endswith("site-packages"))
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "A_SECRET": SECRET}
        self.python = {"PYTHONPATH": f"{ROOT}:{packages}", "PYTHONDONTWRITEBYTECODE": "1"}
        self.program = self._readable_python()
        self.desk = Terminal({**environment, **self.python, "HOME": "/root"}, folder)
        self.desk.run(f"exec 7<>{folder / 'only-roots'}; chmod 600 $(tty); stty rows 40 cols 150")
        said = self.desk.run("tty")[0]  # what is typed may be echoed before it or after
        self.terminal = next(line.strip() for line in said.split("\n") if line.startswith("/dev/"))
        self.hub = 0

    def _readable_python(self) -> str:
        """Return a Python that the other user can run: that of the tests may lie in root's home."""
        for program in (sys.executable, "/usr/bin/python3"):
            if self.as_nobody([program, "-c", "import hub.cli"]).returncode == 0:
                return program
        raise AssertionError(f"{NOBODY} can run no Python that has what Pulse needs")

    def as_nobody(self, words: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run a program as the other user."""
        try:
            return subprocess.run(
                words,
                cwd="/",
                env=self.python,
                user=self.user.pw_uid,
                group=self.user.pw_gid,
                extra_groups=[],
                capture_output=True,
                text=True,
                check=False,
                timeout=WAIT_S_MAX,
            )
        except PermissionError as error:
            return subprocess.CompletedProcess(words, 126, "", str(error))

    def start(self) -> None:
        """Type the command, and wait until Pulse is up."""
        where = ["--home", str(self.folder / "home"), "--workspace", str(self.folder / "workspace")]
        words = [self.program, "-m", "hub", "up", "--as-user", NOBODY, "--port", str(self.port), *where]
        self.desk.type(f"{shlex.join(words)}\n")
        self.desk.until("Stop: Ctrl-C")
        self.hub = int(msgspec.json.decode((self.folder / "home/run.json").read_bytes())["pid"])

    def close(self) -> None:
        """Hang up."""
        self.desk.close()


@pytest.fixture
def stand() -> Iterator[Stand]:
    # pytest's own folders are closed to other users
    with TemporaryDirectory(prefix="pulse-as-user-", dir="/tmp") as folder:
        opened = Stand(Path(folder))
        try:
            opened.start()
            yield opened
        finally:
            opened.close()
        assert _ended(opened.hub)


def _within(is_so: Callable[[], bool]) -> bool:
    deadline_s = time.monotonic() + WAIT_S_MAX
    while not is_so() and time.monotonic() < deadline_s:
        time.sleep(0.05)
    return is_so()


def _ended(pid: int) -> bool:
    return _within(lambda: not Path(f"/proc/{pid}").exists())


def _stat(pid: int) -> list[str]:
    """Return what the system says of a process: its state, its parent and so on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def test_a_program_of_that_user_reaches_nothing_of_the_session_that_started_it(stand: Stand) -> None:
    done = stand.as_nobody([stand.program, "-c", ATTACK, str(stand.hub), stand.terminal])
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    taken = set(found["fds"].values())
    assert found["fds"]["0"] == "/dev/null"  # it does take descriptors: of a hub that is its own user's
    assert stand.terminal not in taken
    assert str(stand.folder / "only-roots") not in taken
    assert stand.terminal not in found["typed"]
    assert found[stand.terminal] is None
    assert ROOTS_WORDS not in done.stdout
    assert found["terminal"] != Path(stand.terminal).stat().st_rdev
    assert SECRET not in found["environ"]
    assert "HOME=/root" not in found["environ"]
    status = {name: set(value.split()) for name, value in found["status"].items()}
    assert status["Uid"] == {str(stand.user.pw_uid)}
    assert status["Gid"] == {str(stand.user.pw_gid)}
    assert status["Groups"] == set(map(str, os.getgrouplist(NOBODY, stand.user.pw_gid)))
    assert (status["NoNewPrivs"], found["core"]) == ({"1"}, ["0", "0"])


def test_what_is_shown_and_how_it_ends_are_as_without_it(stand: Stand) -> None:
    assert f"http://127.0.0.1:{stand.port}/#pair=" in stand.desk.shown
    assert "✓" in stand.desk.shown  # drawn as at a terminal
    stand.desk.type("\x1a")
    stand.desk.until("Stopped")
    assert _within(lambda: _stat(stand.hub)[0] == "T")
    stand.desk.type("fg\n")
    assert _within(lambda: _stat(stand.hub)[0] != "T")
    stand.desk.type("\x03")
    stand.desk.until("stopping")
    assert _ended(stand.hub)
    assert stand.desk.run("(exit $?)")[1] == 0


def test_it_ends_with_who_started_it(stand: Stand) -> None:
    starter = int(_stat(stand.hub)[1])
    assert Path(f"/proc/{starter}").stat().st_uid == 0
    os.kill(starter, signal.SIGKILL)
    assert _ended(stand.hub)


def test_its_failure_is_the_exit_code(stand: Stand) -> None:
    stand.desk.type("\x03")
    stand.desk.run("mkdir -m 700 closed")
    pulse = shlex.join([stand.program, "-m", "hub", "up", "--as-user", NOBODY, "--home", str(stand.folder / "home")])
    shown, code = stand.desk.run(f"{pulse} --workspace /no/such/folder")
    assert (code, "/no/such/folder" in shown.replace(pulse, "").split("workspace ", 1)[1]) == (1, True)
    shown, code = stand.desk.run(f"cd closed; {pulse}")
    assert (code, "could be started in" in shown) == (1, True)
