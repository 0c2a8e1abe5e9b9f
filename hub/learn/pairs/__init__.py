"""Pairs: which rejected suggestion a chosen one is set against (CROSSPOLL 7.3), as training data for a model."""

from hub.learn.pairs.context import CONTEXT_CHARS_MAX, context_of
from hub.learn.pairs.rows import PAIRS_MIN, TO_CHANNEL, chat_row, dpo_row, preference_row
from hub.learn.pairs.rule import PAIR_WITHIN, Paired, corrected, lesson_of, pair_up, taken_back
from hub.learn.pairs.schedule import Due, due, is_offered

__all__ = [
    "CONTEXT_CHARS_MAX",
    "PAIRS_MIN",
    "PAIR_WITHIN",
    "TO_CHANNEL",
    "Due",
    "Paired",
    "chat_row",
    "context_of",
    "corrected",
    "dpo_row",
    "due",
    "is_offered",
    "lesson_of",
    "pair_up",
    "preference_row",
    "taken_back",
]
