"""Every row of the human-in-the-loop matrix (CROSSPOLL 3.6), alone and at its border."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Risk, Source, Verb
from hub.domain.judgement import Permit, Refusal
from hub.domain.likelihood import Estimate, Features
from hub.domain.policy import USD
from hub.domain.provenance import RepositoryText
from hub.may.production import production_word
from hub.may.ruling import RailInput
from tests.rooms.may.questions import (
    APPROVED,
    ASKED,
    LEDGER,
    NOW,
    POLICY,
    PROPOSAL,
    QUESTION,
    answered,
    fired,
    having_spent,
    judged,
    led_from,
)


def proposing(confidence: float) -> RailInput:
    return replace(QUESTION, proposal=replace(PROPOSAL, confidence=confidence))


@pytest.mark.parametrize(
    ("confidence", "rules"),
    [
        (0.0, ["gate.confidence"]),
        (0.5999999, ["gate.confidence"]),
        (0.6, []),
        (0.7999999, []),
        (0.8, []),
        (1.0, []),
        (1.0000001, ["gate.confidence"]),
        (-0.1, ["gate.confidence"]),
        (float("nan"), ["gate.confidence"]),
        (float("inf"), ["gate.confidence"]),
    ],
)
def test_confidence_bands_and_what_is_no_confidence(confidence: float, rules: list[str]) -> None:
    judgement = judged(proposing(confidence))
    assert fired(judgement) == rules
    assert isinstance(judgement.outcome, Permit) == (rules == [])


def test_a_likely_yes_lets_nothing_run() -> None:
    about = Features(kind="run-tests", reason="tests:hub/store", channel="koji-core", at=NOW, hour=14.5, weekday=1)
    sure = Estimate(about=about, p=0.99, low=0.97, high=1.0, yes=10, answers=10, is_learnt=True)
    by_twin = replace(PROPOSAL, confidence=0.99, likelihood=sure)
    guessed = replace(by_twin, factors=replace(PROPOSAL.factors, twin=None))
    ungranted = replace(QUESTION, ledger=replace(LEDGER, standing=()))
    assert fired(judged(replace(ungranted, proposal=guessed))) == ["gate.guessed", "gate.earned"]
    assert fired(judged(replace(ungranted, proposal=by_twin))) == ["gate.earned"]
    assert fired(judged(replace(QUESTION, proposal=guessed))) == []
    unlikely = replace(guessed, confidence=0.59)
    assert fired(judged(replace(QUESTION, proposal=unlikely))) == ["gate.confidence"]


def test_lowering_the_auto_execute_threshold_does_not_lift_the_row_below_it() -> None:
    policy = replace(POLICY, bands=replace(POLICY.bands, auto_execute=0.1))
    assert fired(judged(replace(proposing(0.59), policy=policy))) == ["gate.confidence"]
    assert fired(judged(replace(proposing(0.6), policy=policy))) == []


@pytest.mark.parametrize(("estimate", "rules"), [(USD, []), (USD + 1, ["gate.cost"])])
def test_above_a_dollar_a_person_decides(estimate: int, rules: list[str]) -> None:
    proposal = replace(PROPOSAL, cost_estimate_microusd=estimate)
    assert fired(judged(replace(QUESTION, proposal=proposal))) == rules


def test_a_novel_combination_is_shown() -> None:
    unseen = replace(QUESTION, ledger=replace(LEDGER, seen_combos=()))
    assert fired(judged(unseen)) == ["gate.novel"]


def test_a_known_channel_is_novel_after_work_of_another() -> None:
    assert fired(judged(led_from(QUESTION, "research"))) == ["gate.novel"]


def test_a_novel_combination_is_told_without_the_names_of_the_configuration() -> None:
    alone = replace(QUESTION, ledger=replace(LEDGER, seen_combos=()))
    for question in (alone, led_from(QUESTION, "research")):
        (novel,) = (one for one in judged(question).verdicts if one.rule == "gate.novel")
        asked = question.proposal
        assert novel.reason
        assert not any(name in novel.reason for name in (asked.channel, asked.agent, "research"))


@pytest.mark.parametrize(("count", "rules"), [(2, []), (3, ["gate.rejections"]), (4, ["gate.rejections"])])
def test_three_rejections_in_a_row(count: int, rules: list[str]) -> None:
    assert fired(judged(replace(QUESTION, ledger=replace(LEDGER, rejections_in_row=count)))) == rules


@pytest.mark.parametrize(("used", "rules"), [(16 * USD, []), (16 * USD + 1, ["gate.day-share"])])
def test_above_eighty_percent_of_the_day_guidance_is_requested(used: int, rules: list[str]) -> None:
    judgement = judged(replace(QUESTION, ledger=having_spent(day=used)))
    assert fired(judgement) == rules


def test_the_first_run_ever_is_shown() -> None:
    assert fired(judged(replace(QUESTION, ledger=replace(LEDGER, decisions=0)))) == ["gate.first-run"]


@pytest.mark.parametrize("risk", [Risk.MEDIUM, Risk.HIGH])
def test_risky_work_is_shown(risk: Risk) -> None:
    assert fired(judged(replace(QUESTION, proposal=replace(PROPOSAL, risk=risk)))) == ["gate.risk"]


def test_what_when_and_the_mode_say() -> None:
    assert fired(judged(replace(QUESTION, asked=replace(ASKED, may_act=False)))) == ["gate.not-now"]
    assert fired(judged(replace(QUESTION, policy=replace(POLICY, autonomous=False)))) == ["gate.not-autonomous"]
    assert fired(judged(replace(QUESTION, asked=replace(ASKED, follow_up=True)))) == ["gate.follow-up"]


def test_every_reason_is_kept_and_an_approval_answers_them_all() -> None:
    proposal = replace(PROPOSAL, confidence=0.3, risk=Risk.HIGH, cost_estimate_microusd=USD + 1)
    question = replace(
        QUESTION,
        proposal=proposal,
        ledger=replace(LEDGER, decisions=0, rejections_in_row=3, seen_combos=()),
        asked=replace(ASKED, prompt="Restart prod", may_act=False),
        policy=replace(POLICY, autonomous=False),
    )
    expected = [
        "gate.world-text",
        "gate.confidence",
        "gate.cost",
        "gate.production",
        "gate.novel",
        "gate.rejections",
        "gate.first-run",
        "gate.risk",
        "gate.not-now",
        "gate.not-autonomous",
    ]
    rules = [rule for rule in fired(judged(question)) if rule.startswith("gate.")]
    assert rules == expected
    quiet = replace(question, asked=replace(question.asked, prompt="Check the prod notes"))
    assert isinstance(judged(answered(quiet)).outcome, Permit)


@pytest.mark.parametrize(
    "text",
    [
        "Check production",
        "check PROD now",
        "look at prod-db",
        "look at prod_db and go",
        "ssh prod01 uptime",
        "is the site live?",
        "the Prod.",
        "(production)",
        "\u0440\u0433od \u0440r\u043ed",  # Cyrillic letters in the second word
        "pro\u200bd",
        "\uff50\uff52\uff4f\uff44",  # fullwidth
        "deployToProd",
        "pRoD",
        "PRODUCTION2",
    ],
)
def test_texts_that_speak_of_production(text: str) -> None:
    assert production_word((text,), POLICY.production_words) is not None


@pytest.mark.parametrize(
    "text",
    ["product page", "reproduce the bug", "products", "livestream", "alive", "deliver", "", "prodigy"],
)
def test_texts_that_do_not(text: str) -> None:
    assert production_word((text,), POLICY.production_words) is None


def test_words_may_be_several_or_have_digits_but_not_span_texts() -> None:
    assert production_word(("on the main-cluster",), ("main cluster",)) == "main cluster"
    assert production_word(("ping eu1",), ("eu1",)) == "eu1"
    assert production_word(("main", "cluster"), ("main cluster",)) is None
    assert production_word(("anything",), ("", "--")) is None


LOGS = "Read the logs of production"


@pytest.mark.parametrize(
    "question",
    [
        replace(QUESTION, proposal=replace(PROPOSAL, prompt=LOGS), asked=replace(ASKED, prompt=LOGS)),
        replace(QUESTION, asked=replace(ASKED, branch=RepositoryText("release/prod"))),
        replace(QUESTION, proposal=replace(PROPOSAL, work=replace(PROPOSAL.work, workspace="/srv/prod/app"))),
        replace(QUESTION, proposal=replace(PROPOSAL, work=replace(PROPOSAL.work, args=("--env", "production")))),
    ],
)
def test_production_in_prompt_branch_workspace_and_arguments(question: RailInput) -> None:
    assert [rule for rule in fired(judged(question)) if rule != "gate.earned"] == ["gate.production"]
    assert isinstance(judged(answered(question)).outcome, Permit)


def test_an_answer_to_another_card_counts_for_nothing() -> None:
    outcome = judged(answered(QUESTION, replace(APPROVED, card_id="card_2"))).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "gate.other-card"


@pytest.mark.parametrize(
    "answer",
    [
        replace(APPROVED, card_hash="hash_of_before"),
        replace(APPROVED, verb=Verb.EDIT, prompt="Something else"),
        replace(APPROVED, verb=Verb.EDIT, prompt=None, card_hash="hash_of_before"),
    ],
)
def test_an_answer_to_what_was_shown_before_runs_nothing(answer: object) -> None:
    outcome = judged(replace(QUESTION, asked=replace(ASKED, answer=answer))).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "gate.changed-card"


def test_an_answer_without_a_hash_is_taken() -> None:
    assert isinstance(judged(answered(QUESTION, replace(APPROVED, card_hash=None))).outcome, Permit)


def test_an_agents_question_shows_its_risk_too() -> None:
    proposal = replace(PROPOSAL, source=Source.ASK, risk=Risk.HIGH)
    assert fired(judged(replace(QUESTION, proposal=proposal))) == ["gate.asked", "gate.risk"]
