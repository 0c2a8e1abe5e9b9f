"""The writing thread: one connection, and one disk synchronisation for all who wait.

Theory of the group commit: while the disk works on one group, the next commits queue up. They then share a single
BEGIN IMMEDIATE … COMMIT. A lost compare-and-set takes back only its own transaction: nearly always it is the first
thing that a transaction does, and nothing is to be taken back. Where something is, the group is restarted with each
transaction inside its own SAVEPOINT, which costs half as much again and so is not done at once. When a group fails as a
whole, its requests are tried one by one, so that none pays for another's fault. Nobody is answered before the COMMIT
has returned.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from hub.domain.storage import CommitOutcome, Committed, Lost, Unwritten
from hub.domain.suggestion import Card
from hub.io.store.codec import value_of
from hub.io.store.connect import create_file, mark_made, open_writer, refuse_changed
from hub.io.store.damage import Damage
from hub.io.store.errors import (
    SQLITE_ERRORS,
    BrokenChangeError,
    DiskFullError,
    StoreBusyError,
    StoreChangedError,
    StoreError,
    explain,
)
from hub.io.store.known_rows import KnownRows
from hub.io.store.limits import GROUP_REQUESTS_MAX, WAITING_COMMITS_MAX
from hub.io.store.migrate import migrate
from hub.io.store.operations import Operation
from hub.io.store.session import QuerySession
from hub.io.store.standing import standing_rows
from hub.io.store.worker_thread import WorkerThread

Unit = Callable[[QuerySession], object]
Request = Sequence[Unit]
Answers = tuple[object, ...]
"""One answer per unit of a request."""


class HalfDoneError(Exception):
    """A transaction was lost after it had written something; its group is restarted, guarded."""


class Writer(WorkerThread[Request, Answers | Unwritten]):
    """Runs units of work, many to a disk synchronisation.

    Attributes:
        trouble: Why the last write failed; None since a write succeeded.
        groups: Disk transactions so far.
        requests: Requests answered by them.
    """

    def __init__(self, path: Path, bytes_max: int, damage: Damage, known: KnownRows) -> None:
        super().__init__("store-writer", waiting_max=WAITING_COMMITS_MAX, group_max=GROUP_REQUESTS_MAX)
        self._path = path
        self._bytes_max = bytes_max
        self._damage = damage
        self._known = known
        self._session: QuerySession | None = None
        self._version: int | None = None
        """SQLite's own count of what others wrote, as this connection first saw it."""
        self.trouble: Unwritten | None = None
        self.groups = 0
        self.requests = 0

    def _open(self) -> None:
        refuse_changed(self._path)
        create_file(self._path)
        try:
            session = QuerySession(open_writer(self._path, self._bytes_max), self._known)
            try:
                migrate(session.connection, self._path)
                mark_made(self._path)
                self._known.keep(standing_rows(session))
            except BaseException:
                session.connection.close()
                raise
        except SQLITE_ERRORS as error:
            raise explain(error, self._path) from error
        self._session = session
        self._version = _seen(session.connection)

    def _answer(self, works: Sequence[Request]) -> Sequence[Answers | Unwritten | BaseException]:
        try:
            answers = self._transact(works)
        except Exception as error:  # noqa: BLE001  handed to whoever asked
            self._abandon()
            if len(works) > 1:
                return [answer for work in works for answer in self._answer([work])]
            return [self._refusal(error)]
        self.groups += 1
        self.requests += len(works)
        return answers

    def _transact(self, requests: Sequence[Request]) -> list[Answers | Unwritten | BaseException]:
        if self._damage.found is not None:
            raise self._damage.found
        session = self._ready()
        connection = session.connection
        before = connection.total_changes
        session.written.clear()
        connection.execute("BEGIN IMMEDIATE")
        self._require_ours(connection)
        try:
            answers = _do(requests, session)
        except HalfDoneError:
            connection.execute("ROLLBACK")
            session.written.clear()
            connection.execute("BEGIN IMMEDIATE")
            with session.guarding():
                answers = _do(requests, session)
        with self._known.committing:
            connection.execute("COMMIT")
            self._known.keep(session.written)
        if connection.total_changes != before:
            self.trouble = None
        return answers

    def _require_ours(self, connection: sqlite3.Connection) -> None:
        """Check, while nobody else can write, that nobody else has written: every row is one that this hub committed.

        Raises:
            StoreChangedError: another program has.
        """
        if _seen(connection) != self._version:
            raise StoreChangedError(
                f"Another program wrote to {self._path} while Pulse ran.",
                fix=StoreChangedError.FIX,
            )

    def _ready(self) -> QuerySession:
        if self._session is None:
            self._session = QuerySession(open_writer(self._path, self._bytes_max), self._known)
            self._version = _seen(self._session.connection)
        return self._session

    def _abandon(self) -> None:
        """Take back a failed group; a connection that cannot even do that is given up."""
        try:
            if self._session is not None and self._session.connection.in_transaction:
                self._session.connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._close()

    def _refusal(self, error: Exception) -> Unwritten | Exception:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.DataError):
            return BrokenChangeError(f"the tables refuse it: {error}")
        if not isinstance(error, sqlite3.DatabaseError | StoreError | UnicodeDecodeError) or isinstance(
            error, sqlite3.ProgrammingError
        ):
            return error
        reason = error if isinstance(error, StoreError) else explain(error, self._path)
        self._damage.note(reason)
        if not isinstance(reason, DiskFullError | StoreBusyError):
            self._close()  # the next commit begins with a fresh connection
        self.trouble = Unwritten(code=reason.code, detail=reason.detail)
        return self.trouble

    def _close(self) -> None:
        session, self._session, self._version = self._session, None, None
        if session is not None:
            session.connection.close()


def _seen(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _do(requests: Sequence[Request], session: QuerySession) -> list[Answers | Unwritten | BaseException]:
    return [tuple(unit(session) for unit in request) for request in requests]


def apply(operations: tuple[Operation, ...], session: QuerySession) -> CommitOutcome:
    """Do one transaction; take it back when an expectation does not hold.

    Raises:
        HalfDoneError: it is to be taken back, and the session does not guard.
    """
    if not session.guards:
        lost = _first_lost(operations, session)
        if lost is not None and lost is not operations[0]:
            raise HalfDoneError
        return Committed() if lost is None else _lost(lost, session)
    connection = session.connection
    connection.execute("SAVEPOINT one")
    before = len(session.written)
    lost = _first_lost(operations, session)
    if lost is not None:
        del session.written[before:]
        connection.execute("ROLLBACK TO one")
    connection.execute("RELEASE one")
    return Committed() if lost is None else _lost(lost, session)


def _first_lost(operations: tuple[Operation, ...], session: QuerySession) -> Operation | None:
    return next((operation for operation in operations if not _holds(operation, session)), None)


def _lost(lost: Operation, session: QuerySession) -> Lost:
    found = session.first(lost.current, id=lost.values["id"], user_id=lost.values["user_id"]) if lost.current else None
    return Lost(what=lost.lost, card=None if found is None else value_of(Card, str(found)))


def _holds(operation: Operation, session: QuerySession) -> bool:
    """Run one operation; say whether what it expected was so."""
    changed = session.change(operation.query, operation.values)
    if changed and operation.keeps is not None:
        session.written.append(operation.keeps)
    if changed or not operation.lost:
        return True
    card_id = operation.values.get("prediction_id")
    return bool(operation.unless) and session.first(operation.unless, prediction_id=card_id) is not None
