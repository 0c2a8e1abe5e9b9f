"""The content stage: the filter's word, and the boundary of registered channels."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from hub.domain.judgement import AskHuman, Permit
from hub.may.content_rail import content
from hub.may.ruling import RailInput
from hub.screening import screen
from tests.rooms.may.questions import ASKED, POLICY, PROPOSAL, QUESTION, answered, fired, judged


def rules(question: RailInput) -> list[str]:
    return [ruling.verdict.rule for ruling in content(question) if ruling.verdict.outcome == "block"]


def test_a_harmless_prompt_for_our_channel_passes() -> None:
    (ruling,) = content(QUESTION)
    assert (ruling.verdict.outcome, ruling.verdict.rule) == ("pass", "content.safe")


@pytest.mark.parametrize("prompt", ["rm -rf /", "drop table users", "delete production"])
def test_what_crosspoll_names_is_blocked_with_what_was_found(prompt: str) -> None:
    (ruling,) = content(replace(QUESTION, asked=replace(ASKED, prompt=prompt)))
    assert ruling.verdict.outcome == "block"
    assert ruling.verdict.rule == "content.deletes"
    assert "Found: " in ruling.verdict.reason
    assert ruling.fix


def unsure_prompt() -> str:
    lines = (Path(__file__).parent / "corpus" / "held_out_8.jsonl").read_text(encoding="utf-8").splitlines()
    prompts = (str(msgspec.json.decode(line)["prompt"]) for line in lines)
    return next(prompt for prompt in prompts if screen(prompt).outcome == "ask")


def test_what_is_uncertain_never_runs_alone_says_why_and_runs_at_a_persons_word() -> None:
    question = replace(QUESTION, asked=replace(ASKED, prompt=unsure_prompt()))
    (ruling,) = content(question)
    assert (ruling.verdict.outcome, ruling.verdict.stage, ruling.fix) == ("ask", "content", "")
    assert "It may " in ruling.verdict.reason
    asked_for = judged(question).outcome
    assert isinstance(asked_for, AskHuman)
    assert ruling.verdict.reason in asked_for.why
    assert isinstance(judged(answered(question)).outcome, Permit)


def test_what_would_run_is_read_not_what_was_proposed() -> None:
    proposal = replace(PROPOSAL, prompt="rm -rf /")
    assert rules(replace(QUESTION, proposal=proposal)) == []
    assert rules(replace(QUESTION, asked=replace(ASKED, prompt="rm -rf /"))) != []


def test_arguments_are_read_as_well() -> None:
    work = replace(PROPOSAL.work, args=("rm", "-rf", "/"))
    assert rules(replace(QUESTION, proposal=replace(PROPOSAL, work=work))) != []


def test_only_registered_channels() -> None:
    assert rules(replace(QUESTION, proposal=replace(PROPOSAL, channel="elsewhere"))) == ["content.scope"]
    assert rules(replace(QUESTION, proposal=replace(PROPOSAL, channel=""))) == ["content.scope"]
    assert rules(replace(QUESTION, proposal=replace(PROPOSAL, channel="KOJI-CORE"))) == ["content.scope"]


def test_only_configured_agents() -> None:
    assert rules(replace(QUESTION, policy=replace(POLICY, agents=()))) == ["content.scope"]


def test_only_the_agent_that_serves_the_channel_now() -> None:
    assert rules(replace(QUESTION, proposal=replace(PROPOSAL, agent="another"))) == ["content.scope"]


def test_both_reasons_are_told() -> None:
    question = replace(QUESTION, proposal=replace(PROPOSAL, channel="x"), asked=replace(ASKED, prompt="rm -rf /"))
    first, second = (rule for rule in fired(judged(question)) if rule.startswith("content."))
    assert first == "content.deletes"
    assert second == "content.scope"
