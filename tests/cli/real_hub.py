"""A hub as a person starts it: `python -m hub up` on a small repository, in a home of its own."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.hub_process import free_port
from tests.house.source import ROOT
from tests.signed_in_page import SignedInPage, page_of
from tests.terminals import Terminal

END_S_MAX = 40
PULSE = (sys.executable, "-m", "hub")
ENDED_WELL = 0
YESES = {"approve", "edit", "retry", "fix"}


class RealHub:
    """A hub that runs, and how to call the command line against it."""

    starts: tuple[str, ...] = PULSE
    """What it is started with."""
    code: Path = ROOT
    """The tree whose code runs."""

    def __init__(self, home: Path, repository: Path, environment: dict[str, str], *, port: int = 0) -> None:
        self.home = home
        self.port = port or free_port()  # the same after a restart, and nobody else's default
        self.repository = repository
        self.environment = environment
        self.process: subprocess.Popen[str] | None = None
        self.said = ""
        self.desk: Terminal | None = None
        self.page: SignedInPage | None = None

    def start(self) -> None:
        """Start it and wait until it says that it is up."""
        program = [*self.starts, "up", "--json", "--port", str(self.port), "--workspace", str(self.repository)]
        self.process = subprocess.Popen(
            program, cwd=self.code, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        assert self.said, "it did not start"

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        ended = self.process.wait(END_S_MAX)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return ended

    def sit_down(self) -> None:
        """Open a page, and type all that follows at a terminal: the first agent that is connected there lets it in."""
        self.page = page_of(self.said)
        self.desk = Terminal(self.environment, self.code)

    def get_up(self) -> None:
        """Close the terminal and the page, if they are open."""
        if self.desk is not None:
            self.desk.close()
            self.desk = None
        if self.page is not None:
            self.page.close()
            self.page = None

    def pulse(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        if self.desk is not None:
            if arguments[0] in YESES:
                self._typed(self.desk, ("why", arguments[1]))  # a person looks at it first
            return self._typed(self.desk, arguments)
        return subprocess.run(
            [*PULSE, *arguments],
            cwd=self.code,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def change(self, card_id: str, words: str) -> int:
        """Put other words in the place of a card's, say yes to what is shown, and return how it ended."""
        assert self.desk is not None
        self.desk.type(f"{shlex.join([*PULSE, 'edit', card_id, '--prompt', words])}\n")
        self.desk.until(r"\[y/N\]: ")
        self.desk.type("y\n")
        return self.desk.run("(exit $?)")[1]

    def _typed(self, desk: Terminal, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        out, errors = self.home.parent / "typed.out", self.home.parent / "typed.err"
        words = [*PULSE, *arguments]
        _, ended = desk.run(f"{shlex.join(words)} </dev/null >{shlex.quote(str(out))} 2>{shlex.quote(str(errors))}")
        return subprocess.CompletedProcess(words, ended, out.read_text(), errors.read_text())

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*PULSE, *arguments],
            cwd=self.code,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@contextlib.contextmanager
def running_hub(folder: Path) -> Iterator[RealHub]:
    repository = folder / "repository"
    make_repository(repository)
    hub = RealHub(folder / "home", repository, environment_of(folder))
    hub.start()
    try:
        yield hub
    finally:
        hub.get_up()
        if hub.process is not None:
            assert hub.stop() == ENDED_WELL


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment of a person who has nothing but this folder."""
    person = folder / "person"
    person.mkdir()
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith(("PULSE_", "GIT_", "XDG_"))},
        "HOME": str(person),
        "PULSE_HOME": str(folder / "home"),
        "NO_COLOR": "1",
        "TERM": "xterm-256color",
    }


def make_repository(folder: Path) -> None:
    """Make a small project with one commit, one test and one new file."""
    (folder / "tests").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "small"\nversion = "1"\n[tool.pytest.ini_options]\n')
    (folder / "tests" / "test_small.py").write_text("def test_small() -> None:\n    assert 1 + 1 == 2\n")
    identity = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "Begin"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    (folder / "small.py").write_text("ONE = 1\n")
