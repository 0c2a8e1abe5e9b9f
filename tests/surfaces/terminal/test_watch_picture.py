"""The picture in the README is what the terminal surface really draws."""

import os
from pathlib import Path

from hub.contract.words import Badge, Verb
from surfaces.terminal.render import render
from tests.surfaces.terminal.scenes import NOW, later, shown, view
from tests.surfaces.terminal.watch_picture import svg

KEPT = Path(__file__).resolve().parents[3] / "docs" / "images" / "watch.svg"
CELLS, ROWS = 92, 17


def test_the_readme_shows_what_is_drawn() -> None:
    """Set PULSE_GOLDEN=write to draw it anew."""
    scene = view(
        shown("a", badges=(Badge.SUGGESTED, Badge.NEW)),
        shown("b", prompt="Summarise today: 5 commits", phase="running", verbs=(Verb.STOP,), since=later(-12)),
    )
    drawn = svg(render(scene, CELLS, ROWS, NOW), CELLS)
    if os.environ.get("PULSE_GOLDEN") == "write":
        KEPT.write_text(drawn, encoding="utf-8")
    assert KEPT.read_text(encoding="utf-8") == drawn
