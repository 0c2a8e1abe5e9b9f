"""What comes of a spoken answer in a conversation of at most two turns, by the glasses' own table, without a clock.

A card of low risk has been read out. The first recording is heard; where that makes the glasses ask "Approve?", the
second is. Whatever is said while they speak is not heard, as with a closed ear.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from edge.engines.ear import Samples
from edge.made_up import PROMPT, made_up
from edge.phrase_files import sentences
from edge.recordings import YES, Recording, read_sound
from edge.speech.commands import Command, Doubtful, Refused
from edge.speech.phrasebook import Phrasebook, words_of
from edge.speech.turn import (
    Answer,
    AnyAct,
    AnyHappened,
    CardCame,
    HalfHeard,
    Heard,
    Manner,
    Speak,
    Spoken,
    Turn,
    Unclear,
)
from edge.speech.turns import step
from hub.contract.words import Risk, Verb

Understood = Command | Doubtful | Refused
PROGRAMS: dict[str, tuple[str, ...]] = {
    "espeak": ("espeak-ng", "-v", "en-us", "-w", "{file}", "{text}"),
    "flite": ("flite", "-voice", "slt", "-t", "{text}", "-o", "{file}"),
}
"""Who says a yes for which kind of voice, where the recordings hold none of that kind."""
SAY_S_MAX = 30


class Spoke(NamedTuple):
    """What came of it: whether it was approved, in how many turns, and whether the glasses asked "Approve?"."""

    approved: bool
    turns: int
    asked: bool


def converse(first: Iterable[Understood], second: Callable[[], Iterable[Understood]], book: Phrasebook) -> Spoke:
    """Return what comes of a first answer; the `second` is only heard when it is asked for."""
    manner = Manner(sentences=sentences(book.language), check_words=book.check_words, ordinals=book.questions.ordinals)
    turn, _ = _told(Turn(), manner, CardCame(delivery=made_up(PROMPT, Risk.LOW)))
    turn, approved = _heard(turn, manner, first)
    if approved or turn.phase != "asking":
        return Spoke(approved, 1, asked=False)
    _, approved = _heard(turn, manner, second())
    return Spoke(approved, 2, asked=True)


def _heard(turn: Turn, manner: Manner, understood: Iterable[Understood]) -> tuple[Turn, bool]:
    """Let the stretches of one recording be heard, until the glasses speak or send something."""
    for one in understood:
        turn, acts = _told(turn, manner, _event(one))
        if any(isinstance(act, Answer) for act in acts):
            return turn, any(isinstance(act, Answer) and act.verb is Verb.APPROVE for act in acts)
        if any(isinstance(act, Speak) for act in acts):
            break
    return turn, False


def _told(turn: Turn, manner: Manner, event: AnyHappened) -> tuple[Turn, tuple[AnyAct, ...]]:
    """Let one thing happen, and what is said be heard to its end."""
    turn, acts = step(turn, manner, event)
    for act in acts:
        if isinstance(act, Speak):
            turn, _ = step(turn, manner, Spoken(number=act.number))
    return turn, acts


def _event(understood: Understood) -> AnyHappened:
    match understood:
        case Command():
            return Heard(command=understood)
        case Doubtful(command=command, or_yes=or_yes):
            return HalfHeard(command=command, or_yes=or_yes)
        case Refused(why=why):
            return Unclear(why=why)


def is_yes(recording: Recording, book: Phrasebook) -> bool:
    """Say whether a recording is a bare yes: labelled so, or by its text."""
    return recording.label == YES or words_of(recording.text) == yes_of(book)


def yes_of(book: Phrasebook) -> tuple[str, ...]:
    """Return the words of a yes in a language."""
    return next(form.tokens for form in book.forms if form.key == YES)


class Replies:
    """The clips of "yes" that answer "Approve?": the same voice's where there is one, else one of the same kind."""

    def __init__(self, folder: Path, recordings: Sequence[Recording], book: Phrasebook) -> None:
        self._folder, self._text = folder, " ".join(yes_of(book))
        self._clips = [one for one in recordings if is_yes(one, book)]
        self._made: dict[str, Samples | None] = {}
        self._turn = 0

    def to(self, recording: Recording) -> Samples | None:
        """Return a yes for whoever says that recording; None where none can be had."""
        kind = [one for one in self._clips if one.kind == recording.kind]
        voice = [one for one in self._clips if one.voice and one.voice == recording.voice]
        clips = voice or kind
        if clips:
            self._turn += 1
            return read_sound(self._folder / clips[self._turn % len(clips)].file)
        if recording.kind not in self._made:
            self._made[recording.kind] = self._say(recording.kind)
        return self._made[recording.kind]

    def _say(self, kind: str) -> Samples | None:
        """Let the synthesizer that a kind is called after say yes, or one that is here."""
        here = {name: line for name, line in PROGRAMS.items() if shutil.which(line[0])}
        named = [line for name, line in here.items() if kind.startswith(name)]
        program = next(iter([*named, *here.values()]), None)
        if program is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "yes.wav"
            line = [part.format(file=path, text=self._text) for part in program]
            subprocess.run(line, check=True, timeout=SAY_S_MAX)  # noqa: S603  one of PROGRAMS
            return read_sound(path)
