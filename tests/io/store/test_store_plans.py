"""Every named query finds its rows by an index, so that it stays fast however much is stored."""

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from hub.io.store.queries import named_queries
from hub.io.store.sqlite import open_store

QUERIES = named_queries()
TABLE_SCANS_ALLOWED = {
    "outbox_depth": ("SCAN outbox USING COVERING INDEX",),
    "standing_cards": (
        "SCAN predictions USING INDEX idx_predictions_due",
        "SCAN predictions USING INDEX idx_predictions_held",
    ),
    "standing_clients": ("SCAN clients",),
    "standing_devices": ("SCAN devices",),
    "standing_executions": ("SCAN executions USING INDEX idx_executions_open",),
    "standing_minds": ("SCAN minds",),
}
"""What is looked at whole: what waits, what is open, and who may sign in. It does not grow with the cards."""

BOUNDED = ("SCAN newest", "SCAN CONSTANT ROW", "SCAN json_each")
"""A search scans the newest SEARCHED_ROWS_MAX rows, which an index has found for it; `json_each` what is asked for."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def database(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Path]:
    """A database as the store makes it; nothing here writes to it."""
    path = tmp_path_factory.mktemp("store") / "pulse.db"
    opened = await open_store(path)
    yield path
    await opened.close()


@pytest.fixture(scope="module")
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(database)
    yield opened
    opened.close()


def plan(connection: sqlite3.Connection, query: str) -> list[str]:
    values = dict.fromkeys(re.findall(r":([a-z_]+)", query))
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}", values)]


def bad_steps(name: str, steps: list[str]) -> list[str]:
    scans = [step for step in steps if step.startswith("SCAN") and not step.startswith(BOUNDED)]
    sorts = [step for step in steps if "TEMP B-TREE" in step and "SCAN newest" not in steps]
    allowed = TABLE_SCANS_ALLOWED.get(name, ())
    return [step for step in scans + sorts if not step.startswith(allowed)]


def test_every_query_uses_an_index(connection: sqlite3.Connection) -> None:
    assert QUERIES
    looked_at = {name: bad_steps(name, plan(connection, query)) for name, query in QUERIES.items()}
    assert {name: bad for name, bad in looked_at.items() if bad} == {}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT body FROM predictions WHERE reason_key = :key",
        "SELECT body FROM predictions WHERE user_id = :user_id ORDER BY expires_at",
        "SELECT count(*) FROM predictions",
    ],
)
def test_the_check_sees_a_slow_query(connection: sqlite3.Connection, query: str) -> None:
    assert bad_steps("slow", plan(connection, query)) != []


def test_every_table_of_a_persons_data_names_its_user(connection: sqlite3.Connection) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert len(tables) > 10
    for table in tables:
        columns = {row[1]: row[3] for row in connection.execute(f"PRAGMA table_info({table})")}
        assert columns.get("user_id") == 1 or table == "minds", table


def test_every_query_is_used() -> None:
    code = "".join(path.read_text() for path in Path("hub/io/store").glob("*.py"))
    unused = [name for name in QUERIES if f'"{name}"' not in code and not name.endswith("_of_status")]
    assert unused == []
