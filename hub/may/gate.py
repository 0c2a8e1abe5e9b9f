"""The human gate: every row of CROSSPOLL 3.6, and what the design adds. It asks; it blocks only a wrong answer.

Each row is a small function that gives a ruling or nothing. They all run, so that `why` shows every reason to ask.
"""

from collections.abc import Callable

from hub.contract.words import Origin, Risk, Verb
from hub.domain.figures import dollars, percent
from hub.domain.judgement import RunRequest
from hub.domain.plan import CannotPlan, Plan, digest_of, needs_consent, unpinned
from hub.domain.policy import USD
from hub.domain.provenance import Wording, as_worded, say, untrusted
from hub.domain.suggestion import Proposal
from hub.domain.text_sources import where_from
from hub.may.production import production_word
from hub.may.ruling import RailInput, Ruling, rule
from hub.may.spending import spent
from hub.may.unasked import unasked

Row = Callable[[RailInput], Ruling | None]


def gate(question: RailInput) -> tuple[Ruling, ...]:
    """Say for which reasons a person has to agree, if any."""
    rows = _ROWS_FOR_QUESTIONS if question.somebody_elses else _ROWS
    found = tuple(ruling for row in rows if (ruling := row(question)) is not None)
    return found or (rule("pass", "gate.none", say("No reason to ask a person.")),)


def share(part: int, whole: int) -> float:
    """Return a part of a cap as a share of it; of a cap of nothing, anything is endlessly much."""
    if whole > 0:
        return part / whole
    return float("inf") if part > 0 else 0.0


def combo_of(question: RailInput) -> str:
    """Return the combination of channels that CROSSPOLL 3.6 calls novel the first time it is used."""
    source = question.asked.from_channel or "start"
    return f"{source}>{question.proposal.channel}>{question.proposal.agent}"


def plan_mark(proposal: Proposal, asked: RunRequest) -> str:
    """Return what a consent is remembered by: the kind of work, and the digest of what runs and where.

    New commits are the same work: that their names stand for what was shown is held before each start.
    """
    plan = unpinned(asked.plan) if isinstance(asked.plan, Plan) else asked.plan
    return f"{proposal.kind}:{digest_of(plan)}"


def _wrong_card(question: RailInput) -> Ruling | None:
    answer = question.approval
    if answer is None or answer.card_id == question.asked.card_id:
        return None
    reason = say("The answer is for {card}, not for {shown}.", card=answer.card_id, shown=question.asked.card_id)
    return rule("block", "gate.other-card", reason, fix="Answer the card that is shown.")


def _changed_card(question: RailInput) -> Ruling | None:
    answer, asked = question.approval, question.asked
    if answer is None:
        return None
    # An edit (or a retry with more to go by) changes the hash, so it is bound by its text instead.
    if answer.verb is not Verb.APPROVE and answer.prompt:
        same = answer.prompt == asked.edited_text
    else:
        same = answer.card_hash is None or answer.card_hash == asked.card_hash
    if same:
        return None
    reason = say("What would run is not what was approved.")
    return rule("block", "gate.changed-card", reason, fix="Look at the current card, and answer again.")


def _asked_for(question: RailInput) -> Ruling | None:
    if not question.somebody_elses:
        return None
    return rule("ask", "gate.asked", say("An agent is asking you."))


def _low_confidence(question: RailInput) -> Ruling | None:
    confidence, floor = question.proposal.confidence, question.policy.bands.suggest
    if not 0.0 <= confidence <= 1.0:  # NaN too; a model's answer may be anything
        no_number = say("Its confidence is not a number between 0 and 1, so it is only shown.")
        return rule("ask", "gate.confidence", no_number)
    if confidence >= floor or (_may_alone(question) and not question.proposal.is_rated):
        return None
    reason = say("{sure}; below {floor} it only shows an idea.", sure=_how_sure(question), floor=percent(floor))
    return rule("ask", "gate.confidence", reason, numbers={"confidence": confidence, "suggest": floor})


