"""Says texts and plays earcons on a speaker, one after the other, and tells when each has been heard to its end."""

import asyncio
import contextlib
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from edge.audio.samples import earcon
from edge.engines.ear import Samples
from edge.engines.mouth import Mouth

LOOK_S = 0.02
AHEAD_S = 0.5
"""A longer stock of sound than this is not made before it is played."""
SENTENCES_KEPT_MAX = 50
SENTENCES = re.compile(r"(?<=[.!?])\s+")
"""Where one sentence ends: each is made and known by itself."""


class Plays(Protocol):
    """What a speaker can do."""

    rate: int

    def play(self, samples: Samples, rate: int) -> None:
        """Queue sound."""

    def hush(self) -> None:
        """Be silent at once."""

    @property
    def left_s(self) -> float:
        """How much is still to be heard."""

    @property
    def is_open(self) -> bool:
        """Whether anything can be heard at all."""


class Talker:
    """One voice at a time. `ended` is told an utterance's number when it was heard to its end, and only then.

    `failed` is told what ended the making of sound; `speaking` whether something is being said.
    """

    def __init__(
        self,
        mouth: Mouth,
        speaker: Plays,
        ended: Callable[[int], None],
        failed: Callable[[BaseException], None],
        speaking: Callable[[bool], None],
    ) -> None:
        self._mouth = mouth
        self._speaker = speaker
        self._ended = ended
        self._failed = failed
        self._speaking = speaking
        self._task: asyncio.Task[None] | None = None
        self._said: deque[tuple[str, float]] = deque(maxlen=SENTENCES_KEPT_MAX)
        self._queued_s = 0.0

    def play(self, chime: str) -> None:
        """Play an earcon after what is being heard."""
        self._speaker.play(earcon(chime, self._speaker.rate), self._speaker.rate)

    def say(self, number: int, text: str) -> None:
        """Say a text; a text that is being said is cut off."""
        self._cancel()
        self._speaking(True)  # noqa: FBT003  a callback's one argument
        self._task = asyncio.get_running_loop().create_task(self._say(number, text))
        self._task.add_done_callback(self._done)

    def hush(self) -> None:
        """Be silent at once."""
        self._cancel()
        self._speaker.hush()

    def heard_lately(self, seconds: float) -> str:
        """Return every sentence of which something was audible in the last `seconds`."""
        audible_s = self._queued_s - self._speaker.left_s
        ends = [*(begin_s for _, begin_s in self._said), self._queued_s][1:]
        return " ".join(
            text
            for (text, begin_s), end_s in zip(self._said, ends, strict=True)
            if begin_s <= audible_s and end_s >= audible_s - seconds
        )

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _done(self, task: asyncio.Task[None]) -> None:
        if self._task is task or self._task is None:
            self._speaking(False)  # noqa: FBT003  a callback's one argument
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(error)

    async def _say(self, number: int, text: str) -> None:
        self._said.clear()
        self._queued_s = 0.0
        for sentence in SENTENCES.split(text):
            self._said.append((sentence, self._queued_s))
            await self._say_sentence(sentence)
        await self._until_left(0.0)
        if self._speaker.is_open:  # what nobody could hear has not been said
            self._ended(number)

    async def _say_sentence(self, sentence: str) -> None:
        """Play a sentence as it is made, in threads. When we are hushed, the thread that makes it is let end first."""
        loop, blocks = asyncio.get_running_loop(), self._mouth.speak(sentence)
        making: asyncio.Future[Samples | None] = loop.run_in_executor(None, next, blocks, None)
        try:
            while (block := await asyncio.shield(making)) is not None and self._speaker.is_open:
                self._speaker.play(block, self._mouth.rate)
                self._queued_s += len(block) / self._mouth.rate
                await self._until_left(AHEAD_S)
                making = loop.run_in_executor(None, next, blocks, None)
        finally:
            making.add_done_callback(lambda made: _end(made, blocks))

    async def _until_left(self, seconds: float) -> None:
        while self._speaker.left_s > seconds and self._speaker.is_open:  # noqa: ASYNC110  PortAudio tells of no moment when it has played
            await asyncio.sleep(LOOK_S)


def _end(made: "asyncio.Future[Samples | None]", blocks: Iterator[Samples]) -> None:
    """Stop the making of sound, off the loop: it may still have to be waited for."""
    close = getattr(blocks, "close", None)
    if close is not None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and its threads with it
            made.get_loop().run_in_executor(None, close)
    if not made.cancelled():
        made.exception()  # whoever waited for it has seen it; nobody did where we were hushed
