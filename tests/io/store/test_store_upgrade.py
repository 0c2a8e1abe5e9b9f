"""Files of earlier schemas: new columns are filled from what was stored, and what was not kept is not made up."""

import sqlite3
from pathlib import Path

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.words import MoveReason, RunState, Source, Status
from hub.domain.drives import PutWake, Wake
from hub.domain.lessons import DropPairs
from hub.domain.permission_grant import AddGrantEvent, GrantEvent
from hub.domain.reports import (
    AnsweredAsks,
    CountPairs,
    DriveMutations,
    GrantEvents,
    PairCount,
    PairsAfter,
    SettledCards,
    TalliesOf,
    TaughtLately,
    Wakes,
)
from hub.domain.storage import (
    AddCard,
    AddExecution,
    CardById,
    Change,
    Committed,
    HeldCards,
    MoveCard,
)
from hub.io.store import migrate, schema
from hub.io.store.connect import create_file, open_writer
from hub.io.store.limits import STORE_BYTES_MAX
from hub.io.store.queries import named_queries
from hub.io.store.sqlite import open_store
from hub.io.store.writes import operations_of
from tests.conformance.store.samples import ANNA, after, card, delivery, run, taught

SETTLED_WHOLE = replace(card("a", status=Status.REJECTED), settled_at=after(7))
SETTLED_PART = replace(card("b", status=Status.EXECUTED), settled_at=after(7.25), autonomous=True)
EXPIRED = card("c", status=Status.EXPIRED, expires=60)
WITHDRAWN = card("d", status=Status.CANCELLED, created=3)
OPEN = card("e")
RAN = replace(run("x", card_id="a", state=RunState.VERIFIED), channel="garden")
CHANGES: tuple[Change, ...] = (
    *(AddCard(card=one) for one in (SETTLED_WHOLE, SETTLED_PART, EXPIRED, WITHDRAWN, OPEN)),
    AddExecution(execution=RAN),
    delivery(card_id="a", at=5),
)
LOOKS = (
    "SELECT id, autonomous, settled_at FROM predictions ORDER BY id",
    "SELECT id, tokens, channel FROM executions",
    "SELECT id, loudness, sent_at FROM deliveries",
)
Rows = list[list[tuple[object, ...]]]


def columns(path: Path) -> Rows:
    connection = sqlite3.connect(path)
    try:
        return [connection.execute(sql).fetchall() for sql in LOOKS]
    finally:
        connection.close()


def a_file_of_schema(version: int, path: Path, folder: Path) -> sqlite3.Connection:
    """Make a file as the Pulse of that time did."""
    folder.mkdir()
    for one in schema.schema_files()[:version]:
        (folder / one.name).write_text(one.read_text())
    create_file(path)
    connection = open_writer(path, STORE_BYTES_MAX)
    migrate.migrate(connection, path, folder)
    return connection


def less(sql: str) -> str:
    """A statement without the column that came last."""
    return sql.replace(" held,", "").replace(" :held,", "")


def write_as_the_first_schema_did(path: Path, folder: Path) -> None:
    """Make a file of the first schema, with the same rows less what it had no columns for."""
    connection = a_file_of_schema(1, path, folder)
    known = {
        "add_card": ("autonomous", "settled_at", "status_reason", "held"),
        "add_execution": ("tokens", "channel"),
        "put_delivery": ("loudness", "state", "sent_at"),
    }
    for operation in operations_of(CHANGES):
        sql = named_queries()[operation.query].partition("ON CONFLICT")[0]
        for column in known[operation.query]:
            sql = sql.replace(f" {column},", "").replace(f" :{column},", "")
        sql = sql.replace("sent_at, ", "").replace(", :at, :body", ", :body")
        connection.execute(sql, operation.values)
    connection.close()


async def test_an_upgraded_file_is_as_one_written_anew(tmp_path: Path) -> None:
    write_as_the_first_schema_did(tmp_path / "old.db", tmp_path / "first")
    upgraded = await open_store(tmp_path / "old.db")
    anew = await open_store(tmp_path / "new.db")
    assert await anew.commit([CHANGES]) == (Committed(),)
    settled = SettledCards(user=ANNA, limit=9)
    assert await upgraded.read(settled) == await anew.read(settled)
    counted = TalliesOf(user=ANNA, bounds=(after(-10), after(1_000)), rows_max=99)
    assert await upgraded.read(counted) == await anew.read(counted)
    await upgraded.close()
    await anew.close()
    assert columns(tmp_path / "old.db") == columns(tmp_path / "new.db")


