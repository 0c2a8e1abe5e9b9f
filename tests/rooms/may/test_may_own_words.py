"""What a person asked for themselves goes over the content filter with their own second yes, and with nothing else."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Origin, TextSource, Verb
from hub.domain.judgement import AskHuman, Judgement, Permit, Refusal
from hub.may import after_judgement, held_back, risky
from hub.may.ruling import RailInput
from tests.rooms.may.questions import APPROVED, NOW, POLICY, QUESTION, answered, judged

WISH = "Delete all customer records older than a year"
ASKED_FOR = replace(
    QUESTION,
    proposal=replace(QUESTION.proposal, prompt=WISH, origin=Origin.PERSON, own_words=True),
    asked=replace(QUESTION.asked, prompt=WISH, trigger="manual"),
)
YES = replace(APPROVED, in_person=True)


def rules(judgement: Judgement) -> set[str]:
    return {verdict.rule for verdict in judgement.verdicts}


def refusal(question: RailInput) -> str:
    outcome = judged(question).outcome
    assert isinstance(outcome, Refusal), outcome
    return outcome.rule


def test_it_waits_for_a_second_yes_that_is_told_why() -> None:
    judgement = judged(ASKED_FOR)
    assert isinstance(judgement.outcome, AskHuman)
    held = held_back(ASKED_FOR.proposal, judgement)
    assert held is not None
    shown = risky(ASKED_FOR.proposal, held)
    assert (shown.risk, held.reason in shown.reasoning) == ("high", True)
    assert "It would delete" in held.reason


def test_the_yes_of_the_person_lets_it_run_and_is_counted() -> None:
    judgement = judged(answered(ASKED_FOR, YES))
    assert isinstance(judgement.outcome, Permit)
    assert "content.overridden" in rules(judgement)
    assert after_judgement(ASKED_FOR.ledger, judgement, POLICY, NOW).overrides == 1
    assert after_judgement(ASKED_FOR.ledger, judged(ASKED_FOR), POLICY, NOW).overrides == 0


@pytest.mark.parametrize(
    "yes",
    [
        pytest.param(APPROVED, id="a token's, a device's or a script's"),
        pytest.param(replace(YES, card_hash=None), id="bound to nothing that was shown"),
        pytest.param(replace(APPROVED, verb=Verb.RETRY), id="a retry from elsewhere"),
    ],
)
def test_no_other_yes_does(yes: object) -> None:
    assert refusal(answered(ASKED_FOR, yes)) == "content.own-yes"  # type: ignore[arg-type]  # an answer, as named


def of(**proposal: object) -> RailInput:
    return replace(ASKED_FOR, proposal=replace(ASKED_FOR.proposal, **proposal))


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(of(own_words=False), id="a hint that came with a token"),
        pytest.param(of(quotes=(TextSource.REPOSITORY,), origin=Origin.WORLD), id="a repository's words"),
        pytest.param(of(quotes=(TextSource.TASK, TextSource.AGENT)), id="a task and an agent's words"),
        pytest.param(of(origin=Origin.MODEL), id="a model's words"),
        pytest.param(replace(ASKED_FOR, asked=replace(ASKED_FOR.asked, prompt="rm -rf ~/src")), id="an edit"),
    ],
)
@pytest.mark.parametrize("yes", [None, YES])
def test_no_other_words_do(question: RailInput, yes: object) -> None:
    asked = question if yes is None else answered(question, replace(YES, prompt=question.asked.prompt))
    assert refusal(asked).startswith("content.")
    assert refusal(asked) not in {"content.own-yes", "content.yours"}


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        (replace(ASKED_FOR, ledger=replace(ASKED_FOR.ledger, emergency=True)), "kill.emergency"),
        (replace(ASKED_FOR, ledger=replace(ASKED_FOR.ledger, month_stopped="2026-03")), "cost.month-stopped"),
        (of(channel="elsewhere"), "content.scope"),
        (of(prompt="x" * 20_000), "content.unread"),
    ],
)
def test_caps_kill_switch_and_allow_list_hold_all_the_same(question: RailInput, rule: str) -> None:
    question = replace(question, asked=replace(question.asked, prompt=question.proposal.prompt))
    assert refusal(answered(question, YES)) == rule


def test_a_command_that_a_repository_names_stays_blocked() -> None:
    plan = QUESTION.asked.plan
    assert plan is not None
    evil = replace(ASKED_FOR, asked=replace(ASKED_FOR.asked, plan=replace(plan, argv=("sh", "-c", "rm -rf ~/ /"))))
    assert refusal(answered(evil, YES)).startswith("content.")
    assert refusal(evil).startswith("content.")


def test_a_task_in_the_persons_own_words_is_asked_about() -> None:
    task = of(origin=Origin.WORLD, quotes=(TextSource.TASK,))
    assert isinstance(judged(task).outcome, AskHuman)
    assert isinstance(judged(answered(task, YES)).outcome, Permit)
