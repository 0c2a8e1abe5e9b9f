"""The person's attention: what an interruption costs them, what they are doing, and how they are told of a matter.

A held card is open, and seen by whoever looks; nothing tells of it before its time. `Weighed` is kept in the episode
with all that the decision rested on, so that it can be made again offline.
"""

from typing import Final, Literal

from hub.contract.attention import Badness
from hub.contract.base import Value
from hub.contract.phrasing import Phrasing

Telling = Literal["loud", "quiet", "breakpoint", "digest", "never"]
"""Now and heard; now and silently; at the next good moment; with the next digest; not at all, but there to be seen."""
Doing = Literal["typing", "working", "meeting", "between", "away", "here"]
"""What the person is doing: `working` is a moment after typing, `between` just between two things."""


COST: Final[dict[Badness, float]] = {"mild": 1.0, "bad": 4.0, "awful": 16.0}
"""What a mistake costs that is so bad: each word weighs four times the one before."""


class Attention(Value):
    """What a person says of their attention: how bad each mistake is, and how much of a day may go to interruptions.

    `digest_times` are local times such as "13:00" at which what was held for a digest is told.
    """

    needless_interruption: Badness = "bad"
    missed_help: Badness = "bad"
    wrong_act: Badness = "bad"
    interruptions_per_day: int = 16
    digest_times: tuple[str, ...] = ("09:00", "13:00", "17:00")
    digest_on_return: bool = True

    @property
    def alone_from(self) -> float:
        """The least chance of a yes from which acting alone is worth the risk of a wrong act.

        It depends on the one word that a page asks for again: what is said of being told can loosen nothing.
        """
        wrong = COST[self.wrong_act]
        return wrong / (wrong + COST["bad"])


class Matter(Value):
    """What is to be told: the chance of a yes (None while nothing is known), how urgent (0 to 1), and what is left."""

    p: float | None
    urgency: float
    left_s: float


class Circumstances(Value):
    """How it is now. `spent` are today's interruptions; the moments are None where none is to come.

    `just_told`: something was heard a moment ago, so the person is looking.
    """

    doing: Doing = "here"
    quiet: bool = False
    spent: int = 0
    just_told: bool = False
    breakpoint_in_s: float | None = None
    digest_in_s: float | None = None


class Weighed(Value, tag="weighed"):
    """How a suggestion is told, why, what each way was expected to cost, and what that rested on."""

    telling: Telling
    why: str
    costs: dict[Telling, float]
    matter: Matter
    circumstances: Circumstances
    attention: Attention
    why_worded: Phrasing | None = None
