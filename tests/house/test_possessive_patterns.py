"""No group in a pattern is possessive: Python before 3.11.5 matches such a one wrongly (gh-106052).

A single character or class may be (`[^*]*+`); for a group there is `(?>(?:…)*)`, which means the same.
"""

import ast
import contextlib
import re
from collections.abc import Iterator
from re import _constants, _parser  # nothing public tells the parts of a pattern

from tests.house.source import at, walk

MARKS = ("*+", "++", "?+", "}+")
SINGLE = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY, _constants.CATEGORY}


def possessive_groups(parsed: object) -> Iterator[object]:
    """Yield each possessive part of a parsed pattern that is more than one character wide."""
    for part in parsed if isinstance(parsed, (_parser.SubPattern, tuple, list)) else ():
        if isinstance(part, tuple) and part and part[0] is _constants.POSSESSIVE_REPEAT:
            _, _, repeated = part[1]
            if len(repeated) != 1 or repeated[0][0] not in SINGLE:
                yield part
        yield from possessive_groups(part)


def patterns() -> Iterator[tuple[str, object]]:
    """Yield each text of the product that may be a pattern with a possessive part: where it stands, and it parsed."""
    for path, node in walk("hub", "surfaces", "edge"):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and any(mark in node.value for mark in MARKS):
            with contextlib.suppress(re.error):  # no pattern
                yield at(path, node.lineno), _parser.parse(node.value)


def test_no_group_is_possessive() -> None:
    assert [place for place, parsed in patterns() if any(possessive_groups(parsed))] == []


SAME = (r"a*+", r"[^*]*+", r"\d++", r"(?>(?:ab|c)*)")
WRONG = (r"(?:ab)*+", r"x(?:[^*]|\*(?!/))*+y", r"(a|b){2,}+")


def test_what_is_found() -> None:
    assert [each for each in (*SAME, *WRONG) if any(possessive_groups(_parser.parse(each)))] == list(WRONG)
