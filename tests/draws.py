"""What the tests with Hypothesis draw: the same at every run, or new for as long as one likes (`tests/explore.py`).

A run that draws anew fails now and then by a find that has nothing to do with the change that it is to judge. So the
seed is fixed, and what else Hypothesis takes from the code all around, the constants in its modules, is left out:
with them one more number in any file would change what every test draws.
"""

import ast
from collections.abc import Iterable

import hypothesis.core
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.vendor.pretty import RepresentationPrinter

from tests.explore import EXPLORE

REPEATABLE = "repeatable"
EXAMPLES_MAX = 1000
"""How many a test is given in one round of exploring, where it names no number of its own."""
TO_KEEP = "to keep this find as an example"
"""The heading of a report's section with the line to add."""
NO_CONSTANTS = Constants()
_EXAMPLES = "_hypothesis_failing_examples"
"""Where Hypothesis leaves, on the test, the calls that failed, written as Python."""


def set_up() -> None:
    """Register both profiles; what is run is repeatable unless `--hypothesis-profile explore` says otherwise.

    The constants of other modules are left out before Hypothesis gathers them, at the end of the collection: each
    process would read the whole code for what nobody draws.
    """
    providers._get_local_constants = lambda: NO_CONSTANTS  # noqa: SLF001  no setting says so
    untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(REPEATABLE, untimed, derandomize=True, database=None)
    settings.register_profile(EXPLORE, untimed, print_blob=True, max_examples=EXAMPLES_MAX)
    settings.load_profile(REPEATABLE)


def print_finds_whole() -> None:
    """Let finds be written out whole.

    To be called when all tests are imported: Schemathesis, where a test imports it, takes the printer of values away.
    """
    hypothesis.core.RepresentationPrinter = RepresentationPrinter  # type: ignore[attr-defined]  # puts it back


def finds_to_keep(reports: Iterable[pytest.TestReport]) -> dict[str, str]:
    """Return for each failed test the line that would keep its find; an empty one where no line can."""
    return {
        report.nodeid: next((text for heading, text in report.sections if heading == TO_KEEP), "") for report in reports
    }


def lines_to_keep(item: pytest.Item) -> list[str]:
    """Return the decorators that would make the finds of a failed test its examples, and where they belong."""
    path, line, _ = item.location
    at = f"above @given of {path}:{(line or 0) + 1}:"
    return [f"{at} {kept}" for call in getattr(item, _EXAMPLES, ()) if (kept := as_example(call))]


def as_example(call: str) -> str:
    """Return the decorator for a failed call as Hypothesis writes it; nothing for a call that no decorator can make."""
    try:
        read = ast.parse(call, mode="eval").body
    except SyntaxError:
        return ""
    left_out = any(isinstance(part, ast.Constant) and part.value is ... for part in ast.walk(read))  # as in data(...)
    if left_out or not isinstance(read, ast.Call):
        return ""
    return f"@{ast.unparse(ast.Call(ast.Name('example'), read.args, read.keywords))}"
