import pytest

from tests.house.suggestion_types import copying, left_out, on_the_way, product

pytestmark = pytest.mark.slow

ON_THE_WAY_MAX = 95
COPYING_MAX = 44


def test_a_suggestion_passes_no_more_types_than_it_did() -> None:
    """A new one? Use what is there, or let it hold that whole; `python -m tests.house.suggestion_types` lists all."""
    types = product()
    assert len(copying(types)) <= COPYING_MAX
    assert len(on_the_way(types)) <= ON_THE_WAY_MAX


def test_what_is_left_out_is_there() -> None:
    assert left_out() <= {place.name for place in product()}


def test_its_stations_are_found() -> None:
    found = {place.name for place in on_the_way(product())}
    assert {"Guess", "Proposal", "AddCard", "CardDelivery", "CardProjection", "Decision", "Permit", "Episode"} <= found
    assert not found & {"CardById", "Policy", "Device", "PredictAnswer"}, "a question, what is not of one, a collection"
