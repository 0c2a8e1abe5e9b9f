"""docs/drives.md shows the limits as they are."""

import re
from pathlib import Path

from hub.domain.drive_limits import LIMITS, MUTATIONS_PER_HOUR_MAX, NEW_WEIGHT, REASON_CHARS_MAX
from hub.domain.drives import DRIVES_MAX, PROTECTED

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "drives.md").read_text(encoding="utf-8")
PART = TEXT.partition("\n## What agents may change\n")[2].partition("\n## ")[0]
ROW = re.compile(r"^\| `([a-z_]+)`[^|]*\| ([^|]+) \| ([^|]+) \|", re.MULTILINE)


def test_the_table_of_limits_is_that_of_the_code() -> None:
    expected = {
        kind: (f"{limit.low:g} to {limit.high:g}", "any" if limit.step is None else f"{limit.step:g}")
        for kind, limit in LIMITS.items()
    }
    assert {kind: (between, step) for kind, between, step in ROW.findall(PART)} == {
        **expected,
        "remove_drive": ("none", "any"),
    }


def test_the_numbers_in_words_are_those_of_the_code() -> None:
    assert MUTATIONS_PER_HOUR_MAX == 10
    assert "**Ten an hour**" in TEXT
    assert f"in {REASON_CHARS_MAX} characters at most" in TEXT
    assert f"There are {DRIVES_MAX} drives at most" in TEXT
    assert f"without a weight it has {NEW_WEIGHT:g}" in TEXT
    assert f"never {' and '.join(f'`{name}`' for name in sorted(PROTECTED))}" in TEXT
