"""What the network takes a stretch of speech for: every form of the grammar against each other and against rivals.

Rivals are negated commands and words that sound alike; what nobody listed is caught by the freely heard phones, which
explain the sound better than any form then does.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from edge.engines.phone_net import FRAME_S, Floats
from edge.engines.pronunciation import Phones
from edge.engines.spelled import NEVER, Spellings, freely
from edge.speech.commands import Command
from edge.speech.grammar import understand
from edge.speech.phrasebook import Phrasebook
from hub.contract.base import Value

LEADING = ("please", "hey pulse")
TRAILING = ("please", "thanks", "thank you")
POLITE = frozenset(word for line in (*LEADING, *TRAILING) for word in line.split())
COMPARED_MAX = 150
"""So many texts are compared in full; the others cannot be the likeliest."""
GAP_MAX = 60.0
"""Differences of log likelihoods beyond this all mean the same: no comparison."""
SLOTS = frozenset({"{minutes}", "{hours}", "{check}", "{text}"})


class Opinion(Value):
    """What the network says of one text.

    `gap` is how much worse the text explains the sound than freely heard phones do (logarithms; 0 is as well), and
    `fit` the same for each of its phones. `margin` is how much more likely its meaning is than any other meaning or
    rival (logarithms, at most GAP_MAX either way).
    """

    text: str
    gap: float
    fit: float
    margin: float
    phones_s: float = 0.0
    """Seconds of sound for each phone of the text: far from 0.1 it is somebody else's."""


class NetOpinion:
    """The network's view of one stretch of speech."""

    def __init__(self, texts: "KnownTexts", shares: Floats) -> None:
        """Compare the sound with those of the known texts that could be in it."""
        self._texts, self._shares = texts, shares
        self._chosen = texts.spellings.likeliest(shares, COMPARED_MAX)
        self._logs = texts.spellings.log_likelihoods(shares, self._chosen)
        self._free = float(Spellings([freely(shares)]).log_likelihoods(shares)[0])

    def best(self) -> Opinion | None:
        """Return the likeliest of all known texts, a rival among them; None where nothing was heard."""
        if not len(self._chosen):
            return None
        at = int(np.argmax(self._logs))
        return self._of(int(self._chosen[at]), float(self._logs[at]))

    def likeliest(self, texts: Sequence[str]) -> Opinion | None:
        """Return the likeliest of some known texts; None where there are none, or where nothing was heard."""
        columns = np.array([self._texts.numbers[text] for text in texts if text in self._texts.numbers], np.int64)
        if not len(columns) or not len(self._chosen):
            return None
        logs = self._texts.spellings.log_likelihoods(self._shares, columns)
        at = int(np.argmax(logs))
        return self._of(int(columns[at]), float(logs[at]))

    def of(self, text: str) -> Opinion | None:
        """Return the opinion of one text; None for one that is not known, or where nothing was heard."""
        at = self._texts.numbers.get(text)
        if at is None or not len(self._chosen):
            return None
        return self._of(at, float(self._texts.spellings.log_likelihoods(self._shares, np.array([at]))[0]))

    def _of(self, at: int, log: float) -> Opinion:
        meanings = self._texts.meanings[self._chosen]
        same = meanings == self._texts.meanings[at]
        own = max(log, float(self._logs[same].max(initial=NEVER)))
        other = float(self._logs[~same].max(initial=NEVER))
        count = max(1, self._texts.lengths[at])
        return Opinion(
            text=self._texts.texts[at],
            gap=float(np.clip(log - self._free, -GAP_MAX, 0.0)),
            fit=float(np.clip((log - self._free) / count, -GAP_MAX, 0.0)),
            margin=float(np.clip(own - other, -GAP_MAX, GAP_MAX)),
            phones_s=len(self._shares) * FRAME_S / count,
        )


class KnownTexts:
    """All forms of a book and their rivals, with their phones; two pronunciations are two entries of one meaning."""

    def __init__(self, book: Phrasebook, rivals: Iterable[str], dictionary: Mapping[str, list[Phones]]) -> None:
        """Spell out all forms; a text with a word that the dictionary lacks is left out."""
        self.texts: list[str] = []
        sequences: list[Phones] = []
        meanings: list[str] = []
        for text in dict.fromkeys((*_commands(book), *rivals)):
            understood = understand(text, book)
            meaning = repr(understood) if isinstance(understood, Command) else text
            for phones in _spelled(text.split(), dictionary):
                self.texts.append(text)
                sequences.append(phones)
                meanings.append(meaning)
        self.numbers = {text: at for at, text in reversed([*enumerate(self.texts)])}
        self.meanings = np.unique(np.array(meanings), return_inverse=True)[1]
        self.lengths = [len(one) for one in sequences]
        self.spellings = Spellings(sequences)


def _commands(book: Phrasebook) -> list[str]:
    """Return every form but dictation, with each number and check word in its slot; polite words around the plain."""
    found = []
    for form in book.forms:
        text = " ".join(form.tokens)
        if "{text}" in text:
            continue
        if "{check}" in text:
            found += [text.replace("{check}", word) for word in book.check_words]
        elif SLOTS.intersection(form.tokens):
            slot = next(iter(SLOTS.intersection(form.tokens)))
            found += [text.replace(slot, " ".join(words)) for words, _ in book.numbers]
        else:
            found += [text, *polite(text)]
    return [text for text in found if isinstance(understand(text, book), Command)]


def polite(text: str) -> list[str]:
    """Return a text with each of the polite words before or after it that the grammar lets go."""
    return [*(f"{word} {text}" for word in LEADING), *(f"{text} {word}" for word in TRAILING)]


def _spelled(words: list[str], dictionary: Mapping[str, list[Phones]]) -> list[Phones]:
    """Return the pronunciations of a text: the first of each word, and for a single word all of them."""
    if any(word not in dictionary for word in words):
        return []
    if len(words) == 1:
        return dictionary[words[0]]
    return [tuple(phone for word in words for phone in dictionary[word][0])]
