"""The words that Pulse knows: where each lies among others, and what it says for a yes.

``tests/bench/prior_training`` makes the table; NOTICE says from what. `hub/learn/prior` reads texts with it.
"""

from hub.lexicon.table import DIMENSIONS, NO_WORDS, SCALARS, TRAITS, Table, key_of, shipped, unpack
from hub.lexicon.words import TEXT_CHARS_MAX, words_of

__all__ = [
    "DIMENSIONS",
    "NO_WORDS",
    "SCALARS",
    "TEXT_CHARS_MAX",
    "TRAITS",
    "Table",
    "key_of",
    "shipped",
    "unpack",
    "words_of",
]
