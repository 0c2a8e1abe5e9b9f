"""The columns of CROSSPOLL 9.1 are filled, so that plain SQL over the file tells the truth."""

import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState, Status
from hub.domain.lessons import AddPair, MarkExported
from hub.domain.storage import (
    AddCard,
    AddExecution,
    Change,
    Committed,
    MoveExecution,
    PutTask,
    Send,
)
from hub.io.store.sqlite import open_store
from tests.conformance.store.samples import ANNA, after, card, log_entry, message, moved, pair, run, send, task


async def rows_after(path: Path, sql: str, *changes: Change) -> list[tuple[object, ...]]:
    store = await open_store(path)
    for change in changes:
        assert await store.commit([(change,)]) == (Committed(),)
    await store.close()
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


async def test_a_new_card(tmp_path: Path) -> None:
    sql = (
        "SELECT id, user_id, prompt, target_agent, target_channel, confidence, status, source, created_at, expires_at,"
    )
    sql += " snoozed_until, next_due_at, confirmed_at, executed_at, task_id, dpo_exported, version FROM predictions"
    assert await rows_after(tmp_path / "p.db", sql, AddCard(card=card(snoozed=0.5))) == [
        (
            *("c1", "anna", "Run the tests", "playbook", "koji-core", 0.7, "pending", "template"),
            *("2026-03-01T12:00:00.000000Z", "2026-03-01T13:00:00.000000Z"),
            *("2026-03-01T12:00:00.500000Z", "2026-03-01T12:00:00.500000Z"),
            *(None, None, None, 0, 1),
        )
    ]


async def test_a_card_on_its_way_to_executed(tmp_path: Path) -> None:
    confirmed = moved(card(), Status.CONFIRMED)
    done = moved(confirmed.card, Status.EXECUTED)
    changes: tuple[Change, ...] = (
        AddCard(card=card()),
        confirmed,
        AddExecution(execution=run(state=RunState.ACTIVE)),
        MoveExecution(execution=run(state=RunState.VERIFIED), expect_state=RunState.ACTIVE),
        done,
        PutTask(user=ANNA, task=task(card_id="c1")),
    )
    sql = "SELECT status, version, confirmed_at, executed_at, task_id, next_due_at FROM predictions"
    assert await rows_after(tmp_path / "p.db", sql, *changes) == [
        ("executed", 3, "2026-03-01T12:00:05.000000Z", "2026-03-01T12:01:00.000000Z", "t1", None)
    ]


async def test_an_undone_card_is_no_longer_confirmed(tmp_path: Path) -> None:
    confirmed = moved(card(), Status.CONFIRMED)
    changes = (AddCard(card=card()), confirmed, moved(confirmed.card, Status.PENDING))
    sql = "SELECT status, confirmed_at, executed_at, next_due_at IS NOT NULL FROM predictions"
    assert await rows_after(tmp_path / "p.db", sql, *changes) == [("pending", None, None, 1)]


async def test_a_log_entry(tmp_path: Path) -> None:
    sql = "SELECT trigger_type, cost_estimate, cost_microusd, blocked, block_reason FROM crosspoll_log"
    entry = log_entry()
    assert await rows_after(tmp_path / "p.db", sql, entry) == [("manual", 0.050001, 50_001, 1, "too soon")]


async def test_a_log_entry_has_the_result_of_its_run_and_a_cost_without_a_tail(tmp_path: Path) -> None:
    ended = replace(run(state=RunState.VERIFIED), ended_at=after(9), proof="24 passed")
    changes: tuple[Change, ...] = (
        AddCard(card=card()),
        replace(log_entry(), card_id="c1", blocked=False, cost_microusd=50_000),
        log_entry(),
        AddExecution(execution=run(state=RunState.ACTIVE)),
        MoveExecution(execution=ended, expect_state=RunState.ACTIVE),
    )
    sql = "SELECT blocked, CAST(cost_estimate AS TEXT), result FROM crosspoll_log ORDER BY id"
    result = '{"state":"verified","proof":"24 passed"}'
    assert await rows_after(tmp_path / "p.db", sql, *changes) == [(0, "0.05", result), (1, "0.050001", None)]


async def test_an_outbox_row_knows_its_user(tmp_path: Path) -> None:
    elsewhere = Send(message=message("m2"), leased_until=after(0))
    sql = "SELECT id, user_id, typeof(payload), leased_until FROM outbox ORDER BY seq"
    assert await rows_after(tmp_path / "p.db", sql, send("m1", leased=1), elsewhere) == [
        ("m1", "anna", "blob", "2026-03-01T12:00:01.000000Z"),
        ("m2", "anna", "blob", "2026-03-01T12:00:00.000000Z"),
    ]


@pytest.mark.slow
async def test_an_export_marks_the_pairs_and_their_cards(tmp_path: Path) -> None:
    cards = tuple(AddCard(card=card(id_)) for id_ in ("c1", "c2", "c3", "c4"))
    pairs = (AddPair(pair=pair("c1", "c2")), AddPair(pair=pair("c3", "c3")))
    marked = MarkExported(user=ANNA, through=1, at=after(9))
    sql = "SELECT id, dpo_exported FROM predictions ORDER BY id"
    rows = await rows_after(tmp_path / "p.db", sql, *cards, *pairs, marked)
    assert rows == [("c1", 1), ("c2", 1), ("c3", 0), ("c4", 0)]
    sql = "SELECT chosen_id, exported_at FROM dpo_pairs ORDER BY id"
    assert await rows_after(tmp_path / "p.db", sql) == [("c1", "2026-03-01T12:00:09.000000Z"), ("c3", None)]
