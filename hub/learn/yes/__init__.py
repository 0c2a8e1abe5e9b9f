"""P(yes): how likely a person is to say yes to a suggestion, learnt from their answers (docs/suggestions.md)."""

from hub.learn.yes.checking import trouble_with
from hub.learn.yes.estimating import LEARNT_ANSWERS_MIN, estimate, learnt
from hub.learn.yes.excerpt import excerpt
from hub.learn.yes.fitting import fit

__all__ = ["LEARNT_ANSWERS_MIN", "estimate", "excerpt", "fit", "learnt", "trouble_with"]
