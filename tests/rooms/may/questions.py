"""Builders for the tests of this room: everything that passes every rail, with one thing changed at a time."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract.words import HumanInput, Origin, Risk, Source, Verb
from hub.domain.judgement import Judgement, Ledger, RailVerdict, RunRequest, Spending, StandingYes
from hub.domain.plan import Plan, shape_of
from hub.domain.policy import Agent, Channel, Policy
from hub.domain.suggestion import Answer, Factors, Need, Proposal, Work
from hub.may.gate import plan_mark
from hub.may.moments import day_of, month_of
from hub.may.pipeline import judge
from hub.may.ruling import RailInput

NOW = datetime(2026, 3, 10, 14, 30, tzinfo=UTC)

POLICY = Policy(
    autonomous=True,
    channels=tuple(
        Channel(name=name, specialty="work", agent="worker")
        for name in ("koji-core", "chronicle-hub", "research", "garden", "dream-weaver")
    ),
    agents=(Agent(name="worker", kind="playbook"),),
)

PROPOSAL = Proposal(
    prompt="Run the tests of hub/store",
    channel="koji-core",
    agent="worker",
    confidence=0.9,
    factors=Factors(twin=0.9, pattern=0.9, urgency=0.9, time=0.9),
    reasoning="3 modules changed",
    source=Source.TEMPLATE,
    kind="run-tests",
    reason_key="tests:hub/store",
    signature="abc",
    need=Need(text="the tests pass"),
    work=Work(playbook="run-tests", workspace="/home/me/pulse"),
    risk=Risk.LOW,
    cost_estimate_microusd=50_000,
    routed_by="affinity",
    origin=Origin.PULSE,
    quotes=(),
)

ASKED = RunRequest(
    card_id="card_1",
    card_hash="hash_1",
    attempt=1,
    execution_id="run_1",
    prompt=PROPOSAL.prompt,
    trigger="cron",
    may_act=True,
    plan=Plan(playbook="run-tests", argv=("/usr/bin/make", "test"), folder="/home/me/pulse"),
)

PLAN = Plan(playbook="run-tests", argv=("/usr/bin/make", "test"), folder="/home/me/pulse")

GIVEN = StandingYes(
    id="yes_1",
    kind="run-tests",
    repository="/home/me/pulse",
    shape=shape_of(PLAN),
    made_at=NOW - timedelta(days=1),
    expires_at=NOW + timedelta(days=30),
    card_id="card_0",
    by="phone/mine",
)

LEDGER = Ledger(
    decisions=7,
    seen_combos=("start>koji-core>worker",),
    known_plans=(plan_mark(PROPOSAL, ASKED),),
    standing=(GIVEN,),
)

APPROVED = Answer(
    key="k1",
    card_id="card_1",
    verb=Verb.APPROVE,
    by="me",
    surface="terminal",
    device="tty1",
    human_input=HumanInput.KEY,
    card_hash="hash_1",
)

QUESTION = RailInput(proposal=PROPOSAL, policy=POLICY, ledger=LEDGER, now=NOW, asked=ASKED)


def answered(question: RailInput, answer: Answer = APPROVED) -> RailInput:
    """Ask again with a person's answer."""
    return replace(question, asked=replace(question.asked, answer=answer))


def led_from(question: RailInput, channel: str | None) -> RailInput:
    """Ask about work that another channel's result led to."""
    return replace(question, asked=replace(question.asked, from_channel=channel))


def having_spent(hour: int = 0, day: int = 0, month: int = 0, *, now: datetime = NOW, zone: str = "UTC") -> Ledger:
    """Return a ledger with these micro-dollars in its windows, the hour's in the present minute."""
    spending = Spending(
        minutes=((now.replace(second=0, microsecond=0), hour),) if hour else (),
        day=day_of(now, zone),
        day_microusd=day,
        month=month_of(now, zone),
        month_microusd=month,
    )
    return replace(LEDGER, spending=spending)


def judged(question: RailInput) -> Judgement:
    """Run the whole pipeline."""
    return judge(
        question.proposal,
        policy=question.policy,
        ledger=question.ledger,
        now=question.now,
        asked=question.asked,
    )


def fired(judgement: Judgement) -> list[str]:
    """Return the rules that did not pass."""
    return [verdict.rule for verdict in judgement.verdicts if verdict.outcome != "pass"]


def of_stage(judgement: Judgement, stage: str) -> tuple[RailVerdict, ...]:
    """Return one stage's verdicts."""
    return tuple(verdict for verdict in judgement.verdicts if verdict.stage == stage)
