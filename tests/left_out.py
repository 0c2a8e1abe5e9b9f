"""Files that need not be read, for all their tests are slow and slow ones are left out: to import them takes a fifth of
collecting."""

import re
from pathlib import Path

WITHOUT_SLOW = "not slow"
"""What is selected where nothing else is said."""
ALL_SLOW = re.compile(r"^pytestmark = (?:\[[^\]]*)?pytest\.mark\.slow\b", re.MULTILINE)
"""How a file says so of all its tests."""


def is_left_out(path: Path, selected: str) -> bool:
    """Return whether a run that selects by these marks would import a file for nothing."""
    may_be = selected == WITHOUT_SLOW and path.suffix == ".py" and path.name.startswith("test_")
    return may_be and bool(ALL_SLOW.search(path.read_text(encoding="utf-8")))
