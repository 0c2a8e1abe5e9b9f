"""An address as a picture that a phone's camera reads."""

QUIET_CELLS = 2
HALVES = {("0", "0"): " ", ("1", "0"): "▀", ("0", "1"): "▄", ("1", "1"): "█"}
"""Two rows of a QR code in one line of text: upper and lower half; `1` is dark."""
BLACK_ON_WHITE, PLAIN = "\x1b[30;107m", "\x1b[0m"


def qr_of(url: str) -> tuple[str, ...]:
    """Return the rows of a QR code, `1` for dark."""
    import segno  # noqa: PLC0415  only for who pairs a device

    rows = segno.make(url, error="m", micro=False).matrix
    return tuple("".join("1" if cell else "0" for cell in row) for row in rows)


def drawn(rows: tuple[str, ...]) -> list[str]:
    """Return a QR code as lines of text, with the quiet zone that cameras want around it."""
    side = "0" * QUIET_CELLS
    blank = side + "0" * len(rows[0]) + side
    padded = [*[blank] * QUIET_CELLS, *(f"{side}{row}{side}" for row in rows), *[blank] * QUIET_CELLS]
    if len(padded) % 2:
        padded.append(blank)
    lines = []
    for upper, lower in zip(padded[::2], padded[1::2], strict=True):
        cells = "".join(HALVES[pair] for pair in zip(upper, lower, strict=True))
        lines.append(cells)
    return lines


def painted(rows: tuple[str, ...]) -> str:
    """Return a QR code as text for a terminal, dark on light whatever its own colours are."""
    return "\n".join(f"{BLACK_ON_WHITE}{line}{PLAIN}" for line in drawn(rows))
