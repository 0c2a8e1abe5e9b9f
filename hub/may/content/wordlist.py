"""Word lists are written as running text, because a reviewer reads them that way."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text`` as a set."""
    return frozenset(text.split())
