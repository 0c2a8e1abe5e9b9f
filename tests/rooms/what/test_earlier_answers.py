"""What a model is told of earlier answers: what the person said, as words of the world, and only so many."""

import pytest
from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.words import HumanInput, Source, Verb
from hub.domain.provenance import WorldText, untrusted
from hub.domain.suggestion import Card
from hub.domain.twin import EARLIER_MAX
from hub.what import earlier_answers
from tests.conformance.store.samples import card
from tests.rooms.what.scenes import AFTERNOON


def answered(verb: Verb, reason: str = "", **changed: object) -> Card:
    settled = Settlement(
        verb=verb, by="me", surface="phone", device="mine", human_input=HumanInput.TAP, at=AFTERNOON, reason=reason
    )
    return replace(card(), settled=settled, **changed)


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        (Verb.APPROVE, "yes"),
        (Verb.EDIT, "yes, with other words"),
        (Verb.REJECT, "no"),
        (Verb.LESS, "no, less of this"),
        (Verb.NEVER, "no, never this"),
    ],
)
def test_an_answer_is_told_in_words(verb: Verb, said: str) -> None:
    (told,) = earlier_answers([answered(verb, "not today")])
    assert (told.said, untrusted(told.reason)) == (said, "not today")


def test_a_yes_that_was_taken_back_is_told_as_that() -> None:
    assert earlier_answers([answered(Verb.APPROVE, undone=True)])[0].said == "took the yes back"


def test_all_words_are_the_worlds_also_those_of_a_card_of_ours() -> None:
    (told,) = earlier_answers([answered(Verb.APPROVE)])
    assert isinstance(told.what, WorldText)


def test_open_cards_other_peoples_questions_and_what_says_nothing_are_left_out() -> None:
    question = answered(Verb.APPROVE)
    question = replace(question, proposal=replace(question.proposal, source=Source.ASK))
    assert earlier_answers([card(), question, answered(Verb.IGNORE)]) == ()


def test_only_so_many_are_told() -> None:
    assert len(earlier_answers([answered(Verb.REJECT)] * 99)) == EARLIER_MAX
