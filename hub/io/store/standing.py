"""What a start believes at its first reading: known once the store is open, and compared until it is closed.

Theory: most of it is read at the start alone and lives in memory from then on, so no reading would ever notice bytes
that are written into it meanwhile; the next start would believe them. It is read from the file once more, by a
connection that has no page in memory, now and then and when the store is closed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hub.domain.delivery import Device
from hub.domain.mind import Mind
from hub.domain.storage import Client
from hub.domain.suggestion import Card
from hub.io.store.connect import open_reader
from hub.io.store.errors import SQLITE_ERRORS, explain
from hub.io.store.known_rows import KnownRow, KnownRows, row_of
from hub.io.store.session import QuerySession

QUERIES: Final[dict[type, str]] = {
    Card: "standing_cards",
    Client: "standing_clients",
    Device: "standing_devices",
    Mind: "standing_minds",
}


def standing_rows(session: QuerySession) -> Iterator[KnownRow]:
    """Return what a start would believe, by the columns by which it is found."""
    for kind, query in QUERIES.items():
        for user, *identity, body in session.rows(query):
            key = (kind, str(user), identity[0] if len(identity) == 1 else tuple(identity))
            yield row_of(key, str(body).encode(), is_standing=True)


def compare(path: Path, known: KnownRows) -> None:
    """Check that what the next start would believe is what this hub wrote.

    Raises:
        StoreChangedError: it is not.
        StoreError: the file cannot be read.
    """
    try:
        session = QuerySession(open_reader(path), known)
        try:
            with known.committing:
                known.require_standing(standing_rows(session))
        finally:
            session.connection.close()
    except SQLITE_ERRORS as error:
        raise explain(error, path) from error