def _how_sure(question: RailInput) -> Wording:
    if not question.proposal.is_rated:
        return say("Pulse has no confidence yet")
    return say("Pulse is {percent} sure", percent=percent(question.proposal.confidence))


def _below_auto(question: RailInput) -> Ruling | None:
    confidence, floor = question.proposal.confidence, question.policy.bands.auto_execute
    if confidence >= floor or _low_confidence(question) is not None or _may_alone(question):
        return None
    reason = say("{sure}; autopilot starts at {floor}.", sure=_how_sure(question), floor=percent(floor))
    return rule("ask", "gate.auto-execute", reason, numbers={"confidence": confidence, "auto_execute": floor})


def _only_guessed(question: RailInput) -> Ruling | None:
    """What was learnt never opens a rail: a likely yes is no yes."""
    if not question.proposal.is_guessed or _may_alone(question):
        return None
    reason = say("Your yes is only predicted from earlier answers, so nothing runs.")
    return rule("ask", "gate.guessed", reason)


def _too_unsure(question: RailInput) -> Ruling | None:
    """Ask in spite of the person's leave where a yes is less likely than their word on wrong acts bears."""
    likelihood, floor = question.proposal.likelihood, question.policy.attention.alone_from
    if likelihood is None or not likelihood.is_learnt or likelihood.p >= floor or not _may_alone(question):
        return None
    reason = say(
        "A yes is {percent} likely; given what you said about wrong actions, autopilot starts at {floor}.",
        percent=percent(likelihood.p),
        floor=percent(floor),
    )
    return rule("ask", "gate.wrong-act", reason, numbers={"p": likelihood.p, "floor": floor})


def _expensive(question: RailInput) -> Ruling | None:
    estimate, limit = question.proposal.cost_estimate_microusd, question.policy.caps.ask_above_microusd
    if estimate <= limit:
        return None
    reason = say("It may cost {cost}; above {limit} a person decides.", cost=dollars(estimate), limit=dollars(limit))
    return rule("ask", "gate.cost", reason, numbers={"estimate_usd": estimate / USD, "ask_above_usd": limit / USD})


def _production(question: RailInput) -> Ruling | None:
    asked, proposal = question.asked, question.proposal
    work = proposal.work
    branch = untrusted(asked.branch) if asked.branch else ""
    texts = (asked.prompt, proposal.channel, work.playbook or "", work.workspace or "", branch, *work.args)
    word = production_word(texts, question.policy.production_words)
    if word is None:
        return None
    reason = say("It seems to touch production (“{word}”); that is always yours to decide.", word=word)
    return rule("ask", "gate.production", reason)


def _novel(question: RailInput) -> Ruling | None:
    if combo_of(question) in question.ledger.seen_combos:
        return None
    if question.asked.from_channel:
        return rule("ask", "gate.novel", say("Work of this kind has not followed from such work before."))
    return rule("ask", "gate.novel", say("Work of this kind has not come up before."))


def _rejections(question: RailInput) -> Ruling | None:
    count, limit = question.ledger.rejections_in_row, question.policy.rejections_to_pause
    if count < limit:
        return None
    reason = say("You rejected the last {count} suggestions, so autopilot is off for now.", count=count)
    return rule("ask", "gate.rejections", reason, numbers={"rejections_in_row": count, "limit": limit})


def _day_nearly_spent(question: RailInput) -> Ruling | None:
    caps = question.policy.caps
    used = spent(question.ledger, question.policy, question.now).day_microusd
    if share(used, caps.day_microusd) <= caps.warn_share:
        return None
    reason = say(
        "{used} of {cap} are spent today, more than {percent}: please say how to continue.",
        used=dollars(used),
        cap=dollars(caps.day_microusd),
        percent=percent(caps.warn_share),
    )
    return rule("ask", "gate.day-share", reason, numbers={"used_usd": used / USD, "cap_usd": caps.day_microusd / USD})


