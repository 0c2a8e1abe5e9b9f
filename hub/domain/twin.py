"""What a model of the person is asked, and what comes back (CROSSPOLL 2.3). Nothing of either is trusted."""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.domain.provenance import TranscriptText
from hub.domain.situation import Situation
from hub.domain.suggestion import Guess, Offer

EARLIER_MAX = 20
"""So many earlier answers are told, the newest first."""


class EarlierAnswer(Value):
    """What a person said to an earlier suggestion. Its words may quote others, so all of them are told as data."""

    at: datetime
    kind: str
    channel: str
    said: Literal["yes", "yes, with other words", "no", "no, less of this", "no, never this", "took the yes back"]
    what: TranscriptText
    reason: TranscriptText


class TwinQuestion(Value):
    """Everything that a model is told."""

    situation: Situation
    offers: tuple[Offer, ...] = ()
    answers: tuple[EarlierAnswer, ...] = ()


class TwinReply(Value):
    """What came of asking: guesses, best first; what it cost, also where there are none.

    `trouble` says in words for a person which service did not answer, and why; empty when all is well.
    """

    guesses: tuple[Guess, ...] = ()
    cost_microusd: int = 0
    trouble: str = ""


class TwinTrial(Value):
    """What came of a test call."""

    name: str
    model: str
    is_well: bool
    detail: str
    cost_microusd: int = 0
