"""One connection together with the named queries: the only place that hands SQL to SQLite."""

import sqlite3
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from hub.io.store.codec import V, value_of
from hub.io.store.known_rows import IDENTITIES, KnownRow, KnownRows, row_read
from hub.io.store.queries import named_queries

SqlValue = str | int | float | bytes | None
Row = tuple[SqlValue, ...]


class QuerySession:
    """Runs named queries on one connection, in the thread that opened it.

    Attributes:
        guards: Whether each transaction of a group must be able to take back itself alone.
        written: What the transactions of a group have written so far, not committed yet.
    """

    def __init__(self, connection: sqlite3.Connection, known: KnownRows) -> None:
        self.connection: Final = connection
        self.known: Final = known
        self.guards = False
        self.written: list[KnownRow] = []
        self._queries = named_queries()

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """Guard each transaction while the block lasts."""
        self.guards = True
        try:
            yield
        finally:
            self.guards = False

    def change(self, name: str, values: Mapping[str, SqlValue]) -> int:
        """Run a query that writes; return how many rows it changed."""
        return self.connection.execute(self._queries[name], values).rowcount

    def rows(self, name: str, **values: SqlValue) -> list[Row]:
        """Run a query that reads, to its end."""
        return self.connection.execute(self._queries[name], values).fetchall()

    def first(self, name: str, **values: SqlValue) -> SqlValue:
        """Return the first column of the first row; None when there is none."""
        row = self.connection.execute(self._queries[name], values).fetchone()
        return None if row is None else row[0]

    def bodies(self, kind: type[V], name: str, **values: SqlValue) -> tuple[V, ...]:
        """Return the values in a query's one column, decoded."""
        return tuple(self.value(kind, values["user_id"], body) for (body,) in self.rows(name, **values))

    def body(self, kind: type[V], name: str, **values: SqlValue) -> V | None:
        """Return the value in the first row, decoded; None when there is none."""
        found = self.first(name, **values)
        return None if found is None else self.value(kind, values["user_id"], found)

    def one(self, kind: type[V], name: str, identity: Hashable, **values: SqlValue) -> V | None:
        """Return the value with this identity, which the query looks up; None when there is none.

        Raises:
            StoreChangedError: it is another one, or one is known.
        """
        found = self.body(kind, name, **values)
        self.known.require_found(kind, str(values["user_id"]), identity, found)
        return found

    def value(self, kind: type[V], user: SqlValue, body: SqlValue) -> V:
        """Return the value in a body that was read, which is what this hub knows it to be.

        Raises:
            StoreDamagedError: it is not what this version of Pulse writes.
            StoreChangedError: another program has written it.
        """
        text = str(body)
        value = value_of(kind, text)
        if kind in IDENTITIES:
            self.known.require(row_read(str(user), value, text.encode()))
        return value