def _first_run(question: RailInput) -> Ruling | None:
    if question.ledger.decisions > 0:
        return None
    return rule("ask", "gate.first-run", say("You have not answered anything yet, so everything is shown first."))


def _not_now(question: RailInput) -> Ruling | None:
    if question.asked.may_act:
        return None
    return rule("ask", "gate.not-now", say("This is not a time for autopilot."))


def _not_autonomous(question: RailInput) -> Ruling | None:
    if question.policy.autonomous:
        return None
    return rule("ask", "gate.not-autonomous", say("Autopilot is off."))


def _follow_up(question: RailInput) -> Ruling | None:
    if not question.asked.follow_up:
        return None
    return rule(
        "ask",
        "gate.follow-up",
        say("Suggestions from a start, finished work, a change or open work are never run on autopilot."),
    )


def _not_earned(question: RailInput) -> Ruling | None:
    """Let nothing run alone that a person has not let run alone, in so many words; no figure does that for them."""
    if _may_alone(question):
        return None
    return rule("ask", "gate.earned", say("You have not allowed this to run without asking."))


def _may_alone(question: RailInput) -> bool:
    """Say whether the person's own word is that this may run alone.

    It was given to a card, or is a setting (`drives.wakes`). It stands in place of a confidence that is merely not
    high, or that is only the fixed figure of the beginning. One that was learnt, and is low, speaks against it.
    """
    return unasked(question) is not None


def _unseen_plan(question: RailInput) -> Ruling | None:
    """Let nothing run alone that a person has not let run before, exactly as it is now."""
    plan = question.asked.plan
    if isinstance(plan, Plan) and plan.doubt:
        reason = say(
            "Some of the files that decide what runs are unknown: {doubt}.",
            doubt=as_worded(plan.doubt, plan.doubt_worded),
        )
        return rule("ask", "gate.plan", reason)
    if not needs_consent(plan) or plan_mark(question.proposal, question.asked) in question.ledger.known_plans:
        return None
    if plan is None or isinstance(plan, CannotPlan):
        return rule("ask", "gate.plan", say("It is unknown what would run."))
    return rule("ask", "gate.plan", say("What would run is new or has changed since you last approved it."))


def _risky(question: RailInput) -> Ruling | None:
    risk = question.proposal.risk
    if risk is Risk.LOW:
        return None
    return rule("ask", "gate.risk", say("Its risk is high.") if risk is Risk.HIGH else say("Its risk is medium."))


def _world_text(question: RailInput) -> Ruling | None:
    """Whatever its confidence: what runs alone is in Pulse's own words, and was judged as it was made."""
    proposal = question.proposal
    if proposal.is_our_own and question.asked.prompt == proposal.prompt:
        return None
    if proposal.quotes and proposal.origin is not Origin.MODEL:
        sources = where_from(proposal.quotes)
        why = say("It quotes text {sources}; text by others never runs without your yes.", sources=sources)
    else:
        why = _WHOSE.get(proposal.origin, say("Its text is no longer the one Pulse wrote."))
    return rule("ask", "gate.world-text", why, numbers={"sources": len(proposal.quotes)})


_WHOSE = {
    Origin.MODEL: say("The model worded it or chose another channel; autopilot only runs Pulse's own suggestions."),
    Origin.WORLD: say("Pulse did not word it."),
    Origin.PERSON: say("Someone asked for it in their own words; only you can confirm it."),
}

_ROWS: tuple[Row, ...] = (
    _wrong_card,
    _changed_card,
    _world_text,
    _low_confidence,
    _expensive,
    _production,
    _novel,
    _rejections,
    _day_nearly_spent,
    _first_run,
    _below_auto,
    _only_guessed,
    _too_unsure,
    _risky,
    _not_earned,
    _unseen_plan,
    _follow_up,
    _not_now,
    _not_autonomous,
)

# Whether Pulse may act alone does not matter where it does not act.
_ROWS_FOR_QUESTIONS: tuple[Row, ...] = (_wrong_card, _changed_card, _asked_for, _production, _risky)
