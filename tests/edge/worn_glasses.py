"""Glasses as a person wears them: `python -m edge run` beside a real hub, and a person who answers when they listen."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.edge.sound_card import SoundCard, person
from tests.house.source import ROOT
from tests.web.live_hub import LiveHub

WAIT_S_MAX = 120.0
END_S_MAX = 30
SOUND = 'microphone = "virtmic"\nspeaker = "speaker"\n'
BRISK = f'{SOUND}verbosity = "terse"\nwords_per_minute = 320\n'
"""For tests of anything but what is said: sound cannot go faster than time, but less of it can be said, and faster."""
TURNS_MAX = 20
LOOK_S = 0.1
ENDED_WELL = 0
YES = {"listening": ("yes, approve it", "approve it"), "asking": ("yes",), "confirming": ("confirm",)}
FAULTS = {"PYTHONFAULTHANDLER": "1"}
"""Where it hangs, SIGABRT makes it say where."""


class Glasses:
    """Running glasses. They print each change of phase; that is what is waited for."""

    def __init__(self, folder: Path, card: SoundCard, process: asyncio.subprocess.Process) -> None:
        self._folder, self._card, self.process = folder, card, process
        self.seen: list[str] = []

    async def line(self) -> str:
        """Return the next line that they print."""
        assert self.process.stdout is not None
        try:
            line = (await asyncio.wait_for(self.process.stdout.readline(), WAIT_S_MAX)).decode().strip()
        except TimeoutError:
            pytest.fail(f"nothing more happened: {self.seen} {self.complaints()}")
        assert line, f"the glasses have ended: {self.seen} {self.complaints()}"
        self.seen.append(line)
        return line

    def complaints(self) -> str:
        """Return what they wrote to standard error."""
        return (self._folder / "complaints").read_text()[-6_000:]

    async def until(self, wanted: str) -> None:
        """Wait for a line that ends so."""
        while not (await self.line()).endswith(wanted):
            pass

    async def said(self, count: int) -> None:
        """Wait until so many more utterances have been heard to their end."""
        while count:
            count -= (await self.line()).startswith("said ")

    async def answered(self, words: Mapping[str, Sequence[str]], end: str = "sending") -> None:
        """Say what a phase calls for whenever it comes, as often as the glasses ask, until an answer is sent.

        `words` gives ways to say it by phase, such as `listening`; asked again, a person says it another way. That is
        no failure: it is what the glasses do when they are not sure. To be given up on is one.
        """
        asked = 0
        for _ in range(TURNS_MAX):
            phase = (await self.line()).rpartition("→ ")[2]
            if phase == end:
                return
            assert phase != "idle", f"they gave up: {self.seen}"
            if phase in words:
                await self.hear(words[phase][asked % len(words[phase])])
                asked += 1
        pytest.fail(f"no answer was sent: {self.seen}")

    async def hear(self, text: str) -> None:
        """Let the person say something, to its end."""
        path = self._folder / f"said-{len(self.seen)}.wav"
        await asyncio.to_thread(self._card.speak, await asyncio.to_thread(person, text, path))

    def press(self) -> None:
        """Press the button."""
        self.process.send_signal(signal.SIGUSR1)


@contextlib.asynccontextmanager
async def running(folder: Path, card: SoundCard, told: dict[str, str], settings: str = "") -> AsyncIterator[Glasses]:
    """Run glasses until the block ends; `told` is their environment."""
    home = folder / "edge"
    home.mkdir(exist_ok=True)
    (home / "edge.toml").write_text(settings or SOUND)
    with (folder / "complaints").open("wb") as complaints:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "edge", "--home", str(home), "run", "--show"),
            cwd=ROOT,
            env={**os.environ, **card.own_environment, **told, **FAULTS},
            stdout=asyncio.subprocess.PIPE,
            stderr=complaints,
        )
    worn = Glasses(folder, card, process)
    try:
        yield worn
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            ended = await asyncio.wait_for(process.wait(), END_S_MAX)
        except TimeoutError:
            process.send_signal(signal.SIGABRT)
            ended = await process.wait()
        assert ended == ENDED_WELL, worn.complaints()


@contextlib.asynccontextmanager
async def glasses(folder: Path, card: SoundCard, hub: LiveHub, settings: str = "") -> AsyncIterator[Glasses]:
    """Run glasses beside a hub until the block ends; the hub knows that they are worn when it begins."""
    async with running(folder, card, {"PULSE_API": hub.api, "PULSE_TOKEN": hub.token}, settings) as worn:
        await online(hub)
        yield worn


async def online(hub: LiveHub) -> None:
    """Wait until the hub knows that somebody wears the glasses; it tells nobody when a device has come."""
    async with asyncio.timeout(WAIT_S_MAX):
        while not any(one["online"] for one in (await hub.call("GET", "/api/v1/devices"))["devices"]):  # noqa: ASYNC110  the hub is asked over HTTP
            await asyncio.sleep(LOOK_S)
