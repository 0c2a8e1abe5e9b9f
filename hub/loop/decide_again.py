"""Making the decisions of an episode again, from nothing but what was kept with it.

Three decisions are pure functions of what is stored: what to suggest (`what`, with the chance of a yes), what the rails
say (`may`), and how it is told (`where`). The rooms are asked again, as they are now: a changed rule shows.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from hub.contract.rerun import DecisionView
from hub.domain.attention import Telling, Weighed
from hub.domain.episode import Judged, Proposed, Sensed, Step
from hub.domain.mind import Mind
from hub.domain.policy import Policy
from hub.domain.situation import Situation
from hub.domain.suggestion import Proposal
from hub.loop.likelihood import likely_by
from hub.may import judge
from hub.what import propose
from hub.where import how_to_tell


def decide_again(steps: Sequence[Step]) -> tuple[DecisionView, ...]:
    """Return every decision of an episode, made again."""
    return tuple(_again(steps))


def _again(steps: Sequence[Step]) -> Iterator[DecisionView]:
    situation: Situation | None = None
    proposed: Proposed | None = None
    is_fresh = False
    for number, step in enumerate(steps):
        body = step.body
        if isinstance(body, Sensed):
            situation = body.situation
        elif isinstance(body, Proposed):
            policy = next((later.body.policy for later in steps[number:] if isinstance(later.body, Judged)), None)
            proposed, is_fresh = body, True
            yield _choice(step, body, situation, policy)
        elif isinstance(body, Judged) and proposed is not None:
            yield _rails(step, body, _as_judged(proposed) if is_fresh else proposed.proposal)
            is_fresh = False
        elif isinstance(body, Weighed):
            again = how_to_tell(body.matter, body.circumstances, body.attention)
            was, now = f"{TOLD[body.telling]}. {body.why}", f"{TOLD[again.telling]}. {again.why}"
            yield DecisionView(at=step.at, room="where", same=again == body, was=was, now=now)


def _choice(step: Step, body: Proposed, situation: Situation | None, policy: Policy | None) -> DecisionView:
    was, basis = _told(body.proposal), body.basis
    if basis is None or situation is None or policy is None:
        return DecisionView(at=step.at, room="what", same=None, was=was, now="")
    again = propose(
        situation,
        policy,
        Mind(tallies=basis.tallies, mutes=basis.mutes, channel_last_at=basis.channel_last_at),
        known=basis.known,
        open_keys=basis.open_keys,
        guesses=body.guesses,
        channel=basis.channel,
        hint=basis.hint,
        by_program=basis.by_program,
        asked=basis.asked,
        only=basis.only,
        likely=likely_by(basis.model, situation, basis.at, happened=basis.happened, presence=basis.presence),
    )
    if again is None:
        return DecisionView(at=step.at, room="what", same=False, was=was, now="Nothing would be suggested.")
    chosen = _as_judged(body)
    kept = {"own_words": chosen.own_words, "reasoning": chosen.reasoning, "need_worded": chosen.need_worded}
    same = replace(again.proposal, **kept) == chosen
    same = same and chosen.reasoning.startswith(again.proposal.reasoning) and again.ideas == body.ideas
    return DecisionView(at=step.at, room="what", same=same, was=was, now=_told(again.proposal))


def _as_judged(proposed: Proposed) -> Proposal:
    """Return the proposal as the rails were asked about it: what they found is written into it afterwards."""
    if proposed.basis is None:
        return proposed.proposal
    return replace(proposed.proposal, risk=proposed.basis.risk, second_yes=False)


def _rails(step: Step, body: Judged, proposal: Proposal) -> DecisionView:
    was = _concluded(body.conclusion, [verdict.rule for verdict in body.verdicts if verdict.outcome != "pass"])
    if body.asked is None:
        return DecisionView(at=step.at, room="may", same=None, was=was, now="")
    again = judge(proposal, policy=body.policy, ledger=body.ledger, now=step.at, asked=body.asked)
    conclusion = type(again.outcome).__name__
    now = _concluded(conclusion, [verdict.rule for verdict in again.verdicts if verdict.outcome != "pass"])
    same = again.verdicts == body.verdicts and conclusion == body.conclusion
    return DecisionView(at=step.at, room="may", same=same, was=was, now=now)


TOLD: Mapping[Telling, str] = {
    "loud": "Notified at once, with a sound",
    "quiet": "Notified at once, silently",
    "breakpoint": "Waits for a good moment",
    "digest": "Waits for the next digest",
    "never": "Only shown in the list",
}
CONCLUSIONS = {"Permit": "May run", "AskHuman": "A person is asked", "Refusal": "Not allowed"}


def _concluded(conclusion: str, rules: Sequence[str]) -> str:
    said = CONCLUSIONS.get(conclusion, conclusion)
    return f"{said}: {', '.join(rules)}." if rules else f"{said}: every rule allows it."


def _told(proposal: Proposal) -> str:
    likely = proposal.likelihood
    chance = f" (a yes: {likely.p:.0%})" if likely is not None else ""
    return f"{proposal.prompt}{chance}"
