"""What the rails remember: bounded, never negative, and only what really happened."""

from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.words import DISMISSING, Source, Verb
from hub.domain.judgement import Ledger
from hub.may import (
    after_answer,
    after_cost,
    after_judgement,
    after_regret,
    after_resume,
    after_trigger,
    regrets_of,
)
from hub.may.ledger import COMBOS_KEPT_MAX
from tests.rooms.may.questions import APPROVED, ASKED, LEDGER, NOW, POLICY, PROPOSAL, QUESTION, judged, led_from


def test_a_trigger_is_counted_linked_and_known() -> None:
    ledger = after_trigger(Ledger(), PROPOSAL, ASKED, POLICY, NOW)
    assert ledger.total_triggers == 1
    assert ledger.last_trigger_at == NOW
    assert ledger.seen_combos == ("start>koji-core>worker",)
    (link,) = ledger.links
    assert (link.from_channel, link.to_channel, link.card_id, link.at, link.depth) == (
        "",
        "koji-core",
        "card_1",
        NOW,
        1,
    )


@pytest.mark.parametrize(
    ("asked", "proposal"),
    [
        (replace(ASKED, answer=APPROVED), PROPOSAL),
        (replace(ASKED, follow_up=True), PROPOSAL),
        (ASKED, replace(PROPOSAL, source=Source.ASK)),
    ],
)
def test_what_is_no_trigger_is_not_counted_and_starts_no_interval(asked: object, proposal: object) -> None:
    question = replace(QUESTION, asked=asked, proposal=proposal)
    ran = after_trigger(LEDGER, question.proposal, question.asked, POLICY, NOW)
    assert (ran.last_trigger_at, ran.total_triggers) == (None, 0)


def test_a_combination_is_novel_once() -> None:
    fresh = replace(QUESTION, ledger=replace(LEDGER, seen_combos=()))
    assert "gate.novel" in {verdict.rule for verdict in judged(fresh).verdicts}
    ledger = after_trigger(fresh.ledger, PROPOSAL, ASKED, POLICY, NOW)
    later = replace(fresh, ledger=ledger, now=NOW + timedelta(hours=1))
    assert "gate.novel" not in {verdict.rule for verdict in judged(later).verdicts}


def test_memory_is_bounded_and_keeps_the_latest() -> None:
    ledger = LEDGER
    for number in range(300):
        proposal = replace(PROPOSAL, channel=f"channel-{number}")
        ledger = after_trigger(ledger, proposal, ASKED, POLICY, NOW + timedelta(minutes=number))
    assert len(ledger.links) == POLICY.loops.links_kept_max
    assert ledger.links[-1].to_channel == "channel-299"
    assert len(ledger.seen_combos) == COMBOS_KEPT_MAX
    assert ledger.seen_combos[-1] == "start>channel-299>worker"
    assert ledger.total_triggers == 300


def test_keeping_no_links_keeps_none() -> None:
    policy = replace(POLICY, loops=replace(POLICY.loops, links_kept_max=0))
    assert after_trigger(LEDGER, PROPOSAL, ASKED, policy, NOW).links == ()


@pytest.mark.slow
@given(st.lists(st.sampled_from(list(Verb))))
def test_rejections_in_a_row_are_those_since_the_last_approval(verbs: list[Verb]) -> None:
    ledger = Ledger()
    for verb in verbs:
        ledger = after_answer(ledger, verb, NOW)
    decisions = [verb for verb in verbs if verb in {Verb.APPROVE, Verb.EDIT, *DISMISSING}]
    in_row = 0
    for verb in reversed(decisions):
        if verb not in DISMISSING:
            break
        in_row += 1
    assert ledger.rejections_in_row == in_row
    assert ledger.decisions == len(decisions)


def test_resuming_forgets_the_rejections_and_the_regrets() -> None:
    assert after_resume(replace(LEDGER, rejections_in_row=3, regretted_at=(NOW,))) == LEDGER


def test_regrets_count_for_a_day() -> None:
    ledger = after_regret(after_regret(LEDGER, NOW), NOW + timedelta(hours=1))
    assert [regrets_of(ledger, NOW + timedelta(hours=hours)) for hours in (1, 23, 24, 25)] == [2, 2, 1, 0]


def test_a_detected_loop_is_counted_once_per_judgement() -> None:
    once = after_trigger(
        LEDGER, replace(PROPOSAL, channel="research"), led_from(QUESTION, "koji-core").asked, POLICY, NOW
    )
    looping = led_from(replace(QUESTION, ledger=once), "research")
    ledger = after_judgement(once, judged(looping), POLICY, NOW)
    assert ledger.loop_detections == 1
    assert after_judgement(ledger, judged(QUESTION), POLICY, NOW).loop_detections == 1


def test_a_ledger_survives_being_stored() -> None:
    ledger = after_cost(after_trigger(LEDGER, PROPOSAL, ASKED, POLICY, NOW), 50_000, POLICY, NOW)
    assert msgspec.json.decode(msgspec.json.encode(ledger), type=Ledger) == ledger
