"""Decisions and changes are kept in one form: docs/adr/NNNN-*.md and CHANGELOG.md (Keep a Changelog)."""

import re
from pathlib import Path

from tests.house.source import ROOT

ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
ADR_LINES_MAX = 60
ADR_HEADINGS = ["Status", "Context", "Decision", "Consequences"]
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
CHANGELOG = ROOT / "CHANGELOG.md"


def headings(path: Path, level: int) -> list[str]:
    return re.findall(rf"(?m)^{'#' * level} (.+)$", path.read_text(encoding="utf-8"))


def test_there_are_decisions() -> None:
    assert ADRS


def test_a_decision_has_its_form() -> None:
    for adr in ADRS:
        assert re.fullmatch(r"\d{4}(-[a-z0-9]+)+\.md", adr.name), adr.name
        assert headings(adr, 2) == ADR_HEADINGS, adr.name
        assert len(headings(adr, 1)) == 1, adr.name
        assert len(adr.read_text(encoding="utf-8").splitlines()) < ADR_LINES_MAX, adr.name


def test_decisions_have_their_own_numbers() -> None:
    numbers = [adr.name[:4] for adr in ADRS]
    assert numbers == sorted(set(numbers))


def test_a_superseded_decision_names_its_successor() -> None:
    for adr in ADRS:
        for number in re.findall(r"(?i)superseded by (?:ADR )?(\d{4})", adr.read_text(encoding="utf-8")):
            assert list(adr.parent.glob(f"{number}-*.md")), f"{adr.name} names {number}, which is not there"


def test_the_changelog_begins_with_what_is_not_yet_released() -> None:
    assert headings(CHANGELOG, 1) == ["Changelog"]
    assert headings(CHANGELOG, 2)[0] == "[Unreleased]"


def test_the_changelog_sorts_changes_by_kind() -> None:
    assert set(headings(CHANGELOG, 3)) <= KINDS


def test_releases_have_a_version_and_a_day() -> None:
    form = re.compile(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}")
    assert [heading for heading in headings(CHANGELOG, 2)[1:] if not form.fullmatch(heading)] == []
