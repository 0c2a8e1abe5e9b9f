"""Workers that share what was collected: forked once that is done, each takes whole units of tests until none is left.

    pytest --workers 4

To collect all tests takes a worker longer than to run its share of the quick ones, so it is done once, before there are
any (docs/adr/0128). The parent runs no test: it hands out units, and reports to pytest what the workers tell it.

The units that are left are numbers in a pipe, four bytes each, so whoever is free takes the next; a worker takes one
when it begins the last test of the one before, for pytest has to know what follows to keep what is shared. A worker
that dies fails the test it was at, and another takes the rest of what it had. Warnings are errors here, and travel in
no other way.
"""

import json
import os
import select
import selectors
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.workers import units_of

NUMBER_BYTES = 4
READ_BYTES_MAX = 1 << 20
WRITES_TO_THE_TERMINAL = ("terminalreporter", "terminalprogress")
"""The plugins that do; only the parent does."""
BROKEN = 70
"""The exit code of a worker that could not go on by itself."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let it be said how many workers share the tests."""
    parser.addoption("--workers", type=int, default=0, help="share the tests among so many processes")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run all tests by workers, if there are to be any; otherwise leave that to pytest."""
    count = session.config.option.workers
    if not count or session.config.option.collectonly or session.testsfailed:
        return None
    Crew(session).run(count)
    return True


@dataclass
class Worker:
    """What the parent knows of one worker: the tests it took and has not begun, and the one it is at."""

    number: int
    pid: int
    left: list[int] = field(default_factory=list)
    at: int | None = None
    unread: bytes = b""


class Crew:
    """The parent's side."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._config = session.config
        self._units = units_of(session.items)
        self._to_take, self._taking = os.pipe()
        self._stopped, self._stopping = os.pipe()
        self._workers: dict[int, Worker] = {}
        """By the descriptor on which each is heard."""
        self._selector = selectors.DefaultSelector()
        self._begun = 0

    def run(self, count: int) -> None:
        """Run all tests; return when every worker has ended.

        Raises:
            session.Failed, session.Interrupted: Enough has failed, as for pytest's own loop.
            RuntimeError: A worker broke outside of any test.
        """
        if reporter := self._config.pluginmanager.getplugin("terminalreporter"):
            reporter.showfspath = False  # tests of several files go on at once
        base = Path(self._config._tmp_path_factory.getbasetemp())  # type: ignore[attr-defined]  # noqa: SLF001  made once, before the workers make theirs in it
        os.write(self._taking, b"".join(number.to_bytes(NUMBER_BYTES) for number in range(len(self._units))))
        os.close(self._taking)
        try:
            for _ in range(count):
                self._begin(base, [])
            while self._workers:
                for key, _ in self._selector.select():
                    self._hear(key.fd, base)
        finally:
            self._end()
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _begin(self, base: Path, left: list[int]) -> None:
        """Fork a worker, which begins with these tests."""
        heard, tells = os.pipe()
        self._begun += 1
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            for other in (*self._workers, heard, self._stopping):
                os.close(other)
            Inside(self._session, self._units, Ends(self._to_take, self._stopped, tells)).work(
                base / f"worker{self._begun}", left
            )
        os.close(tells)
        self._workers[heard] = Worker(self._begun, pid, left)
        self._selector.register(heard, selectors.EVENT_READ)

    def _hear(self, heard: int, base: Path) -> None:
        worker = self._workers[heard]
        read = os.read(heard, READ_BYTES_MAX)
        if not read:
            self._bury(heard, worker, base)
            return
        *lines, worker.unread = (worker.unread + read).split(b"\n")
        for line in lines:
            what, value = json.loads(line)
            self._told(worker, what, value)
        if self._session.shouldfail or self._session.shouldstop:
            self._stop()

    def _told(self, worker: Worker, what: str, value: Any) -> None:  # noqa: ANN401  what each kind of line carries
        match what:
            case "took":
                worker.left += self._units[value]
            case "start":
                worker.at = value
                worker.left.remove(value)
            case "report":
                self._report(value)
            case "finish":
                item = self._session.items[value]
                self._config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
                worker.at = None
            case _:
                raise RuntimeError(f"worker {worker.number} broke:\n{value}")

    def _report(self, told: dict[str, Any]) -> None:
        """Give pytest a report. JSON has no tuples, which pytest tells a place by."""
        for name in ("location", "longrepr"):
            if isinstance(told[name], list):
                told[name] = tuple(told[name])
        report = self._config.hook.pytest_report_from_serializable(config=self._config, data=told)
        self._config.hook.pytest_runtest_logreport(report=report)

    def _bury(self, heard: int, worker: Worker, base: Path) -> None:
        """Learn how a worker ended; where that was in the middle of its work, say so, and let another go on."""
        self._selector.unregister(heard)
        os.close(heard)
        del self._workers[heard]
        _, status = os.waitpid(worker.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            return
        if worker.at is None:
            raise RuntimeError(f"worker {worker.number} ended with {code}, between two tests")
        item = self._session.items[worker.at]
        told = f"worker {worker.number} ended with {code} while it ran {item.nodeid}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", told, "call")
        self._config.hook.pytest_runtest_logreport(report=report)
        self._begin(base, worker.left)

    def _stop(self) -> None:
        """Let every worker end after the test it is at."""
        if self._stopping >= 0:
            os.close(self._stopping)
            self._stopping = -1

    def _end(self) -> None:
        """Wait for those that are left, if this is not the usual end: Ctrl-C reaches them as well."""
        self._stop()
        for heard, worker in self._workers.items():
            os.close(heard)
            os.waitpid(worker.pid, 0)
        for end in (self._to_take, self._stopped):
            os.close(end)
        self._selector.close()


