"""A designer's minutes beside a real hub: a folder without git, no agent; which cards come unasked, and which do not.

Nobody waits longer than the hub's own quiet, which is shortened.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.bench.hub_process import HubProcess, running
from tests.bench.scripted_work import Feed, afternoon_zone
from tests.journeys.designer_folder import DesignerFolder

pytestmark = pytest.mark.slow
CARD_S_MAX = 20.0
CALM_S = 2.5
CONFIG = """
[crosspoll]
change_quiet_s = 0.3
edit_quiet_s = 0.6
work_pause_s = 1.0
change_wait_s_max = 2.0
[person]
zone = "{zone}"
[quiet]
start_hour = 0
end_hour = 0
[drives]
files = ["deadlines:{brief}"]
[sensors]
transcripts = false
"""


class Minutes:
    """The designer at work, and what the live feed tells beside them."""

    def __init__(self, hub: HubProcess, designer: DesignerFolder, feed: Feed) -> None:
        self.hub, self.designer, self.feed = hub, designer, feed

    def comes(self, kind: str, words: str) -> str:
        """Wait for a card, and return its id."""

        def found() -> list[str]:
            return [card.card_id for card in self.feed.cards if card.kind == kind and words in card.prompt]

        assert self.feed.until(lambda: bool(found()), CARD_S_MAX), (kind, self.feed.cards)
        return found()[-1]

    def nothing_comes(self) -> None:
        """Watch for a while that no card comes."""
        before = len(self.feed.cards)
        self.feed.until(lambda: False, CALM_S)
        assert self.feed.cards[before:] == []

    def goes(self, card_id: str) -> None:
        """Wait until a card is taken back."""
        assert self.feed.until(lambda: card_id in self.feed.gone, CARD_S_MAX)
        assert self.feed.gone[card_id][1] == "passed"

    def open_cards(self) -> list[str]:
        """Return what the open cards say."""
        found = self.hub.call("GET", "/api/v1/predictions?status=pending")["predictions"]
        return sorted(card["prompt"] for card in found)


@pytest.fixture
def minutes(tmp_path: Path) -> Iterator[Minutes]:
    zone, home = afternoon_zone(datetime.now(UTC)), tmp_path / "home"
    designer = DesignerFolder(tmp_path / "design", datetime.now(ZoneInfo(zone)))
    home.mkdir(mode=0o700)
    (home / "config.toml").write_text(CONFIG.format(zone=zone, brief=designer.brief))
    with running(home, designer.top) as hub:
        feed = Feed(hub)
        try:
            yield Minutes(hub, designer, feed)
        finally:
            feed.close()


def test_a_designer_without_git_or_agent_gets_cards_worth_having_and_none_false(minutes: Minutes) -> None:
    designer = minutes.designer
    deadline = "See where things stand for the deadline «Brief for the poster»"
    versions, repository = (
        "Look at the 2 versions of «poster»",
        "Put this folder under version control with git: 54 files",
    )
    assert minutes.feed.until(lambda: len(minutes.open_cards()) == 3, CARD_S_MAX)
    assert minutes.open_cards() == sorted((deadline, versions, repository))

    (designer.top / "pictures/2026").mkdir(parents=True)
    (designer.top / "images/shop.png").rename(designer.top / "pictures/2026/shop.png")
    link = minutes.comes("missing-links", "Check the link to «shop.png», which is missing")
    designer.draw("exports/flyer-9.png", 80_000)
    designer.draw("images/logo (1).svg", 2_000)
    designer.write("book/chapter 6.md", "# Chapter 6\n\n![to be drawn](drawing.png)\n")
    minutes.nothing_comes()
    designer.write("drafts/flyer v2.md", "# Flyer\n\nCome to us on Friday.\n")
    minutes.comes("old-version", "Look at the 3 versions of «flyer»")
    newsletter = (designer.top / "newsletter.md").read_text()
    designer.write("newsletter.md", newsletter.replace("images/shop.png", "pictures/2026/shop.png"))
    minutes.goes(link)
    assert minutes.open_cards() == sorted((deadline, versions, repository, "Look at the 3 versions of «flyer»"))
