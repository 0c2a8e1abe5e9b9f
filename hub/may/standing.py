"""What a person lets run without asking: by a card's yes, for one kind of work, one place and one command.

Theory: how often somebody said yes may earn an offer, and nothing more; only their answer to it is a grant. It stands
for the command as it was (the plan's shape), in its folder. Whether the files behind that command are still those that
the person has seen is another question, which the gate asks beside this one. A grant ends by itself, and by one regret
of anything that ran on it. Set back clocks make none live longer: what has expired is dropped, and one that was made
well ahead of now does not count.
"""

import math
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.judgement import Ledger, StandingYes
from hub.domain.plan import AnyPlan, Plan, shape_of
from hub.domain.policy import Policy
from hub.domain.suggestion import Proposal
from hub.may.moments import age_of

STANDING_MAX = 100
"""Grants that are kept; of more the oldest ends."""
Z = 1.645
"""Of a share that is, with 95 % certainty, at least so high."""


def can_stand(proposal: Proposal, plan: AnyPlan | None) -> bool:
    """Return True if this is work that could run alone at all: harmless, Pulse's own, and the same each time.

    What cannot be known to be the same, since files that decide it are not known, is not.
    """
    is_fixed = isinstance(plan, Plan) and plan.prompt == "none" and not plan.doubt
    return is_fixed and proposal.is_our_own and not proposal.own_words and proposal.risk is Risk.LOW


def standing_yes(ledger: Ledger, proposal: Proposal, plan: AnyPlan | None, now: datetime) -> StandingYes | None:
    """Return the grant that lets this run without asking, if there is one that holds now."""
    if not isinstance(plan, Plan) or plan.doubt:
        return None
    meant = (proposal.kind, proposal.work.workspace or "", shape_of(plan))
    held = [one for one in ledger.standing if _holds(one, now)]
    exact = next((one for one in held if meaning(one) == meant), None)
    if exact is not None or not can_stand(proposal, plan):
        return exact
    of_kind = (one for one in held if one.is_of_kind and proposal.confidence >= one.confidence_min)
    return next((one for one in of_kind if stands_for(one, *meant[:2])), None)


def may_run_alone(ledger: Ledger, policy: Policy, now: datetime) -> int:
    """Count what a person lets run alone: each grant that holds, and the one setting that is such a word."""
    by_setting = policy.drives.wakes == "alone" and policy.woken_agent is not None
    return sum(now < one.expires_at for one in ledger.standing) + by_setting


def stands_for(given: StandingYes, kind: str, repository: str) -> bool:
    """Return True if a grant is for this kind of work in this place, whatever the command."""
    is_anywhere = given.is_of_kind and not given.repository
    return given.kind == kind and (is_anywhere or given.repository == repository)


def meaning(given: StandingYes) -> tuple[str, str, str]:
    """Return what a grant is for."""
    return given.kind, given.repository, given.shape


def is_earned(yeses: int, policy: Policy) -> bool:
    """Return True if there are enough yeses in a row, and not one no, for an offer.

    Beside the number, the share of yeses that such a row makes certain (Wilson's lower bound: n / (n + z²)) has to
    reach the confidence from which Pulse may act alone.
    """
    least = policy.earning.yeses_to_offer
    return 0 < least <= yeses and yeses / (yeses + Z * Z) >= policy.bands.auto_execute


def yeses_needed(policy: Policy) -> int | None:
    """Return how many yeses in a row bring an offer; None where there never is one."""
    least, certain = policy.earning.yeses_to_offer, policy.bands.auto_execute
    if least == 0 or certain >= 1.0:
        return None
    return max(least, math.ceil(certain * Z * Z / (1.0 - certain)))


def after_standing_yes(ledger: Ledger, given: StandingYes) -> Ledger:
    """Keep a grant; an earlier one for the same is replaced."""
    others = tuple(one for one in ledger.standing if meaning(one) != meaning(given))
    return replace(ledger, standing=(*others, given)[-STANDING_MAX:])


def after_withdrawal(ledger: Ledger, *, yes_id: str) -> Ledger:
    """End a grant."""
    return replace(ledger, standing=tuple(one for one in ledger.standing if one.id != yes_id))


def after_run_alone(ledger: Ledger, proposal: Proposal, plan: AnyPlan | None, now: datetime) -> Ledger:
    """Count a run on the grant that let it run."""
    found = standing_yes(ledger, proposal, plan, now)
    if found is None:
        return ledger
    used = replace(found, runs=found.runs + 1, last_run_at=now)
    return replace(ledger, standing=tuple(used if one is found else one for one in ledger.standing))


def without_expired(ledger: Ledger, now: datetime) -> Ledger:
    """Drop what has expired, for good: a clock that is set back brings none of it back."""
    left = tuple(one for one in ledger.standing if now < one.expires_at)
    return ledger if len(left) == len(ledger.standing) else replace(ledger, standing=left)


def expiry_of(policy: Policy, now: datetime) -> datetime:
    """Return until when a grant that is made now holds."""
    return now + timedelta(seconds=policy.earning.standing_yes_s)


def _holds(given: StandingYes, now: datetime) -> bool:
    return now < given.expires_at and age_of(given.made_at, now) is not None
