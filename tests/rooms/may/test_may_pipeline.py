"""The pipeline as a whole: order, completeness, and what follows from the verdicts."""

import itertools
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import Source, Verb
from hub.domain.judgement import AskHuman, Judgement, Ledger, Permit, Refusal
from hub.may.ruling import RailInput
from tests.rooms.may.questions import APPROVED, ASKED, LEDGER, NOW, POLICY, PROPOSAL, QUESTION, answered, fired, judged

PAGE = Path(__file__).parents[3] / "docs" / "rails.md"
STAGES = [name.lower() for name in re.findall(r"^## \d+\. (\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)]
"""The page numbers the rails in the order in which they speak."""

TROUBLES = {
    "rate": replace(QUESTION, ledger=replace(LEDGER, last_trigger_at=NOW)),
    "cost": replace(QUESTION, ledger=replace(LEDGER, month_stopped="2026-02")),
    "content": replace(QUESTION, asked=replace(ASKED, prompt="rm -rf / --no-preserve-root")),
    "gate": replace(QUESTION, proposal=replace(PROPOSAL, confidence=0.5)),
    "kill": replace(QUESTION, policy=replace(POLICY, enabled=False)),
}


def stages(judgement: Judgement) -> list[str]:
    return [stage for stage, _ in itertools.groupby(verdict.stage for verdict in judgement.verdicts)]


@pytest.mark.parametrize("trouble", [None, *TROUBLES])
def test_every_stage_speaks_in_order_whatever_happened_before(trouble: str | None) -> None:
    judgement = judged(TROUBLES[trouble] if trouble else QUESTION)
    assert stages(judgement) == STAGES, "docs/rails.md has a numbered section for each rail, in their order"
    assert all(verdict.reason and verdict.rule.startswith(f"{verdict.stage}.") for verdict in judgement.verdicts)


def test_with_nothing_against_it_pulse_acts_alone() -> None:
    judgement = judged(QUESTION)
    assert fired(judgement) == []
    permit = judgement.outcome
    assert isinstance(permit, Permit)
    assert permit.autonomous
    assert permit.granted_by == "pulse"
    assert (permit.execution_id, permit.card_id, permit.card_hash, permit.attempt) == ("run_1", "card_1", "hash_1", 1)
    assert (permit.prompt, permit.channel, permit.agent) == (PROPOSAL.prompt, "koji-core", "worker")
    assert (permit.work, permit.need, permit.granted_at) == (PROPOSAL.work, PROPOSAL.need, NOW)


def test_any_ask_goes_to_a_person_with_every_reason() -> None:
    judgement = judged(replace(QUESTION, proposal=replace(PROPOSAL, confidence=0.5, cost_estimate_microusd=1_000_001)))
    assert isinstance(judgement.outcome, AskHuman)
    assert "Pulse is 50% sure; below 60%" in judgement.outcome.why
    assert "$1.00" in judgement.outcome.why


def test_an_approval_permits_what_needed_asking() -> None:
    judgement = judged(answered(TROUBLES["gate"]))
    assert fired(judgement) == ["gate.confidence"]
    assert isinstance(judgement.outcome, Permit)
    assert not judgement.outcome.autonomous
    assert judgement.outcome.granted_by == "terminal/tty1 by me"


def test_an_edit_permits_the_edited_text() -> None:
    edit = replace(APPROVED, verb=Verb.EDIT, prompt="Run only the fast tests", card_hash="hash_of_what_was_shown")
    asked = replace(ASKED, prompt="Run only the fast tests", card_hash="hash_2", answer=edit)
    outcome = judged(replace(QUESTION, asked=asked)).outcome
    assert isinstance(outcome, Permit)
    assert (outcome.prompt, outcome.card_hash) == ("Run only the fast tests", "hash_2")


@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.SNOOZE, Verb.UNDO, Verb.STOP])
def test_no_other_verb_is_an_approval(verb: Verb) -> None:
    question = answered(TROUBLES["gate"], replace(APPROVED, verb=verb))
    assert isinstance(judged(question).outcome, AskHuman)


@pytest.mark.parametrize("trouble", ["cost", "content", "kill"])
def test_a_block_binds_approvals_too(trouble: str) -> None:
    outcome = judged(answered(TROUBLES[trouble])).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.rule.startswith(f"{trouble}.")
    assert outcome.reason
    assert outcome.fix


def test_the_first_block_in_pipeline_order_is_named_and_the_others_are_kept() -> None:
    question = RailInput(
        proposal=PROPOSAL,
        policy=replace(POLICY, enabled=False),
        ledger=replace(LEDGER, last_trigger_at=NOW, month_stopped="2026-02", emergency=True),
        now=NOW,
        asked=ASKED,
    )
    judgement = judged(question)
    assert isinstance(judgement.outcome, Refusal)
    assert judgement.outcome.rule == "rate.interval"
    assert fired(judgement) == ["rate.interval", "cost.month-stopped", "kill.emergency", "kill.disabled"]


def test_a_question_of_an_agent_is_always_asked_and_never_filtered() -> None:
    proposal = replace(PROPOSAL, source=Source.ASK, channel="nobody", agent="", confidence=0.0)
    ledger = Ledger(last_trigger_at=NOW, month_stopped="2026-02", rejections_in_row=3)
    question = replace(QUESTION, proposal=proposal, ledger=ledger, asked=replace(ASKED, prompt="rm -rf /"))
    judgement = judged(question)
    assert fired(judgement) == ["gate.asked"]
    assert isinstance(judgement.outcome, AskHuman)
    assert "content.shown" in [verdict.rule for verdict in judgement.verdicts]
    assert isinstance(judged(answered(question)).outcome, Permit)


def test_judging_again_gives_the_same() -> None:
    assert judged(QUESTION) == judged(QUESTION)
