"""An address as a picture that a phone's camera reads."""


def qr_of(url: str) -> tuple[str, ...]:
    """Return the rows of a QR code, `1` for dark."""
    import segno  # noqa: PLC0415  only for who pairs a device

    rows = segno.make(url, error="m", micro=False).matrix
    return tuple("".join("1" if cell else "0" for cell in row) for row in rows)
