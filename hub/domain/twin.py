"""What a model of the person is asked, and what comes back (CROSSPOLL 2.3). Nothing of either is trusted."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from typing import Literal

from hub.contract.base import Value
from hub.domain.policy import TwinService
from hub.domain.provenance import ModelText, Part, TranscriptText, Wording, say
from hub.domain.situation import Situation
from hub.domain.suggestion import Guess, Offer
from hub.domain.worded import Worded

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

    `trouble` says in words for a person which service did not answer, and why, `trouble_worded` the same as a code;
    empty when all is well.
    """

    guesses: tuple[Guess, ...] = ()
    cost_microusd: int = 0
    trouble: str = ""
    trouble_worded: Worded | None = None


def reply_of(cost_microusd: int, troubles: Sequence[Wording], guesses: tuple[Guess, ...] = ()) -> TwinReply:
    """Return a reply with all that went wrong on the way to it."""
    told = reduce(
        lambda earlier, later: say("{earlier} {later}", earlier=earlier, later=later), troubles or (Wording(),)
    )
    return TwinReply(guesses=guesses, cost_microusd=cost_microusd, trouble=told.text, trouble_worded=told.worded)


def not_used(name: str, why: Part) -> Wording:
    """Say of which model nothing is used, and why."""
    return say("The model “{name}” is not used: {why}.", name=name, why=why)


class ChatLine(Value):
    """One message of a chat that somebody else wrote for a model."""

    role: str
    content: str


class TwinChat(Value):
    """A chat to be passed on to one service as it is."""

    service: TwinService
    lines: tuple[ChatLine, ...]
    temperature: float
    tokens_max: int

    @property
    def estimate_microusd(self) -> int:
        """What it may cost at most, if the service keeps to what it is asked: no token is shorter than a byte."""
        return self.service.price_microusd(sum(len(line.content.encode()) for line in self.lines), self.tokens_max)


def plain_question(service: TwinService, text: str, tokens_max: int) -> TwinChat:
    """Return a chat of one question, to be answered soberly."""
    return TwinChat(
        service=service, lines=(ChatLine(role="user", content=text),), temperature=0.0, tokens_max=tokens_max
    )


class TwinSaid(Value):
    """What came of a chat: a model's words, or `wrong`, which says why there are none; and what it cost.

    `is_cut` is whether it had no tokens left for all that it would have said.
    """

    words: ModelText
    wrong: str = ""
    wrong_worded: Worded | None = None
    is_cut: bool = False
    cost_microusd: int = 0
    tokens: tuple[int, int] | None = None


class TwinTrial(Value):
    """What came of a test call."""

    name: str
    model: str
    is_well: bool
    detail: str
    detail_worded: Worded | None = None
    cost_microusd: int = 0
