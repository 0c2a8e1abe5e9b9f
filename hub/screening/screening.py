"""Read a text in every reading, commands by their parsers and the rest by what was learnt, and say how sure we are."""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.kit.fold import fold
from hub.screening.commands import CommandReading, CommandSpan, find_commands, is_dangerous, read_command
from hub.screening.effects import HARMLESS, Certainty
from hub.screening.prose import Weights, read_prose, score_of, shipped
from hub.screening.readings import READING_CHARS_MAX, readings

SCREENED_CHARS_MAX = 16_384
"""A longer text is not screened but blocked; the API takes at most 4,000 characters."""
EVIDENCE_CHARS_MAX = 160
SENTENCE_CHARS_MIN = 12
"""A shorter sentence is read with the one after it."""
LINE_CHARS_MAX = 80
"""A text up to this long that begins in lower case may as a whole be a command that nothing else marks as one."""
WHOLE_SHARE = 0.9
"""A command that makes up this much of a text is the text."""
_EARNEST = frozenset({Effect.READS_SECRETS, Effect.DELETES, Effect.MESSAGES, Effect.PAYS, Effect.CHANGES_PERMISSIONS})
"""What is run as a command and is certain to do one of these is blocked, whatever its words."""

_SENTENCE_END = re.compile(r"\.(?=\s)|[!?](?=\s+[^a-z\s])|\n+")

Outcome = Literal["block", "ask", "pass"]

REASONS: dict[Effect, str] = {
    Effect.READS_SECRETS: "reveal a secret",
    Effect.RUNS_UNKNOWN_CODE: "run code that nobody here has read",
    Effect.DELETES: "delete or change something that is hard to recover",
    Effect.LEAVES_THE_MACHINE: "send data to another machine",
    Effect.MESSAGES: "message other people or publish something",
    Effect.PAYS: "spend or move money",
    Effect.CHANGES_PERMISSIONS: "change permissions",
    Effect.CHANGES_SYSTEM: "change this computer outside the workspace",
    Effect.TOUCHES_PRODUCTION: "change what other people use",
}
"""What each dangerous effect would do, to put behind "It would" or "It may"."""


class Screening(Value):
    """What a text would do, and how sure that is.

    ``score`` is 0 where danger is as likely as not and grows with certainty (a logit). ``effects`` and ``evidence`` say
    what spoke for the outcome, weightiest first; both are empty where a text passes.
    """

    outcome: Outcome
    score: float = 0.0
    effects: tuple[Effect, ...] = ()
    evidence: tuple[str, ...] = ()
    reason: str = ""

    @property
    def rule(self) -> str:
        """A stable name of what was found: an effect's, `unread`, or nothing where the text passes."""
        if self.outcome == "pass":
            return ""
        return self.effects[0].value if self.effects else "unread"


class Passage(Value):
    """A part of a text in one reading, with the commands in it, and what the learnt reader makes of both."""

    text: str
    commands: tuple[CommandReading, ...]
    score: float
    names: tuple[str, ...]


def screen(text: str) -> Screening:
    """Say what a prompt would have an agent do. Pure and total: never raises, whatever the text."""
    if len(text) > SCREENED_CHARS_MAX or len(fold(text)) > READING_CHARS_MAX:
        return _unread(text)
    return _judged(worst_passage(text)) if text.strip() else Screening(outcome="pass")


def screen_command(text: str) -> Screening:
    """Say what a text would do that is run as a command or script, so that nothing in it is mere talk."""
    if len(text) > SCREENED_CHARS_MAX:
        return _unread(text)
    return _by_effects(screen(text), text)


def _by_effects(told: Screening, command: str) -> Screening:
    """Return what was made of the words, or more where the command is certain to do what is blocked."""
    reading = read_command(command)
    earnest = reading.certainty is Certainty.CERTAIN and _EARNEST.intersection(reading.effects)
    if told.outcome == "block" or not earnest:
        return told
    return _found("block", told.score, _dangerous((reading,)), reading.evidence)


