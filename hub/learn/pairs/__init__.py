"""Pairs: which rejected suggestion a chosen one is set against (CROSSPOLL 7.3), as training data for a model."""

from hub.learn.pairs.context import CONTEXT_CHARS_MAX, context_of
from hub.learn.pairs.rule import PAIR_WITHIN, Paired, corrected, lesson_of, pair_up, taken_back

__all__ = [
    "CONTEXT_CHARS_MAX",
    "PAIR_WITHIN",
    "Paired",
    "context_of",
    "corrected",
    "lesson_of",
    "pair_up",
    "taken_back",
]
