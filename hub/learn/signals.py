"""What each word on a suggestion teaches, as one table: of pairs (CROSSPOLL 7.2, 7.3), and of how likely a yes is.

Both columns begin with the weights of 7.2. They differ where the questions differ. A pair asks what was wanted in the
end; how likely a yes is asks how welcome it was as it came: what was said yes to later was not wanted then, what was
reworded not as it was, and who tries failed work again wants it still. Only explicit answers are strong; an expiry
counts only where the ledger knows that the card was shown. A card teaches by its last word alone: who takes an answer
back takes its lesson back. A snooze teaches nothing, nor does what becomes of failed work otherwise.
"""

from collections.abc import Mapping
from typing import Literal

from hub.contract.base import Value
from hub.contract.words import Verb
from hub.domain.episode import Learned

Word = Literal[
    "approved",
    "approved-later",
    "edited",
    "rejected",
    "less-wanted",
    "never-wanted",
    "expired",
    "failed",
    "retried",
    "handed-on",
    "ignored",
    "snoozed",
    "undone",
    "auto-executed",
    "auto-executed-undone",
    "taken-back",
]


class Odds(Value):
    """A yes or a no, how strongly (0 to 1), and whether a person answered the card itself with it."""

    yes: bool
    weight: float
    is_answer: bool = True


class Teaching(Value):
    """What a word says for pairs (`value` and `weight`), and of how likely a yes is; None where it says nothing."""

    value: Literal["chosen", "rejected", "corrected", "excluded"]
    weight: float = 0.0
    odds: Odds | None = None


TABLE: Mapping[Word, Teaching] = {
    "approved": Teaching(value="chosen", weight=1.0, odds=Odds(yes=True, weight=1.0)),
    "approved-later": Teaching(value="chosen", weight=1.0, odds=Odds(yes=True, weight=0.7)),
    "edited": Teaching(value="corrected", weight=1.0, odds=Odds(yes=True, weight=0.5)),
    "rejected": Teaching(value="rejected", weight=1.0, odds=Odds(yes=False, weight=1.0)),
    "less-wanted": Teaching(value="rejected", weight=1.0, odds=Odds(yes=False, weight=1.0)),
    "never-wanted": Teaching(value="rejected", weight=1.0, odds=Odds(yes=False, weight=1.0)),
    "expired": Teaching(value="rejected", weight=0.3, odds=Odds(yes=False, weight=0.3, is_answer=False)),
    "failed": Teaching(value="excluded", odds=Odds(yes=True, weight=0.7)),
    "retried": Teaching(value="excluded", odds=Odds(yes=True, weight=1.0)),
    "handed-on": Teaching(value="excluded"),
    "ignored": Teaching(value="excluded"),
    "snoozed": Teaching(value="excluded"),
    "undone": Teaching(value="rejected", weight=0.8, odds=Odds(yes=False, weight=0.8)),
    "auto-executed": Teaching(value="chosen", weight=0.5, odds=Odds(yes=True, weight=0.5, is_answer=False)),
    "auto-executed-undone": Teaching(value="rejected", weight=0.8, odds=Odds(yes=False, weight=0.8, is_answer=False)),
    "taken-back": Teaching(value="excluded", odds=Odds(yes=False, weight=0.0, is_answer=False)),
}
_WORDS: Mapping[Verb, Word] = {
    Verb.APPROVE: "approved",
    Verb.EDIT: "edited",
    Verb.REJECT: "rejected",
    Verb.LESS: "less-wanted",
    Verb.NEVER: "never-wanted",
    Verb.RETRY: "retried",
    Verb.FIX: "handed-on",
    Verb.IGNORE: "ignored",
    Verb.SNOOZE: "snoozed",
    Verb.UNDO: "undone",
}


def word_of(verb: Verb, *, snoozes: int = 0, autonomous: bool = False) -> Word:
    """Return the word that an answer is.

    `snoozes` is how often the card was put off before, `autonomous` that Pulse had acted by itself.
    """
    if verb is Verb.UNDO and autonomous:
        return "auto-executed-undone"
    word = _WORDS[verb]
    return "approved-later" if word == "approved" and snoozes else word


def learned(word: Word) -> Learned:
    """Return a word as the episode keeps it."""
    teaching = TABLE[word]
    return Learned(signal=word, value=teaching.value, weight=teaching.weight)
