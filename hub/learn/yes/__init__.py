"""P(yes): how likely a person is to say yes to a suggestion, learnt from their answers (docs/suggestions.md)."""

from hub.learn.yes.checking import trouble_with
from hub.learn.yes.estimating import LEARNT_ANSWERS_MIN, estimate, learnt
from hub.learn.yes.excerpt import excerpt
from hub.learn.yes.fitting import fit
from hub.learn.yes.words import TABLE, Word, word_of

__all__ = ["LEARNT_ANSWERS_MIN", "TABLE", "Word", "estimate", "excerpt", "fit", "learnt", "trouble_with", "word_of"]
