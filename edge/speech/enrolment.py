"""What the wearer says so that the glasses know their voice: words that approve, for those are checked later."""

from edge.speech.phrasebook import Phrasebook, Tokens

LINES = 8
KEYS = frozenset({"approve", "confirm"})


def enrolment_lines(book: Phrasebook) -> Tokens:
    """Return at most LINES ways to approve or confirm, evenly spread over all that the book has; none with a slot."""
    forms = [" ".join(form.tokens) for form in book.forms if form.key in KEYS]
    plain = [form for form in forms if "{" not in form]
    return tuple(plain[at * len(plain) // LINES] for at in range(LINES)) if len(plain) > LINES else tuple(plain)
