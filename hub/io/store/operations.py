"""What one change does to the tables: named queries with their values, in order."""

from dataclasses import dataclass

from hub.io.store.known_rows import KnownRow
from hub.io.store.session import SqlValue


@dataclass(frozen=True, slots=True)
class Operation:
    """One named query with its values.

    Attributes:
        query: The name of the SQL.
        values: Its parameters.
        lost: What is lost if the query changes no row; empty if that is fine.
        unless: A query which, if it finds a row, makes "changed no row" fine after all.
        current: A query for the body of the card that a lost compare-and-set met.
        keeps: What it writes, where that must still say so when it is read.
    """

    query: str
    values: dict[str, SqlValue]
    lost: str = ""
    unless: str = ""
    current: str = ""
    keeps: KnownRow | None = None
