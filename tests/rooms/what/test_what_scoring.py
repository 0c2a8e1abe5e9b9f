import math
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.mind import Tally
from hub.domain.suggestion import Factors
from hub.what.day import Part, part_of_day
from hub.what.scoring import confidence, pattern, ramp, unit
from hub.what.signals import ALL
from tests.rooms.what.scenes import AFTERNOON

ANY = st.floats(allow_nan=True, allow_infinity=True)


def test_the_formula_of_the_source_document() -> None:
    assert confidence(Factors(twin=1.0, pattern=0.0, urgency=0.0, time=0.0)) == 0.4
    assert confidence(Factors(twin=0.0, pattern=1.0, urgency=0.0, time=0.0)) == 0.25
    assert confidence(Factors(twin=0.0, pattern=0.0, urgency=1.0, time=0.0)) == 0.2
    assert confidence(Factors(twin=0.0, pattern=0.0, urgency=0.0, time=1.0)) == 0.15
    assert confidence(Factors(twin=1.0, pattern=1.0, urgency=1.0, time=1.0)) == 1.0


def test_without_a_model_it_is_fixed() -> None:
    assert confidence(Factors(twin=None, pattern=1.0, urgency=1.0, time=1.0)) == 0.4


def test_a_sum_that_is_on_a_border_on_paper_is_on_it() -> None:
    assert confidence(Factors(twin=0.8, pattern=0.8, urgency=0.8, time=0.8)) == 0.8
    assert confidence(Factors(twin=0.3, pattern=0.3, urgency=0.3, time=0.3)) == 0.3


@pytest.mark.slow
@given(twin=st.none() | ANY, past=ANY, urgency=ANY, time=ANY)
def test_any_numbers_give_0_to_1(twin: float | None, past: float, urgency: float, time: float) -> None:
    assert 0 <= confidence(Factors(twin=twin, pattern=past, urgency=urgency, time=time)) <= 1


@pytest.mark.parametrize(
    ("number", "expected"), [(math.nan, 0.0), (-1.0, 0.0), (0.5, 0.5), (2.0, 1.0), (math.inf, 1.0), (-math.inf, 0.0)]
)
def test_unit(number: float, expected: float) -> None:
    assert unit(number) == expected


def test_past_answers_are_smoothed() -> None:
    assert pattern(None) == 0.5
    assert pattern(Tally()) == 0.5
    assert pattern(Tally(approved=3)) == pytest.approx(0.8)
    assert pattern(Tally(rejected=3)) == pytest.approx(0.2)


@pytest.mark.slow
@given(st.integers(-5, 10**9), st.integers(-5, 10**9))
def test_past_answers_never_reach_certainty(approved: int, rejected: int) -> None:
    assert 0 < pattern(Tally(approved=approved, rejected=rejected)) < 1


def test_a_ramp() -> None:
    assert ramp(0, 4, 24, 0.4, 0.8) == 0.4
    assert ramp(14, 4, 24, 0.4, 0.8) == pytest.approx(0.6)
    assert ramp(99, 4, 24, 0.4, 0.8) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("hour", "part"),
    [
        (4, "night"),
        (5, "morning"),
        (11, "morning"),
        (12, "afternoon"),
        (16, "afternoon"),
        (17, "evening"),
        (22, "evening"),
        (23, "night"),
    ],
)
def test_the_parts_of_the_day(hour: int, part: str) -> None:
    assert part_of_day(AFTERNOON.replace(hour=hour)) == part


def test_each_signal_has_its_hours() -> None:
    for signal in ALL:
        assert set(signal.FITS) == set(get_args(Part)), signal.KIND
        assert all(0 <= hours <= 1 for hours in signal.FITS.values()), signal.KIND
    assert len({signal.KIND for signal in ALL}) == len(ALL)


def test_each_kind_is_in_the_documents() -> None:
    document = (Path(__file__).parents[3] / "docs" / "suggestions.md").read_text(encoding="utf-8")
    missing = [kind for kind in (*(signal.KIND for signal in ALL), "twin", "hint") if f"`{kind}`" not in document]
    rows = "\n".join(f"| `{kind}` | when | urgency | what makes it new | who does it |" for kind in missing)
    assert not missing, f"put these rows into the table of docs/suggestions.md:\n{rows}"
