"""What each reader has not read yet: a cursor for each, so that nobody's reading takes entries from anybody else."""

from pathlib import Path

import msgspec

from hub.contract.world import BadWorldEntryError, is_session_id
from hub.io.world.cursor import LogCursor
from hub.io.world.errors import WorldLogError, explained
from hub.io.world.reading import LogBatch, end_of, read_on
from hub.kit.files import FOLDER_MODE, replace_file

ENTRIES_MAX = 200
"""What one check gives at most; the batch says whether there is more."""
READERS_MAX = 1_000
READERS_OF_ONE_MAX = 100
"""So many of one token's; its name stands behind the last `@`. Names are made up for nothing, and kept for good."""
SUFFIX = ".cursor"
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(LogCursor)


class TooManyReadersError(BadWorldEntryError):
    """The world log is limited to a thousand readers, or a hundred per token. This one was not added."""

    code = "too-many-world-readers"
    status = 409


class WorldReaders:
    """The readers of one log; their cursors are files in a folder, which is made when the first one reads."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        self._folder = folder

    def check(self, reader: str, entries_max: int = ENTRIES_MAX) -> LogBatch:
        """Return what is new for a reader, at most so much; a new reader is told what comes from now on.

        It stays new until `keep` was called with the batch's cursor: who dies in between is told again.

        Raises:
            BadWorldEntryError: nobody can be called that.
            WorldLogError: the log, or what is known of the reader, cannot be read.
        """
        with explained(self._path):
            known = self._known(reader)
        if known is None:
            known = end_of(self._path)
            self.keep(reader, known)
        return read_on(self._path, known, lines_max=entries_max)

    def keep(self, reader: str, cursor: LogCursor) -> None:
        """Remember that a reader has read up to there.

        Raises:
            TooManyReadersError: there is no room for one more.
            WorldLogError: it could not be written; the reader is where they were.
        """
        file = self._file(reader)
        with explained(self._path):
            self._folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            if not file.exists():
                self._make_sure_of_room(reader)
            replace_file(file, _encoder.encode(cursor))

    def _make_sure_of_room(self, reader: str) -> None:
        names = [one.name.removesuffix(SUFFIX) for one in self._folder.glob(f"*{SUFFIX}")]
        _, at, whose = reader.rpartition("@")
        mine = sum(one.endswith(f"@{whose}") for one in names) if at else 0
        if len(names) >= READERS_MAX or mine >= READERS_OF_ONE_MAX:
            raise TooManyReadersError(
                f"{mine if mine >= READERS_OF_ONE_MAX else len(names)} readers are known.",
                fix="Use the name of one of them.",
            )

    def _known(self, reader: str) -> LogCursor | None:
        file = self._file(reader)
        try:
            return _decoder.decode(file.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise WorldLogError(
                f"What {reader} has read so far is damaged ({error}).",
                fix=f"Delete {file}: {reader} is then told what comes from now on; `recent` shows what was before.",
            ) from error

    def _file(self, reader: str) -> Path:
        if not is_session_id(reader):
            raise BadWorldEntryError(
                f"{reader[:40]!r} is not a valid reader name.", fix="Use A-Z, a-z, 0-9 and . _ : @ -, 128 at most."
            )
        return self._folder / f"{reader}{SUFFIX}"
