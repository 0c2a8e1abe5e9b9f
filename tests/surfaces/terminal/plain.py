"""A picture of the terminal as a test reads it."""

from surfaces.terminal.picture import Picture


def plain_text(picture: Picture) -> str:
    """Return the picture without its styles, one line per row."""
    return "\n".join("".join(span.text for span in one).rstrip() for one in picture.lines)
