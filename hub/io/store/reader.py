"""The reading thread: its own connection, so that a query never waits for a disk synchronisation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hub.domain.storage import Query
from hub.io.store.connect import open_reader
from hub.io.store.damage import Damage
from hub.io.store.errors import SQLITE_ERRORS, StoreChangedError, StoreDamagedError, StoreError, explain
from hub.io.store.known_rows import KnownRows
from hub.io.store.limits import WAITING_READS_MAX
from hub.io.store.reads import answer
from hub.io.store.session import QuerySession
from hub.io.store.worker_thread import WorkerThread


class Reader(WorkerThread[Query[Any], Any]):
    """Answers queries, each from one consistent view of what is committed."""

    def __init__(self, path: Path, damage: Damage, known: KnownRows) -> None:
        super().__init__("store-reader", waiting_max=WAITING_READS_MAX, group_max=1)
        self._path = path
        self._damage = damage
        self._known = known
        self._session: QuerySession

    def _open(self) -> None:
        try:
            self._session = QuerySession(open_reader(self._path), self._known)
        except SQLITE_ERRORS as error:
            raise explain(error, self._path) from error

    def _answer(self, works: Sequence[Query[Any]]) -> Sequence[Any]:
        return [self._answer_one(query) for query in works]

    def _answer_one(self, query: Query[Any]) -> object:
        try:
            return self._look_up(query)
        except StoreError as error:
            self._damage.note(error)
            return error
        except Exception as error:  # noqa: BLE001  handed to whoever asked
            return error

    def _look_up(self, query: Query[Any]) -> object:
        try:
            try:
                return self._in_one_view(query)
            except StoreChangedError:  # or a commit came between the view and what is known of it
                with self._known.committing:
                    return self._in_one_view(query)
        except SQLITE_ERRORS as error:
            raise explain(error, self._path) from error
        except (ValueError, AttributeError) as error:  # a column holds what no column of ours does
            raise StoreDamagedError.of(self._path, str(error)) from error

    def _in_one_view(self, query: Query[Any]) -> object:
        connection = self._session.connection
        connection.execute("BEGIN")
        try:
            return answer(query, self._session)
        finally:
            if connection.in_transaction:  # SQLite ends it itself when it finds damage
                connection.execute("ROLLBACK")

    def _close(self) -> None:
        self._session.connection.close()
