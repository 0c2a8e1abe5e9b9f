"""Revocations that the store could not take: kept in a file that has its room already, until it can.

On a full disk nothing can be added, but what is there can be written over. So the file is made at the first start, with
places for more than there can ever be, and a revocation is written into a free one. Whatever stands in it is shut out
at the next start too, before anybody is let in, and is handed to the store again and again until that takes it.

Each place is sealed by a digest, free ones too, so that no damage reads as "nobody was revoked": a file that is cut,
emptied, filled with zeros or changed is refused, and Pulse does not start with it. Earlier versions kept a file without
seals under another name; what stands in it is taken over once.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from hub.contract.topics import DeviceAddress
from hub.io.home.folder import HomeError, said
from hub.kit.files import replace_file

PLACES = 256
"""There are at most a hundred tokens and a hundred devices."""
PLACE_BYTES = 192
SEAL_CHARS = 16
ENTRY_BYTES_MAX = PLACE_BYTES - SEAL_CHARS
KINDS = ("device ", "client ")


class RevocationsDamagedError(HomeError):
    """The file of revocations contains something that Pulse did not write. Revocations are unknown, so nothing runs."""

    code = "revocations-damaged"


def of_device(address: DeviceAddress) -> str:
    """Return the entry of a device."""
    return f"device {address}"


def of_client(client_id: str) -> str:
    """Return the entry of an API client."""
    return f"client {client_id}"


class Revocations:
    """The file, and what stands in it. An entry is a line of text such as `device phone/mine` or `client client_a1`."""

    def __init__(self, path: Path, earlier: Path | None = None) -> None:
        """Open the file, and make it if need be.

        Args:
            path: where it is.
            earlier: where a version without seals kept its own; it is taken over and removed.

        Raises:
            HomeError: it cannot be read or made.
            RevocationsDamagedError: it is not as Pulse wrote it.
        """
        self.path = path
        with said(path):
            if not os.path.lexists(path):
                kept = [] if earlier is None else _unsealed(earlier)
                replace_file(path, b"".join(_sealed(at, text) for at, text in enumerate(_filled(kept))), lasting=True)
            if earlier is not None:
                earlier.unlink(missing_ok=True)
            self._places = _opened(path, path.read_bytes())
        self._unkept: set[str] = set()
        self.noted: Callable[[], None] = lambda: None
        """Called whenever something is pending that was not before."""

    def pending(self) -> tuple[str, ...]:
        """Return what the store does not know of yet."""
        return tuple(dict.fromkeys([*(text for text in self._places if text), *sorted(self._unkept)]))

    def devices(self) -> tuple[DeviceAddress, ...]:
        """Return the devices among them."""
        parts = (text.removeprefix("device ").split("/") for text in self.pending() if text.startswith("device "))
        return tuple(DeviceAddress(surface=part[0], device=part[1]) for part in parts if len(part) == 2)  # noqa: PLR2004  surface and device

    def note(self, entry: str) -> bool:
        """Keep an entry; False if it is only in memory, because not even this file can be written."""
        if entry in self._places:
            return True
        self.noted()
        with contextlib.suppress(OSError, ValueError):
            place = self._places.index("")
            if len(entry.encode()) <= ENTRY_BYTES_MAX:
                self._write(place, entry)
                self._places[place] = entry
                return True
        self._unkept.add(entry)
        return False

    def settle(self, entry: str) -> None:
        """Forget an entry that the store has taken, or that a new pairing overrules."""
        self._unkept.discard(entry)
        if entry in self._places:
            place = self._places.index(entry)
            with contextlib.suppress(OSError):  # it is then shut out once more at the next start
                self._write(place, "")
            self._places[place] = ""

    def _write(self, place: int, entry: str) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.pwrite(descriptor, _sealed(place, entry), place * PLACE_BYTES)
            os.fdatasync(descriptor) if hasattr(os, "fdatasync") else os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sealed(place: int, entry: str) -> bytes:
    body = entry.encode().ljust(ENTRY_BYTES_MAX, b"\0")
    return body + hashlib.sha256(b"%d " % place + body).hexdigest()[:SEAL_CHARS].encode()


def _filled(entries: list[str]) -> list[str]:
    return [*entries, *[""] * (PLACES - len(entries))]


def _opened(path: Path, content: bytes) -> list[str]:
    """Return what stands in each place.

    Raises:
        RevocationsDamagedError: one is not as it was written.
    """
    places = [content[start : start + PLACE_BYTES] for start in range(0, len(content), PLACE_BYTES)]
    entries = [place[:ENTRY_BYTES_MAX].rstrip(b"\0").decode(errors="replace") for place in places]
    as_written = b"".join(_sealed(at, entry) for at, entry in enumerate(entries))
    if len(entries) != PLACES or as_written != content or not all(_is_entry(one) for one in entries):
        raise _damaged(path)
    return entries


def _unsealed(path: Path) -> list[str]:
    """Return what stands in the file of an earlier version; nothing where there is none.

    Raises:
        RevocationsDamagedError: it holds something else.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    places = [content[start : start + PLACE_BYTES] for start in range(0, len(content), PLACE_BYTES)]
    entries = [place.rstrip(b"\0").decode(errors="replace") for place in places]
    if len(content) != PLACES * PLACE_BYTES or not all(_is_entry(one) for one in entries):
        raise _damaged(path)
    return [one for one in entries if one]


def _is_entry(text: str) -> bool:
    return not text or text.startswith(KINDS)


def _damaged(path: Path) -> RevocationsDamagedError:
    return RevocationsDamagedError(
        f"{path} is damaged, so it is unknown which devices and tokens were revoked. Pulse did not start.",
        fix="Put it back from a backup, or move it away and, once Pulse has started, look through `pulse devices` and "
        "`GET /api/v1/tokens`: one that you revoked on a full disk could be let in again.",
    )
