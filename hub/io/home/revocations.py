"""Revocations that the store could not take: kept in a file that has its room already, until it can.

On a full disk nothing can be added, but what is there can be written over. So the file is made at the first start, with
places for more than there can ever be, and a revocation is written into a free one. Whatever stands in it is shut out
at the next start too, before anybody is let in, and is handed to the store again and again until that takes it.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from hub.contract.topics import DeviceAddress
from hub.io.home.folder import said
from hub.kit.files import FILE_MODE

PLACES = 256
"""There are at most a hundred tokens and a hundred devices."""
PLACE_BYTES = 192
KINDS = ("device ", "client ")


def of_device(address: DeviceAddress) -> str:
    """Return the entry of a device."""
    return f"device {address}"


def of_client(client_id: str) -> str:
    """Return the entry of an API client."""
    return f"client {client_id}"


class Revocations:
    """The file, and what stands in it. An entry is a line of text such as `device phone/mine` or `client client_a1`."""

    def __init__(self, path: Path) -> None:
        """Open the file, and make it if need be.

        Raises:
            HomeError: it cannot be read or made.
        """
        self.path = path
        with said(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
            try:
                kept = os.pread(descriptor, PLACES * PLACE_BYTES, 0)
                missing = bytes(PLACES * PLACE_BYTES - len(kept))
                if missing:
                    os.pwrite(descriptor, missing, len(kept))
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
        places = (kept + missing)[: PLACES * PLACE_BYTES]
        starts = range(0, len(places), PLACE_BYTES)
        texts = [places[start : start + PLACE_BYTES].rstrip(b"\0").decode(errors="replace") for start in starts]
        self._places = [text if text.startswith(KINDS) else "" for text in texts]
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
        encoded = entry.encode()
        with contextlib.suppress(OSError, ValueError):
            place = self._places.index("")
            if len(encoded) <= PLACE_BYTES:
                self._write(place, encoded)
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
                self._write(place, b"")
            self._places[place] = ""

    def _write(self, place: int, content: bytes) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.pwrite(descriptor, content.ljust(PLACE_BYTES, b"\0"), place * PLACE_BYTES)
            os.fdatasync(descriptor) if hasattr(os, "fdatasync") else os.fsync(descriptor)
        finally:
            os.close(descriptor)
