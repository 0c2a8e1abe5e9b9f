"""Patterns with stars: what they mean, compared with the standard library, and what nobody can make of them."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.globbing import is_pattern, matcher

letters = st.text("ab.*?", max_size=12)


@given(letters, st.text("ab.", max_size=12))
def test_it_means_what_the_standard_library_means(pattern: str, text: str) -> None:
    assert matcher(pattern)(text) == fnmatchcase(text, pattern)


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*.whl", "pulse-1.0.whl", True),
        ("*.whl", "pulse.whl.txt", False),
        ("a*a", "a", False),
        ("", "", True),
        ("*", "", True),
        ("?", "", False),
        ("[id].tsx", "[id].tsx", True),
        ("[id].tsx", "i.tsx", False),
        ("*#*", "two\nlines #1", True),
        ("A*", "abc", False),
    ],
)
def test_it_means_what_people_mean(pattern: str, text: str, *, fits: bool) -> None:
    assert matcher(pattern)(text) is fits


@pytest.mark.parametrize("pattern", ["*a" * 1_000 + "b", "*?" * 1_000 + "b", "*" * 2_000 + "b", "*a*" * 500 + "b"])
def test_no_pattern_is_tried_in_every_way(pattern: str) -> None:
    """By backtracking each of these would take longer than the universe."""
    assert not matcher(pattern)("a" * 2_048)


def test_only_stars_and_question_marks_mean_more_than_themselves() -> None:
    assert [is_pattern(one) for one in ("a*", "a?", "[id]", "a.b", "")] == [True, True, False, False, False]
