"""One connection together with the named queries: the only place that hands SQL to SQLite."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from hub.io.store.codec import V, value_of
from hub.io.store.queries import named_queries

SqlValue = str | int | float | bytes | None
Row = tuple[SqlValue, ...]


class QuerySession:
    """Runs named queries on one connection, in the thread that opened it.

    Attributes:
        guards: Whether each transaction of a group must be able to take back itself alone.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection: Final = connection
        self.guards = False
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
        return tuple(value_of(kind, str(body)) for (body,) in self.rows(name, **values))

    def body(self, kind: type[V], name: str, **values: SqlValue) -> V | None:
        """Return the value in the first row, decoded; None when there is none."""
        found = self.first(name, **values)
        return None if found is None else value_of(kind, str(found))
