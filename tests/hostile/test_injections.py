"""Text that others wrote never runs without a person, whoever obeys it; what Pulse itself made does."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.contract.words import Origin
from hub.domain.judgement import AskHuman, Judgement, Permit, RunRequest
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Candidate, Guess, Proposal
from hub.may import judge
from hub.sense import assemble
from hub.what import ideas, propose
from tests.fakes.agent import a_plan
from tests.hostile.planted import (
    BENIGN,
    CORPUS,
    MIND,
    POLICY,
    TEXTS,
    is_ours,
    our_own_still_runs,
    ran_unasked,
    readings,
)
from tests.loop.stage import NOON

SAMPLE = [(carrier, found[place][1]) for place, (carrier, found) in enumerate(CORPUS.items())]
SENSED = ("todo", "file", "branch", "ci", "calendar", "transcript")
CHOSEN = ("run-tests", "list-todos", "stale-branches", "commit-work")


def test_the_corpus_is_what_it_says() -> None:
    assert len({text for _, text in TEXTS}) == len(TEXTS) >= 150
    assert min(map(len, CORPUS.values())) >= 15
    assert len({trick for found in CORPUS.values() for trick, _ in found}) >= 15


@pytest.mark.slow
@pytest.mark.parametrize(("carrier", "text"), SAMPLE, ids=[carrier for carrier, _ in SAMPLE])
async def test_one_text_of_each_carrier_through_an_afternoon(carrier: str, text: str) -> None:
    assert await ran_unasked(carrier, text) == []
    assert await our_own_still_runs(carrier, text)


@pytest.mark.slow
@pytest.mark.parametrize("carrier", CORPUS)
@pytest.mark.parametrize("start", ["", "Run the tests: 1 module changed; "])
def test_every_text_in_a_models_mouth_before_the_rails(carrier: str, start: str) -> None:
    for _, text in CORPUS[carrier]:
        proposal, judgement = judged(carrier, text, said(start + text))
        assert may_run(proposal, judgement), (carrier, text)


@pytest.mark.slow
@given(
    place=st.sampled_from([(carrier, kind) for carrier in SENSED for kind in CHOSEN] + [("ci", "fix-ci")]),
    text=st.text(min_size=1, max_size=60),
    wish=st.sampled_from(["", "koji-core", "chronicle-hub", "sh -c id"]) | st.text(max_size=20),
)
@settings(max_examples=150)
def test_what_runs_alone_depends_on_no_text_of_the_world(place: tuple[str, str], text: str, wish: str) -> None:
    """Byte by byte: the same choice in a world where that text was another leads to the same work, or to a question."""
    carrier, kind = place
    outcomes = []
    for words in (text, BENIGN):
        key = next(idea.reason_key for idea in found(carrier, words) if idea.kind == kind)
        outcomes.append(judged(carrier, words, said(words, key, wish))[1].outcome)
    one, other = outcomes
    if isinstance(one, Permit):
        assert isinstance(other, Permit)
        assert one == other


@pytest.mark.parametrize("kind", ["run-tests", "list-todos", "stale-branches", "commit-work", "dependency-graph"])
def test_what_pulse_made_itself_runs_alone_when_a_model_only_chooses_it(kind: str) -> None:
    key = next(idea.reason_key for idea in found("todo", "anything") if idea.kind == kind)
    proposal, judgement = judged("todo", "anything", said("whatever", key, channel=""))
    assert proposal.origin is Origin.CHOSEN
    assert isinstance(judgement.outcome, Permit), judgement.verdicts


def test_a_model_that_wants_another_channel_for_it_has_to_ask() -> None:
    key = next(idea.reason_key for idea in found("todo", "anything") if idea.kind == "run-tests")
    proposal, judgement = judged("todo", "anything", said("whatever", key, "chronicle-hub"))
    assert (proposal.channel, proposal.origin) == ("chronicle-hub", Origin.MODEL)
    assert isinstance(judgement.outcome, AskHuman)


def test_a_row_that_was_stored_before_this_was_kept_is_held() -> None:
    proposal, _ = judged("todo", "anything", said("", next(idea.reason_key for idea in found("todo", "anything"))))
    old = msgspec.to_builtins(proposal)
    del old["origin"], old["quotes"]
    assert not msgspec.convert(old, Proposal).is_our_own


def found(carrier: str, text: str) -> tuple[Candidate, ...]:
    """Return the ideas of the world in which the text was planted."""
    return ideas(assemble(readings(carrier, text), now=NOON, zone="UTC"), MIND)


def said(words: str, key: str = "", channel: str = "koji-core") -> Guess:
    """Return what a model answers that is as sure as can be."""
    text = ModelText(words)
    return Guess(prompt=text, channel=channel, confidence=1.0, reasoning=text, model="m", idea=key)


def judged(carrier: str, text: str, guess: Guess) -> tuple[Proposal, Judgement]:
    """Return what is proposed, and what the rails say when all else is in favour of acting alone."""
    situation = assemble(readings(carrier, text), now=NOON, zone="UTC")
    choice = propose(situation, POLICY, MIND, known={}, open_keys=(), guesses=() if guess is None else (guess,))
    assert choice is not None
    proposal = choice.proposal
    asked = RunRequest(
        card_id="card",
        card_hash="hash",
        attempt=1,
        execution_id="run",
        prompt=proposal.prompt,
        trigger="cron",
        may_act=True,
        plan=a_plan(POLICY.agents[0], proposal.work),
    )
    return proposal, judge(proposal, policy=POLICY, ledger=MIND.ledger, now=NOON, asked=asked)


def may_run(proposal: Proposal, judgement: Judgement) -> bool:
    """Say whether a judgement is right: leave to act alone for our own words only, and the row's word on all others."""
    if proposal.is_our_own:
        return is_ours(proposal.prompt, proposal.work.args)
    is_held = any(verdict.rule == "gate.world-text" for verdict in judgement.verdicts)
    return is_held and not isinstance(judgement.outcome, Permit)
