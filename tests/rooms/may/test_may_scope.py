"""The content stage: the filter's word, and the boundary of registered channels."""

import pytest
from msgspec.structs import replace

from hub.may.ruling import Question
from hub.may.scope import content
from tests.rooms.may.questions import ASKED, POLICY, PROPOSAL, QUESTION, fired, judged


def rules(question: Question) -> list[str]:
    return [ruling.verdict.rule for ruling in content(question) if ruling.verdict.outcome == "block"]


def test_a_harmless_prompt_for_our_channel_passes() -> None:
    (ruling,) = content(QUESTION)
    assert (ruling.verdict.outcome, ruling.verdict.rule) == ("pass", "content.safe")


@pytest.mark.parametrize("prompt", ["rm -rf /", "drop table users", "delete production"])
def test_what_crosspoll_names_is_blocked_with_what_was_found(prompt: str) -> None:
    (ruling,) = content(replace(QUESTION, asked=replace(ASKED, prompt=prompt)))
    assert ruling.verdict.outcome == "block"
    assert ruling.verdict.rule.startswith("content.destructive.")
    assert "Found: " in ruling.verdict.reason
    assert ruling.fix


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
    assert first.startswith("content.destructive.")
    assert second == "content.scope"
