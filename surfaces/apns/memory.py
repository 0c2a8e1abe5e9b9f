"""What the gateway keeps over a restart, also over kill -9: what it told of which delivery, and what faces have cost.

Both are written before anything depends on them, and neither holds a token, a text or a name of a person. Without a
folder, or where it cannot be used, nothing is kept; then a delivery may be sent again under its apns-id, and the budget
assumes the worst.
"""

import contextlib
from collections import OrderedDict
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.contract.surface import Receipt
from surfaces.apns.budget import Book

TOLD_MAX = 10_000
LINES_MAX = 2 * TOLD_MAX
DEVICES_MAX = 1_000


class Line(Value):
    """One receipt as a line of the file."""

    device: str
    receipt: Receipt


class Memory:
    """Receipts by delivery, and one budget book for each device of one surface."""

    def __init__(self, folder: Path | None) -> None:
        self._told: OrderedDict[str, Line] = OrderedDict()
        self._books: dict[str, Book] = {}
        self._receipts: Path | None = None
        self._faces: Path | None = None
        self._lines = 0
        if folder is not None:
            with contextlib.suppress(OSError):  # it makes us forgetful, not silent
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._read(folder / "receipts.jsonl", folder / "faces.json")

    def told(self, delivery_id: str) -> Receipt | None:
        """Return what was told of a delivery."""
        line = self._told.get(delivery_id)
        return line.receipt if line else None

    def tell(self, device: str, receipt: Receipt) -> None:
        """Note what is about to be told."""
        line = Line(device=device, receipt=receipt)
        self._told[receipt.delivery_id] = line
        if len(self._told) > TOLD_MAX:
            self._told.popitem(last=False)
        if self._receipts is None:
            return
        with contextlib.suppress(OSError):  # a full disk makes us forgetful, not silent
            if self._lines >= LINES_MAX:
                self._rewrite(self._receipts)
            with self._receipts.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
            self._lines += 1

    def book(self, device: str) -> Book | None:
        """Return what is known of a device's budget: of a new device, that it spent nothing; None without a folder."""
        return self._books.get(device) or (Book() if self._faces is not None else None)

    def spend(self, device: str, book: Book) -> None:
        """Note a face's budget, before it is spent."""
        self._books[device] = book
        while len(self._books) > DEVICES_MAX:
            del self._books[next(iter(self._books))]
        if self._faces is not None:
            with contextlib.suppress(OSError):
                _replace(self._faces, msgspec.json.encode(self._books))

    def _read(self, receipts: Path, faces: Path) -> None:
        """Read both files, and use them from now on; what is no JSON (half a line after a crash) is not there.

        Raises:
            OSError: one of them cannot be read or written; it is not used then.
        """
        if faces.exists():
            with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                self._books = msgspec.json.decode(faces.read_bytes(), type=dict[str, Book])
        self._faces = faces
        if receipts.exists():
            for raw in receipts.read_bytes().splitlines():
                with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                    line = msgspec.json.decode(raw, type=Line)
                    self._told[line.receipt.delivery_id] = line
            while len(self._told) > TOLD_MAX:
                self._told.popitem(last=False)
        self._receipts = receipts
        self._rewrite(receipts)

    def _rewrite(self, path: Path) -> None:
        _replace(path, b"".join(msgspec.json.encode(line) + b"\n" for line in self._told.values()))
        self._lines = len(self._told)


def _replace(path: Path, content: bytes) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    fresh.replace(path)
