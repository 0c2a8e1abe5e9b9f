"""Reading what test runners print, one file a family; each is small, and says nothing of what it does not know."""

import re

from hub.verify.runners import cargo, go, javascript, maven, pytest, unittest
from hub.verify.runners.said import Printed, Said

__all__ = ["Printed", "Said", "output_of", "read"]

READ_CHARS_MAX = 262_144
LINE_CHARS_MAX = 400
_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,32}[A-Za-z]")
_READERS = (unittest.read, pytest.read, cargo.read, go.read, javascript.read, maven.read)


def output_of(text: str, *, truncated: bool = False) -> Printed:
    """Return the end of an output as lines, cut to a length and without colour."""
    lines = text[-READ_CHARS_MAX:].splitlines()
    plain = (_COLOUR.sub("", line[: 2 * LINE_CHARS_MAX])[:LINE_CHARS_MAX].rstrip() for line in lines)
    return Printed(lines=tuple(plain), whole=not truncated and len(text) <= READ_CHARS_MAX)


def read(output: Printed) -> Said | None:
    """Return what a test runner's output says; None where no runner that is known wrote it."""
    found = (reader(output) for reader in _READERS)
    return next((said for said in found if said is not None), None)
