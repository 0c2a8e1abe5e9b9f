"""One look at the files that decide: each read once and hashed, with limits, and with what could not be told.

A name stands for a file as it is seen from the folder, or for a full path outside of it. A text that is reached by a
link out of the folder is hashed, and makes it unclear: what it reads in its turn lies where nobody looked.
"""

import hashlib
import os
from pathlib import Path

from hub.domain.plan import DefiningFile
from hub.domain.provenance import Wording, say
from hub.io.agents.defining import DEFINING_BYTES_MAX, program_digest, read_regular

FILES_MAX = 128
"""More files than a person would look through decide too much to be let run unasked."""
FOLDERS_ABOVE_MAX = 32
FOLDERS_WALKED_MAX = 5_000
NOT_WALKED = frozenset({".git", "node_modules", "__pycache__"})


class DecidingFiles:
    """What was read of a folder, and of the places that a command's files name."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.unclear = Wording()
        """The first thing that could not be told; empty as long as all could."""
        self.too_long: list[str] = []
        self._digests: dict[str, str] = {}
        self._texts: dict[str, str | None] = {}

    @property
    def files(self) -> tuple[DefiningFile, ...]:
        """The files that were read, with their digests."""
        return tuple(DefiningFile(path=name, sha256=digest) for name, digest in self._digests.items())

    def doubt(self, why: Wording) -> None:
        """Note what could not be told."""
        self.unclear = self.unclear if self.unclear.text else why

    def text(self, path: Path) -> str | None:
        """Return a file's text, and keep its digest; None where there is none."""
        name = self.name_of(path)
        if name not in self._texts:
            content = read_regular(Path(os.path.normpath(path)), DEFINING_BYTES_MAX + 1)
            self._texts[name] = None if content is None else content.decode("utf-8", "replace")
            if content is not None:
                self._keep(name, content)
                if self.is_inside(path) and not Path(os.path.realpath(path)).is_relative_to(self.folder):
                    self.doubt(say("{name} is a link that leads out of the folder", name=name))
        return self._texts[name]

    def whole(self, path: Path) -> bool:
        """Keep the digest of a file of any length, if it is there; return whether it is."""
        name = self.name_of(path)
        if name in self._digests:
            return True
        if not os.path.isfile(path):  # noqa: PTH113  a name that is too long for a file is none, and does not raise
            return False
        digest = program_digest(path)
        if digest:
            self._note(name, digest)
        else:
            self.doubt(say("{name} cannot be read whole", name=name))
        return True

    def program(self, path: Path) -> None:
        """Keep the digest of a program under its own path, links followed."""
        self.whole(Path(os.path.realpath(path)))

    def above(self, folder: Path) -> tuple[Path, ...]:
        """Return a folder and those above it, up to the root."""
        every = (folder, *folder.parents)
        if len(every) > FOLDERS_ABOVE_MAX:
            self.doubt(say("more than {limit} folders lie above this one", limit=FOLDERS_ABOVE_MAX))
        return every[:FOLDERS_ABOVE_MAX]

    def below(self, names: frozenset[str]) -> tuple[Path, ...]:
        """Return the files with one of these names anywhere in the folder, in a fixed order."""
        found: list[Path] = []
        for count, (place, folders, files) in enumerate(os.walk(self.folder)):
            if count >= FOLDERS_WALKED_MAX:
                self.doubt(say("the project has more than {limit} folders", limit=FOLDERS_WALKED_MAX))
                break
            if place != str(self.folder) and "pyvenv.cfg" in files:
                folders.clear()
                continue
            folders[:] = sorted(set(folders) - NOT_WALKED)
            led_out = next((each for each in folders if self._leads_out(Path(place, each))), "")
            if led_out:
                self.doubt(
                    say("{name} is a link that leads out of the folder", name=self.name_of(Path(place, led_out)))
                )
            found += (Path(place, name) for name in sorted(names.intersection(files)))
        return tuple(found)

    def is_inside(self, path: Path) -> bool:
        """Return True if a path lies in the folder, as it is written."""
        return Path(os.path.normpath(path)).is_relative_to(self.folder)

    def name_of(self, path: Path) -> str:
        """Return a path as seen from the folder, or its full path outside of it."""
        written = Path(os.path.normpath(path))
        return str(written.relative_to(self.folder)) if written.is_relative_to(self.folder) else str(written)

    def _leads_out(self, path: Path) -> bool:
        return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(self.folder)

    def _keep(self, name: str, content: bytes) -> None:
        if len(content) > DEFINING_BYTES_MAX:
            self.too_long.append(name)
        self._note(name, hashlib.sha256(content).hexdigest())

    def _note(self, name: str, digest: str) -> None:
        if len(self._digests) >= FILES_MAX:
            self.doubt(say("more than {limit} files decide what runs", limit=FILES_MAX))
        else:
            self._digests[name] = digest
