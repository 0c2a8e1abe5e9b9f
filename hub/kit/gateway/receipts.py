"""What was told of each delivery, to tell it again when the hub asks again; with a file also over a restart or kill -9.

Nothing of it is a token, a text or a name of a person. It is written before it is told. Without a file, or where it
cannot be used, it is kept for as long as the process lives; then a delivery may be sent again under its own key.
"""

import contextlib
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.contract.surface import Receipt
from hub.contract.words import DeliveryState
from hub.kit.bounded import BoundedMap
from hub.kit.files import replace_file

TOLD_MAX = 10_000
LINES_MAX = 2 * TOLD_MAX


class ReceiptLine(Value):
    """One receipt as a line of the file."""

    device: str
    receipt: Receipt


class Receipts:
    """Receipts by delivery; the oldest is forgotten first."""

    def __init__(self, file: Path | None = None) -> None:
        self._told: BoundedMap[str, ReceiptLine] = BoundedMap(TOLD_MAX)
        self._file: Path | None = None
        self._lines = 0
        if file is not None:
            with contextlib.suppress(OSError):  # it makes us forgetful, not silent
                self._read(file)

    def told(self, delivery_id: str) -> Receipt | None:
        """Return what was told of a delivery."""
        line = self._told.get(delivery_id)
        return line.receipt if line else None

    def note(self, device: str, receipt: Receipt) -> None:
        """Note what is about to be told; that a delivery is still tried is no last word on it."""
        if receipt.state is DeliveryState.QUEUED:
            return
        line = self._keep(ReceiptLine(device=device, receipt=receipt))
        if self._file is None:
            return
        with contextlib.suppress(OSError):  # a full disk makes us forgetful, not silent
            if self._lines >= LINES_MAX:
                self._rewrite(self._file)
            with self._file.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
            self._lines += 1

    def _keep(self, line: ReceiptLine) -> ReceiptLine:
        self._told[line.receipt.delivery_id] = line
        return line

    def _read(self, path: Path) -> None:
        """Read the file, and use it from now on; what is no JSON (half a line after a crash) is passed over.

        Raises:
            OSError: it cannot be read or written; it is not used then.
        """
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for raw in path.read_bytes().splitlines() if path.exists() else ():
            with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                self._keep(msgspec.json.decode(raw, type=ReceiptLine))
        self._file = path
        self._rewrite(path)

    def _rewrite(self, path: Path) -> None:
        replace_file(path, b"".join(msgspec.json.encode(line) + b"\n" for line in self._told.values()))
        self._lines = len(self._told)
