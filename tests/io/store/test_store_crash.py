"""kill -9 in the middle of writing: what was said to be committed is there, and every transaction is whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from hub.domain.storage import CardsSince, OutboxDepth, StepsOf
from hub.io.store.sqlite import open_store
from tests.conformance.store.samples import ANNA, NOON, step

CHILD = Path(__file__).with_name("crash_child.py")
ROOT = Path(__file__).parents[3]
SAID_BEFORE_KILL = 150
CARDS_MAX = 1_000_000


def write_until_killed(path: Path, first: int) -> list[str]:
    """Return what the child said was committed, up to its last breath."""
    command = [sys.executable, str(CHILD), str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}) as child:
        assert child.stdout is not None
        said = [child.stdout.readline().strip() for _ in range(SAID_BEFORE_KILL)]
        child.kill()
        return said + [line.strip() for line in child.stdout if line.endswith("\n")]


async def check(path: Path, said: set[str]) -> None:
    store = await open_store(path)
    stored = {card.id for card in await store.read(CardsSince(user=ANNA, since=NOON, limit=CARDS_MAX))}
    assert said <= stored
    assert await store.read(OutboxDepth()) == len(stored)
    for id_ in stored:
        assert await store.read(StepsOf(user=ANNA, card_id=id_, limit=9)) == (step(id_),)
    await store.close()


async def kill_and_check(path: Path, rounds: int) -> None:
    said: set[str] = set()
    for number in range(rounds):
        lines = write_until_killed(path, number * CARDS_MAX)
        assert len(lines) >= SAID_BEFORE_KILL
        assert "" not in lines
        said |= set(lines)
    await check(path, said)


@pytest.mark.slow
async def test_nothing_said_to_be_committed_is_lost(tmp_path: Path) -> None:
    await kill_and_check(tmp_path / "pulse.db", 1)


@pytest.mark.slow
async def test_nothing_is_lost_over_many_crashes(tmp_path: Path) -> None:
    await kill_and_check(tmp_path / "pulse.db", 8)
