"""What the rails remember, and how it changes. Pure: every function returns a new ledger."""

from datetime import datetime, timedelta
from typing import TypeVar

from msgspec.structs import replace

from hub.contract.words import DISMISSING, Verb
from hub.domain.judgement import ChainLink, Judgement, Ledger, RunRequest
from hub.domain.policy import Policy
from hub.domain.suggestion import Proposal
from hub.may.content_rail import overridden
from hub.may.cost import Window
from hub.may.gate import combo_of, plan_mark, share
from hub.may.loops import LOOPS, START, depth_of
from hub.may.moments import age_of, month_of
from hub.may.rate import is_limited
from hub.may.ruling import RailInput
from hub.may.spending import book, give_back, spent

T = TypeVar("T")

COMBOS_KEPT_MAX = 200
"""Combinations of channels remembered as known; the oldest becomes novel again."""

REGRETS_KEPT_MAX = 20
REGRETS_COUNT_FOR = timedelta(days=1)

PLANS_KEPT_MAX = 200
"""Plans that a person let run, remembered as known; the oldest has to be seen again."""


def after_trigger(ledger: Ledger, proposal: Proposal, asked: RunRequest, policy: Policy, now: datetime) -> Ledger:
    """Record what was let through, as a card or a run: its link and its combination of channels.

    What the rate limiter governs is a trigger: it is counted, and its interval starts.
    """
    question = RailInput(proposal=proposal, policy=policy, ledger=ledger, now=now, asked=asked)
    combo = combo_of(question)
    others = tuple(known for known in ledger.seen_combos if known != combo)
    return replace(
        ledger,
        last_trigger_at=now if is_limited(question) else ledger.last_trigger_at,
        total_triggers=ledger.total_triggers + is_limited(question),
        links=_last(policy.loops.links_kept_max, (*ledger.links, _link(question))),
        seen_combos=_last(COMBOS_KEPT_MAX, (*others, combo)),
    )


def after_consent(ledger: Ledger, proposal: Proposal, asked: RunRequest) -> Ledger:
    """Remember that a person saw what would run for this kind of work, and let it; only that may later run alone."""
    mark = plan_mark(proposal, asked)
    others = tuple(known for known in ledger.known_plans if known != mark)
    return replace(ledger, known_plans=_last(PLANS_KEPT_MAX, (*others, mark)))


def is_known(ledger: Ledger, proposal: Proposal, asked: RunRequest) -> bool:
    """Return True if a person saw exactly this before, for this kind of work, and let it run."""
    return plan_mark(proposal, asked) in ledger.known_plans


def after_judgement(ledger: Ledger, judgement: Judgement, policy: Policy, now: datetime) -> Ledger:
    """Record what a judgement found: a loop is counted, a month that would be overspent stops until re-enabled."""
    blocked = {verdict.rule for verdict in judgement.verdicts if verdict.outcome == "block"}
    stopped = month_of(now, policy.zone) if "cost.month" in blocked else ""
    return replace(
        ledger,
        loop_detections=ledger.loop_detections + (not LOOPS.isdisjoint(blocked)),
        month_stopped=ledger.month_stopped or stopped,
        overrides=ledger.overrides + overridden(judgement),
    )


def chain_of(ledger: Ledger, card_id: str) -> str | None:
    """Return the channel whose result led to a card; None where nothing did, or it was too long ago to be kept."""
    sources = (link.from_channel for link in reversed(ledger.links) if link.card_id == card_id)
    return next((source for source in sources if source != START), None)


def after_cost(
    ledger: Ledger, microusd: int, policy: Policy, now: datetime, *, booked_at: datetime | None = None
) -> Ledger:
    """Book what something costs; a month whose cap is reached by it is stopped.

    A negative amount gives back what an estimate had booked too much, at `booked_at`; it lifts no stop.
    """
    if microusd < 0:
        return replace(ledger, spending=give_back(ledger.spending, -microusd, policy.zone, booked_at, now))
    booked = replace(ledger, spending=book(ledger.spending, microusd, policy.zone, now))
    full = microusd > 0 and spent(booked, policy, now).month_microusd >= policy.caps.month_microusd
    stopped = booked.spending.month if full else ""
    return replace(booked, month_stopped=ledger.month_stopped or stopped)


def after_answer(ledger: Ledger, verb: Verb, now: datetime) -> Ledger:
    """Count a person's decision; an approval ends a row of rejections. Verbs that decide nothing new are none."""
    _ = now  # an answer counts whenever it comes; the argument is there so that all of these look alike
    if verb in DISMISSING:
        return replace(ledger, decisions=ledger.decisions + 1, rejections_in_row=ledger.rejections_in_row + 1)
    if verb in (Verb.APPROVE, Verb.EDIT):
        return replace(ledger, decisions=ledger.decisions + 1, rejections_in_row=0)
    return ledger


def after_undone_rejection(ledger: Ledger) -> Ledger:
    """Take one rejection out of the row: the person has thought better of it."""
    return replace(ledger, rejections_in_row=max(0, ledger.rejections_in_row - 1))


def after_regret(ledger: Ledger, now: datetime) -> Ledger:
    """Remember that a person stopped or took back what Pulse had done alone."""
    return replace(ledger, regretted_at=_last(REGRETS_KEPT_MAX, (*ledger.regretted_at, now)))


def regrets_of(ledger: Ledger, now: datetime) -> int:
    """Return how often that happened within the last day."""
    ages = (age_of(at, now) for at in ledger.regretted_at)
    return sum(age is not None and age < REGRETS_COUNT_FOR for age in ages)


def after_resume(ledger: Ledger) -> Ledger:
    """Forget what led to a pause: it is over."""
    return replace(ledger, rejections_in_row=0, regretted_at=())


def reenable_month(ledger: Ledger) -> Ledger:
    """Lift the month's hard stop, at a person's word. The cap itself stays, and so does what was spent."""
    return replace(ledger, month_stopped="")


def crossed(before: Ledger, after: Ledger, policy: Policy, now: datetime) -> tuple[Window, ...]:
    """Return the windows whose warning share was passed between two ledgers, shortest first."""
    old, new, limit = _shares(before, policy, now), _shares(after, policy, now), policy.caps.warn_share
    return tuple(window for window, reached in new.items() if old[window] <= limit < reached)


def _shares(ledger: Ledger, policy: Policy, now: datetime) -> dict[Window, float]:
    booked, caps = spent(ledger, policy, now), policy.caps
    return {
        "hour": share(booked.hour_microusd, caps.hour_microusd),
        "day": share(booked.day_microusd, caps.day_microusd),
        "month": share(booked.month_microusd, caps.month_microusd),
    }


def _link(question: RailInput) -> ChainLink:
    source = question.asked.from_channel
    return ChainLink(
        from_channel=START if source is None else source,
        to_channel=question.proposal.channel,
        card_id=question.asked.card_id,
        at=question.now,
        depth=depth_of(question.ledger.links, source, question.policy.loops, question.now),
    )


def _last(count: int, items: tuple[T, ...]) -> tuple[T, ...]:
    return items[max(0, len(items) - count) :]
