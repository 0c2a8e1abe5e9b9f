"""Learn: what an outcome teaches (CROSSPOLL 7.2), and how good the predictions were (7.6)."""

from hub.learn.figures import bounds_of, days_until, insight
from hub.learn.metrics import metrics
from hub.learn.pairs import Paired, context_of, corrected, is_offered, lesson_of, pair_up, taken_back
from hub.learn.signals import TABLE, Word, learned, word_of
from hub.learn.similarity import similar, was_approved, was_rejected

__all__ = [
    "TABLE",
    "Paired",
    "Word",
    "bounds_of",
    "context_of",
    "corrected",
    "days_until",
    "insight",
    "is_offered",
    "learned",
    "lesson_of",
    "metrics",
    "pair_up",
    "similar",
    "taken_back",
    "was_approved",
    "was_rejected",
    "word_of",
]
