"""An answer to a deployment is asked about each time, and judged by what it does; nothing else gets by in its name."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Origin, Risk, TextSource
from hub.domain.deploying import answering, deployment_named
from hub.domain.judgement import AskHuman, Permit, Refusal
from hub.domain.plan import Plan
from hub.domain.suggestion import Work
from hub.may.ruling import RailInput
from tests.rooms.may.questions import APPROVED, POLICY, QUESTION, answered, judged

WORDS = "Approve the deployment of shop to «production», commit c0ffee000000"
NAME = "approve-deployment"
ARGS = ("acme/shop", "77", "1", "c0ffee" + "0" * 34, "5", "production")
WORK = Work(playbook=NAME, workspace="/home/me/shop", args=ARGS)
MEANT = deployment_named(ARGS)
assert MEANT is not None
PLAN = Plan(playbook=NAME, argv=("/usr/bin/gh", *answering(NAME, MEANT)), folder="/home/me/shop")
AGENT = POLICY.playbook_agent.name
PROPOSAL = replace(
    QUESTION.proposal,
    prompt=WORDS,
    kind=NAME,
    agent=AGENT,
    work=WORK,
    risk=Risk.HIGH,
    origin=Origin.WORLD,
    quotes=(TextSource.CI,),
)
DEPLOYING = replace(QUESTION, proposal=PROPOSAL, asked=replace(QUESTION.asked, prompt=WORDS, plan=PLAN))


def content_rules(question: RailInput) -> set[str]:
    return {verdict.rule for verdict in judged(question).verdicts if verdict.stage == "content"}


def test_it_waits_for_a_yes_in_every_mode_and_then_has_a_permit() -> None:
    assert isinstance(judged(DEPLOYING).outcome, AskHuman)
    assert content_rules(DEPLOYING) == {"content.deployment"}
    said = judged(answered(DEPLOYING, APPROVED)).outcome
    assert isinstance(said, Permit), said


@pytest.mark.parametrize(
    "proposal",
    [
        pytest.param(replace(PROPOSAL, agent="worker"), id="done by an agent"),
        pytest.param(replace(PROPOSAL, work=replace(WORK, playbook=None)), id="by no playbook"),
        pytest.param(replace(PROPOSAL, kind="hint"), id="in somebody's own words"),
        pytest.param(replace(PROPOSAL, prompt="Approve it"), id="another text than the one that was shown"),
    ],
)
def test_nothing_else_is_let_by_the_filter_in_its_name(proposal: object) -> None:
    question = replace(
        DEPLOYING,
        proposal=proposal,
        asked=replace(DEPLOYING.asked, prompt="Delete the production database and every backup of it"),
    )
    outcome = judged(question).outcome
    assert isinstance(outcome, Refusal), outcome
    assert "content.deployment" not in content_rules(question)


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param((*PLAN.argv, "--input", "other.json"), id="something more"),
        pytest.param(("/usr/bin/gh", *answering("reject-deployment", MEANT)), id="the other answer"),
        pytest.param(("/usr/bin/gh", *answering(NAME, replace(MEANT, run=78))), id="another run"),
        pytest.param(("/usr/bin/gh", *answering(NAME, replace(MEANT, environment_id=6))), id="another environment"),
        pytest.param(("/usr/bin/gh", *answering(NAME, replace(MEANT, commit="b" * 40))), id="another commit"),
    ],
)
def test_another_command_than_the_numbers_stand_for_is_read_and_held(argv: tuple[str, ...]) -> None:
    question = replace(DEPLOYING, asked=replace(DEPLOYING.asked, plan=replace(PLAN, argv=argv)))
    assert isinstance(judged(answered(question, APPROVED)).outcome, Refusal)
    assert "content.deployment" not in content_rules(question)
