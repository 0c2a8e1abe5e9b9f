"""Every link and every path that the documents name is there."""

import re
from pathlib import Path

from tests.house.source import ROOT, short

PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"(?<!\!)\[[^\]]+\]\(([^)#\s]+)?(#[^)\s]+)?\)")
PATH = re.compile(r"`((?:hub|surfaces|tests|docs|device_profiles|requirements)/[\w./-]+)`")


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {f"#{slug(heading)}" for heading in re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))}


def is_broken(page: Path, target: str, anchor: str) -> bool:
    if re.match(r"[a-z]+:", target):
        return False
    place = (page.parent / target).resolve() if target else page
    return not place.exists() or bool(anchor and place.suffix == ".md" and anchor not in anchors(place))


def test_links_lead_somewhere() -> None:
    links = [(page, *link) for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))]
    broken = [link for link in links if is_broken(*link)]
    assert [f"{short(page)}: {target}{anchor}" for page, target, anchor in broken] == []


def test_named_files_are_there() -> None:
    named = [(page, path) for page in PAGES for path in PATH.findall(page.read_text(encoding="utf-8"))]
    gone = [(page, path) for page, path in named if "NNNN" not in path and not (ROOT / path).exists()]
    assert [f"{short(page)}: {path}" for page, path in gone] == []
