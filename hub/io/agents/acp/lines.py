"""Lines out of what a program prints, in whatever pieces it comes."""

from collections.abc import Iterator

MESSAGE_BYTES_MAX = 16_777_216
"""A longer message is no message: nothing of an agent's takes more memory than this."""


class LineTooLongError(Exception):
    """A line has no end within the limit."""


class LineSplitter:
    """Keeps what has no end yet."""

    def __init__(self, bytes_max: int = MESSAGE_BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._open: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield each line that ends in this piece, without its end.

        Raises:
            LineTooLongError: the open line is longer than the limit.
        """
        *ended, rest = data.split(b"\n")
        for piece in ended:
            line = b"".join((*self._open, piece))
            self._open, self._size = [], 0
            yield line
        self._open.append(rest)
        self._size += len(rest)
        if self._size > self._bytes_max:
            raise LineTooLongError
