"""What a start believes at its first reading: known once the store is open, and compared until it is closed.

Theory: most of it is read at the start alone and lives in memory from then on, so no reading would ever notice bytes
that are written into it meanwhile; the next start would believe them. It is read from the file once more, by a
connection that has no page in memory, now and then and when the store is closed. So are the runs that a start begins
or goes on with, and the sessions whose next try needs no new yes: what is permitted there is in the row itself.

The rest lets nothing run by itself. What a task says comes on a card that asks. A delivery says what a device showed: a
yes of that device is still needed. A message that waits can show other words than its card's, as anybody who holds
the broker can. The card of a run that goes on says what is shown of it, and its permit what runs. Answers of the past
are too many to compare: a question that is asked again under an answered one's key is told what is stored of it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hub.domain.delivery import Device
from hub.domain.execution import Execution
from hub.domain.mind import Mind
from hub.domain.storage import Client
from hub.domain.suggestion import Card
from hub.domain.world import WorldSession
from hub.io.store.codec import value_of
from hub.io.store.connect import open_reader
from hub.io.store.errors import SQLITE_ERRORS, explain
from hub.io.store.known_rows import KnownRow, KnownRows, row_of
from hub.io.store.session import QuerySession

QUERIES: Final[dict[type, str]] = {
    Card: "standing_cards",
    Client: "standing_clients",
    Device: "standing_devices",
    Execution: "standing_executions",
    Mind: "standing_minds",
    WorldSession: "standing_sessions",
}


def standing_rows(session: QuerySession) -> Iterator[KnownRow]:
    """Return what a start would believe, by the columns by which it is found."""
    for kind, query in QUERIES.items():
        for user, *identity, body in session.rows(query):
            if kind is WorldSession and value_of(WorldSession, str(body)).run is None:
                continue  # Pulse only hears of it
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
