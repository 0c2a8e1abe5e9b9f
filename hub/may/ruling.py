"""What one rail says, with what would change it; and the question that all rails are asked."""

from collections.abc import Callable
from datetime import datetime, timedelta

from hub.contract.base import Value
from hub.contract.words import GRANTING, Source
from hub.domain.judgement import Afterwards, Ledger, Outcome, RailVerdict, RunRequest
from hub.domain.policy import Policy
from hub.domain.provenance import Wording, counted, say
from hub.domain.suggestion import Answer, Proposal
from hub.kit.text import Rounded, duration


class RailInput(Value):
    """Everything that a rail may look at."""

    proposal: Proposal
    policy: Policy
    ledger: Ledger
    now: datetime
    asked: RunRequest

    @property
    def approval(self) -> Answer | None:
        """The person's approval (with or without an edit), if that is why we ask."""
        answer = self.asked.answer
        return answer if answer is not None and answer.verb in GRANTING else None

    @property
    def somebody_elses(self) -> bool:
        """Whether an agent asks about an action of its own, of which Pulse runs nothing."""
        return self.proposal.source is Source.ASK


class Ruling(Value):
    """A verdict, and what a person can do about it when it blocks."""

    verdict: RailVerdict
    fix: str = ""


class Rail(Value):
    """A rail, and what its refusal means: for the idea, and for acting by itself.

    `look` always gives at least one ruling: all that fired, or one that passes.
    """

    stage: str
    look: Callable[[RailInput], tuple[Ruling, ...]]
    afterwards: Afterwards = "kept"
    pauses: bool = False


def rule(
    outcome: Outcome, name: str, reason: Wording, *, fix: str = "", numbers: dict[str, float] | None = None
) -> Ruling:
    """Build a ruling; its stage is the first word of the rule's name (`cost.day` belongs to `cost`)."""
    verdict = RailVerdict(
        stage=name.partition(".")[0],
        outcome=outcome,
        rule=name,
        reason=reason.text,
        numbers=numbers or {},
        reason_worded=reason.wording,
    )
    return Ruling(verdict=verdict, fix=fix)


def length(time: timedelta | float, *, rounded: Rounded = "down") -> Wording:
    """Return a length of time, as `duration` writes it."""
    number, unit = duration(time, rounded=rounded).split()
    return counted(int(number), "day") if unit.startswith("day") else say("{time}", time=f"{number} {unit}")
