"""docs/voice.md holds the turn table as it is, and names only tests that there are."""

import re

from edge.speech.turns import diagram
from tests.house.source import ROOT

DOCUMENT = (ROOT / "docs" / "voice.md").read_text()
TESTS = "".join(path.read_text() for path in (ROOT / "tests" / "edge").glob("test_*.py"))


def test_the_table_in_the_document_is_the_table() -> None:
    assert diagram() in DOCUMENT


def test_every_test_that_the_document_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", DOCUMENT))
    assert named
    assert named <= set(re.findall(r"def (test_\w+)\(", TESTS))
