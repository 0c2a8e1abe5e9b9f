"""The ear that understands most: vosk with a model that a person has fetched (any language that vosk has).

Its grammar is the words of all forms, those that forbid or quote, words that sound like them, and `[unk]` for all else.
What a model does not know is left out and kept in `missing`: where that is a word that forbids, or `[unk]`, "do not
approve" may be heard as "approve", so that no approval of such an ear counts without a question. The second opinion
is vosk's own confidence of its least certain word; an approval that it is half sure of is asked about. A sentence
that answers a question begins with words of the grammar, and is then heard again with all words that the model knows.
"""

import threading
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from edge.engines.ear import NEVER, RATE, Answers, NoEarError, Samples, usable
from edge.speech.commands import Command, Word
from edge.speech.decision import Bars, Hearing
from edge.speech.grammar import understand, words_in
from edge.speech.phrasebook import Phrasebook

UNKNOWN = "[unk]"
BARS = Bars(
    coverage_min=0.5,
    fit_min=-1.0,
    second_min=0.6,
    granting_coverage_min=0.7,
    granting_fit_min=-1.0,
    granting_second_min=0.9,
    asking_min=0.6,
)
"""Careful guesses: no model could be had to calibrate them."""


class _Word(msgspec.Struct):
    word: str
    start: float = 0.0
    end: float = 0.0
    conf: float = 0.0


class _Result(msgspec.Struct):
    text: str = ""
    result: list[_Word] = []


class VoskEar:
    """vosk with a grammar."""

    name = "vosk"
    answers: Answers = "words"

    def __init__(self, book: Phrasebook, model: str) -> None:
        """Load a model folder.

        Raises:
            NoEarError: no folder was named, it does not exist, or vosk is missing or refuses it.
        """
        if not model or not Path(model).is_dir():
            raise NoEarError(
                f"There is no vosk model at {model or '(nowhere)'!r}.", fix="`pulse edge setup` fetches one."
            )
        try:
            import vosk  # type: ignore[import-untyped]  # it has no types  # noqa: PLC0415  loads a C library: only when this ear is used
        except (ImportError, OSError) as error:
            raise NoEarError("The package vosk is not installed.", fix="pip install vosk") from error
        vosk.SetLogLevel(-1)
        try:
            loaded = vosk.Model(model)
        except Exception as error:
            raise NoEarError(f"vosk cannot read the model at {model}: {error}.") from error

        def knows(word: str) -> bool:
            return bool(loaded.vosk_model_find_word(word) >= 0)

        self.missing = missing_in(book, knows)
        self.bars = bars_without(self.missing, book)
        self._recognizer = Recognizers(lambda *grammars: vosk.KaldiRecognizer(loaded, RATE, *grammars), book, knows)

    def hear(self, samples: Samples, book: Phrasebook | None = None) -> Hearing:
        """Return what was said."""
        seconds = len(samples) / RATE
        usable_samples = usable(samples)
        if usable_samples is None:
            return Hearing(text="", seconds=seconds)
        return self._recognizer.hear(usable_samples, seconds, book)

    def prepare(self, book: Phrasebook) -> None:
        """Compile the words of a question's answers."""
        self._recognizer.prepare(book)


class Recognizers:
    """One for every day, one for the answers to the question that is asked, and one with all words for sentences."""

    def __init__(self, make: Callable[..., Any], book: Phrasebook, knows: Callable[[str], bool]) -> None:
        """Take what makes a recognizer of the words that it shall know; without any it knows all of its model."""
        self._make = make
        self._knows = knows
        self._every_day = self._made(grammar(book, knows))
        self._asked: tuple[Phrasebook, Any] | None = None
        self._all: Any = None
        self._one_at_a_time = threading.Lock()

    def prepare(self, book: Phrasebook) -> None:
        """Make what hears the answers to a question."""
        with self._one_at_a_time:
            self._for(book)

    def hear(self, samples: Samples, seconds: float, book: Phrasebook | None) -> Hearing:
        """Return what was said; a sentence is taken from all words, behind those that announce it."""
        with self._one_at_a_time:
            heard = as_hearing(_result(self._for(book), samples), seconds)
            if book is None or not is_sentence(heard.text, book):
                return heard
            if self._all is None:
                self._all = self._made()
            whole = as_hearing(_result(self._all, samples), seconds)
        return whole if is_sentence(whole.text, book) else Hearing(text="", seconds=seconds)

    def _for(self, book: Phrasebook | None) -> Any:  # noqa: ANN401  vosk has no types
        if book is None:
            return self._every_day
        if self._asked is None or self._asked[0] != book:
            self._asked = (book, self._made(grammar(book, self._knows)))
        return self._asked[1]

    def _made(self, *grammars: str) -> Any:  # noqa: ANN401  as above
        made = self._make(*grammars)
        made.SetWords(True)  # noqa: FBT003  vosk's only form
        return made


def is_sentence(text: str, book: Phrasebook) -> bool:
    """Say whether a sentence of the person's own follows the words that announce one."""
    understood = understand(text, book)
    return isinstance(understood, Command) and understood.word is Word.ANSWER


def _result(recognizer: Any, samples: Samples) -> str:  # noqa: ANN401  vosk has no types
    recognizer.Reset()
    recognizer.AcceptWaveform(samples.tobytes())
    return str(recognizer.FinalResult())


def as_hearing(document: str, seconds: float) -> Hearing:
    """Return vosk's result as evidence; `[unk]` stays in the text, and so makes it no command."""
    result = msgspec.json.decode(document, type=_Result)
    if not result.result:
        return Hearing(text="", seconds=seconds)
    span = sum(word.end - word.start for word in result.result)
    whole = max(result.result[-1].end - result.result[0].start, 0.01)
    sure = min(word.conf for word in result.result)
    return Hearing(
        text=result.text,
        coverage=min(1.0, span / whole),
        second=sure,
        seconds=seconds,
        maybe=result.text,
        maybe_second=sure,
    )


def grammar(book: Phrasebook, knows: Callable[[str], bool]) -> str:
    """Return the words that vosk shall choose from, as it wants them: those of a book, decoys, and UNKNOWN.

    What forbids or quotes is among them, or its sound would be taken for the nearest command. What is heard as a decoy
    is no form, and so no command. Words that the model does not know are left out, as vosk would by itself.
    """
    decoys = (resources.files("edge.engines") / f"decoys_{book.language}.txt").read_text(encoding="utf-8").split()
    words = dict.fromkeys((*words_in(book), *sorted(book.negation | book.quotation), *decoys, UNKNOWN))
    return msgspec.json.encode([word for word in words if knows(word)]).decode()


def missing_in(book: Phrasebook, knows: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the words of a book that a model does not know, and UNKNOWN where it lacks that."""
    words = dict.fromkeys((*words_in(book), *sorted(book.negation | book.quotation), UNKNOWN))
    return tuple(word for word in words if not knows(word))


def bars_without(missing: Iterable[str], book: Phrasebook) -> Bars:
    """Return the bars of a model that lacks these words: without all that forbids, nothing granting is ever sure."""
    deaf = (book.negation | book.quotation | {UNKNOWN}).intersection(missing)
    return replace(BARS, granting_second_min=NEVER.granting_second_min) if deaf else BARS
