"""The shipped table: for each known word where it lies, and what it says for a yes.

The file (`HEADER`): the count of words, what a step is worth, the biases, the weights of `TRAITS`; then of all words
the CRC-32 of each in order, the place of each (`DIMENSIONS` signed bytes), and `SCALARS` as signed 16-bit steps; last
the CRC-32 of all of it. A table that is damaged is none: `NO_WORDS` knows nothing, and says nothing for or against.
A linear model over the mean of word vectors is a mean of one scalar a word: so what 256 dimensions say for a yes fits
into a few bytes, and only what tells texts apart by meaning is kept as a place.
"""

import struct
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from zlib import crc32

from hub.contract.base import Value

DIMENSIONS = 32
FILE = "words.bin"
SCALARS = ("help", "offer", "event")
"""Towards: help being wanted after an event with this word; a yes to an offer with it; a yes after an event with it."""
TRAITS = ("help", "yes", "words of the offer", "words of the event", "near the event", "near all", "said", "lines")
SUM = struct.Struct("<I")
HEADER = struct.Struct(f"<I{1 + len(SCALARS)}f{3 + len(TRAITS) + 2}f")
PREFIX_CHARS_MIN, SUFFIX_CHARS_MAX = 4, 6


class Table(Value, eq=False):
    """The words in the order of their keys; ``places`` holds `DIMENSIONS` signed bytes of each. Two are never equal.

    ``steps``: what one step of a place and of each scalar is worth. ``biases``: of help, of yes, and of the whole.
    ``offer_above``, ``help_above``: the logits above which an offer, or any offer, is better made than not.
    """

    keys: Sequence[int]
    places: memoryview
    scalars: tuple[Sequence[int], ...]
    steps: tuple[float, ...]
    biases: tuple[float, ...]
    weights: tuple[float, ...]
    offer_above: float
    help_above: float

    def row_of(self, word: str) -> int:
        """Return the row of a word, else of its longest known beginning, else -1."""
        shortest = min(len(word), max(PREFIX_CHARS_MIN, len(word) - SUFFIX_CHARS_MAX))
        for end in range(len(word), shortest - 1, -1):
            key = key_of(word[:end])
            row = bisect_left(self.keys, key)
            if row < len(self.keys) and self.keys[row] == key:
                return row
        return -1

    def place_of(self, row: int) -> memoryview:
        """Return where a word lies, in steps."""
        return self.places[row * DIMENSIONS : (row + 1) * DIMENSIONS]

    def pack(self) -> bytes:
        """Return the file's content."""
        count = len(self.keys)
        content = b"".join(
            (
                HEADER.pack(count, *self.steps, *self.biases, *self.weights, self.offer_above, self.help_above),
                struct.pack(f"<{count}I", *self.keys),
                bytes(self.places.cast("B")),
                *(struct.pack(f"<{count}h", *scalar) for scalar in self.scalars),
            )
        )
        return content + SUM.pack(crc32(content))


NO_WORDS = Table(
    keys=(),
    places=memoryview(bytes(DIMENSIONS)).cast("b"),
    scalars=((),) * len(SCALARS),
    steps=(0.0,) * (1 + len(SCALARS)),
    biases=(0.0, 0.0, 0.0),
    weights=(0.0,) * len(TRAITS),
    offer_above=0.0,
    help_above=0.0,
)


def key_of(word: str) -> int:
    """Return what a word is looked up by."""
    return crc32(word.encode("utf-8", "surrogatepass"))


def unpack(content: bytes) -> Table:
    """Read what `Table.pack` wrote.

    Raises:
        ValueError: it is damaged.
    """
    whole = SUM.size < len(content) and SUM.unpack(content[-SUM.size :])[0] == crc32(content[: -SUM.size])
    if not whole:
        raise ValueError("the table of words is damaged")
    count, *numbers = HEADER.unpack_from(content)
    steps, rest = numbers[: 1 + len(SCALARS)], numbers[1 + len(SCALARS) : -2]
    places = HEADER.size + 4 * count
    scalars = places + DIMENSIONS * count
    return Table(
        keys=array("I", struct.unpack_from(f"<{count}I", content, HEADER.size)),
        places=memoryview(content)[places:scalars].cast("b"),
        scalars=tuple(
            array("h", struct.unpack_from(f"<{count}h", content, scalars + 2 * count * at))
            for at in range(len(SCALARS))
        ),
        steps=tuple(steps),
        biases=tuple(rest[: -len(TRAITS)]),
        weights=tuple(rest[-len(TRAITS) :]),
        offer_above=numbers[-2],
        help_above=numbers[-1],
    )


@cache
def shipped() -> Table:
    """Return the table that came with the program, read with the first text; `NO_WORDS` where it is damaged."""
    try:
        return unpack(files(__package__).joinpath(FILE).read_bytes())
    except (OSError, ValueError):
        return NO_WORDS
