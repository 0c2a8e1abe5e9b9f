"""Reading what test runners print, one file a family; each is small, and says nothing of what it does not know."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners import cargo, go, javascript, maven, pytest, unittest
from hub.verify.runners.said import Printed, Said

__all__ = ["Printed", "Said", "found_none", "output_of", "read"]

READ_CHARS_MAX = 262_144
LINE_CHARS_MAX = 400
_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,32}[A-Za-z]")
_READERS = (unittest.read, pytest.read, cargo.read, go.read, javascript.read, maven.read)


def output_of(text: str, *, truncated: bool = False) -> Printed:
    """Return the end of an output as lines, cut to a length and without colour."""
    lines = text[-READ_CHARS_MAX:].splitlines()
    plain = (_COLOUR.sub("", line[: 2 * LINE_CHARS_MAX])[:LINE_CHARS_MAX].rstrip() for line in lines)
    return Printed(lines=tuple(plain), whole=not truncated and len(text) <= READ_CHARS_MAX)


def found_none(output: Printed) -> bool:
    """Say whether a runner that is known says that there are no tests: that it went well then proves nothing."""
    said = read(output)
    return said is not None and said.started and said.tests == CountedTests()


def read(output: Printed) -> Said | None:
    """Return what a test runner's output says; None where no runner that is known wrote it."""
    found = (reader(output) for reader in _READERS)
    return next((said for said in found if said is not None), None)
