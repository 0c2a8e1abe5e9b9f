"""What a start believes is compared with what this hub wrote; the next start knows of what differed."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState, Status
from hub.contract.world import AgentStatus
from hub.domain.delivery import Device
from hub.domain.execution import Execution
from hub.domain.mind import Mind
from hub.domain.session_run import SessionRun
from hub.domain.storage import (
    AddCard,
    AddExecution,
    Change,
    Client,
    Clients,
    MoveExecution,
    PutClient,
    PutDevice,
    SaveMind,
)
from hub.domain.world import HUB, WorldSession
from hub.domain.world_log_state import PutSession
from hub.io.store import sqlite as sqlite_store
from hub.io.store.damage import Damage
from hub.io.store.errors import StoreChangedError
from hub.io.store.known_rows import KnownRows, known_row
from hub.io.store.limits import ROWS_KNOWN_MAX
from hub.io.store.sqlite import SqliteStore, open_store
from tests.conformance.store.samples import ANNA, NOON, card, moved, run
from tests.io.store.written_over import write_over

MINE, THEIRS = "a" * 64, "b" * 64


def client(id_: str = "client_1", *, token: str = MINE) -> Client:
    return Client(id=id_, user=ANNA, name="Browser", token_sha256=token, scopes=("answer",), created_at=NOON)


def phone(name: str) -> Device:
    return Device(user=ANNA, surface="phone", device="mine", profile=name)


def waiting() -> Execution:
    """One that was permitted, and that the next start begins."""
    execution = run()
    return replace(execution, permit=replace(execution.permit, prompt="make tests"))


def session() -> PutSession:
    """One that the next start tries again, by the yes that is kept with it."""
    found = WorldSession(
        id="s1",
        status=AgentStatus.RETRY,
        started_at=NOON,
        moved_at=NOON,
        heard_at=NOON,
        owner=HUB,
        run=SessionRun(task="Tidy src", channel="koji-core"),
    )
    return PutSession(user=ANNA, session=found)


MIND = SaveMind(user=ANNA, mind=Mind(day_told="2026-03-01"))
CHANGES: dict[str, tuple[tuple[Change, ...], str, str]] = {
    "a client": ((PutClient(client=client()),), MINE, THEIRS),
    "a device": ((PutDevice(device=phone("iphone")),), "iphone", "tablet"),
    "the mind": ((MIND,), "2026-03-01", "2026-03-09"),
    "an open card": ((AddCard(card=card(prompt="rm -rf src")),), "rm -rf src", "ls -la src"),
    "a column": ((PutClient(client=client()),), f"{ANNA}client_1", f"{ANNA}client_2"),
    "a run that waits": ((AddCard(card=card()), AddExecution(execution=waiting())), "make tests", "rm -rf src"),
    "a session that goes on": ((MIND, session()), "Tidy src", "Wipe src"),
}


async def written(folder: Path, *changes: Change) -> SqliteStore:
    store = await open_store(folder / "pulse.db")
    await store.commit([changes])
    return store


async def refused(folder: Path) -> str:
    with pytest.raises(StoreChangedError) as raised:
        await open_store(folder / "pulse.db")
    return f"{raised.value.detail} {raised.value.fix}"


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("is_new", [True, False])
async def test_bytes_written_meanwhile_are_not_believed_at_the_next_start(
    tmp_path: Path, what: str, *, is_new: bool
) -> None:
    changes, before, after = CHANGES[what]
    store = await written(tmp_path, *changes)
    if not is_new:
        await store.close()
        store = await open_store(tmp_path / "pulse.db")  # nothing of it is read
    assert write_over(tmp_path, before, after)
    await store.close()
    said = await refused(tmp_path)
    assert ("Another program wrote" in said, "pulse.db.changed" in said) == (True, True)
    (tmp_path / "pulse.db.changed").unlink()  # the person has looked
    again = await open_store(tmp_path / "pulse.db")
    assert again.health().status == "ok"
    await again.close()


async def test_a_row_added_by_sqlite_is_not_believed_at_the_next_start(tmp_path: Path) -> None:
    store = await written(tmp_path, PutClient(client=client()))
    added(tmp_path, "INSERT INTO clients SELECT user_id, 'client_2', body FROM clients")
    await store.close()
    assert "Another program wrote" in await refused(tmp_path)


async def test_what_is_written_where_no_start_reads_is_noticed_at_the_end_too(tmp_path: Path) -> None:
    store = await written(tmp_path, AddCard(card=card()))
    added(tmp_path, "INSERT INTO meta (user_id, key, value) VALUES ('anna', 'a', 'b')")
    await store.close()
    assert "Another program wrote" in await refused(tmp_path)


def added(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "pulse.db")
    connection.execute(statement)
    connection.commit()
    connection.close()


async def test_it_is_noticed_while_pulse_runs_and_outlasts_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, noted = asyncio.get_running_loop(), asyncio.Event()

    class HeardDamage(Damage):
        def note(self, error: BaseException) -> None:
            super().note(error)
            loop.call_soon_threadsafe(noted.set)

    monkeypatch.setattr(sqlite_store, "COMPARED_EVERY_S", 0.01)
    monkeypatch.setattr(sqlite_store, "Damage", HeardDamage)
    store = await written(tmp_path, PutClient(client=client()))
    assert write_over(tmp_path, MINE, THEIRS)
    await asyncio.wait_for(noted.wait(), 20)
    assert store.health().status == "down"
    assert (tmp_path / "pulse.db.changed").exists()  # even if Pulse is killed now
    await store.close()
    assert "Another program wrote" in await refused(tmp_path)


async def test_what_pulse_itself_wrote_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "COMPARED_EVERY_S", 0.001)
    first = card()
    store = await written(tmp_path, AddCard(card=first), AddCard(card=card("c2")), PutClient(client=client()))
    for number in range(50):
        await store.commit([(PutClient(client=client(f"client_{number}", token=THEIRS)), PutDevice(device=phone("A")))])
        await store.commit([(SaveMind(user=ANNA, mind=Mind(day_told=str(number))),)])
    await store.commit([(moved(first, Status.REJECTED),)])
    await store.commit([(AddExecution(execution=run(card_id="c2")), session())])
    ended = run(card_id="c2", state=RunState.VERIFIED)
    await store.commit([(MoveExecution(execution=ended, expect_state=RunState.QUEUED),)])
    await store.close()
    for _ in range(2):
        again = await open_store(tmp_path / "pulse.db")
        clients = await again.read(Clients(user=ANNA))
        assert len(clients) == 50
        await again.close()
        assert again.health().detail == "The store is closed."


def test_what_is_missing_was_moved_out_of_sight_but_an_old_session_may_have_been_dropped() -> None:
    known = KnownRows()
    known.keep([known_row(ANNA, session().session, {"body": "{}"})])
    known.require_standing([])
    known.keep([known_row(ANNA, waiting(), {"body": "{}"})])
    with pytest.raises(StoreChangedError, match="Execution x1"):
        known.require_standing([])


def test_no_client_is_ever_forgotten() -> None:
    known = KnownRows()
    for number in range(ROWS_KNOWN_MAX + 10):
        known.keep([known_row(ANNA, client(f"client_{number}"), {"body": "{}"})])
    with pytest.raises(StoreChangedError):
        known.require(known_row(ANNA, client("client_0"), {"body": "{ }"}))


async def test_a_mark_that_cannot_be_left_is_said(tmp_path: Path) -> None:
    store = await written(tmp_path, PutClient(client=client()))
    (tmp_path / "pulse.db.changed").mkdir()
    added(tmp_path, "DELETE FROM clients")
    await store.commit([(AddCard(card=card()),)])
    assert "The next start will not know it" in store.health().detail
    await store.close()
