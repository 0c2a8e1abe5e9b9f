"""A program that is talked to while it runs."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.io.agents.process import Processes
from hub.io.agents.supervised import Program
from tests.io.agents.agent_work import python

ECHO = "import sys; sys.stderr.write('oh'); [sys.stdout.write(line.strip()[::-1]) for line in sys.stdin]"


class Words:
    """Says one word, and is over when it hears it again; with `waits`, never."""

    def __init__(self, *, waits: bool = False) -> None:
        self.heard, self.errors, self.last = b"", b"", False
        self.answered = asyncio.Event()
        self._waits = waits

    def hear(self, data: bytes) -> None:
        self.heard += data
        self._note()

    def hear_error(self, data: bytes) -> None:
        self.errors += data
        self._note()

    def _note(self) -> None:
        if self.heard and self.errors:
            self.answered.set()

    async def lead(self, send: Callable[[bytes], None]) -> None:
        send(b"pulse\n")
        try:
            await self.answered.wait()
            if self._waits:
                await asyncio.Event().wait()
        finally:
            self.last = True
            send(b"bye\n")


class Broken(Words):
    async def lead(self, send: Callable[[bytes], None]) -> None:
        await super().lead(send)
        raise RuntimeError("a bug")


def program(folder: Path, code: str = ECHO, duration_s_max: float = 20.0) -> Program:
    return Program(
        argv=python(code),
        cwd=str(folder),
        environment={},
        duration_s_max=duration_s_max,
        output_bytes_max=100,
        stays=True,
    )


async def test_a_talk_that_is_over_ends_the_program(tmp_path: Path) -> None:
    words = Words()
    ending = await Processes().converse(program(tmp_path), words)
    assert (ending.ended, words.heard[:5], words.errors) == ("stopped", b"eslup", b"oh")  # it may answer the last word


async def test_a_program_that_leaves_ends_the_talk(tmp_path: Path) -> None:
    words = Words(waits=True)
    leaves = "import sys; sys.stderr.write('oh'); print(sys.stdin.readline()); sys.exit(3)"
    ending = await Processes().converse(program(tmp_path, leaves), words)
    assert (ending.ended, ending.exit_code, words.last) == ("exited", 3, True)


async def test_whoever_is_stopped_may_say_a_last_word(tmp_path: Path) -> None:
    words, processes = Words(waits=True), Processes()
    talking = asyncio.create_task(processes.converse(program(tmp_path), words))
    await words.answered.wait()
    talking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await talking
    assert words.last


async def test_a_bug_in_the_talk_is_raised_once_the_program_is_gone(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="a bug"):
        await Processes().converse(program(tmp_path), Broken())
