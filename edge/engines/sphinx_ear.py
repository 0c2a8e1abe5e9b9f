"""The ear that needs no download: a small network of our own beside pocketsphinx with the model from its wheel.

Each stretch of speech is heard three times: by the network, which compares every form of the grammar and its rivals;
by pocketsphinx with a closed grammar and decoys; and by pocketsphinx as a loop of free phones. What the first two name
is weighed by all three. The network knows synthetic voices and noise, pocketsphinx was trained on people.
"""

import tempfile
import threading
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from edge.engines.belief import Evidence, Weights
from edge.engines.ear import RATE, Answers, NoEarError, Samples, usable
from edge.engines.net_opinion import POLITE, KnownTexts, NetOpinion, Opinion, polite
from edge.engines.phone_net import PhoneNet
from edge.engines.pronunciation import Phones, preferred, read_dictionary
from edge.engines.quiet import UNDER_REPLY_DB, filled, quiet_db
from edge.engines.sphinx import LEADS, NEGATIONS, Sphinx, coverage, evened, model_path, negated
from edge.speech.commands import GRANTING, Command, Refused, Word
from edge.speech.decision import Bars, Hearing
from edge.speech.grammar import understand, words_in
from edge.speech.phrasebook import ASKED_KEYS, Phrasebook

K = TypeVar("K")
LANGUAGES = ("en",)
BARS = Bars(
    coverage_min=0.0,
    fit_min=-1_000.0,
    second_min=0.5,
    granting_coverage_min=0.0,
    granting_fit_min=-1_000.0,
    granting_second_min=0.9,
    seconds_max=4.0,
    asking_min=0.05,
    words=((Word.YES, 0.05),),
)
"""Chosen on the voices and texts for calibration alone, see docs/voice.md. What counts is `second`: the belief. Asking,
and a yes to it, have the highest bars at which `tests.bench.ear_training.questions` misses nobody, the first halved."""
INSTALL_AGAIN = "Install Pulse and pocketsphinx again, or choose another `ear` in edge.toml."
TALK = "(talk)"
"""Stands for what is too long to be a command; nobody has to find out what it was."""
FRAMES_PER_S = 100
DICTATED_KEYS = frozenset({"answer"})
FORBIDDEN = ("approve", "go ahead", "do it", "run it", "confirm", "send it")
OBJECTS = ("it", "that", "this")
REPLY_S_MAX = 1.6
"""A lone yes takes no longer, with the quiet before and after it; only what is so short is looked at as one."""
APPROVAL, REPLY = Command(word=Word.APPROVE), Command(word=Word.YES)
"""A reply answers "Approve?" and nothing else, so it has weights of its own."""


