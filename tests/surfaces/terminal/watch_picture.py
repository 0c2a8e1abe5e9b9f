"""The README's picture of `pulse watch`: the same render as on a terminal, drawn as SVG."""

from html import escape

from surfaces.terminal.cells import width
from surfaces.terminal.picture import Line, Picture, Style

CELL_W, CELL_H, MARGIN = 8.4, 18, 14
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


def svg(picture: Picture, cells: int) -> str:
    """Return the picture as an SVG document of `cells` columns."""
    lines = list(picture.lines)
    wide, high = cells * CELL_W + 2 * MARGIN, len(lines) * CELL_H + 2 * MARGIN
    rows = [_row(line, MARGIN + (number + 0.75) * CELL_H) for number, line in enumerate(lines)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" role="img"'
        ' aria-label="pulse watch: one card with its reason, and a running one">\n'
        f'<rect width="{wide:.0f}" height="{high}" rx="8" fill="#1b1f27"/>\n'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14">\n'
        + "\n".join(row for row in rows if row)
        + "\n</g>\n</svg>\n"
    )


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
