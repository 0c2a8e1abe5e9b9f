"""How far Pulse has come in acting alone, in a person's words (CROSSPOLL 7.7, the phases of the cold start).

Theory: the phases there begin with a model's training. Here they begin with what a person has done, which is what the
rails go by: at first everything is asked; with some answers (or a model of the person) ideas are ordered and rated by
those, and everything is asked all the same; what the person then lets run alone, runs alone. No phase opens a rail: the
words only say what the rails will do, with the counts that they go by.
"""

from datetime import datetime

from hub.contract.alone import AloneProgress
from hub.contract.phrasing import Phrasing
from hub.domain.worded import Worded
from hub.kit.naming import UNLESS_PERMITTED
from hub.kit.text import counted
from hub.learn.yes import LEARNT_ANSWERS_MIN
from hub.loop.state import State
from hub.may import may_run_alone, yeses_needed

NOTHING_LET = Worded(
    text="You have not allowed anything to run on autopilot yet.", wording=Phrasing(code="because.nothing_let")
)
"""Why Pulse does not act alone where that is on."""


def progress_of(state: State, now: datetime) -> AloneProgress:
    """Return the phase that the real counts give, and what comes next."""
    mind, policy = state.mind, state.policy
    answers = mind.ledger.decisions
    allowed = may_run_alone(mind.ledger, policy, now)
    row = max((one.yeses for one in mind.streaks.values()), default=0)
    needed = yeses_needed(policy) or 0
    if allowed:
        how = "" if policy.autonomous else " Autopilot is off, so Pulse asks about that, too."
        more = f"You allowed {counted(allowed, 'thing')} to run without asking.{how}"
        return AloneProgress(phase="trusted", says=more, answers=answers, row=row, needed=needed, allowed=allowed)
    asks = f"Pulse asks about everything{UNLESS_PERMITTED if permissions_of(state, now) else ''}."
    if answers < LEARNT_ANSWERS_MIN and not policy.twin:
        left = LEARNT_ANSWERS_MIN - answers
        more = counted(left, "more answer")
        says = f"{asks} After {more} it learns from how you answered similar suggestions."
        return AloneProgress(phase="new", says=says, answers=answers, row=row, left=left, needed=needed)
    says = f"{asks}{_next(needed, row)}"
    return AloneProgress(phase="learning", says=says, answers=answers, row=row, needed=needed)


def permissions_of(state: State, now: datetime) -> int:
    """Return how many permissions hold: what runs without asking, of Pulse's own or of agents."""
    ends = (*(one.expires_at for one in state.mind.ledger.standing), *(one.expires_at for one in state.mind.grants))
    return sum(now < one for one in ends)


def _next(needed: int, row: int) -> str:
    if not needed:
        return " It never offers autopilot (`autonomous.yeses_to_offer`)."
    so_far = f"; your longest streak so far is {row}" if row else ""
    return f" After {needed} approvals in a row for the same work it offers autopilot{so_far}."
