"""What was sensed as plain text, so that a test can compare it with what it wrote."""

from typing import Any

from hub.domain.provenance import WorldText, untrusted


def plain(value: object) -> Any:  # noqa: ANN401  of the shape of what went in
    """Return `value` with the world's words as strings, within tuples, lists and sets too."""
    if isinstance(value, WorldText):
        return untrusted(value)
    if isinstance(value, tuple | list | set | frozenset):
        return type(value)(plain(each) for each in value)
    return value
