"""Looks into an agent's transcript for a no at its terminal, of which its hooks do not tell: a few times, then no more.

The file is one that the agent names, so it is held to what such a file is: named like its session, a plain file
and no link; only its end is read. Nothing of it is kept or shown; it says what became of one call.
"""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

from hub.io.agents.hooks.step import Dialect, HookStep
from hub.io.sensors.bounded import tail
from hub.io.sensors.guard import Disk, UnreadableError
from hub.kit.given_answers import Deed
from hub.ports import Clock

SUFFIX = ".jsonl"
LOOKS_AFTER_S = (0.15, 0.3, 0.6, 1.2, 2.4, 4.8, 9.6, 19.2)
"""How long after an answer it is looked at: what was refused is written within some tenths of a second."""
READ_BYTES_MAX = 262_144


class TranscriptLooker:
    """One for a hub: what hangs on a file that does not answer is one thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._disk = Disk()

    async def find(self, dialect: Dialect, step: HookStep, call: str, is_open: Callable[[], bool]) -> Deed | None:
        """Return what was said of a call at the agent's terminal; None where nothing was, or it is known otherwise."""
        if dialect.deed_in is None or not is_transcript(step):
            return None
        async for end in self._ends(Path(step.transcript), is_open):
            deed = dialect.deed_in(end, call)
            if deed is not None:
                return deed
        return None

    async def _ends(self, path: Path, is_open: Callable[[], bool]) -> AsyncIterator[bytes]:
        began = self._clock.now()
        for after_s in LOOKS_AFTER_S:
            await self._clock.sleep_until(began + timedelta(seconds=after_s))
            if not is_open():
                return
            try:
                yield await self._disk.look(lambda: tail(path, READ_BYTES_MAX, follow=False))
            except (OSError, UnreadableError):
                continue  # not written yet, not ours to read, or the look before has not come back


def is_transcript(step: HookStep) -> bool:
    """Return True if a step names a file as a transcript of its session is named."""
    path = Path(step.transcript)
    return path.is_absolute() and "\0" not in step.transcript and path.name == f"{step.session}{SUFFIX}"
