"""What each stored value says, as this hub wrote it or first read it. What says otherwise later was not written by it.

Theory: SQLite counts the commits of other programs that use it (`writer.py`), but not bytes that are written into its
files past it, and it checks its log's sums only after a crash. So a digest of every value that decides later is kept in
memory, and compared wherever that value is read: what is shown is what is decided about, and both are what was written.
What a start believes at its first reading (`_is_believed_at_start`) is always kept; of everything else the newest. The
columns by which a row is found are no part of what is compared, so a look-up says what it is for, and a known one that
is not found was changed as well.

The reader may look at a state from before a commit, or after one that is not noted yet, so what differs is read once
more while nothing is committed.
"""

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from hashlib import blake2b
from operator import attrgetter
from typing import Any, NamedTuple

from hub.contract.words import RunState, Status
from hub.domain.delivery import Device, LedgerEntry
from hub.domain.drives import Wake
from hub.domain.execution import Execution
from hub.domain.mind import Mind
from hub.domain.mutations import MutationRecord
from hub.domain.situation import Task
from hub.domain.storage import Client, Outgoing
from hub.domain.suggestion import Card
from hub.domain.world import WorldSession
from hub.io.store.errors import StoreChangedError
from hub.io.store.limits import ROWS_KNOWN_MAX
from hub.kit.bounded import BoundedMap

DIGEST_BYTES = 16
STAYS = frozenset({Card, Client, Device, Execution, Mind})
"""What is never deleted, so that a known one which is not found was moved out of sight."""
STANDING = frozenset({Client, Device, Mind})
"""What is read whole at a start and lives in memory from then on: as many as there are, none is forgotten."""
GOES_ON = frozenset({RunState.QUEUED, RunState.ACTIVE})
"""In which states a run begins, or goes on, at a start, by the permit that is stored with it."""
Key = tuple[type, str, Hashable]
"""What a row is of, whose, and which."""
IDENTITIES: dict[type, Callable[[Any], Hashable]] = {
    Card: attrgetter("id"),
    Client: attrgetter("id"),
    Device: attrgetter("surface", "device"),
    Execution: attrgetter("id"),
    LedgerEntry: attrgetter("id"),
    Mind: lambda _mind: "",
    MutationRecord: attrgetter("id"),
    Outgoing: attrgetter("id"),
    Task: attrgetter("id"),
    Wake: attrgetter("id"),
    WorldSession: attrgetter("id"),
}
"""How each kind of value that is replaced, or read again to decide, is told from its siblings."""


class KnownRow(NamedTuple):
    """One value as it stands in the store: which it is, what it says, and whether it is always kept."""

    key: Key
    digest: bytes
    is_standing: bool


def _is_believed_at_start(value: object) -> bool:
    """Return True if a start would act on a value, or take an answer to it, at its first reading."""
    match value:
        case Card(status=status):
            return status is Status.PENDING
        case Execution(state=state):
            return state in GOES_ON
        case WorldSession(run=run, is_open=is_open):  # its next try goes by the yes that is kept with it
            return is_open and run is not None
        case _:
            return type(value) in STANDING


def row_of(key: Key, text: bytes, *, is_standing: bool) -> KnownRow:
    """Return what is to be known of a row, by what it says."""
    return KnownRow(key, blake2b(text, digest_size=DIGEST_BYTES).digest(), is_standing)


def row_read(user: str, value: object, text: bytes) -> KnownRow:
    """Return what is to be known of a value, by the text that it was read from."""
    kind = type(value)
    return row_of((kind, user, IDENTITIES[kind](value)), text, is_standing=_is_believed_at_start(value))


def known_row(user: str, value: object, values: Mapping[str, object]) -> KnownRow:
    """Return what is to be known of a value that is written, by the values of its query."""
    return row_read(user, value, str(values["body"]).encode())


def known_message(message: Outgoing) -> KnownRow:
    """Return what is to be known of a message: where it goes, and what it says."""
    return row_read("", message, message.topic.encode() + b"\0" + message.payload)


class KnownRows:
    """The digests; the threads of one store share them.

    Attributes:
        committing: Held while a commit and what it wrote become known together.
    """

    def __init__(self) -> None:
        self.committing = threading.Lock()
        self._lock = threading.Lock()
        self._standing: dict[Key, bytes] = {}
        self._rest: dict[type, BoundedMap[Key, bytes]] = {kind: BoundedMap(ROWS_KNOWN_MAX) for kind in IDENTITIES}

    def keep(self, rows: Iterable[KnownRow]) -> None:
        """Keep what was just committed."""
        with self._lock:
            for row in rows:
                self._keep(row)

    def require(self, row: KnownRow) -> None:
        """Check that a value which was read says what it said before; one that is not known is from now on.

        Raises:
            StoreChangedError: it does not.
        """
        known = self._standing.get(row.key) or self._rest[row.key[0]].get(row.key)
        if known is None:
            with self._lock:
                known = self._standing.get(row.key) or self._rest[row.key[0]].get(row.key)
                if known is None and row.key[0] in STANDING:  # all of them were there at the start, or written since
                    raise self._changed(row.key)
                if known is None:
                    self._keep(row)
                    return
        if known != row.digest:
            raise self._changed(row.key)

    def require_found(self, kind: type, user: str, identity: Hashable, value: object | None) -> None:
        """Check that a look-up found what it is for; another one, or none where one is known, was written by others.

        Raises:
            StoreChangedError: it is not.
        """
        if value is not None and IDENTITIES[kind](value) == identity:
            return
        key = (kind, user, identity)
        if value is not None or (kind in STAYS and (key in self._standing or key in self._rest[kind])):
            raise self._changed(key)

    def require_standing(self, rows: Iterable[KnownRow]) -> None:
        """Check that these are all the rows that a start would believe, as they were written.

        Raises:
            StoreChangedError: one says something else, was added, or is missing that is never deleted.
        """
        found = {row.key: row.digest for row in rows}
        with self._lock:
            differing = found.items() ^ self._standing.items()
        for key, _ in differing:
            if key in found or key[0] in STAYS:
                raise self._changed(key)

    @staticmethod
    def _changed(key: Key) -> StoreChangedError:
        kind, _, identity = key
        return StoreChangedError(
            f"Another program wrote to the store while Pulse ran: {kind.__name__} {identity} was changed.",
            fix=StoreChangedError.FIX,
        )

    def _keep(self, row: KnownRow) -> None:
        self._standing.pop(row.key, None)
        self._rest[row.key[0]].pop(row.key, None)
        (self._standing if row.is_standing else self._rest[row.key[0]])[row.key] = row.digest
