"""The cost caps (CROSSPOLL 3.4, design 9.2). They bind approvals too: a budget is a person's own earlier word.

A run is held back when its estimate would take a window above its cap, or when the cap is already used up. Estimates
are booked when a run is permitted, so runs under way count. The month is a hard stop: only a person lifts it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

from hub.contract.base import Value
from hub.contract.phrasing import Phrasing
from hub.domain.figures import dollars
from hub.domain.judgement import Ledger, RailVerdict
from hub.domain.policy import USD, Policy
from hub.domain.provenance import Wording, say
from hub.may.moments import clock_of, next_midnight
from hub.may.ruling import RailInput, Ruling, rule
from hub.may.spending import hour_room_at, spent

Window = Literal["hour", "day", "month"]
_SPANS: dict[Window, Wording] = {"hour": say("this hour"), "day": say("today"), "month": say("this month")}
_STOPPED = "cost.month-stopped"
_OVER = {_STOPPED: "because.cost_stopped"} | {f"cost.{window}": f"because.cost_{window}" for window in get_args(Window)}
"""The rules by which a budget has no room, and the code of each."""


class Budget(Value):
    """One window: what counts against its cap, in micro-dollars."""

    window: Window
    used_microusd: int
    cap_microusd: int

    def refuses(self, estimate_microusd: int) -> bool:
        """Whether a run of that price does not fit; reaching the cap exactly still does."""
        full = self.used_microusd >= self.cap_microusd
        return full or self.used_microusd + estimate_microusd > self.cap_microusd


def cost(question: RailInput) -> tuple[Ruling, ...]:
    """Rule on whether the estimated cost fits every budget, the most lasting one first."""
    if question.somebody_elses:
        return (rule("pass", "cost.none", say("Asking costs nothing; Pulse runs nothing here.")),)
    estimate = max(0, question.proposal.cost_estimate_microusd)
    budgets = budgets_of(question)
    stopped = (_stopped(question),) if question.ledger.month_stopped else ()
    over = tuple(_over(question, budget, estimate) for budget in reversed(budgets) if budget.refuses(estimate))
    return stopped + over or (_fits(budgets, estimate),)


def has_room(ledger: Ledger, policy: Policy, now: datetime, estimate_microusd: int) -> bool:
    """Return True if every budget has room for asking a model. What is free needs none; a stop stops that, too."""
    if ledger.emergency or estimate_microusd <= 0:
        return not ledger.emergency
    budgets = _budgets(ledger, policy, now)
    return not ledger.month_stopped and not any(budget.refuses(estimate_microusd) for budget in budgets)


def budgets_of(question: RailInput) -> tuple[Budget, Budget, Budget]:
    """Return the three windows, shortest first."""
    return _budgets(question.ledger, question.policy, question.now)


def _budgets(ledger: Ledger, policy: Policy, now: datetime) -> tuple[Budget, Budget, Budget]:
    caps, booked = policy.caps, spent(ledger, policy, now)
    return (
        Budget(window="hour", used_microusd=booked.hour_microusd, cap_microusd=caps.hour_microusd),
        Budget(window="day", used_microusd=booked.day_microusd, cap_microusd=caps.day_microusd),
        Budget(window="month", used_microusd=booked.month_microusd, cap_microusd=caps.month_microusd),
    )


def cap_worded(verdicts: Sequence[RailVerdict], ledger: Ledger) -> Phrasing | None:
    """Return which budget had no room, as a code, where these verdicts say so."""
    over = next((one for one in verdicts if one.outcome == "block" and one.rule in _OVER), None)
    if over is None:
        return None
    if over.rule == _STOPPED:
        return Phrasing(code=_OVER[_STOPPED], values={"month": ledger.month_stopped})
    amounts = {slot: dollars(round(over.numbers[f"{slot}_usd"] * USD)) for slot in ("estimate", "used", "cap")}
    return Phrasing(code=_OVER[over.rule], parts={slot: amount.wording for slot, amount in amounts.items()})


def is_over(worded: Phrasing | None) -> bool:
    """Return True if this is a reason that `cap_worded` gives."""
    return worded is not None and worded.code in _OVER.values()


def _fits(budgets: tuple[Budget, ...], estimate: int) -> Ruling:
    numbers = {"estimate_usd": estimate / USD}
    for budget in budgets:
        numbers[f"{budget.window}_used_usd"] = budget.used_microusd / USD
        numbers[f"{budget.window}_cap_usd"] = budget.cap_microusd / USD
    hour, day, month = (
        say("{used} of {cap}", used=dollars(one.used_microusd), cap=dollars(one.cap_microusd)) for one in budgets
    )
    reason = say(
        "About {estimate} more fits the limits. Used so far: hour {hour}, day {day}, month {month}.",
        estimate=dollars(estimate),
        hour=hour,
        day=day,
        month=month,
    )
    return rule("pass", "cost.fits", reason, numbers=numbers)


def _stopped(question: RailInput) -> Ruling:
    month = question.ledger.month_stopped
    return rule(
        "block",
        _STOPPED,
        say("The budget for {month} was used up. A new month does not reset it; only you can.", month=month),
        fix="Look at what was spent, then re-enable it (`reenableMonth` in `/api/v1/crosspoll/config`).",
        numbers={"month_cap_usd": question.policy.caps.month_microusd / USD},
    )


def _over(question: RailInput, budget: Budget, estimate: int) -> Ruling:
    return rule(
        "block",
        f"cost.{budget.window}",
        say(
            "About {estimate} more would exceed the limit: {used} of {cap} spent {span}.",
            estimate=dollars(estimate),
            used=dollars(budget.used_microusd),
            cap=dollars(budget.cap_microusd),
            span=_SPANS[budget.window],
        ),
        fix=_fix(question, budget, estimate),
        numbers={
            "estimate_usd": estimate / USD,
            "used_usd": budget.used_microusd / USD,
            "cap_usd": budget.cap_microusd / USD,
        },
    )


def _fix(question: RailInput, budget: Budget, estimate: int) -> str:
    zone = question.policy.zone
    if estimate > budget.cap_microusd or budget.cap_microusd <= 0:
        return f"Waiting will not help: raise the cap for the {budget.window}, or use a cheaper channel."
    if budget.window == "month":
        return "Raise the monthly cap and re-enable it (`reenableMonth` in `/api/v1/crosspoll/config`)."
    if budget.window == "day":
        return f"It resets at midnight ({clock_of(next_midnight(question.now, zone), zone)}), or raise the daily cap."
    # A full hour refuses even free work, so there must be room for a micro-dollar at least.
    at = hour_room_at(question.ledger.spending, budget.cap_microusd - max(estimate, 1), question.now)
    return f"Enough of the hour has passed at {clock_of(at, zone)}, or raise the hourly cap."