@dataclass(frozen=True)
class Ends:
    """The ends of pipes that a worker has: the units to take, what closes when it is to stop, and where it tells."""

    take: int
    stopped: int
    tell: int


class Inside:
    """A worker's own side; pytest's hooks are told to the parent."""

    def __init__(self, session: pytest.Session, units: Sequence[Sequence[int]], ends: Ends) -> None:
        self._session = session
        self._config = session.config
        self._units = units
        self._ends = ends
        self._at = 0

    def work(self, folder: Path, left: Sequence[int]) -> NoReturn:
        """Run these tests and then whole units, and end this process: nothing of the parent's goes on in it."""
        code = BROKEN
        try:
            self._settle(folder)
            try:
                self._run(left)
            finally:
                self._leave()
            code = 0
        except KeyboardInterrupt:
            pass  # the parent says so
        except BaseException:  # noqa: BLE001  it would go on in the parent's code
            self._tell("broken", traceback.format_exc())
        finally:
            os._exit(code)

    def _settle(self, folder: Path) -> None:
        """Make what the parent has, and two cannot share, a thing of one's own."""
        self._config.workerinput = {}  # type: ignore[attr-defined]  # by this plugins know a worker, since pytest-xdist
        folder.mkdir(mode=0o700)
        self._config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]  # noqa: SLF001  there is no other way after the start
        manager = self._config.pluginmanager
        for name in WRITES_TO_THE_TERMINAL:
            if manager.has_plugin(name):
                manager.unregister(name=name)
        if capture := manager.getplugin("capturemanager"):  # else all would write to one file, at one place in it
            capture.stop_global_capturing()
            capture.start_global_capturing()
            capture.suspend_global_capture()
        manager.register(self)

    def _run(self, left: Sequence[int]) -> None:
        items = self._session.items
        for now, following in with_following(self._tests(left)):
            if self._session.shouldfail or self._session.shouldstop or self._is_stopped():
                return
            self._at = now
            then = None if following is None else items[following]
            self._config.hook.pytest_runtest_protocol(item=items[now], nextitem=then)

    def _tests(self, left: Sequence[int]) -> Iterator[int]:
        """Yield what is to be run, and take a unit whenever there is nothing left."""
        yield from left
        while number := os.read(self._ends.take, NUMBER_BYTES):
            taken = int.from_bytes(number)
            self._tell("took", taken)
            yield from self._units[taken]

    def _is_stopped(self) -> bool:
        return bool(select.select([self._ends.stopped], [], [], 0)[0])

    def _leave(self) -> None:
        self._session.exitstatus = pytest.ExitCode.TESTS_FAILED if self._session.testsfailed else pytest.ExitCode.OK
        self._config.hook.pytest_sessionfinish(session=self._session, exitstatus=self._session.exitstatus)
        self._config._ensure_unconfigure()  # noqa: SLF001  as pytest's own main does

    def pytest_runtest_logstart(self) -> None:
        """Tell which test begins."""
        self._tell("start", self._at)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell how a part of it went."""
        told = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._tell("report", told)

    def pytest_runtest_logfinish(self) -> None:
        """Tell that it is over."""
        self._tell("finish", self._at)

    def _tell(self, what: str, value: object) -> None:
        line = memoryview(json.dumps([what, value]).encode() + b"\n")
        while line:
            line = line[os.write(self._ends.tell, line) :]


def with_following(numbers: Iterable[int]) -> Iterator[tuple[int, int | None]]:
    """Yield each number and the next one, None for the last; the next is asked for before a number is yielded."""
    left = iter(numbers)
    now = next(left, None)
    while now is not None:
        following = next(left, None)
        yield now, following
        now = following
