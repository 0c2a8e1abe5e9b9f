"""A grant is for what was seen: an agent that says more in the same breath, or the same elsewhere, is asked about."""

import pytest

from tests.bench.widenings import covered_alike, covered_widenings, ordinary, widenings

DRAWN = ((20, 866), (41, 1_000))
ALIKE_SHARE_LEAST = 0.95


def test_the_commands_are_many_and_each_is_widened_in_several_ways() -> None:
    assert len(ordinary()) >= 120
    for seed, count in DRAWN:
        assert len(set(widenings(seed, count))) == count


@pytest.mark.parametrize(("seed", "count"), DRAWN)
def test_no_widening_is_covered(seed: int, count: int) -> None:
    assert covered_widenings(widenings(seed, count)) == []


def test_what_is_alike_still_is() -> None:
    covered, asked = covered_alike()
    assert covered >= ALIKE_SHARE_LEAST * asked
