"""Short, printable text out of text that others wrote."""

CUT_MARK = "…"


def short(text: str, chars_max: int) -> str:
    """Return one line of at most `chars_max` characters, without control or invisible characters.

    Only the part that can matter is looked at, so the cost does not grow with the text.
    """
    # Twice the length leaves room for runs of spaces; what lies beyond is cut anyway.
    part = "".join(each if each.isprintable() else " " for each in text[: 2 * chars_max + 1])
    line = " ".join(part.split())
    return line if len(line) <= chars_max and len(text) <= 2 * chars_max else line[: chars_max - 1] + CUT_MARK
