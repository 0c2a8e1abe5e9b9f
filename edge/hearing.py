"""From blocks of sound to events: speech is found, decoded off the loop, judged, and dropped."""

import asyncio
import collections
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from edge.audio.samples import level_db
from edge.engines.ear import RATE, Ear, Samples
from edge.speaker.verification import CHECKED, SpeakerLock
from edge.speech.commands import Doubtful, Refused
from edge.speech.decision import Hearing, judge
from edge.speech.phrasebook import Phrasebook
from edge.speech.segmenter import Edge, Segmenter, Ways, feed
from edge.speech.turn import AnyHappened, HalfHeard, Heard, Passed, Unclear, Unrecognised, VoiceBegan
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
        self._quiet_frames = round(ways.end_s * RATE / FRAME) - 1 - _cut_frames(ways)
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

    def so_far(self) -> Samples | None:
        """Return the stretch that will have ended if nothing more is said, in the one moment when all of it is here."""
        quiet_frames = round(self._state.run_s * RATE / FRAME)
        is_whole = self._state.speaking and quiet_frames == self._quiet_frames
        return np.concatenate(self._speech) if is_whole else None

    def begin_anew(self) -> None:
        """Drop what was half heard; how loud the room is stays known."""
        self._speech = []
        self._before.clear()
        self._state = Segmenter(floor_db=self._state.floor_db)


class _Early(NamedTuple):
    """A stretch that is decoded before it is known to have ended."""

    sound: Samples
    hearing: asyncio.Task[Hearing]


class Hearer:
    """Listens while it is open; `heard` is told what happens, in order. With a `lock` only the wearer approves.

    Decoding begins while the quiet after speech is still waited for. When speech goes on, its result is not used.
    """

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
        self._asked: Phrasebook | None = None
        self._heard = heard
        self._cutter = Cutter(ways or Ways())
        self._rest = np.zeros(0, np.int16)
        self._open = False
        self._gate_s = 0.0
        self._decoding: set[asyncio.Task[None]] = set()
        self._hearings: set[asyncio.Task[Hearing]] = set()
        self._preparing: set[asyncio.Task[None]] = set()
        self._early: _Early | None = None
        self._stretch = 0
        self.level = Level(db=-90.0, speaking=False)

    def listen(self, *, on: bool, asked: Phrasebook | None = None) -> None:
        """Open or close the ear; what was half heard when it closed is dropped. `asked` is what answers a question."""
        if asked is not None and asked != self._asked:
            self._prepare(asked)
        self._asked = asked
        self._open = on
        self._stretch += 1
        self._early = None
        self._gate_s = AFTER_GATE_S if on else 0.0
        self._cutter.begin_anew()

    @property
    def book(self) -> Phrasebook:
        """What may be said now."""
        return self._asked or self._book

    def _prepare(self, asked: Phrasebook) -> None:
        """Let the ear get ready beside the loop, while the question is read out."""
        task = asyncio.get_running_loop().create_task(asyncio.to_thread(self._ear.prepare, asked))
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)

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
        so_far = self._cutter.so_far()
        if so_far is not None and not self._hearings:  # one at a time: whoever stammers must not make a queue
            self._early = _Early(so_far, self._begin_hearing(so_far))
        if speech is not None:
            self._decode(speech)
        elif not self._cutter.speaking and not self._decoding:
            self._heard(Passed(seconds=seconds))

    def _begin_hearing(self, speech: Samples) -> asyncio.Task[Hearing]:
        task = asyncio.get_running_loop().create_task(asyncio.to_thread(self._ear.hear, speech, self._asked))
        self._hearings.add(task)
        task.add_done_callback(self._hearings.discard)
        return task

    def _decode(self, speech: Samples) -> None:
        early, self._early = self._early, None
        is_same = early is not None and np.array_equal(early.sound, speech)
        hearing = early.hearing if early is not None and is_same else self._begin_hearing(speech)
        task = asyncio.get_running_loop().create_task(self._decoded(hearing, speech, self._stretch))
        self._decoding.add(task)
        task.add_done_callback(self._decoding.discard)

    async def _decoded(self, hearing: asyncio.Task[Hearing], speech: Samples, stretch: int) -> None:
        heard = await hearing
        if stretch != self._stretch:  # the ear was closed meanwhile: it answers a question that is no longer asked
            return
        event = self._understood(heard, speech)
        if event is not None:
            self._heard(event)

    def _understood(self, heard: Hearing, speech: Samples) -> AnyHappened | None:
        """Return what a stretch of speech means, and whether its speaker may say so; None for silence."""
        understood = judge(heard, self.book, self._ear.bars)
        if isinstance(understood, Refused):
            return None if understood.why == "silence" else Unclear(why=understood.why)
        command = understood.command if isinstance(understood, Doubtful) else understood
        if self._lock is not None and command.word in CHECKED:
            verdict = self._lock.verdict(speech)
            if verdict != "wearer":
                return Unrecognised(why=verdict)
        if isinstance(understood, Doubtful):
            return HalfHeard(command=command, or_yes=understood.or_yes)
        return Heard(command=command)

    async def settled(self) -> None:
        """Return when nothing is being decoded."""
        while self._decoding or self._hearings or self._preparing:
            await asyncio.gather(*self._decoding, *self._hearings, *self._preparing)


def _cut_frames(ways: Ways) -> int:
    """Return how much of the silence that ends a stretch is not decoded."""
    return int((ways.end_s - AFTER_S) * RATE / FRAME)


def _trimmed(speech: list[Samples], ways: Ways) -> Samples:
    """Return a stretch of speech with only a little of the silence that ended it."""
    silent = _cut_frames(ways)
    kept = speech[:-silent] if len(speech) > silent + BEFORE_FRAMES else speech
    return np.concatenate(kept) if kept else np.zeros(0, np.int16)


def stretches(sound: Samples) -> list[Samples]:
    """Return the stretches of speech in a recording, as the loop would cut them out; for benchmarks."""
    ways = Ways()
    cutter = Cutter(ways)
    silence = np.zeros(int(RATE * (ways.end_s + 0.1)) // FRAME * FRAME, np.int16)
    padded = np.concatenate([sound[: len(sound) // FRAME * FRAME], silence])
    frames = (padded[at : at + FRAME] for at in range(0, len(padded), FRAME))
    return [speech for frame in frames if (speech := cutter.take(frame, level_db(frame))[1]) is not None]
