"""What a picture is made of: lines of spans, each with one of a few styles that work on light and dark terminals."""

from typing import Literal, NamedTuple

from hub.contract.base import Value
from surfaces.terminal.cells import clip, pad, width
from surfaces.terminal.view import Tone

Style = Literal["plain", "dim", "bold", "good", "bad", "warn", "accent", "reverse"]


class Span(NamedTuple):
    """Some text in one style; the text is safe to draw."""

    text: str
    style: Style = "plain"


Line = tuple[Span, ...]


class Picture(Value):
    """A whole screen. `drawn` names the deliveries that can be seen in it; `cursor` is (row, column) from 0.

    `page_rows` is how far one may read on from here without skipping a line.
    """

    lines: tuple[Line, ...]
    drawn: frozenset[str]
    clipped: bool = False
    page_rows: int = 1
    cursor: tuple[int, int] | None = None


def line(text: str, cells: int, style: Style = "plain") -> Line:
    """Return one line of one style, cut to fit."""
    return (Span(clip(text, cells), style),)


def ends(left: Line, right: Line, cells: int) -> Line:
    """Put one line to the left and one to the right; the right one is left out where there is no room."""
    used = line_width(left)
    room = cells - used - line_width(right)
    if room < 1:
        return fit(left, cells)
    return (*left, Span(" " * room), *right)


def fit(spans: Line, cells: int) -> Line:
    """Cut a line of several spans to fit."""
    fitted: list[Span] = []
    for span in spans:
        room = cells - line_width(tuple(fitted))
        if room <= 0:
            break
        fitted.append(Span(clip(span.text, room), span.style))
    return tuple(fitted)


def line_width(spans: Line) -> int:
    """Return how many cells a line takes."""
    return sum(width(span.text) for span in spans)


def boxed(spans: Line, cells: int, border: Style) -> Line:
    """Put a line between the two sides of a box that is `cells` wide."""
    inner = fit(spans, cells - 4)
    filler = pad("", cells - 4 - line_width(inner))
    return (Span("│ ", border), *inner, Span(filler + " "), Span("│", border))


def edge(corners: str, left: Line, right: Line, cells: int) -> Line:
    """Draw the upper or lower edge of a box, with what stands in it; `corners` are two characters."""
    left = fit(left, cells - 6)
    if line_width(left) + line_width(right) > cells - 6:
        right = ()
    gap = cells - 5 - line_width(left) - line_width(right)
    start = f"{corners[0]}─ " if left else f"{corners[0]}──"
    return (Span(start, "dim"), *left, Span("─" * gap, "dim"), *right, Span(f"─{corners[1]}", "dim"))


def style_of(tone: Tone) -> Style:
    """Return the style of a tone."""
    return tone
