"""What is kept of the world log has a bound, and no flood of one kind of session makes another go."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.storage import Change, Committed
from hub.domain.world_log_state import AddWorldLine, PutSession, PutWorldPlace, WorldIntake
from hub.domain.world_queries import WorldLinesOut, WorldSessions
from hub.io.store import world
from hub.io.store.sqlite import open_store
from tests.conformance.store.samples import ANNA
from tests.conformance.store.test_store_world import ALL, out, session

KEPT = 3
PLACE = PutWorldPlace(user=ANNA, cursor=b"", intake=WorldIntake())


async def kept_of(path: Path, *changes: Change) -> tuple[set[str], list[str]]:
    """Return which sessions and lines are still there after each of the changes."""
    store = await open_store(path)
    for change in changes:
        assert await store.commit([(change, PLACE)]) == (Committed(),)
    sessions = await store.read(WorldSessions(user=ANNA, statuses=ALL, limit=99))
    lines = await store.read(WorldLinesOut(user=ANNA, limit=99))
    await store.close()
    return {one.id for one in sessions}, [one.id for one in lines]


def put(id_: str, status: AgentStatus = AgentStatus.ACTIVE, owner: str = "") -> PutSession:
    return PutSession(user=ANNA, session=replace(session(id_, status), owner=owner))


async def test_a_flood_of_one_kind_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "WORLD_SESSIONS_MAX", KEPT)
    changes = [put("mine", owner="cli_1"), put("done", AgentStatus.VERIFIED), put("file")]
    changes += [put(f"s{number}") for number in range(5)] + [put("s2") for _ in range(9)]
    kept, _ = await kept_of(tmp_path / "pulse.db", *changes)
    assert kept == {"mine", "done", "s2", "s3", "s4"}


async def test_verified_sessions_go_in_the_order_in_which_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world, "WORLD_SESSIONS_MAX", KEPT)
    began = [put(f"s{number}", owner="cli_1") for number in range(3)]
    ended = [put(f"s{number}", AgentStatus.VERIFIED, "cli_1") for number in (2, 0, 1)]
    kept, _ = await kept_of(tmp_path / "pulse.db", *began, *ended, put("late", AgentStatus.VERIFIED, "cli_1"))
    assert kept == {"s0", "s1", "late"}


async def test_the_latest_lines_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "WORLD_LINES_MAX", KEPT)
    _, lines = await kept_of(
        tmp_path / "pulse.db", *(AddWorldLine(user=ANNA, out=out(f"l{number}")) for number in range(5))
    )
    assert lines == ["l2", "l3", "l4"]
