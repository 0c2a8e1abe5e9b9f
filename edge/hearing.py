"""From blocks of sound to events: speech is found, decoded off the loop, judged, and dropped."""

import asyncio
import collections
from collections.abc import Callable

import numpy as np

from edge.audio.samples import level_db
from edge.engines.ear import RATE, Ear, Samples
from edge.speaker.verification import CHECKED, SpeakerLock
from edge.speech.commands import Command
from edge.speech.decision import judge
from edge.speech.phrasebook import Phrasebook
from edge.speech.segmenter import Edge, Segmenter, Ways, feed
from edge.speech.turn import AnyHappened, Heard, Passed, Unclear, Unrecognised, VoiceBegan
from hub.contract.base import Value

FRAME = RATE // 100 * 3
"""Samples of one frame, 30 ms."""
BEFORE_FRAMES = 8
"""Kept from before speech was noticed, so that its first sound is not cut off."""
AFTER_S = 0.15
"""So much of the silence after speech is decoded with it."""
AFTER_GATE_S = 0.15
"""The room still rings with our own voice for so long after it has ended."""


class Level(Value):
    """What the microphone brings, for the view of the simulator."""

    db: float
    speaking: bool


class Cutter:
    """Cuts stretches of speech out of frames of 30 ms: for the loop and for recordings alike."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._state = Segmenter()
        self._before: collections.deque[Samples] = collections.deque(maxlen=BEFORE_FRAMES)
        self._speech: list[Samples] = []

    @property
    def speaking(self) -> bool:
        """Whether somebody speaks."""
        return self._state.speaking

    def take(self, frame: Samples, db: float) -> tuple[Edge, Samples | None]:
        """Take a frame of that level; say whether speech began or ended with it, and return what has ended."""
        self._state, edge = feed(self._state, db, FRAME / RATE, self._ways)
        if edge == "began":
            self._speech = [*self._before]
        if self._state.speaking:
            self._speech.append(frame)
        self._before.append(frame)
        return edge, _trimmed(self._speech, self._ways) if edge == "ended" else None

    def begin_anew(self) -> None:
        """Drop what was half heard; how loud the room is stays known."""
        self._speech = []
        self._before.clear()
        self._state = Segmenter(floor_db=self._state.floor_db)


class Hearer:
    """Listens while it is open; `heard` is told what happens, in order. With a `lock` only the wearer approves."""

    def __init__(
        self,
        ear: Ear,
        book: Phrasebook,
        heard: Callable[[AnyHappened], None],
        *,
        ways: Ways | None = None,
        lock: SpeakerLock | None = None,
    ) -> None:
        self._lock = lock
        self._ear = ear
        self._book = book
        self._heard = heard
        self._cutter = Cutter(ways or Ways())
        self._rest = np.zeros(0, np.int16)
        self._open = False
        self._gate_s = 0.0
        self._decoding: set[asyncio.Task[None]] = set()
        self._stretch = 0
        self.level = Level(db=-90.0, speaking=False)

    def listen(self, *, on: bool) -> None:
        """Open or close the ear; what was half heard when it closed is dropped."""
        self._open = on
        self._stretch += 1
        self._gate_s = AFTER_GATE_S if on else 0.0
        self._cutter.begin_anew()

    def hear(self, block: Samples) -> None:
        """Take sound (16 kHz, one channel) of any length."""
        sound = np.concatenate([self._rest, block])
        whole = len(sound) // FRAME * FRAME
        self._rest = sound[whole:]
        for at in range(0, whole, FRAME):
            self._frame(sound[at : at + FRAME])

    def _frame(self, frame: Samples) -> None:
        seconds, db = FRAME / RATE, level_db(frame)
        if self._gate_s > 0:
            self._gate_s -= seconds
            return
        if not self._open:  # half duplex: our own voice must not be heard as an answer
            self.level = Level(db=db, speaking=False)
            return
        edge, speech = self._cutter.take(frame, db)
        self.level = Level(db=db, speaking=self._cutter.speaking)
        if edge == "began":
            self._heard(VoiceBegan())
        if speech is not None:
            self._decode(speech)
        elif not self._cutter.speaking and not self._decoding:
            self._heard(Passed(seconds=seconds))

    def _decode(self, speech: Samples) -> None:
        task = asyncio.get_running_loop().create_task(self._decoded(speech, self._stretch))
        self._decoding.add(task)
        task.add_done_callback(self._decoding.discard)

    async def _decoded(self, speech: Samples, stretch: int) -> None:
        event = await asyncio.to_thread(self._understood, speech)
        if stretch != self._stretch:  # the ear was closed meanwhile: it answers a question that is no longer asked
            return
        if event is not None:
            self._heard(event)

    def _understood(self, speech: Samples) -> AnyHappened | None:
        """Return what a stretch of speech means, and whether its speaker may say so; None for silence."""
        understood = judge(self._ear.hear(speech), self._book, self._ear.bars)
        if not isinstance(understood, Command):
            return None if understood.why == "silence" else Unclear(why=understood.why)
        if self._lock is not None and understood.word in CHECKED:
            verdict = self._lock.verdict(speech)
            if verdict != "wearer":
                return Unrecognised(why=verdict)
        return Heard(command=understood)

    async def settled(self) -> None:
        """Return when nothing is being decoded."""
        while self._decoding:
            await asyncio.gather(*self._decoding)


def _trimmed(speech: list[Samples], ways: Ways) -> Samples:
    """Return a stretch of speech with only a little of the silence that ended it."""
    silent = int((ways.end_s - AFTER_S) * RATE / FRAME)
    kept = speech[:-silent] if len(speech) > silent + BEFORE_FRAMES else speech
    return np.concatenate(kept) if kept else np.zeros(0, np.int16)


def stretches(sound: Samples, ways: Ways | None = None) -> list[Samples]:
    """Return the stretches of speech in a recording, as the loop would cut them out; for benchmarks."""
    ways = ways or Ways()
    cutter = Cutter(ways)
    silence = np.zeros(int(RATE * (ways.end_s + 0.1)) // FRAME * FRAME, np.int16)
    padded = np.concatenate([sound[: len(sound) // FRAME * FRAME], silence])
    frames = (padded[at : at + FRAME] for at in range(0, len(padded), FRAME))
    return [speech for frame in frames if (speech := cutter.take(frame, level_db(frame))[1]) is not None]
