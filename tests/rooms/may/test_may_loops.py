"""The loop detector, at its borders and against an oracle that reads CROSSPOLL 3.3 to the letter."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.domain.judgement import ChainLink
from hub.may.ledger import after_trigger
from hub.may.loops import loops
from hub.may.ruling import RailInput
from tests.rooms.may.questions import LEDGER, NOW, POLICY, PROPOSAL, QUESTION, answered, judged, led_from


def link(source: str, target: str, ago_s: float, depth: int = 1) -> ChainLink:
    at = NOW - timedelta(seconds=ago_s)
    return ChainLink(from_channel=source, to_channel=target, card_id="p", at=at, depth=depth)


def ask(source: str | None, target: str, *links: ChainLink) -> list[str]:
    """Return the loop rules that fire for a trigger from `source` to `target`."""
    question = replace(QUESTION, proposal=replace(PROPOSAL, channel=target), ledger=replace(LEDGER, links=links))
    return [r.verdict.rule for r in loops(led_from(question, source)) if r.verdict.outcome == "block"]


def test_a_fresh_chain_is_never_a_loop() -> None:
    links = [link("", "koji-core", 1) for _ in range(50)]
    assert ask(None, "koji-core", *links) == []


@pytest.mark.parametrize(("ago_s", "found"), [(0, True), (299.999, True), (300, False), (301, False)])
def test_a_reverse_pair_within_five_minutes(ago_s: float, *, found: bool) -> None:
    assert ask("research", "koji-core", link("koji-core", "research", ago_s)) == (["loops.reverse"] if found else [])


@pytest.mark.parametrize(("ago_s", "found"), [(0, True), (599.999, True), (600, False)])
def test_the_same_pair_a_third_time_within_ten_minutes(ago_s: float, *, found: bool) -> None:
    links = (link("research", "garden", ago_s), link("research", "garden", 0))
    assert ask("research", "garden", *links) == (["loops.duplicate"] if found else [])


def test_the_same_pair_twice_is_allowed() -> None:
    assert ask("research", "garden", link("research", "garden", 10)) == []


@pytest.mark.parametrize(("parent_depth", "found"), [(1, False), (2, False), (3, True), (4, True)])
def test_a_chain_of_four_channels_is_too_deep(parent_depth: int, *, found: bool) -> None:
    rules = ask("research", "garden", link("x", "research", 1_000, parent_depth))
    assert rules == (["loops.depth"] if found else [])


def test_a_new_chain_through_the_same_channel_starts_over() -> None:
    old, fresh = link("x", "research", 1_000, 3), link("", "research", 400, 1)
    assert ask("research", "garden", old, fresh) == []


def test_within_the_window_the_deepest_chain_counts() -> None:
    deep, fresh = link("x", "research", 100, 3), link("", "research", 10, 1)
    assert ask("research", "garden", deep, fresh) == ["loops.depth"]


def test_all_three_can_fire_at_once() -> None:
    links = (link("b", "a", 5, 2), link("a", "b", 4, 3), link("a", "b", 3, 3), link("b", "a", 2, 3))
    assert ask("a", "b", *links) == ["loops.reverse", "loops.depth", "loops.duplicate"]


def test_a_loop_refuses_a_person_too_and_says_why() -> None:
    ledger = replace(LEDGER, links=(link("koji-core", "research", 1),))
    question = led_from(answered(replace(QUESTION, ledger=ledger)), "research")
    judgement = judged(question)
    assert getattr(judgement.outcome, "rule", "") == "loops.reverse"
    reason = getattr(judgement.outcome, "reason", "")
    assert "follows from work of the same kind" in reason
    assert "koji-core" not in reason, "a channel's name says nothing to a person"


@pytest.mark.parametrize(("ahead_s", "found"), [(5, True), (3_600, True), (3_601, False)])
def test_a_clock_set_back_still_sees_links_a_little_ahead(ahead_s: float, *, found: bool) -> None:
    rules = ask("research", "koji-core", link("koji-core", "research", -ahead_s))
    assert rules == (["loops.reverse"] if found else [])


def oracle(history: list[tuple[str, str, datetime]], source: str, target: str, now: datetime) -> set[str]:
    """CROSSPOLL 3.3, step by step, for pairs only (depth has its own oracle)."""
    found = set()
    for before_source, before_target, at in history[-50:]:
        if (before_target, before_source) == (source, target) and (now - at).total_seconds() < 300:
            found.add("loops.reverse")
    times = 1
    for before_source, before_target, at in history[-50:]:
        if (before_source, before_target) == (source, target) and (now - at).total_seconds() < 600:
            times += 1
    if times > 2:
        found.add("loops.duplicate")
    return found


CHANNELS = ["koji-core", "chronicle-hub", "research"]
TRIGGERS = st.lists(
    st.tuples(st.sampled_from(CHANNELS), st.sampled_from(CHANNELS), st.integers(min_value=0, max_value=400)),
    max_size=70,
)


@pytest.mark.slow
@given(TRIGGERS)
def test_pairs_agree_with_the_oracle_over_whole_histories(triggers: list[tuple[str, str, int]]) -> None:
    deep = replace(POLICY, loops=replace(POLICY.loops, depth_max=10_000))
    ledger, history, now = LEDGER, list[tuple[str, str, datetime]](), NOW
    for source, target, wait_s in triggers:
        now += timedelta(seconds=wait_s)
        proposal = replace(PROPOSAL, channel=target)
        question = led_from(replace(QUESTION, proposal=proposal, policy=deep, ledger=ledger, now=now), source)
        blocks = {r.verdict.rule for r in loops(question) if r.verdict.outcome == "block"}
        assert blocks == oracle(history, source, target, now)
        ledger = after_trigger(ledger, proposal, question.asked, deep, now)
        history.append((source, target, now))
        assert len(ledger.links) <= deep.loops.links_kept_max


def run(question: RailInput, source: str | None, target: str) -> RailInput:
    """Let one step of a chain happen, and wait long enough for no pair rule to matter."""
    proposal = replace(PROPOSAL, channel=target)
    asked = replace(question.asked, from_channel=source)
    ledger = after_trigger(question.ledger, proposal, asked, question.policy, question.now)
    return replace(question, ledger=ledger, now=question.now + timedelta(minutes=11))


@pytest.mark.slow
@given(st.permutations(["koji-core", "chronicle-hub", "research", "garden", "dream-weaver"]))
def test_every_chain_stops_before_its_fourth_channel(chain: list[str]) -> None:
    question, source = QUESTION, None
    for target in chain[:3]:
        question = run(question, source, target)
        source = target
    assert [kept.depth for kept in question.ledger.links] == [1, 2, 3]
    fourth = led_from(replace(question, proposal=replace(PROPOSAL, channel=chain[3])), source)
    assert [r.verdict.rule for r in loops(fourth)] == ["loops.depth"]
