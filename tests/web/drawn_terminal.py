"""A terminal's lines as SVG: texts in a few colours, with no font, script or address from elsewhere."""

from html import escape

from surfaces.terminal.cells import width
from surfaces.terminal.picture import Line, Picture, Style

CELL_W, CELL_H, MARGIN = 8.4, 18, 14
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace"
COLOURS: dict[Style, str] = {
    "plain": "#d8dee9",
    "dim": "#7b8494",
    "bold": "#ffffff",
    "good": "#8fbf7f",
    "bad": "#e07a70",
    "warn": "#e5c07b",
    "accent": "#6fc3d9",
    "reverse": "#ffffff",
}


def rows(picture: Picture) -> list[str]:
    """Return the picture's lines as SVG texts; those without anything in them are left out."""
    drawn = (_row(line, MARGIN + (number + 0.75) * CELL_H) for number, line in enumerate(picture.lines))
    return [row for row in drawn if row]


def _row(line: Line, y: float) -> str:
    parts, at = [], 0
    for span in line:
        cells = width(span.text)
        if span.text.strip():
            weight = ' font-weight="bold"' if span.style in {"bold", "reverse"} else ""
            parts.append(
                f'<text x="{MARGIN + at * CELL_W:.1f}" y="{y:.1f}" textLength="{cells * CELL_W:.1f}"'
                f' fill="{COLOURS[span.style]}"{weight} xml:space="preserve">{escape(span.text)}</text>'
            )
        at += cells
    return "\n".join(parts)
