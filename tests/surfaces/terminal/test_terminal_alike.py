"""Requests that are alike, on the terminal: all of each is read before one yes, which answers each by itself."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.surface import Decision
from hub.contract.words import Verb
from surfaces.terminal.keys import SETTLING_S, press
from surfaces.terminal.render import render
from surfaces.terminal.view import Shown, View
from tests.surfaces.terminal.plain import plain_text
from tests.surfaces.terminal.scenes import NOW, later, view
from tests.surfaces.terminal.test_terminal_permissions import COMMAND, asked


def alike(number: int, **changes: object) -> Shown:
    permission = replace(COMMAND, text=f"pytest tests/part_{number}", marks=(), options=(), reason=f"Why {number}")
    made = NOW - timedelta(minutes=9 - number)
    return asked(permission, id=f"pred_{number}", card_hash=f"hash-{number}", alike="a1", created_at=made, **changes)


def painted(before: View, rows: int = 60) -> View:
    """Return the view as it is once it was on a screen of so many rows."""
    picture = render(before, 80, rows, NOW)
    return replace(before, clipped=picture.clipped, page_rows=picture.page_rows)


def looked_at(*cards: Shown, rows: int = 60) -> View:
    listed, intents = press(view(*cards), "y", NOW)
    assert (listed.mode, intents) == ("alike", ())
    return painted(listed, rows)


def answers(intents: tuple[object, ...]) -> list[tuple[str, Verb, str, str]]:
    return [(one.card_id, one.verb, one.card_hash, one.token) for one in intents if isinstance(one, Decision)]


def test_each_is_shown_whole_and_one_yes_answers_each_by_its_own_hash_and_token() -> None:
    cards = [alike(number) for number in range(3)]
    assert "y look at 3 alike" in plain_text(render(view(*cards), 80, 40, NOW))
    listed = looked_at(*cards)
    drawn = plain_text(render(listed, 80, 60, NOW))
    for text in (
        "has 3 similar requests",
        "pytest tests/part_0",
        "pytest tests/part_2",
        "y yes to these 3",
        "Why 1",
    ):
        assert text in drawn
    after, intents = press(listed, "y", later(2))
    assert answers(intents) == [(one.id, Verb.APPROVE, one.prediction.card_hash, one.token) for one in cards]
    assert (after.mode, after.listed) == ("cards", ())


def test_what_came_later_changed_or_was_answered_is_not_among_them() -> None:
    first, second, third = (alike(number) for number in range(3))
    listed = looked_at(first, second, third)
    other = replace(second, prediction=replace(second.prediction, card_hash="another"))
    gone = replace(third, phase="settled")
    now = replace(listed, cards=(first, other, gone, alike(3)))
    after, intents = press(now, "y", later(2))
    assert [one[0] for one in answers(intents)] == [first.id]
    assert after.notices[-1].text == "2 of them could not be answered."


def test_the_one_that_was_looked_at_is_among_them_however_many_there_are() -> None:
    latest = alike(9)
    listed = looked_at(latest, *(alike(number) for number in range(9)), rows=200)
    assert [card_id for card_id, _ in listed.listed] == [latest.id, *(f"pred_{number}" for number in range(7))]


def test_a_key_that_was_pressed_twice_is_no_yes() -> None:
    listed = looked_at(alike(0), alike(1))
    after, intents = press(listed, "y", later(SETTLING_S / 2))
    assert (after.mode, intents) == ("alike", ())


def test_nothing_is_approved_before_all_of_it_was_on_the_screen() -> None:
    listed = looked_at(*(alike(number) for number in range(6)), rows=20)
    before, intents = press(listed, "y", later(2))
    assert intents == ()
    for number in range(20):
        before = painted(press(before, " ", later(3 + number))[0], 20)
    assert len(answers(press(before, "y", later(60))[1])) == 6


@pytest.mark.parametrize("key", ["escape", "n", "a", "d", "enter"])
def test_any_other_key_leaves_them(key: str) -> None:
    after, intents = press(looked_at(alike(0), alike(1)), key, later(2))
    assert (after.mode, intents) == ("cards", ())


def test_what_is_alone_of_its_kind_is_answered_by_itself() -> None:
    other = asked(COMMAND, id="pred_x")
    for cards in ((alike(0), other), (other, alike(0), alike(1)), (alike(0), alike(1, verbs=()))):
        before = view(*cards)
        after, intents = press(before, "y", NOW)
        assert (after.mode, intents) == ("cards", ())
