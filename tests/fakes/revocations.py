"""Revocations in a folder of their own, which goes with them."""

import shutil
import tempfile
import weakref
from pathlib import Path

from hub.io.home.revocations import Revocations


class TemporaryRevocations(Revocations):
    """The real thing, in a place of its own."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp()
        super().__init__(Path(folder) / "revoked")
        weakref.finalize(self, shutil.rmtree, folder)
