"""The reading thread: its own connection, so that a query never waits for a disk synchronisation."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hub.domain.storage import Query
from hub.io.store.connect import open_reader
from hub.io.store.errors import explain
from hub.io.store.lane import Lane
from hub.io.store.limits import WAITING_READS_MAX
from hub.io.store.reads import answer
from hub.io.store.session import Session


class Reader(Lane[Query[Any], Any]):
    """Answers queries, each from one consistent view of what is committed."""

    def __init__(self, path: Path) -> None:
        super().__init__("store-reader", waiting_max=WAITING_READS_MAX, group_max=1)
        self._path = path
        self._session: Session

    def _open(self) -> None:
        try:
            self._session = Session(open_reader(self._path))
        except sqlite3.Error as error:
            raise explain(error, self._path) from error

    def _answer(self, works: Sequence[Query[Any]]) -> Sequence[Any]:
        return [self._answer_one(query) for query in works]

    def _answer_one(self, query: Query[Any]) -> object:
        connection = self._session.connection
        try:
            connection.execute("BEGIN")
            try:
                return answer(query, self._session)
            finally:
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            return explain(error, self._path)
        except Exception as error:  # noqa: BLE001  handed to whoever asked
            return error

    def _close(self) -> None:
        self._session.connection.close()