class SphinxEar:
    """pocketsphinx and the network, which together make up their mind."""

    name = "pocketsphinx"
    answers: Answers = "choices"
    missing: tuple[str, ...] = ()

    def __init__(self, book: Phrasebook, *, bars: Bars = BARS, weights: Weights | None = None) -> None:
        """Load the model, which takes a second or two.

        Raises:
            NoEarError: the package or a file is missing or damaged, or there is no model for the language.
        """
        if book.language not in LANGUAGES:
            fix = f"Use the vosk engine: `pulse edge setup --language {book.language}`."
            raise NoEarError(f"pocketsphinx has no model for {book.language!r}.", fix=fix)
        self.bars = bars
        self._book = book
        self._asked: tuple[Phrasebook, SphinxEar] | None = None
        self._one_at_a_time, self._preparing = threading.Lock(), threading.Lock()
        try:
            self._load(weights)
        except (OSError, ValueError, RuntimeError) as error:
            raise NoEarError(f"A part of the ear is missing or damaged: {error}.", fix=INSTALL_AGAIN) from error

    def _load(self, weights: Weights | None) -> None:
        """Read what lies beside this file and in pocketsphinx' package."""
        self._weights = weights or _decoded("belief_en.toml", Weights)
        self._rivals = _decoded("rivals_en.toml", dict[str, list[str]])
        decoys = _beside("decoys_en.txt").split()
        if "approve" not in self._rivals or not decoys:  # without them nothing but fewer vetoes would be noticed
            raise ValueError("rivals_en.toml or decoys_en.txt is empty")
        self._dictionary = _pronunciations(self._book, decoys, self._rivals)
        self._net = PhoneNet()
        self._approvals = _texts_meaning(self._book, Word.APPROVE)
        self._lone_approvals = [text for text in self._approvals if " " not in text]
        self._replies = _texts_meaning(self._book, Word.YES)
        self._texts = KnownTexts(self._book, _rival_texts(self._book, decoys, self._rivals), self._dictionary)
        with tempfile.TemporaryDirectory(prefix="pulse-ear-") as folder:
            self._sphinx = Sphinx(self._book, self._dictionary, decoys, Path(folder))

    def prepare(self, book: Phrasebook) -> None:
        """Make an ear for the answers to a question; the one for the last question is forgotten."""
        self._for(book)

    def _for(self, book: Phrasebook) -> "SphinxEar":
        with self._preparing:
            if self._asked is None or self._asked[0] != book:
                self._asked = None  # two at once would take twice the room
                self._asked = (book, SphinxEar(sayable(book), bars=self.bars, weights=self._weights))
            return self._asked[1]

    def hear(self, samples: Samples, book: Phrasebook | None = None) -> Hearing:
        """Return what was said, with the belief in it as `second`."""
        if book is not None:
            return self._for(book).hear(samples)
        seconds = len(samples) / RATE
        sound = usable(samples)
        if sound is None:
            return Hearing(text="", seconds=seconds)
        if seconds > self.bars.seconds_max:
            return Hearing(text=TALK, seconds=seconds)
        found = self.weigh(sound)
        if not found:
            return Hearing(text="", seconds=seconds)
        believed = {text: self._believe(text, evidence) for text, evidence in found.items()}
        text = max(believed, key=lambda one: believed[one])
        if not self._is_command(text, believed[text]):  # nothing else counts: then a yes may, for whoever was asked
            text = next((one for one in self._replies if one in found), text)
        suspected = {one: self._weights.suspect(found[one]) for one in self._approvals if one in found}
        maybe = max(suspected, key=lambda one: suspected[one], default="")
        return Hearing(
            text=text,
            second=believed[text],
            seconds=seconds,
            maybe=maybe,
            maybe_second=suspected.get(maybe, 0.0),
        )

    def weigh(self, sound: Samples) -> dict[str, Evidence]:
        """Return the texts that may have been said, each with its evidence; none where nothing is heard."""
        even = evened(sound)
        judged = NetOpinion(self._texts, self._net.hear(filled(even)))
        best = judged.best()
        with self._one_at_a_time:
            words, words_score = self._sphinx.words(even)
            text = " ".join(word for word, _, _ in words)
            likely = (best, judged.of(text), judged.likeliest(self._approvals), judged.likeliest(self._replies))
            opinions = [one for one in likely if one is not None]
            asked = any(isinstance(understand(one.text, self._book), Command) for one in opinions)
            phones, phones_score = self._sphinx.phones(even) if asked else ([], 0.0)
        heard = _Heard(
            meaning=understand(text, self._book),
            fit=(words_score - phones_score) / max(1.0, len(sound) / RATE * FRAMES_PER_S),
            coverage=coverage(words, phones),
            phones=tuple(phone for phone, _, _ in phones),
            quiet_db=quiet_db(even),
        )
        found = {one.text: self._evidence(one, best, heard) for one in opinions}
        again = self._again(even, heard) if len(even) <= REPLY_S_MAX * RATE else {}
        quiet = {text for text in again if text in found and self._is_less_suspect(again[text], found[text], text)}
        return found | {text: evidence for text, evidence in again.items() if text not in quiet}

    def _again(self, even: Samples, heard: "_Heard") -> dict[str, Evidence]:
        """Return the evidence of a lone yes and a lone approval where the network hears more noise in the sound.

        Neither lets anything run by itself: the one only answers a question, the other only asks it.
        """
        judged = NetOpinion(self._texts, self._net.hear(filled(even, UNDER_REPLY_DB)))
        best = judged.best()
        opinions = (judged.likeliest(self._replies), judged.likeliest(self._lone_approvals))
        return {one.text: self._evidence(one, best, heard) for one in opinions if one is not None}

    def _is_less_suspect(self, again: Evidence, first: Evidence, text: str) -> bool:
        is_approval = text in self._lone_approvals
        return is_approval and self._weights.suspect(again) <= self._weights.suspect(first)

    def _evidence(self, opinion: Opinion, best: Opinion | None, heard: "_Heard") -> Evidence:
        meaning = understand(opinion.text, self._book)
        first = None if best is None else understand(best.text, self._book)
        agreed = heard.meaning == meaning and isinstance(meaning, Command)
        return Evidence(
            net_gap=opinion.gap,
            net_fit=opinion.fit,
            net_margin=opinion.margin,
            phones_s=opinion.phones_s,
            named=first == meaning,
            agreed=agreed,
            contrary=isinstance(heard.meaning, Command) and not agreed,
            sphinx_fit=heard.fit if agreed else 0.0,
            coverage=heard.coverage if agreed else 0.0,
            sounds=preferred(heard.phones, tuple(opinion.text.split()), self._rivals, self._dictionary),
            quiet_db=heard.quiet_db,
        )

    def _is_command(self, text: str, much: float) -> bool:
        return much >= self.bars.second_min and isinstance(understand(text, self._book), Command)

    def _believe(self, text: str, evidence: Evidence) -> float:
        meaning = understand(text, self._book)
        if meaning == REPLY:
            return self._weights.agree(evidence)
        if meaning == APPROVAL:  # alone it is never sure, only asked about: "a prove" sounds the same
            return self._weights.approve(evidence) if " " in text else 0.0
        return self._weights.believe(evidence, granting=isinstance(meaning, Command) and meaning.word in GRANTING)


