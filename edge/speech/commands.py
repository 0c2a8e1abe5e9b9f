"""What a person can say to the glasses, as values. Nothing else is ever acted on."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from hub.contract.api import PROMPT_CHARS_MAX
from hub.contract.base import Value

WAIT_MINUTES_MAX = 10_080
"""A week: the longest wait that the hub takes."""


class Word(StrEnum):
    """The closed vocabulary of meanings."""

    APPROVE = "approve"
    SKIP = "skip"
    LATER = "later"
    REPEAT = "repeat"
    DETAILS = "details"
    EDIT = "edit"
    LESS = "less"
    NEVER = "never"
    RETRY = "retry"
    FIX = "fix"
    IGNORE = "ignore"
    NEXT = "next"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    YES = "yes"
    UNDO = "undo"
    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    WAITING = "waiting"
    HAPPENED = "happened"
    CHOOSE = "choose"
    ANSWER = "answer"
    ENOUGH = "enough"


ANSWERING = frozenset({Word.CHOOSE, Word.ANSWER, Word.ENOUGH})
"""Words that answer an agent's question; there are none while nothing is asked."""
DICTATED = frozenset({Word.EDIT, Word.ANSWER})
GRANTING = frozenset({Word.APPROVE, Word.CONFIRM, Word.RETRY}) | ANSWERING
"""Words after which something may run; they need more evidence than all others."""


class Command(Value):
    """One thing that a person asked for.

    `minutes` comes with LATER (0: as long as usual; `tonight` and `tomorrow` name a time instead). `text` is what EDIT
    and ANSWER dictate. `check` is the check word that was spoken with APPROVE, empty without one. `place` is the choice
    that CHOOSE names, from 1, and `is_brief` that it was named in so few words that others sound like them.
    """

    word: Word
    minutes: Annotated[int, Meta(ge=0, le=WAIT_MINUTES_MAX)] = 0
    moment: str = ""
    text: Annotated[str, Meta(max_length=PROMPT_CHARS_MAX)] = ""
    check: str = ""
    place: int = 0
    is_brief: bool = False


class Doubtful(Value):
    """What may have been said, but not surely: it is asked about, and counts only after another answer.

    `or_yes`: if it was not that, it was a yes, as surely as a yes has to be heard.
    """

    command: Command
    or_yes: bool = False


class Refused(Value):
    """What was heard is no command; `why` says what it looked like."""

    why: str
    """`silence`, `negated`, `quoted`, `unknown`, `too-long` or `unsure`."""
