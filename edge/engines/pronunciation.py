"""Pronunciations and how far apart they are: the second opinion, which knows sounds and no grammar.

The phones that a free phone loop heard are compared with those of the command that the grammar found. Two phones of
one family (P and B, UW and UH) are half as far apart as strangers.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

Phones = tuple[str, ...]
FAMILIES = (
    "P B",
    "T D DH TH",
    "K G",
    "F V",
    "S Z SH ZH",
    "CH JH SH",
    "M N NG",
    "L R W ER",
    "IY IH EY Y",
    "UW UH OW W",
    "AH AA AO AE EH IH ER",
    "AW AA OW",
    "AY IY AA",
    "OY AO",
    "EY EH",
)
_NEAR = frozenset(frozenset((one, other)) for line in FAMILIES for one in line.split() for other in line.split())
NEAR_COST, FAR_COST, GAP_COST = 0.4, 1.0, 0.8


def read_dictionary(path: Path, wanted: Iterable[str]) -> dict[str, list[Phones]]:
    """Return the pronunciations of `wanted` words from a CMU dictionary; a word that it lacks is missing."""
    words = frozenset(wanted)
    found: dict[str, list[Phones]] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            head, *phones = line.split()
            word = head.partition("(")[0]
            if word in words and phones:
                found.setdefault(word, []).append(tuple(phones))
    return found


def agreement(heard: Phones, words: tuple[str, ...], dictionary: Mapping[str, list[Phones]]) -> float:
    """Return how well the phones heard are those of the words: 1 the same, 0 nothing in common."""
    expected = tuple(phone for word in words for phone in dictionary.get(word, [()])[0])
    if not expected or not heard:
        return 0.0
    return max(0.0, 1.0 - distance(heard, expected) / len(expected))


def preferred(
    heard: Phones, words: tuple[str, ...], rivals: Mapping[str, list[str]], dictionary: Mapping[str, list[Phones]]
) -> float:
    """Return the agreement with the words, less by as much as a rival in the place of one of them agrees better."""
    own = agreement(heard, words, dictionary)
    others = [
        agreement(heard, (*words[:at], rival, *words[at + 1 :]), dictionary)
        for at, word in enumerate(words)
        for rival in rivals.get(word, [])
        if rival in dictionary
    ]
    return max(0.0, own - max(0.0, max(others, default=0.0) - own))


def distance(one: Phones, other: Phones) -> float:
    """Return the weighted edit distance of two sequences of phones."""
    row = [GAP_COST * index for index in range(len(other) + 1)]
    for count, phone in enumerate(one, 1):
        diagonal, row[0] = row[0], GAP_COST * count
        for index, against in enumerate(other, 1):
            best = min(row[index] + GAP_COST, row[index - 1] + GAP_COST, diagonal + _cost(phone, against))
            diagonal, row[index] = row[index], best
    return row[-1]


def _cost(one: str, other: str) -> float:
    if one == other:
        return 0.0
    return NEAR_COST if frozenset((one, other)) in _NEAR else FAR_COST
