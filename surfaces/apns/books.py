"""What watch faces have cost, kept over a restart, also over kill -9: a device's budget is its last 24 hours'.

It is written before anything depends on it, and holds no token, no text and no name of a person. Where the file cannot
be used nothing is kept, and the budget assumes the worst.
"""

import contextlib
from pathlib import Path

import msgspec

from hub.kit.bounded import BoundedMap
from hub.kit.files import replace_file
from surfaces.apns.budget import Book

DEVICES_MAX = 1_000


class Books:
    """One budget book for each watch; without a file nothing is known of any."""

    def __init__(self, file: Path | None) -> None:
        self._books: BoundedMap[str, Book] = BoundedMap(DEVICES_MAX)
        self._file: Path | None = None
        if file is not None:
            with contextlib.suppress(OSError):  # it makes us careful, not silent
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with contextlib.suppress(FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
                    self._books.update(msgspec.json.decode(file.read_bytes(), type=dict[str, Book]))
                self._file = file

    def book(self, device: str) -> Book | None:
        """Return what is known of a device's budget: of a new device, that it spent nothing; None without a file."""
        return self._books.get(device) or (Book() if self._file is not None else None)

    def spend(self, device: str, book: Book) -> None:
        """Note a face's budget, before it is spent."""
        self._books[device] = book
        if self._file is not None:
            with contextlib.suppress(OSError):
                replace_file(self._file, msgspec.json.encode(self._books))
