"""What each word on a suggestion teaches of how likely a yes is, as a table (CROSSPOLL 7.2).

A card teaches by its last word alone: who takes an answer back takes its lesson back. A snooze is no word. What was
said yes to later was not wanted then, and what was reworded not as it was: both are less than a yes. An expiry counts
only where the ledger knows that the card was shown.
"""

from collections.abc import Mapping
from typing import Literal

from hub.contract.base import Value
from hub.contract.words import Verb

Word = Literal[
    "approved",
    "approved-later",
    "edited",
    "rejected",
    "expired",
    "failed",
    "retried",
    "regretted",
    "auto-executed",
    "auto-executed-undone",
    "taken-back",
]


class Teaching(Value):
    """A yes or a no, how strongly (0 to 1), and whether a person answered the card itself with it."""

    yes: bool
    weight: float
    is_answer: bool = True


TABLE: Mapping[Word, Teaching] = {
    "approved": Teaching(yes=True, weight=1.0),
    "approved-later": Teaching(yes=True, weight=0.7),
    "edited": Teaching(yes=True, weight=0.5),
    "rejected": Teaching(yes=False, weight=1.0),
    "expired": Teaching(yes=False, weight=0.3, is_answer=False),
    "failed": Teaching(yes=True, weight=0.7),
    "retried": Teaching(yes=True, weight=1.0),
    "regretted": Teaching(yes=False, weight=0.8),
    "auto-executed": Teaching(yes=True, weight=0.5, is_answer=False),
    "auto-executed-undone": Teaching(yes=False, weight=0.8, is_answer=False),
    "taken-back": Teaching(yes=False, weight=0.0, is_answer=False),
}
_WORDS: Mapping[Verb, Word] = {
    Verb.APPROVE: "approved",
    Verb.EDIT: "edited",
    Verb.RETRY: "retried",
    Verb.REJECT: "rejected",
    Verb.LESS: "rejected",
    Verb.NEVER: "rejected",
}


def word_of(verb: Verb, *, snoozes: int) -> Word | None:
    """Return the word that an answer is, None for one that teaches nothing; `snoozes` is how often it was put off."""
    word = _WORDS.get(verb)
    return "approved-later" if word == "approved" and snoozes else word