def screen_argv(argv: Sequence[str], data: Collection[str] = ()) -> Screening:
    """Say what a command would do that is started word by word; the words of ``data`` are operands, no talk.

    A program is not told to do what its operands say: a message or a file's name is no order. They count as what the
    command's parser makes of them there, and no further.
    """
    text = shlex.join(argv)
    if not data or len(text) > SCREENED_CHARS_MAX:
        return screen_command(text)
    return _by_effects(screen(shlex.join(word for word in argv if word not in data)), text)


def worst_passage(text: str, weights: Weights | None = None) -> Passage:
    """Return the part of ``text``, in any reading, that leans most towards danger."""
    return max(
        (passage for reading in readings(text) for passage in _passages(reading, weights or shipped())),
        key=lambda passage: passage.score,
    )


def passage_names(text: str, spans: Iterable[CommandSpan]) -> tuple[str, ...]:
    """Name what the commands of a text would do, for the learnt reader to weigh."""
    size = len(text.strip())
    names: dict[str, None] = {}
    for span in spans:
        for effect in span.reading.effects:
            names |= dict.fromkeys((effect.value, f"{effect}-{span.reading.certainty}"))
            names[f"{effect}-{'marked' if span.marked else 'loose'}"] = None
            if span.end - span.start >= WHOLE_SHARE * size:
                names[f"whole-{effect}"] = None
    if not names and size <= LINE_CHARS_MAX and text.strip()[:1].islower():
        line = read_command(text)  # `sort names.txt` may be one; "sort the names" is read as one, too, and weighed so
        names = dict.fromkeys(f"line-{effect}" for effect in line.effects if line.understood)
    return tuple(names)


def _passages(reading: str, weights: Weights) -> Iterator[Passage]:
    spans = find_commands(reading)
    for start, end in _cuts(reading):
        within = [span for span in spans if start <= span.start and span.end <= end]
        names = passage_names(reading[start:end], within)
        yield Passage(
            text=reading[start:end],
            commands=tuple(span.reading for span in within),
            score=score_of(reading[start:end], names, weights),
            names=names,
        )


def _cuts(reading: str) -> Iterator[tuple[int, int]]:
    """Yield where to read: the whole, and each sentence too, so that the rest does not drown it."""
    yield 0, len(reading)
    start = 0
    for match in _SENTENCE_END.finditer(reading):
        if match.end() - start >= SENTENCE_CHARS_MIN:
            yield start, match.end()
            start = match.end()
    if start and reading[start:].strip():
        yield start, len(reading)


def _judged(passage: Passage) -> Screening:
    weights = shipped()
    if passage.score <= weights.ask_above:
        return Screening(outcome="pass", score=passage.score)
    outcome: Outcome = "block" if passage.score > weights.block_above else "ask"
    leaning = read_prose(passage.text, passage.names)
    dangerous = _dangerous(passage.commands)
    spoke = tuple(word for reading in passage.commands if is_dangerous(reading) for word in reading.evidence)
    return _found(outcome, passage.score, dangerous or (leaning.kind,), spoke or leaning.evidence)


def _dangerous(readings_of_commands: Iterable[CommandReading]) -> tuple[Effect, ...]:
    found = {effect for reading in readings_of_commands for effect in reading.effects} - HARMLESS
    return tuple(effect for effect in REASONS if effect in found)


def _found(outcome: Outcome, score: float, effects: tuple[Effect, ...], evidence: tuple[str, ...]) -> Screening:
    modal = "would" if outcome == "block" else "may"
    shown = tuple(" ".join(piece.split())[:EVIDENCE_CHARS_MAX] for piece in evidence)
    reason = f"It {modal} {REASONS[effects[0]]}."
    return Screening(outcome=outcome, score=score, effects=effects, evidence=shown, reason=reason)


def _unread(text: str) -> Screening:
    reason = "It is too long to be checked. Shorten it and try again."
    return Screening(outcome="block", evidence=(text[:EVIDENCE_CHARS_MAX],), reason=reason)