class _Heard(NamedTuple):
    """What pocketsphinx made of a stretch, and how noisy it is."""

    meaning: Command | Refused
    fit: float
    coverage: float
    phones: Phones
    quiet_db: float


def sayable(book: Phrasebook) -> Phrasebook:
    """Return a question's book without what this ear cannot hear: dictation, and words that it has no sound for."""
    asked = [form for form in book.forms if form.key in ASKED_KEYS]
    words = {word for form in asked for word in form.tokens}
    known = read_dictionary(Path(model_path("en-us/cmudict-en-us.dict")), words)
    dropped = {form for form in asked if not known.keys() >= {*form.tokens}}
    lines = {(form.key, " ".join(form.tokens)) for form in dropped}
    return replace(
        book,
        forms=tuple(form for form in book.forms if form not in dropped and form.key not in DICTATED_KEYS),
        patterns=tuple(line for line in book.patterns if line not in lines and line[0] not in DICTATED_KEYS),
    )


def _texts_meaning(book: Phrasebook, word: Word) -> list[str]:
    """Return the plain forms of a meaning, without slots."""
    texts = [" ".join(form.tokens) for form in book.forms if form.key == word]
    return [text for text in texts if "{" not in text]


def _beside(name: str) -> str:
    return (resources.files("edge.engines") / name).read_text(encoding="utf-8")


def _decoded(name: str, kind: type[K]) -> K:
    """Return a table that lies beside this file.

    Raises:
        ValueError: it is damaged.
    """
    try:
        return msgspec.toml.decode(_beside(name), type=kind)
    except msgspec.DecodeError as error:
        raise ValueError(f"{name}: {error}") from error


def _rival_texts(book: Phrasebook, decoys: list[str], rivals: dict[str, list[str]]) -> list[str]:
    """Return what must not pass for a command: what sounds alike, as plain, polite and long as that, and negations."""
    alike = [*decoys, *(word for words in rivals.values() for word in words)]
    approve = [form for word in rivals.get("approve", []) for form in (*_with_objects(word), *polite(word))]
    objects = _with_objects("approve")
    return [
        text
        for text in (*alike, *approve, *negated([*FORBIDDEN, *objects]))
        if isinstance(understand(text, book), Refused)
    ]


def _with_objects(word: str) -> list[str]:
    return [f"{word} {thing}" for thing in OBJECTS]


def _pronunciations(book: Phrasebook, decoys: list[str], rivals: dict[str, list[str]]) -> dict[str, list[Phones]]:
    """Return how everything is said that is listened for.

    Raises:
        NoEarError: the dictionary lacks a word of the book.
    """
    wanted = {*words_in(book), *decoys, *LEADS, *OBJECTS, *POLITE}
    wanted |= {word for line in NEGATIONS for word in line.split()}
    wanted |= {word for names in rivals.values() for rival in names for word in rival.split()}
    known = read_dictionary(Path(model_path("en-us/cmudict-en-us.dict")), wanted)
    missing = sorted(set(words_in(book)) - set(known))
    if missing:
        raise NoEarError(f"pocketsphinx does not know how these are said: {', '.join(missing)}.")
    return known
