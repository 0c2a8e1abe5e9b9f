"""What the learnt reader looks at in a text: letters, words, neighbours, and how each clause begins.

A clause that begins with "explain" speaks of the words after it, one that begins with "wipe" orders something about
them; so the first word of a clause counts together with each word that follows, and words after a "not" count apart.
The script that learns and the reader at run time share this file: what changes here needs new weights.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

LETTERS_MIN, LETTERS_MAX = 3, 4
STEM_CHARS = 5
WORD_CHARS_MAX = 32
LENGTH_STEP_WORDS, LENGTH_STEPS_MAX = 3, 6

_WORD = re.compile(r"[^\W_]+(?:['_-][^\W_]+)*")
_MARKS = re.compile(r"[^\w\s]{1,3}")
_DIGITS = re.compile(r"\d+")
_CLAUSES = re.compile(r"[.;:!?\n]+(?=\s|$)|,\s*|\s{1,16}+(?=(?:and|then|und|dann)\b)")
_NEGATION = re.compile(r"not|never|don't|dont|no|nothing|without|keine?|nicht|nichts|nie|ohne|avoid|instead")
_PREAMBLE = re.compile(
    r"please|bitte|kindly|just|could|can|would|you|mal|hey|hi|ok|now|go|ahead|first|also|then|and|und|dann|kannst|du"
    r"|let's|i|want|need|to|like|i'd"
)


class Feature(NamedTuple):
    """``name`` is what is weighed; ``shown`` are the words of the text that it stands for."""

    name: str
    shown: str


def words_of(text: str) -> list[str]:
    """Return the words of a lower-case text; any number is a 0."""
    return [_DIGITS.sub("0", word[:WORD_CHARS_MAX]) for word in _WORD.findall(text)]


def features(folded: str, commands: Iterable[str] = ()) -> Iterator[Feature]:
    """Yield everything to weigh in a text that was folded; ``commands`` name what commands within it would do."""
    text = folded.lower()
    words = words_of(text)
    yield from _letters(words)
    yield from (Feature(f"p{mark}", "") for mark in _MARKS.findall(text))
    yield from (Feature(f"w{word}", word) for word in words)
    yield from (Feature(f"b{one} {two}", f"{one} {two}") for one, two in pairwise(words))
    for number, clause in enumerate(_CLAUSES.split(text)):
        yield from _clause(words_of(clause), is_first=number == 0)
    yield from _whole(text, words)
    yield from _commands(words[0] if words else "", tuple(commands))


def _letters(words: list[str]) -> Iterator[Feature]:
    for word in words:
        framed = f" {word} "
        for size in range(LETTERS_MIN, LETTERS_MAX + 1):
            for at in range(len(framed) - size + 1):
                yield Feature(f"c{framed[at : at + size]}", word)


def _clause(words: list[str], *, is_first: bool) -> Iterator[Feature]:
    start = next((at for at, word in enumerate(words[:-1]) if not _PREAMBLE.fullmatch(word)), max(0, len(words) - 1))
    head, *rest = words[start:] or [""]
    if not head:
        return
    yield Feature(f"h{head}", head)
    if is_first:
        yield Feature(f"H{head}", head)
    negated = _NEGATION.fullmatch(head) is not None
    for word in rest:
        yield Feature(f"x{head}>{word}", f"{head} … {word}")
        yield Feature(f"X{head[:STEM_CHARS]}>{word[:STEM_CHARS]}", f"{head} … {word}")
        if negated:
            yield Feature(f"n{word}", word)
        negated = negated or _NEGATION.fullmatch(word) is not None


def _whole(text: str, words: list[str]) -> Iterator[Feature]:
    if words:
        yield Feature(f"F{words[0]}", words[0])
        yield Feature(f"G{' '.join(words[:2])}", " ".join(words[:2]))
        yield Feature(f"E{words[-1]}", words[-1])
    if "?" in text:
        yield Feature("?", "")
    if '"' in text or "`" in text:
        yield Feature('"', "")
    yield Feature(f"length{min(LENGTH_STEPS_MAX, len(words) // LENGTH_STEP_WORDS)}", "")


def _commands(first: str, commands: tuple[str, ...]) -> Iterator[Feature]:
    for name in commands:
        yield Feature(f"!{name}", "")
        yield Feature(f"!{first}>{name}", "")
    if not commands:
        yield Feature("!none", "")
