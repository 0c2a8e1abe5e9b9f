"""`pulse tail` while Pulse is started again: it waits, says so, and misses nothing of the new hub."""

import json
import queue
import signal
import subprocess
import threading
from pathlib import Path
from typing import IO

import pytest

from tests.cli.real_hub import RealHub, environment_of, make_repository

pytestmark = pytest.mark.slow
TRIES = 30
WAIT_S = 30.0


class Reader:
    """The lines of a stream, read by a thread so that a test can give up waiting."""

    def __init__(self, stream: IO[str] | None) -> None:
        assert stream is not None
        self._stream = stream
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._stream:
            self._lines.put(line)

    def line(self, wait_s: float = WAIT_S) -> str:
        return self._lines.get(timeout=wait_s)

    def reason(self) -> str:
        """Return the reason of the next pause that was heard of."""
        while True:
            event = json.loads(self.line())
            if event["type"] == "crosspoll.paused":
                return str(event["reason"])

    def hears(self, words: str) -> None:
        """Wait for a line with these words; a slow reader is told of events that follow late, before it."""
        while words not in self.line():
            pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_goes_on_after_a_restart(tmp_path: Path, number: signal.Signals) -> None:
    make_repository(tmp_path / "repository")
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))
    hub.start()
    tail = hub.begin("tail", "--json")
    try:
        heard, noted = Reader(tail.stdout), Reader(tail.stderr)
        listening(hub, heard)
        hub.pulse("pause", "before")
        while heard.reason() != "before":
            pass
        hub.pulse("resume")
        hub.stop(number)
        noted.hears("trying again")
        hub.start()
        hub.pulse("pause", "after")  # before or after it is connected again: it is heard of
        assert heard.reason() == "after"
        noted.hears("Pulse was restarted")
        tail.send_signal(signal.SIGINT)
        assert tail.wait(WAIT_S) == 0
    finally:
        end(tail)
        if hub.process is not None:
            hub.stop()


def listening(hub: RealHub, heard: Reader) -> None:
    """Make events until one is heard: what happens before it listens is not for it."""
    for number in range(TRIES):
        hub.pulse("pause", f"try {number}")
        hub.pulse("resume")
        try:
            heard.line(0.2)
        except queue.Empty:
            continue
        return
    raise AssertionError


def end(tail: subprocess.Popen[str]) -> None:
    tail.kill()
    tail.wait()
    for stream in (tail.stdout, tail.stderr):
        if stream is not None:
            stream.close()
