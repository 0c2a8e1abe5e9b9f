"""`check`: what is new for a reader, in two steps, so that who dies between reading and understanding is told again.

Theory: what is handed out has a batch. It counts as read when the batch is handed back as `done`; only then does the
reader's cursor move, and a marker say so in the log. A batch that is not remembered any more (Pulse was restarted)
changes nothing: its lines are handed out once more. Markers are no news, or two readers would tell each other for ever
that they have read.
"""

import hashlib
import threading
from collections.abc import Callable
from datetime import datetime

import msgspec

from hub.contract.base import Value
from hub.domain.world import AgentLine, ReadMarker, WorldEvent, WorldLine
from hub.io.world.cursor import LogCursor
from hub.io.world.place import WorldFiles
from hub.io.world.readers import WorldReaders
from hub.io.world.reading import LogBatch, read_on
from hub.io.world.writing import WorldLog
from hub.kit.bounded import BoundedMap

HANDED_MAX = 1_000
"""Batches that may be handed back, of all readers together."""
BATCH_CHARS = 32
PARTS_MAX = 50
"""So many parts of the log are read for one check, where there are hardly any lines but markers."""


class NewLines(Value):
    """What is new for a reader; `batch` is what to hand back, empty where there is nothing."""

    lines: tuple[WorldLine, ...]
    batch: str = ""
    has_more: bool = False


class _Handed(Value):
    """What a batch comes to when it is handed back."""

    cursor: LogCursor
    entries: int


class WorldChecks:
    """The readers of one log. May be called from several threads."""

    def __init__(self, files: WorldFiles, now: Callable[[], datetime]) -> None:
        self._readers = WorldReaders(files.log, files.readers)
        self._log = WorldLog(files.log)
        self._path = files.log
        self._now = now
        self._handed: BoundedMap[tuple[str, str], _Handed] = BoundedMap(HANDED_MAX)
        self._lock = threading.Lock()

    def check(self, reader: str, *, most: int, done: str = "") -> NewLines:
        """Note that a batch was read, and return what is new, at most `most` lines; a new reader begins now.

        Raises:
            BadWorldEntryError: nobody can be called that.
            WorldLogError: the log cannot be used.
        """
        if done:
            self.done(reader, done)
        batch, lines = self._new(reader, most)
        if not lines:
            return NewLines(lines=(), has_more=batch.has_more)
        name = hashlib.sha256(msgspec.json.encode(batch.cursor)).hexdigest()[:BATCH_CHARS]
        entries = sum(isinstance(line, WorldEvent | AgentLine) for line in lines)
        with self._lock:
            self._handed[reader, name] = _Handed(cursor=batch.cursor, entries=entries)
        return NewLines(lines=lines, batch=name, has_more=batch.has_more)

    def _new(self, reader: str, most: int) -> tuple[LogBatch, tuple[WorldLine, ...]]:
        """Return what is new but for markers, and the batch that reaches so far; what is markers only is read."""
        batch = self._readers.check(reader, most)
        lines, has_any = _news(batch), bool(batch.lines)
        for _ in range(PARTS_MAX - 1):
            if not batch.has_more or len(lines) >= most:
                break
            batch = read_on(self._path, batch.cursor, lines_max=most - len(lines))
            lines, has_any = lines + _news(batch), has_any or bool(batch.lines)
        if has_any and not lines:
            self._readers.keep(reader, batch.cursor)
        return batch, lines

    def done(self, reader: str, batch: str) -> None:
        """Note that a reader has read a batch; one that is not known changes nothing.

        Raises:
            WorldLogError: it could not be kept, or not be marked in the log.
        """
        with self._lock:
            handed = self._handed.pop((reader, batch), None)
        if handed is None:
            return
        self._readers.keep(reader, handed.cursor)
        if handed.entries:
            self._log.append(ReadMarker(at=self._now(), reader=reader, entries=handed.entries))


def _news(batch: LogBatch) -> tuple[WorldLine, ...]:
    return tuple(each.line for each in batch.lines if not isinstance(each.line, ReadMarker))
