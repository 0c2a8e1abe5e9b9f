"""What a person may say to work that failed: let an agent of theirs mend it, or leave it be (a retry is an answer).

Theory: mending is work of its own, with a card of its own, so that it is seen, judged, run and proven like any other.
The person's word begins it; what would run is then looked at, and shown. Where they have let this very agent do this
in this folder before, that word is their yes to it as well; else the card waits for one. What the failed run printed
goes along as data: whoever wrote it may not tell the agent what to do.
"""

from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.words import Origin, Risk, Source, Status
from hub.do import fixer_of, is_ignored, tester_of
from hub.domain.policy import Channel
from hub.domain.provenance import AgentText, Part, Wording, quoted, say
from hub.domain.requests import Reply
from hub.domain.suggestion import RUN_TESTS, Answer, Card, Factors, Need, Proposal, Work
from hub.kit.text import cut
from hub.loop import refusals
from hub.loop.answered import settled_by
from hub.loop.commands import Resolve
from hub.loop.draft import Draft
from hub.loop.events import Resolved
from hub.loop.grants import note_answer
from hub.loop.ordered import put
from hub.loop.state import Mending
from hub.loop.tell import tell_settled
from hub.loop.views import is_killed

KIND = "mend"
MENDINGS_MAX = 8
"""So many are looked at together; each takes a moment."""
WHAT_CHARS_MAX = 1_000
_RISKS = (Risk.LOW, Risk.MEDIUM, Risk.HIGH)


def ignore(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Put a failure aside, on every surface; it stays what it is, and may still be tried again."""
    if not _has_failed(card) or (answer.attempt or card.attempts) > card.attempts:
        return refusals.nothing_failed(draft.view(card))
    if is_ignored(card) or (answer.attempt or card.attempts) < card.attempts:
        return AnswerReply(prediction=draft.view(card), repeated=True, message="Already done.")
    note_answer(draft, answer)
    aside = draft.keep(settled_by(card, answer, draft.now))
    return AnswerReply(prediction=tell_settled(draft, aside), message="Ignored.")


def mend(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Let an agent of the person's find out why work failed, and fix it; a card of its own says what would run."""
    if not _has_failed(card) or (answer.attempt or card.attempts) != card.attempts:
        return refusals.nothing_failed(draft.view(card))
    if is_killed(draft.state):
        return refusals.killed(draft.state)
    channel = fixer_of(draft.state.policy, card)
    agent = draft.state.policy.agent(channel.agent) if channel else None
    if channel is None or agent is None:
        return refusals.no_agent_to_fix(draft.view(card))
    if len(draft.state.mendings) >= MENDINGS_MAX:
        return refusals.too_many_fixes(draft.view(card))
    note_answer(draft, answer)
    handed = draft.keep(settled_by(card, answer, draft.now))
    mending = Mending(id=draft.new_id("mend"), proposal=_proposal(card, channel), answer=answer)
    draft.state = replace(draft.state, mendings=(*draft.state.mendings, mending))
    tester = tester_of(mending.proposal.need, draft.state.policy)
    draft.commands.append(Resolve(cycle_id=mending.id, agent=agent, work=mending.proposal.work, tester=tester))
    return AnswerReply(
        prediction=tell_settled(draft, handed), message=f"{agent.name} was asked to fix it; see its own card."
    )


def _has_failed(card: Card) -> bool:
    return card.status is Status.FAILED and card.mended_at is None


def on_resolved(draft: Draft, event: Resolved) -> bool:
    """Make the card of a mending, now that it is known what would run; False if the event is about none."""
    mending = next((one for one in draft.state.mendings if one.id == event.cycle_id), None)
    if mending is None or mending.takes_back:
        return False
    draft.state = replace(draft.state, mendings=tuple(one for one in draft.state.mendings if one is not mending))
    if mending.proposal.reason_key not in draft.facts.open_keys:
        put(draft, mending.proposal, event.plan, yes=mending.answer, only_if_known=True)
    return True


def _proposal(card: Card, channel: Channel) -> Proposal:
    """Word the work: ours, with what failed as data."""
    before, prompt = card.proposal, _prompt(card)
    reasoning = say("You asked for this after it failed: {outcome}", outcome=card.outcome)
    is_test = before.need.tests != "" or before.work.playbook == RUN_TESTS
    return Proposal(
        prompt=prompt.text,
        channel=channel.name,
        agent=channel.agent,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=1.0, time=1.0),
        reasoning=reasoning.text,
        source=Source.TEMPLATE,
        kind=KIND,
        reason_key=f"{KIND}:{card.id}",
        signature=f"{card.attempts}",
        need=Need(text="The tests pass.", tests="after") if is_test else Need(text="The agent reports no error."),
        work=Work(workspace=before.work.workspace),
        risk=max(before.risk, channel.risk, key=_RISKS.index),
        cost_estimate_microusd=channel.cost_per_run_microusd,
        routed_by="person",
        origin=Origin.PULSE,
        quotes=tuple(sorted(prompt.quotes)),
        prompt_worded=prompt.worded,
        reasoning_worded=reasoning.worded,
    )


def _prompt(card: Card) -> Wording:
    what = cut(card.prompt, WHAT_CHARS_MAX)
    ours: Part = what if card.proposal.is_our_own else quoted(AgentText(what))
    prompt = say("Find out why this failed, and fix the cause: {ours}", ours=ours)
    for line in card.result.trouble if card.result else ():
        prompt = say("{prompt}\nIt said: {line}", prompt=prompt, line=quoted(line))
    return prompt
