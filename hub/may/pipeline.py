"""The safety pipeline of CROSSPOLL 3.1, in its order. All rails always speak, also after one has blocked.

What follows from their verdicts: any block refuses, whoever asks; else a person's approval permits; else any ask goes
to a person; else Pulse may do it alone. Nothing else in Pulse makes a `Permit`.
"""

from datetime import datetime

from hub.domain.judgement import AskHuman, Judgement, Ledger, Permit, Refusal, RunRequest
from hub.domain.policy import Policy
from hub.domain.suggestion import Answer, Proposal
from hub.may.content_rail import content
from hub.may.cost import cost
from hub.may.gate import gate
from hub.may.kill import kill
from hub.may.loops import loops
from hub.may.rate import rate
from hub.may.ruling import Rail, RailInput, Ruling

RAILS: tuple[Rail, ...] = (
    Rail(stage="rate", look=rate, afterwards="unsaid"),
    Rail(stage="loops", look=loops, afterwards="again"),
    Rail(stage="cost", look=cost, afterwards="again", pauses=True),
    Rail(stage="content", look=content),
    Rail(stage="gate", look=gate),
    Rail(stage="kill", look=kill),
)


def judge(proposal: Proposal, *, policy: Policy, ledger: Ledger, now: datetime, asked: RunRequest) -> Judgement:
    """Say whether what `asked` describes may run: all verdicts in order, and a permit, a refusal or a question."""
    question = RailInput(proposal=proposal, policy=policy, ledger=ledger, now=now, asked=asked)
    said = tuple((rail, ruling) for rail in RAILS for ruling in rail.look(question))
    return Judgement(verdicts=tuple(ruling.verdict for _, ruling in said), outcome=_conclude(question, said))


def _conclude(question: RailInput, said: tuple[tuple[Rail, Ruling], ...]) -> Permit | Refusal | AskHuman:
    for rail, ruling in said:
        if ruling.verdict.outcome == "block":
            return _refusal(rail, ruling)
    approval = question.approval
    if approval is not None:
        return _permit(question, granted_by=_name_of(approval), autonomous=False)
    reasons = [ruling.verdict.reason for _, ruling in said if ruling.verdict.outcome == "ask"]
    if reasons:
        return AskHuman(why=" ".join(reasons))
    return _permit(question, granted_by="pulse", autonomous=True)


def _refusal(rail: Rail, ruling: Ruling) -> Refusal:
    return Refusal(
        rule=ruling.verdict.rule,
        reason=ruling.verdict.reason,
        fix=ruling.fix,
        afterwards=rail.afterwards,
        pauses=rail.pauses,
    )


def _name_of(answer: Answer) -> str:
    return f"{answer.surface}/{answer.device} by {answer.by}"


def _permit(question: RailInput, *, granted_by: str, autonomous: bool) -> Permit:
    proposal, asked = question.proposal, question.asked
    return Permit(
        execution_id=asked.execution_id,
        card_id=asked.card_id,
        card_hash=asked.card_hash,
        prompt=asked.prompt,
        channel=proposal.channel,
        agent=proposal.agent,
        work=proposal.work,
        need=proposal.need,
        autonomous=autonomous,
        granted_at=question.now,
        granted_by=granted_by,
        attempt=asked.attempt,
        plan=asked.plan,
        quotes=proposal.quotes,
    )