async def test_the_columns_say_when_a_card_ended(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    await store.commit([CHANGES])
    await store.close()
    cards, runs, deliveries = columns(tmp_path / "pulse.db")
    assert cards == [
        ("a", 0, "2026-03-01T12:00:07.000000Z"),
        ("b", 1, "2026-03-01T12:00:07.250000Z"),
        ("c", 0, "2026-03-01T12:01:00.000000Z"),
        ("d", 0, "2026-03-01T12:00:03.000000Z"),
        ("e", 0, None),
    ]
    assert runs == [("x", None, "garden")]
    assert deliveries == [("d1", "silent", "2026-03-01T12:00:05.000000Z")]


async def test_a_card_of_the_second_schema_has_no_reason_until_it_moves(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(2, path, tmp_path / "second")
    for operation in operations_of((AddCard(card=OPEN), AddCard(card=EXPIRED))):
        sql = named_queries()[operation.query].partition("ON CONFLICT")[0]
        sql = less(sql.replace(" status_reason,", "").replace(" :status_reason,", ""))
        body = str(operation.values["body"]).replace('"status_reason":null,', "")
        assert "status_reason" not in body
        connection.execute(sql, operation.values | {"body": body})
    connection.close()
    store = await open_store(path)
    assert reasons(path) == [("c", None), ("e", None)]
    card_e = await store.read(CardById(user=ANNA, card_id="e"))
    assert card_e == OPEN
    gone = replace(OPEN, status=Status.REJECTED, status_reason=MoveReason.REJECTED, version=2)
    assert await store.commit([(MoveCard(card=gone, expect_version=1, expect_status=Status.PENDING),)]) == (
        Committed(),
    )
    assert reasons(path) == [("c", None), ("e", "rejected")]
    await store.close()
    assert migrate.backup_path(path, 2).exists()


async def test_a_file_of_the_third_schema_keeps_its_reasons_and_takes_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(3, path, tmp_path / "third")
    moved = replace(EXPIRED, status_reason=MoveReason.EXPIRED)
    for operation in operations_of((AddCard(card=OPEN), AddCard(card=moved))):
        connection.execute(less(named_queries()[operation.query]), operation.values)
    connection.close()
    store = await open_store(path)
    assert reasons(path) == [("c", "expired"), ("e", None)]
    gone = replace(OPEN, status=Status.EXPIRED, status_reason=MoveReason.PASSED, version=2)
    assert await store.commit([(MoveCard(card=gone, expect_version=1, expect_status=Status.PENDING),)]) == (
        Committed(),
    )
    assert await store.read(CardById(user=ANNA, card_id="c")) == moved
    await store.close()
    assert reasons(path) == [("c", "expired"), ("e", "passed")]
    assert migrate.backup_path(path, 3).exists()


async def test_the_store_takes_every_reason(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    cards = tuple(replace(card(f"c{n:02}"), status_reason=reason) for n, reason in enumerate(MoveReason))
    assert await store.commit([tuple(AddCard(card=one) for one in cards)]) == (Committed(),)
    await store.close()
    assert [reason for _, reason in reasons(tmp_path / "pulse.db")] == [reason.value for reason in MoveReason]


def reasons(path: Path) -> list[tuple[str, str | None]]:
    """Every card's reason, as its column says it."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT id, status_reason FROM predictions ORDER BY id").fetchall()
    finally:
        connection.close()


async def test_pairs_of_the_fourth_schema_are_kept_and_belong_to_no_card(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(4, path, tmp_path / "fourth")
    connection.execute(
        "INSERT INTO dpo_pairs (user_id, context, chosen, rejected, chosen_confidence, rejected_confidence, created_at)"
        " VALUES ('anna', 'then', 'this', 'that', 0.5, 0.4, '2026-03-01T12:00:00.000000Z')"
    )
    connection.close()
    store = await open_store(path)
    (old,) = await store.read(PairsAfter(user=ANNA, after=0, limit=9))
    assert (old.pair.chosen, old.pair.chosen_id, old.pair.weight) == ("this", "", 1.0)
    assert await store.commit([(DropPairs(user=ANNA, card_id="c1"),)]) == (Committed(),)
    assert await store.read(CountPairs(user=ANNA)) == PairCount(total=1, new=1, last=1, new_since=after(0))
    await store.close()
    assert migrate.backup_path(path, 4).exists()


async def test_in_a_file_of_the_fifth_schema_nothing_was_taught_yet(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(5, path, tmp_path / "fifth")
    for operation in operations_of((AddCard(card=OPEN),)):
        connection.execute(less(named_queries()[operation.query]), operation.values)
    connection.close()
    store = await open_store(path)
    assert await store.read(TaughtLately(user=ANNA, limit=9)) == ()
    assert await store.commit([(taught("e"),)]) == (Committed(),)
    assert await store.read(TaughtLately(user=ANNA, limit=9)) == (taught("e"),)
    assert await store.read(CardById(user=ANNA, card_id="e")) == OPEN
    await store.close()
    assert migrate.backup_path(path, 5).exists()


async def test_in_a_file_of_the_sixth_schema_nothing_is_held(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(6, path, tmp_path / "sixth")
    for operation in operations_of((AddCard(card=OPEN),)):
        connection.execute(less(named_queries()[operation.query]), operation.values)
    connection.close()
    store = await open_store(path)
    query = HeldCards(user=ANNA, limit=9)
    assert await store.read(query) == ()
    waits = replace(OPEN, held=Held(until="digest", since=after(9)), version=2)
    move = MoveCard(card=waits, expect_version=1, expect_status=Status.PENDING)
    assert await store.commit([(move,)]) == (Committed(),)
    assert await store.read(query) == (waits,)
    await store.close()
    assert migrate.backup_path(path, 6).exists()


async def test_in_a_file_of_the_seventh_schema_no_grant_was_given_yet(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(7, path, tmp_path / "seventh")
    asked = replace(SETTLED_WHOLE, proposal=replace(SETTLED_WHOLE.proposal, source=Source.ASK))
    for operation in operations_of((AddCard(card=asked),)):
        connection.execute(named_queries()[operation.query], operation.values)
    connection.close()
    store = await open_store(path)
    assert await store.read(GrantEvents(user=ANNA, limit=9)) == ()
    assert await store.read(AnsweredAsks(user=ANNA, limit=9)) == (asked,)
    made = GrantEvent(grant_id="g1", at=after(9), what="made", by="page/mine")
    assert await store.commit([(AddGrantEvent(user=ANNA, event=made),)]) == (Committed(),)
    assert await store.read(GrantEvents(user=ANNA, limit=9)) == (made,)
    await store.close()
    assert migrate.backup_path(path, 7).exists()


async def test_in_a_file_of_the_tenth_schema_an_overtaken_no_is_an_answer_from_now_on(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = a_file_of_schema(10, path, tmp_path / "tenth")
    proposal = replace(SETTLED_WHOLE.proposal, source=Source.ASK)
    overtaken = replace(SETTLED_WHOLE, proposal=proposal, status=Status.CANCELLED, status_reason=MoveReason.OVERRULED)
    for operation in operations_of((AddCard(card=overtaken),)):
        connection.execute(named_queries()[operation.query], operation.values)
    connection.close()
    store = await open_store(path)
    assert await store.read(AnsweredAsks(user=ANNA, limit=9)) == (overtaken,)
    await store.close()
    assert migrate.backup_path(path, 10).exists()


async def test_in_a_file_of_the_eighth_schema_no_need_woke_anybody_yet(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    a_file_of_schema(8, path, tmp_path / "eighth").close()
    store = await open_store(path)
    assert await store.read(Wakes(user=ANNA, limit=9)) == ()
    assert await store.read(DriveMutations(user=ANNA, limit=9)) == ()
    wake = Wake(id="w1", at=after(1), rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)
    assert await store.commit([(PutWake(user=ANNA, wake=wake),)]) == (Committed(),)
    assert await store.read(Wakes(user=ANNA, limit=9)) == (wake,)
    await store.close()
    assert migrate.backup_path(path, 8).exists()
