"""docs/voice.md holds the turn table as it is."""

from edge.speech.turns import diagram
from tests.house.source import ROOT


def test_the_table_in_the_document_is_the_table() -> None:
    assert diagram() in (ROOT / "docs" / "voice.md").read_text()
