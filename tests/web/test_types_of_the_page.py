"""The page's types are what the contract says."""

from tests.web import types


def test_the_declarations_are_up_to_date() -> None:
    assert types.TARGET.read_text(encoding="utf-8") == types.declarations(), "run: python -m tests.web.types"


def test_what_the_hub_sends_is_whole_and_what_a_client_sends_may_be_short() -> None:
    declared = types.declarations()
    assert "  settled: Settlement | null;" in declared
    assert "  cardHash?: string | null;" in declared
