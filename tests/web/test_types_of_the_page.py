"""The page's types are what the contract says."""

import pytest

from surfaces.web import page_types


@pytest.mark.slow
def test_the_declarations_are_up_to_date() -> None:
    there = page_types.TARGET.read_text(encoding="utf-8")
    assert there == page_types.declarations(), "run: python -m surfaces.web.page_types"


@pytest.mark.slow
def test_what_the_hub_sends_is_whole_and_what_a_client_sends_may_be_short() -> None:
    declared = page_types.declarations()
    assert "  settled: Settlement | null;" in declared
    assert "  cardHash?: string | null;" in declared
