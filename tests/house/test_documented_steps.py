"""No step stands twice in a numbered list of the documentation."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
STEP = re.compile(r"\s*(\d+)\. (.+)")
BEGINNING_WORDS = 6


def twice(text: str) -> Iterator[str]:
    """Yield the first command, or the first words, of each step that an earlier one of its list has."""
    seen: list[str] = []
    for line in text.splitlines():
        step = STEP.match(line)
        if line.startswith("#") or (step is not None and step[1] == "1"):
            seen = []
        if step is not None:
            begins = [*re.findall(r"`([^`]+)`", step[2])[:1], " ".join(step[2].split()[:BEGINNING_WORDS])]
            yield from (one for one in begins if one in seen)
            seen += begins


def test_no_step_stands_twice() -> None:
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found = [f"{file.relative_to(ROOT)}: {one}" for file in files for one in twice(file.read_text())]
    assert found == []


def test_a_step_that_stands_twice_is_found() -> None:
    assert list(twice("1. `a` begins.\n2. `b`\n3. `a` again.")) == ["a"]
