"""A developer at work, for benches: a real hub, a real repository with its tests, and what the live feed tells."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hub.contract.base import Value
from tests.bench.hub_process import HubProcess, running

CONFIG = """
[crosspoll]
change_quiet_s = {change_quiet_s}
edit_quiet_s = {edit_quiet_s}
work_pause_s = {work_pause_s}
change_wait_s_max = {change_wait_s_max}
[person]
zone = "{zone}"
[quiet]
start_hour = 0
end_hour = 0
[sensors]
calendar = {calendar}
transcript_folders = [{transcripts}]
ci_file = "ci.json"
[agents.worker]
kind = "command"
argv = ["/bin/sh", "-c", "true"]
[channels.koji-core]
agent = "worker"
affinities = ["code"]
[channels.research]
agent = "worker"
affinities = ["research"]
"""
PASSING = "from shop.{name} import answer\n\n\ndef test_answer() -> None:\n    assert answer() == 42\n"
RIGHT, WRONG = "def answer() -> int:\n    return 42\n", "def answer() -> int:\n    return 41\n"


AFTERNOON: Final = 14
"""It is about this hour beside each developer, whatever the machine's clock says: some cards are for the evening."""


def afternoon_zone(at: datetime) -> str:
    """Return a time zone in which it is afternoon at that time; POSIX counts its hours westward."""
    ahead = (AFTERNOON - at.astimezone(UTC).hour + 11) % 24 - 11
    return f"Etc/GMT{-ahead:+d}"


class Pace(Value):
    """How long the hub waits for quiet, in seconds; an hour is compressed by shortening it."""

    change_quiet_s: float = 2.0
    edit_quiet_s: float = 20.0
    work_pause_s: float = 180.0
    change_wait_s_max: float = 60.0


class Shown(Value):
    """A card as the live feed told it."""

    at: float
    card_id: str
    kind: str
    prompt: str


class Feed:
    """Reads the live feed in a thread of its own, and wakes all who wait."""

    def __init__(self, hub: HubProcess) -> None:
        self.cards: list[Shown] = []
        self.gone: dict[str, tuple[float, str]] = {}
        self.digests: list[dict[str, Any]] = []
        self._more = threading.Condition()
        self._database = hub.home / "pulse.db"
        address = urlsplit(hub.api.geturl())
        self._socket = connect(
            f"ws://{address.netloc}/pulse", additional_headers={"Authorization": f"Bearer {hub.token}"}
        )
        self._subscribed = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        assert self._subscribed.wait(10)

    def close(self) -> None:
        self._socket.close()
        self._thread.join(10)

    def until(self, wanted: Callable[[], bool], limit_s: float) -> bool:
        """Wait until `wanted()`; return True if that came in time."""
        with self._more:
            return bool(self._more.wait_for(wanted, limit_s))

    def _kind_of(self, card_id: str) -> str:
        """Return what a card is about; the store knows it."""
        with closing(sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)) as store:
            row = store.execute("SELECT reason_key FROM predictions WHERE id = ?", (card_id,)).fetchone()
        return str(row[0]).partition(":")[0]

    def _read(self) -> None:
        try:
            for text in self._socket:
                self._hear(json.loads(text), time.monotonic())
        except ConnectionClosed:
            return

    def _hear(self, event: dict[str, Any], at: float) -> None:
        if event["type"] == "hello":
            self._socket.send('{"type":"subscribe"}')
        if event["type"] == "subscribed":
            self._subscribed.set()
        with self._more:
            if event["type"] == "prediction.new":
                card = event["prediction"]
                kind = self._kind_of(card["id"])
                self.cards.append(Shown(at=at, card_id=card["id"], kind=kind, prompt=card["prompt"]))
            elif event["type"] == "prediction.expired":
                self.gone[event["predictionId"]] = (at, event["reason"])
            elif event["type"] == "digest.ready":
                self.digests.append(event)
            self._more.notify_all()


class Developer:
    """Edits, runs tests and commits in one repository, as a person does: with the ordinary programs."""

    def __init__(self, top: Path) -> None:
        self.top = top
        top.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.write(".gitignore", "__pycache__\n.pytest_cache\nci.json\n")
        self.write("shop/__init__.py", "")
        for name in ("cart", "price"):
            self.write(f"shop/{name}.py", RIGHT)
            self.write(f"tests/test_{name}.py", PASSING.format(name=name))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Begin")

    def git(self, *arguments: str, check: bool = True) -> None:
        who = ("-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=self.top, check=check, capture_output=True)

    def write(self, name: str, text: str) -> None:
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test(self) -> bool:
        """Run the tests by hand; return True if they pass."""
        python = sys.executable
        command = [python, "-m", "pytest", "-q", "tests"]
        environment = {**os.environ, "PYTHONPATH": str(self.top), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(command, cwd=self.top, env=environment, check=False, capture_output=True)
        return done.returncode == 0


@contextmanager
def at_work(folder: Path, pace: Pace) -> Iterator[tuple[HubProcess, Developer, Feed]]:
    """Run a hub beside a developer, with a live feed; what is there at its first look is no news."""
    developer, home = Developer(folder / "shop"), folder / "home"
    developer.test()
    (folder / "transcripts").mkdir()
    (folder / "calendar.ics").write_text("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y//EN\nEND:VCALENDAR\n")
    home.mkdir(mode=0o700)
    text = CONFIG.format(
        zone=afternoon_zone(datetime.now(UTC)),
        change_quiet_s=pace.change_quiet_s,
        edit_quiet_s=pace.edit_quiet_s,
        work_pause_s=pace.work_pause_s,
        change_wait_s_max=pace.change_wait_s_max,
        calendar=json.dumps(str(folder / "calendar.ics")),
        transcripts=json.dumps(str(folder / "transcripts")),
    )
    (home / "config.toml").write_text(text)
    with running(home, developer.top) as hub:
        feed = Feed(hub)
        try:
            yield hub, developer, feed
        finally:
            feed.close()
