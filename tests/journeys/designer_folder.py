"""A designer's folder of about 60 files, as one is after ten days of work: texts, pictures, drafts, exports; no git.

What deserves a card is listed here, and so is what looks like it and does not: chapters by number, numbered pictures,
code in a text, a note of last year, pictures that no text shows.
"""

import os
import random
from datetime import datetime, timedelta
from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"
PICTURES = 24
EXPORTS = 8

NEWSLETTER = """# Autumn newsletter

![The shop](images/shop.png)
![Our logo](images/logo.svg)

We moved: see the [map](images/map.png), the [flyer](drafts/flyer final.md) and <https://example.org/shop.png>.

```markdown
![an example](images/example.png)
```

[Prices](mailto:shop@example.org) as before; `![so](images/so.png)` is how a picture is shown.
"""
OLD_NOTE = "# Last year\n\n![gone](images/gone-for-long.png)\n"
BRIEF = """# Brief for the poster

For the print shop in Bonn. Doors open until 10.

- [x] Ask for the size, due Monday
- [ ] Send the proof

Deadline: {day}
"""
DAY = timedelta(days=1)


class DesignerFolder:
    """The folder; `now` is the present moment where the designer is."""

    def __init__(self, top: Path, now: datetime) -> None:
        self.top = top
        self._now = now
        self._draw = random.Random(7)  # noqa: S311  the same pictures each time
        self._make()

    @property
    def brief(self) -> Path:
        """The text whose deadline the designer wants to hear of."""
        return self.top / "briefs" / "poster.md"

    def write(self, path: str, text: str, age: timedelta = timedelta(0)) -> None:
        """Write a text as if so long ago."""
        self._put(path, text.encode(), age)

    def draw(self, path: str, size: int, age: timedelta = timedelta(0)) -> None:
        """Put a picture there; nobody looks into it."""
        self._put(path, PNG + self._draw.randbytes(size), age)

    def _put(self, path: str, content: bytes, age: timedelta) -> None:
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        at = (self._now - age).timestamp()
        os.utime(file, (at, at))

    def _make(self) -> None:
        tomorrow = self._now + timedelta(hours=20)
        self.write("newsletter.md", NEWSLETTER, 2 * DAY)
        self.write("archive/last year.md", OLD_NOTE, 300 * DAY)
        self.write("briefs/poster.md", BRIEF.format(day=f"{tomorrow.day} {tomorrow:%B} at {tomorrow:%H:%M}"), 3 * DAY)
        for number, name in enumerate(("logo", "website", "flyer", "menu", "stickers")):
            self.write(f"briefs/{name}.md", f"# Brief for the {name}\n\nAs we said on the phone.\n", (4 + number) * DAY)
        for number in range(1, 6):
            self.write(f"book/chapter {number}.md", f"# Chapter {number}\n\nIt was {number}.\n", (10 - number) * DAY)
        for number, name in enumerate(("flyer v1.md", "flyer v2.md", "flyer final.md")):
            self.write(f"drafts/{name}", f"# Flyer\n\nCome to us, {number}.\n", (6 - number) * DAY)
        self.draw("drafts/poster_v1.pdf", 90_000, 8 * DAY)
        self.draw("drafts/poster_v2.pdf", 95_000, 4 * DAY)
        self.write("website/index.html", '<p>Our <a href="../drafts/poster_v1.pdf">poster</a></p>\n', 7 * DAY)
        self.draw("images/logo.svg", 2_000, 9 * DAY)
        self.draw("images/map.png", 40_000, 9 * DAY)
        self.draw("images/shop.png", 60_000, 9 * DAY)
        for number in range(PICTURES):
            self.draw(f"images/session ({number + 1}).png", self._draw.randrange(20_000, 400_000), 5 * DAY)
        for number in range(EXPORTS):
            self.draw(f"exports/flyer-{number}.png", self._draw.randrange(20_000, 200_000), number * DAY)
