"""An answer and what the agent did after it, in either order: told where they differ, and told once."""

import pytest

from hub.kit.given_answers import Deed, GivenAnswer, GivenAnswers

YES, NO = GivenAnswer(card_id="p1", is_yes=True), GivenAnswer(card_id="p1", is_yes=False)
CHANGED = GivenAnswer(card_id="p1", is_yes=True, changed_from="asked")
RAN, REFUSED = Deed(went_on=True, name="asked"), Deed(went_on=False, name="asked")
BROKEN_OFF = Deed(went_on=True, broken_off=True)
DIFFER = [
    (YES, REFUSED, "refused"),
    (YES, BROKEN_OFF, "broken-off"),
    (NO, RAN, "allowed"),
    (CHANGED, RAN, "allowed"),
    (CHANGED, REFUSED, "refused"),
]
ALIKE = [(YES, RAN), (NO, REFUSED), (CHANGED, Deed(went_on=True, name="changed")), (CHANGED, Deed(went_on=True))]


def answers(most: int = 9) -> GivenAnswers[str, GivenAnswer]:
    return GivenAnswers(most)


@pytest.mark.parametrize(("given", "deed", "how"), DIFFER)
def test_another_deed_than_the_answer_is_told_whichever_is_heard_first(
    given: GivenAnswer, deed: Deed, how: str
) -> None:
    one, other = answers(), answers()
    assert one.gave("c1", given) is None
    assert one.did("c1", deed) == given
    assert other.did("c1", deed) is None
    assert other.gave("c1", given) == deed
    assert deed.how == how


def test_a_yes_is_carried_out_by_a_deed_that_follows_it_and_only_until_that_was_heard() -> None:
    one = answers()
    assert one.carried_out("c1", RAN) is None
    for given, deed in ALIKE:
        one.gave("c1", given)
        assert one.carried_out("c1", deed) == (given if given.is_yes else None), (given, deed)
        one.did("c1", deed)
        assert one.carried_out("c1", deed) is None
    for given, deed, _ in DIFFER:
        one.begin("c1")
        one.gave("c1", given)
        assert one.carried_out("c1", deed) is None, (given, deed)


@pytest.mark.parametrize(("given", "deed"), ALIKE)
def test_what_was_done_as_it_was_answered_is_not_told(given: GivenAnswer, deed: Deed) -> None:
    one, other = answers(), answers()
    one.gave("c1", given)
    assert one.did("c1", deed) is None
    other.did("c1", deed)
    assert other.gave("c1", given) is None


@pytest.mark.parametrize(("given", "deed", "_how"), DIFFER)
def test_it_is_told_once_however_often_it_is_heard(given: GivenAnswer, deed: Deed, _how: str) -> None:
    found = answers()
    found.gave("c1", given)
    assert found.waits("c1")
    assert found.did("c1", deed) == given
    assert not found.waits("c1")
    assert found.did("c1", deed) is None
    assert found.did("c1", RAN) is None


def test_a_deed_is_compared_with_the_answer_to_its_own_request_alone() -> None:
    found = answers()
    found.gave("c1", NO)
    assert found.did("c2", RAN) is None
    found.begin("c1")  # it asks anew by the same name
    assert found.did("c1", RAN) is None
    found.begin("c1")
    assert found.gave("c1", NO) is None  # what was done before is about the request before


def test_no_more_is_kept_than_there_is_room_for() -> None:
    found = answers(most=2)
    for number in range(3):
        found.gave(f"c{number}", NO)
    assert [found.did(f"c{number}", RAN) for number in range(3)] == [None, NO, NO]


def test_answers_whose_deeds_nobody_will_hear_of_are_forgotten() -> None:
    found = answers()
    found.gave("c1", YES)
    found.gave("c2", NO)
    assert found.forget(lambda about, given: about == "c1" and given.is_yes) == (("c1", YES),)
    assert (found.waits("c1"), found.waits("c2")) == (False, True)
