"""A model's words without what it thought before it answered. Pure.

Many models write their thoughts into the answer, between tags; some leave out the first tag, and all leave out the last
where they may say no more. What stands in a thought is no answer: it may be just what the model was about to reject.
"""

import re

_NAMES = r"(?:think|thinking|thought|reasoning)"
_OPENS = re.compile(rf"<{_NAMES}>|\[THINK\]", re.IGNORECASE)
_CLOSES = re.compile(rf"</{_NAMES}>|\[/THINK\]", re.IGNORECASE)


def answer_in(text: str) -> str | None:
    """Return what a model answered; None where it was cut off before it did."""
    *_, last = (0, *(match.end() for match in _CLOSES.finditer(text)))
    rest = text[last:]
    begun = _OPENS.search(rest)
    answer = (rest[: begun.start()] if begun else rest).strip()
    return answer if answer or not begun else None
