"""What an open card says already is no second card, whoever says it again; what says more is."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Source
from hub.domain.episode import Proposed
from hub.domain.provenance import AgentText, ModelText
from hub.domain.situation import Situation
from hub.domain.suggested import Suggested
from hub.domain.suggestion import Card, Guess
from hub.what import ideas, joined, keys_open, propose, waiting_for
from tests.conformance.store.samples import card as stored
from tests.rooms.what.scenes import AFTERNOON, HOUR, MIND, ONLY_PLAYBOOKS, POLICY, modules, quiet_repository, situation

SHOP = replace(
    quiet_repository("/home/me/shop", "shop"),
    changed_modules=modules("src/api"),
    last_test_run_at=AFTERNOON - 2 * HOUR,
)
SCENE = situation(AFTERNOON, SHOP)
QUIET = situation(AFTERNOON, quiet_repository())


def chosen(scene: Situation, **asked: object) -> Proposed | None:
    fields = {"known": {}, "open_keys": (), **asked}
    return propose(scene, POLICY, MIND, **fields)  # type: ignore[arg-type]  # the test names the arguments


def opened(scene: Situation, **asked: object) -> Card:
    choice = chosen(scene, **asked)
    assert choice is not None
    return replace(stored(), proposal=choice.proposal)


def hinted(scene: Situation, hint: str, card: Card, channel: str | None = None) -> Proposed | None:
    return chosen(scene, hint=hint, channel=channel, open_keys=keys_open([card]))


def suggested(prompt: str, name: str = "a1") -> Suggested:
    return Suggested(id=name, agent=AgentText("codex"), prompt=AgentText(prompt), why=AgentText(""), at=AFTERNOON)


@pytest.mark.parametrize("hint", ["Run the tests", "run tests", "Please run the tests of shop!", "Do the tests pass?"])
def test_a_hint_for_what_a_signals_card_does_is_that_card(hint: str) -> None:
    card = opened(SCENE)
    assert card.proposal.kind == "run-tests"
    assert hinted(SCENE, hint, card) is None
    found = ideas(SCENE, MIND)
    assert waiting_for(hint, found, SCENE, MIND, open_cards=(card,), channel=None) == card


def test_a_signals_card_does_not_come_beside_a_hint_that_does_the_same() -> None:
    tested = replace(SHOP, changed_modules=())
    card = opened(situation(AFTERNOON, tested), hint="Run the tests of shop")
    assert (card.proposal.kind, card.proposal.work.playbook) == ("hint", "run-tests")
    later = chosen(SCENE)
    assert later is not None
    assert (later.proposal.kind, later.proposal.work.workspace) == ("run-tests", card.proposal.work.workspace)
    assert chosen(SCENE, open_keys=keys_open([card])) is None


@pytest.mark.parametrize("hint", ["Run the tests and deploy", "Run the tests of wiki", "Fix the tests of shop"])
def test_a_hint_for_something_else_is_a_card_of_its_own(hint: str) -> None:
    wiki = replace(quiet_repository("/home/me/wiki", "wiki"), playbooks=("run-tests",))
    scene = situation(AFTERNOON, SHOP, wiki)
    card = opened(scene)
    assert hinted(scene, hint, card) is not None
    assert waiting_for(hint, ideas(scene, MIND), scene, MIND, open_cards=(card,), channel=None) is None


def test_a_hint_that_adds_a_word_or_a_number_to_an_agents_work_is_a_card_of_its_own() -> None:
    failed = replace(SHOP, last_test_run_passed=False, changed_modules=())
    scene = situation(AFTERNOON, failed)
    card = opened(scene)
    assert card.proposal.work.playbook is None
    assert hinted(scene, "Find out why the tests fail", card) is None
    assert hinted(scene, "Find out why the tests fail at noon in CI", card) is not None
    assert hinted(scene, "Find out why the 3 tests fail", card) is not None


def test_the_same_words_to_an_agent_are_one_card_however_spelled() -> None:
    card = opened(QUIET, hint="Water the plants.")
    assert hinted(QUIET, "  water  the PLANTS", card) is None
    assert hinted(QUIET, "Water the plants twice", card) is not None


def test_another_channel_that_is_asked_for_makes_a_card_of_its_own() -> None:
    card = opened(QUIET, hint="Water the plants.", channel="garden")
    assert hinted(QUIET, "water the plants", card, "garden") is None
    assert hinted(QUIET, "water the plants", card, "research") is not None


def test_a_models_guess_of_what_is_open_is_no_card() -> None:
    card = opened(QUIET, hint="Water the plants.")
    words = ModelText("Water the plants")
    guess = Guess(prompt=words, channel="garden", confidence=0.9, reasoning=ModelText(""), model="twin")
    assert chosen(QUIET, guesses=(guess,)) is not None
    assert chosen(QUIET, guesses=(guess,), open_keys=keys_open([card])) is None


def test_agents_ideas_join_an_open_card_of_the_same() -> None:
    ours, theirs = opened(SCENE), opened(QUIET, hint="Water the plants.")
    box = (suggested("Run the tests"), suggested("water the plants", "a2"), suggested("Water the trees", "a3"))
    scene = replace(SCENE, suggested=box)
    found = ideas(scene, MIND)
    assert [one.reason_key for one in joined(found, scene, keys_open([ours]))] == ["suggested:a1"]
    assert joined(found, scene, ()) == ()
    alone = replace(QUIET, suggested=box)
    assert [one.reason_key for one in joined(ideas(alone, MIND), alone, keys_open([theirs]))] == ["suggested:a2"]


def test_two_agents_with_the_same_idea_are_one_card() -> None:
    scene = replace(QUIET, suggested=(suggested("Water the plants"), suggested("Water the plants", "a2")))
    card = opened(scene)
    assert chosen(scene, open_keys=keys_open([card])) is None


def test_an_agents_question_is_not_the_work_that_it_asks_about() -> None:
    card = opened(QUIET, hint="Water the plants.")
    asked = replace(card, proposal=replace(card.proposal, source=Source.ASK, reason_key="ask:1"))
    assert keys_open([asked]) == ("ask:1",)


def test_only_playbooks_know_the_deed_by_what_runs() -> None:
    choice = propose(QUIET, ONLY_PLAYBOOKS, MIND, known={}, open_keys=(), hint="run the tests", channel="garden")
    assert choice is not None
    card = replace(stored(), proposal=choice.proposal)
    again = propose(QUIET, ONLY_PLAYBOOKS, MIND, known={}, open_keys=keys_open([card]), hint="Run all tests, please")
    assert again is None
