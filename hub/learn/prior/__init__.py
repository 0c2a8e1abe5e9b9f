"""What is known of suggestions before this person has answered one: learnt from public rows, shipped as a small table.

- ``meaning(text)``: `hub.lexicon.DIMENSIONS` numbers; texts alike in meaning lie close to each other: the dot product
  of two is their cosine. All zeros without a known word. For whoever learns from this person's own answers.
- ``prior_logit(happened, offer)``: how likely somebody says yes to ``offer`` after ``happened``, as a logit; 0 is even.
- ``help_logit(happened)``: how likely anything at all is wanted just then.

``happened`` are lines, the newest last; the last `LINES_MAX` are read. Nothing here knows the person, the hour or the
kind of suggestion, and the rows speak of a desktop, not of Pulse: it is a weak beginning, to be outvoted by answers.
``tests/bench/prior_training`` makes the table; docs/lab.md says what it knows and what it does not.
"""

from hub.learn.prior.reader import LINES_MAX, LOGIT_MAX, help_logit, meaning, prior_logit, traits_of

__all__ = ["LINES_MAX", "LOGIT_MAX", "help_logit", "meaning", "prior_logit", "traits_of"]
