import math

import pytest

from hub.learn.prior import LOGIT_MAX, help_logit, meaning, prior_logit
from hub.lexicon import DIMENSIONS, NO_WORDS, shipped, unpack, words_of


def nearness(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(meaning(one), meaning(other), strict=True))


def test_texts_alike_in_meaning_lie_close() -> None:
    near = nearness("Run the tests of shop", "Execute the unit test suite")
    assert near > nearness("Run the tests of shop", "Write to the customer") + 0.2


@pytest.mark.parametrize("text", ["", " \n ", "…!?", "\ud800", "ß" * 10_000, "word " * 10_000])
def test_any_text_has_a_place_of_length_one_or_none(text: str) -> None:
    place = meaning(text)
    assert len(place) == DIMENSIONS
    assert math.hypot(*place) == pytest.approx(1.0) or not any(place)


def test_no_text_makes_it_surer_than_its_bound() -> None:
    for text in ("", "error " * 500, "Offer help\n" * 300, "qzxv"):
        assert abs(prior_logit(text, text)) <= LOGIT_MAX
        assert abs(help_logit(text)) <= LOGIT_MAX


def test_an_offer_after_an_error_is_likelier_than_after_listening_to_music() -> None:
    offer = "Explain the error message and how to fix it"
    error = "The user runs the script and the terminal displays an error message."
    assert prior_logit(error, offer) > prior_logit("The user plays a song and scrolls.", offer)


def test_only_the_newest_lines_and_the_first_letters_are_read() -> None:
    latest = "\n".join(f"The user opens file number {at}." for at in range(20))
    assert prior_logit("An error.\n" * 50 + latest, "Help") == prior_logit(latest, "Help")
    assert meaning("tests of it " * 1_000) == meaning("tests of it " * 2_000)


def test_words_are_split_at_humps_and_numbers_are_alike() -> None:
    assert words_of("runTests of my_shop2 don't 15") == ["run", "tests", "of", "my", "shop0", "don't", "0"]


def test_an_unknown_word_is_read_by_its_beginning() -> None:
    table = shipped()
    assert table.row_of("testsxq") == table.row_of("tests") >= 0
    assert table.row_of("qzxv") == -1


def test_the_table_is_read_as_it_was_written() -> None:
    table = shipped()
    again = unpack(table.pack())
    assert again.pack() == table.pack()
    assert list(again.keys) == sorted(again.keys)


@pytest.mark.parametrize("kept", [0, 3, 4, 400, -5, -1])
def test_a_table_that_ends_early_is_damaged(kept: int) -> None:
    with pytest.raises(ValueError, match="damaged"):
        unpack(shipped().pack()[:kept])


@pytest.mark.parametrize("place", [0, 5, 60, 5_000, -1])
def test_one_changed_byte_is_damage(place: int) -> None:
    content = bytearray(shipped().pack())
    content[place] ^= 0x10
    with pytest.raises(ValueError, match="damaged"):
        unpack(bytes(content))


def test_without_words_nothing_speaks_for_or_against() -> None:
    assert meaning("Run the tests of shop", NO_WORDS) == (0.0,) * DIMENSIONS
    assert prior_logit("The terminal displays an error.", "Explain the error", NO_WORDS) == 0.0
    assert help_logit("The terminal displays an error.", NO_WORDS) == 0.0
