"""The conversation on a desk: typed, or heard from recordings, with states and levels shown. Sends nothing."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np

from edge.app import manner_of
from edge.engines.choice import make_ear
from edge.engines.ear import RATE, Samples
from edge.hearing import AFTER_GATE_S, FRAME, Hearer
from edge.made_up import made_up
from edge.phrase_files import phrasebook
from edge.recordings import read_sound
from edge.settings import EdgeSettings
from edge.speaker.verification import SpeakerLock
from edge.speech.commands import Command, Refused, Word
from edge.speech.grammar import understand
from edge.speech.turn import (
    Answer,
    AnyAct,
    AnyHappened,
    CardCame,
    HalfHeard,
    Heard,
    Judged,
    Passed,
    Play,
    Speak,
    Spoken,
    Turn,
    Unclear,
    Unrecognised,
    VoiceBegan,
)
from edge.speech.turns import step
from hub.contract.words import Risk

APPROVAL = Command(word=Word.APPROVE)
TIME_OUT = "…"
"""Typed, it lets the time run out."""
HOW = f"Type what you would say; {TIME_OUT} lets the time run out, Ctrl-D ends. Nothing is sent anywhere.\n"
YOU = "you:  "
BAR_DB = 60
BLOCK = FRAME * 10
"""Samples of one line of levels."""
SILENCE_S = 1.0
"""Longer than the quiet that ends speech: recordings mostly end with their last word."""


def run(
    settings: EdgeSettings,
    prompt: str,
    risk: str,
    *,
    wavs: Sequence[Path],
    typed: TextIO,
    shown: TextIO,
    lock: SpeakerLock | None = None,
) -> None:
    """Hold one conversation about a card until it or the input ends: that of the recordings, or what is typed."""
    recordings = [read_sound(path) for path in wavs]
    if not recordings and typed.isatty():
        shown.write(HOW)
    stage = Stage(settings, shown)
    stage.tell(CardCame(delivery=made_up(prompt, Risk(risk))))
    if recordings:
        asyncio.run(_from_recordings(settings, stage, recordings, lock))
        return
    for text in _lines(typed, shown):
        stage.hear_text(text)
        if stage.turn.phase == "idle":
            return


def _lines(typed: TextIO, shown: TextIO) -> Iterator[str]:
    """Yield what is typed, until it ends; a person at a terminal sees whose turn it is."""
    you = YOU if typed.isatty() else ""
    while True:
        shown.write(you)
        shown.flush()
        line = typed.readline()
        if not line:
            shown.write("\n" if you else "")
            return
        if line.strip():
            yield line.strip()


class Stage:
    """A conversation whose acts are shown instead of done."""

    def __init__(self, settings: EdgeSettings, shown: TextIO) -> None:
        self._manner = manner_of(settings)
        self._book = phrasebook(settings.language)
        self.shown = shown
        self.turn = Turn()

    def tell(self, event: AnyHappened) -> None:
        """Let one thing happen, show what follows, and let what is said be heard to its end at once."""
        before = self.turn.phase
        self.turn, acts = step(self.turn, self._manner, event)
        for act in acts:
            self._show(act)
        if self.turn.phase != before:
            self.shown.write(f"  [{before} → {self.turn.phase}]\n")
        for act in acts:
            if isinstance(act, Answer):
                self.tell(Judged(decision=act.number, accepted=True, text=self._manner.sentences.say("answered")))
            elif isinstance(act, Speak):
                self.tell(Spoken(number=act.number))

    def hear_text(self, text: str) -> None:
        """Take a typed line as what was heard."""
        if text == TIME_OUT:
            self.tell(Passed(seconds=60.0))
            return
        understood = understand(text, self._book)
        if isinstance(understood, Refused):
            self.tell(Unclear(why=understood.why))
        elif understood == APPROVAL and " " not in text:  # worn, the glasses are never sure of a lone one
            self.tell(HalfHeard(command=understood))
        else:
            self.tell(Heard(command=understood))

    def _show(self, act: AnyAct) -> None:
        match act:
            case Speak():
                self.shown.write(f"says: {act.text}\n")
            case Play():
                self.shown.write(f"plays: {act.chime}\n")
            case Answer():
                self.shown.write(f"answers: {act.verb}\n")


async def _from_recordings(
    settings: EdgeSettings, stage: Stage, recordings: Sequence[Samples], lock: SpeakerLock | None
) -> None:
    """Hear one recording after the other; what is understood counts before more is heard."""
    shown = stage.shown

    def heard(event: AnyHappened) -> None:
        if not isinstance(event, Passed):
            shown.write(f"hears: {_told(event)}\n")
        stage.tell(event)

    hearer = Hearer(await asyncio.to_thread(make_ear, settings), phrasebook(settings.language), heard, lock=lock)
    hearer.listen(on=True)
    gate, silence = (np.zeros(int(seconds * RATE), np.int16) for seconds in (AFTER_GATE_S, SILENCE_S))
    sound = np.concatenate([gate, *(part for recording in recordings for part in (recording, silence))])
    for at in range(0, len(sound), BLOCK):
        hearer.hear(sound[at : at + BLOCK])
        bar = "#" * max(0, round((hearer.level.db + BAR_DB) / 3)) if np.isfinite(hearer.level.db) else ""
        shown.write(f"  {at / RATE:6.2f} s {bar}{' speaking' if hearer.level.speaking else ''}\n")
        await hearer.settled()


def _told(event: AnyHappened) -> str:
    """Say what was heard."""
    match event:
        case Heard(command=command):
            more = (str(command.minutes or ""), command.moment, command.text, command.check)
            return " ".join(word for word in (command.word, *more) if word)
        case HalfHeard(command=command):
            return f"something like {command.word}"
        case Unclear(why=why):
            return f"nothing that counts ({why})"
        case Unrecognised(why=why):
            return f"an approval in a voice that is not surely the wearer's ({why})"
        case VoiceBegan():
            return "someone is speaking"
        case _:
            return type(event).__name__
