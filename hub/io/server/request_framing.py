"""Where one request ends and the next begins, so that the parser is never given more than one at a time.

Only the framing is looked at: a head ends with an empty line, a body after its Content-Length, a chunked body with an
empty line too. A cut in the wrong place (an empty line inside a chunk) costs one more call of the parser and nothing
else, for it takes requests in any pieces.
"""

from collections.abc import Iterable

EMPTY_LINE = b"\r\n\r\n"


class Pieces:
    """The framing of one connection's requests."""

    __slots__ = ("_body_left", "is_whole")

    def __init__(self) -> None:
        self.is_whole = False
        """Whether the request that began last has come to its end."""
        self._body_left = 0

    def begin(self) -> None:
        """A request begins."""
        self.is_whole = False
        self._body_left = 0

    def go_on_with(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Its head is complete; a length that is no number is the parser's to refuse."""
        for name, value in headers:
            if name == b"content-length" and value.isdigit():
                self._body_left = int(value)

    def end_of_next(self, data: bytes) -> int:
        """Return how many bytes the parser may have: at most to the end of this head or body."""
        if self._body_left:
            end = min(self._body_left, len(data))
            self._body_left -= end
            return end
        end = data.find(EMPTY_LINE)
        return len(data) if end < 0 else end + len(EMPTY_LINE)
