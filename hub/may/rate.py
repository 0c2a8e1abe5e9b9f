"""The rate limiter (CROSSPOLL 3.2): a strict interval, no burst. At most `3600 / interval_s` triggers an hour follow.

It governs triggers that Pulse makes by itself or through `trigger` without a card; a person's approval is none.
"""

from datetime import timedelta

from hub.contract.words import Origin
from hub.domain.provenance import Wording, say
from hub.kit.text import duration
from hub.may.moments import age_of
from hub.may.ruling import RailInput, Ruling, length, rule

_HOUR_S = 3_600.0


def is_limited(question: RailInput) -> bool:
    """Whether this is a trigger at all.

    None is what a person approves or asks for in words, a follow-up, a card that a change or a need brought (each has
    a limit of its own), somebody else's question.
    """
    is_asked_for = question.proposal.origin is Origin.PERSON
    return not (question.approval or is_asked_for or question.asked.follow_up or question.somebody_elses)


def rate(question: RailInput) -> tuple[Ruling, ...]:
    """Say whether the interval since the last trigger has passed; exactly reached is passed."""
    if not is_limited(question):
        return (rule("pass", "rate.exempt", _why_exempt(question)),)
    interval_s = question.policy.timing.interval_s
    numbers = {"interval_s": interval_s}
    if interval_s > 0:
        numbers["triggers_per_hour_max"] = _HOUR_S // interval_s
    last = question.ledger.last_trigger_at
    age = None if last is None else age_of(last, question.now)
    if age is None:
        return (rule("pass", "rate.first", say("No earlier trigger to wait for."), numbers=numbers),)
    numbers["elapsed_s"] = age.total_seconds()
    if age >= timedelta(seconds=interval_s):
        reason = say(
            "The last trigger was {age} ago; the minimum interval is {kept}.",
            age=length(age),
            kept=length(interval_s, rounded="exact"),
        )
        return (rule("pass", "rate.interval", reason, numbers=numbers),)
    if question.asked.force:
        reason = say("The last trigger was {age} ago, but this one is forced.", age=length(age))
        return (rule("pass", "rate.forced", reason, numbers=numbers),)
    return (_too_soon(interval_s - age.total_seconds(), numbers),)


def _too_soon(remaining_s: float, numbers: dict[str, float]) -> Ruling:
    return rule(
        "block",
        "rate.interval",
        say(
            "The last suggestion was made {age} ago; {kept} is the minimum between two.",
            age=length(numbers["elapsed_s"]),
            kept=length(numbers["interval_s"], rounded="exact"),
        ),
        fix=f"Ask again in {duration(remaining_s, rounded='up')}, or force it now: `pulse trigger --force`.",
        numbers={**numbers, "remaining_s": remaining_s},
    )


def _why_exempt(question: RailInput) -> Wording:
    if question.approval:
        return say("A person's approval is never rate-limited.")
    if question.proposal.origin is Origin.PERSON:
        return say("The pace limit does not apply to your own requests.")
    if question.asked.follow_up:
        return say("The pace limit does not apply: this follows a start, another card, a change or open work.")
    return say("The pace limit does not apply to someone else's questions.")
