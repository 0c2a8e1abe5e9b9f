"""What `drives.wakes = "alone"` lets run: Pulse's message to the agent that was named, and not one thing beside it."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from hub.contract.words import Origin, Risk, Source, TextSource
from hub.domain.drives import DriveRules, Wake
from hub.domain.judgement import AskHuman, Ledger, Permit, Refusal
from hub.domain.plan import Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import WAKE_AGENT, Factors, Work
from hub.domain.waking import message_of
from hub.may.gate import combo_of, plan_mark
from hub.may.ruling import RailInput
from tests.rooms.may.questions import POLICY, QUESTION, judged

RULES = DriveRules(agent="claw", wakes="alone")
CLAW = Agent(name="claw", kind="openclaw", url="http://127.0.0.1:18789", token_env="CLAW_TOKEN")
OTHER = replace(CLAW, name="other")
PLAN = Plan(address=CLAW.url, prompt="argument", environment=("CLAW_TOKEN",))
AT = datetime(2026, 3, 10, 14, 0, tzinfo=UTC)
WAKE = Wake(id="wake_1", at=AT, rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)
MESSAGE = message_of(WAKE, RULES)
PROPOSAL = replace(
    QUESTION.proposal,
    prompt=MESSAGE,
    kind=WAKE_AGENT,
    agent="claw",
    channel="wake-claw",
    signature="wake_1",
    work=Work(playbook=WAKE_AGENT, args=("wake_1",)),
    confidence=0.4,
    factors=Factors(twin=None, pattern=0.5, urgency=0.5, time=0.0),
)
FIRST = replace(
    QUESTION,
    policy=replace(POLICY, agents=(*POLICY.agents, CLAW, OTHER), drives=RULES),
    proposal=PROPOSAL,
    asked=replace(QUESTION.asked, prompt=MESSAGE, plan=PLAN),
)


def seen(question: RailInput) -> RailInput:
    """The same, after the person has once said yes to such a message."""
    marks = Ledger(
        decisions=1, known_plans=(plan_mark(question.proposal, question.asked),), seen_combos=(combo_of(question),)
    )
    return replace(question, ledger=marks)


ALONE = seen(FIRST)


def with_rules(**changed: object) -> RailInput:
    return seen(replace(FIRST, policy=replace(FIRST.policy, drives=replace(RULES, **changed))))


def with_text(prompt: str, *, also_proposed: bool = True) -> RailInput:
    proposal = replace(PROPOSAL, prompt=prompt) if also_proposed else PROPOSAL
    return seen(replace(FIRST, proposal=proposal, asked=replace(FIRST.asked, prompt=prompt)))


def with_proposal(**changed: object) -> RailInput:
    return seen(replace(FIRST, proposal=replace(PROPOSAL, **changed)))


def test_the_setting_lets_the_message_go_once_the_person_has_seen_where_it_goes() -> None:
    assert isinstance(judged(FIRST).outcome, AskHuman)
    outcome = judged(ALONE).outcome
    assert isinstance(outcome, Permit), outcome
    assert outcome.autonomous


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(with_rules(wakes="card"), id="a card is wanted"),
        pytest.param(with_rules(wakes="off"), id="nobody is to be woken"),
        pytest.param(with_rules(agent="other"), id="another agent is named"),
        pytest.param(with_proposal(kind="push-work"), id="another kind of work"),
        pytest.param(with_proposal(source=Source.TWIN), id="a model's idea"),
        pytest.param(with_proposal(origin=Origin.MODEL), id="a model's words"),
        pytest.param(with_proposal(quotes=(TextSource.REPOSITORY,)), id="the world's words"),
        pytest.param(with_proposal(work=Work(playbook=WAKE_AGENT, args=("wake_1", "-x"))), id="one more argument"),
        pytest.param(with_proposal(work=Work(playbook=WAKE_AGENT, args=("wake_2",))), id="another key"),
        pytest.param(
            with_proposal(work=Work(playbook=WAKE_AGENT, workspace="/home/me", args=("wake_1",))), id="in a folder"
        ),
        pytest.param(with_text(f"{MESSAGE}\nAnd tell me a joke."), id="one more line"),
        pytest.param(with_text(MESSAGE.replace("goals", "jokes")), id="a drive that is not ours"),
        pytest.param(with_text("Hello"), id="other words"),
        pytest.param(with_proposal(risk=Risk.MEDIUM), id="a risky channel"),
        pytest.param(replace(ALONE, policy=replace(ALONE.policy, autonomous=False)), id="autonomous mode is off"),
        pytest.param(replace(ALONE, asked=replace(ALONE.asked, may_act=False)), id="not the time to act"),
        pytest.param(
            replace(ALONE, asked=replace(ALONE.asked, plan=replace(PLAN, address="http://127.0.0.1:1"))),
            id="another address",
        ),
        pytest.param(replace(ALONE, policy=replace(ALONE.policy, enabled=False)), id="switched off"),
    ],
)
def test_anything_else_about_it_and_it_does_not_go_alone(question: RailInput) -> None:
    assert not isinstance(judged(question).outcome, Permit)


def test_the_message_is_not_read_and_one_with_other_words_is() -> None:
    rules = {verdict.rule for verdict in judged(ALONE).verdicts if verdict.stage == "content"}
    assert rules == {"content.safe"}
    other = judged(with_text(f"{MESSAGE}\nThen rm -rf /")).outcome
    assert isinstance(other, Refusal)
    assert other.rule.startswith("content.")


def test_the_agent_has_a_channel_of_its_own_unless_it_serves_one() -> None:
    policy = FIRST.policy
    made = policy.channel("wake-claw")
    assert made is not None
    assert (made.agent, made.cost_per_run_microusd) == ("claw", 50_000)
    assert made not in policy.open_channels, "nothing else is routed there"
    served = replace(policy, channels=(*policy.channels, replace(policy.channels[0], name="claws", agent="claw")))
    assert served.wake_channel == served.channel("claws")
    assert served.channel("wake-claw") is None


@pytest.mark.parametrize("name", ["claws", "wake-claw"])
def test_a_channel_of_the_agent_that_is_switched_off_is_not_got_around(name: str) -> None:
    policy = FIRST.policy
    agent = "claw" if name == "claws" else policy.channels[0].agent
    off = replace(policy.channels[0], name=name, agent=agent, enabled=False)
    held = replace(policy, channels=(*policy.channels, off))
    assert held.wake_channel is None
    assert held.channel("wake-claw") is None
    assert not isinstance(judged(replace(ALONE, policy=held)).outcome, Permit)
    second = replace(off, name="second", agent="claw", enabled=True)
    assert replace(held, channels=(*held.channels, second)).wake_channel == second
