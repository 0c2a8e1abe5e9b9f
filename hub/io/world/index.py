"""Where every session is, kept in memory beside how far the log was read: queries never read the log.

Theory: the sessions are a fold of the log, so they and the cursor are one value. It is saved in one step and read on
from at the next start; a crash between two savings reads the same lines again into the older sessions, which gives
the same, but for the times of lines that have none. So it is a cache: deleting it costs one reading of the log.
"""

from collections import deque
from collections.abc import Container, Iterable
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.provenance import decoded, encoded
from hub.domain.world import Unparsed, WorldSession
from hub.domain.world_lines import session_of
from hub.io.world.cursor import BEGINNING, LogCursor
from hub.io.world.reading import LogBatch, LoggedLine
from hub.io.world.writing import LinePlace
from hub.kit.bounded import BoundedMap
from hub.kit.files import replace_file
from hub.sense.world_sessions import session_after

OPEN_MAX = 10_000
"""Sessions of one group without an outcome; of more, those that were silent for longest are forgotten and counted."""
VERIFIED_MAX = 10_000
UNPARSED_MAX = 100
ANSWER_MAX = 1_000
"""Sessions in one answer."""

QueryKind = Literal["active", "pending", "failed", "verified"]
GROUPS: dict[AgentStatus, QueryKind] = {
    AgentStatus.START: "active",
    AgentStatus.ACTIVE: "active",
    AgentStatus.RETRY: "active",
    AgentStatus.FINISH: "pending",
    AgentStatus.FAILED: "failed",
    AgentStatus.VERIFIED: "verified",
}


class IndexState(Value):
    """All that is known, and the cursor at which it holds; a group's sessions are in the order of their last lines."""

    cursor: LogCursor = BEGINNING
    sessions: tuple[WorldSession, ...] = ()
    unparsed: tuple[Unparsed, ...] = ()
    lines: int = 0
    unparsed_lines: int = 0
    unknown_lines: int = 0
    forgotten: int = 0


class WorldIndex:
    """The sessions of the log. Not safe for two threads at once."""

    def __init__(self, state: IndexState = IndexState()) -> None:  # noqa: B008  a frozen value
        self._cursor = state.cursor
        self._groups: dict[QueryKind, BoundedMap[str, WorldSession]] = {
            kind: BoundedMap(VERIFIED_MAX if kind == "verified" else OPEN_MAX) for kind in GROUPS.values()
        }
        for session in state.sessions:
            self._groups[GROUPS[session.status]][session.id] = session
        self._unparsed = deque(state.unparsed, maxlen=UNPARSED_MAX)
        self.lines, self.unparsed_lines = state.lines, state.unparsed_lines
        self.unknown_lines, self.forgotten = state.unknown_lines, state.forgotten

    @property
    def cursor(self) -> LogCursor:
        """How far the log was read: where to go on."""
        return self._cursor

    def take(self, batch: LogBatch, seen_at: datetime, proven: Container[LinePlace] = ()) -> tuple[WorldSession, ...]:
        """Take in what was read from `cursor` on, and go on behind it.

        Args:
            batch: the lines, each once.
            seen_at: when they were read, in UTC.
            proven: where lines stand that are known to be their session's own, or the hub's.

        Returns:
            The sessions that changed, as they are now.
        """
        changed: dict[str, WorldSession] = {}
        for each in batch.lines:
            session = self._after(each, seen_at, proven)
            if session is not None:
                changed[session.id] = session
        self._cursor = batch.cursor
        return tuple(changed.values())

    def session(self, session_id: str) -> WorldSession | None:
        """Return one session; None if it is not known, or was verified before ten thousand others."""
        return next((group[session_id] for group in self._groups.values() if session_id in group), None)

    def query(self, kind: QueryKind, most: int = ANSWER_MAX) -> tuple[WorldSession, ...]:
        """Return the sessions of a group, those heard of last first, at most `most`."""
        return tuple(islice(reversed(self._groups[kind].values()), max(min(most, ANSWER_MAX), 0)))

    def open_sessions(self) -> Iterable[WorldSession]:
        """Yield every session of which something is still to come: what a supervisor looks at."""
        return (one for kind, group in self._groups.items() if kind != "verified" for one in group.values())

    def unparsed(self) -> tuple[Unparsed, ...]:
        """Return the last lines that were no entries, newest first; `unparsed_lines` counts them all."""
        return tuple(reversed(self._unparsed))

    def state(self) -> IndexState:
        """Return all of it as a value, to be saved."""
        return IndexState(
            cursor=self._cursor,
            sessions=tuple(one for group in self._groups.values() for one in group.values()),
            unparsed=tuple(self._unparsed),
            lines=self.lines,
            unparsed_lines=self.unparsed_lines,
            unknown_lines=self.unknown_lines,
            forgotten=self.forgotten,
        )

    def _after(self, each: LoggedLine, seen_at: datetime, proven: Container[LinePlace]) -> WorldSession | None:
        """Take in one line; return its session if that changed."""
        self.lines += 1
        if isinstance(each.line, Unparsed):
            self.unparsed_lines += 1
            self._unparsed.append(each.line)
            return None
        session_id = session_of(each.line)
        if not session_id:
            return None
        before = self.session(session_id)
        after = session_after(before, each.line, seen_at, proven=each.place in proven)
        if after is None:
            self.unknown_lines += 1
        if after is None or after is before:
            return None
        self._keep(before, after)
        return after

    def _keep(self, before: WorldSession | None, after: WorldSession) -> None:
        kind = GROUPS[after.status]
        if before is not None and GROUPS[before.status] != kind:
            del self._groups[GROUPS[before.status]][before.id]
        group = self._groups[kind]
        if kind != "verified" and after.id not in group and len(group) == group.most:
            self.forgotten += 1
        group[after.id] = after


_encoder = msgspec.json.Encoder(enc_hook=encoded)
_decoder = msgspec.json.Decoder(IndexState, dec_hook=decoded)


def load_index(file: Path) -> WorldIndex:
    """Return the index as it was saved; if that is not to be had, an empty one, for which the log is read anew."""
    try:
        return WorldIndex(_decoder.decode(file.read_bytes()))
    except (FileNotFoundError, msgspec.DecodeError):
        return WorldIndex()


def save_index(file: Path, index: WorldIndex) -> None:
    """Save the index in one step.

    Raises:
        OSError: it could not be written; what was saved before is as it was.
    """
    replace_file(file, _encoder.encode(index.state()))
