"""Names under which clients speak to a person: compared as a person reads them."""

import unicodedata

OURS = "pulse"


def plain_name(name: str) -> str:
    """Return the letters and digits of a name, without case, width or decoration."""
    return "".join(char for char in unicodedata.normalize("NFKC", name).casefold() if char.isalnum())


def is_ours(name: str) -> bool:
    """Return True if a name passes for Pulse itself."""
    return plain_name(name).startswith(OURS)
