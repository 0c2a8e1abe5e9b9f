"""Flipped bits, in the store and in its log: a clear error or health that is not ok, never a bug and never "ok"."""

import asyncio
import random
import shutil
import sqlite3
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hub.contract.errors import PulseError
from hub.domain.storage import AddCard, AddExecution, CardById, Query, RecentCards, StepsOf, Unwritten
from hub.io.store.sqlite import SqliteStore, open_store
from tests.conformance.store.samples import ANNA, card, step
from tests.conformance.store.samples import run as execution
from tests.hostile.trial import Outcome, Trial

CARDS = 60
SEED = 20
FLIPS_MAX = 3
HEADER_BYTES = 100
FILES = ("pulse.db", "pulse.db-wal")


def run(attempts: int) -> Outcome:
    """Flip bits in so many copies of one store; open, read and write each."""
    folder = Path(tempfile.mkdtemp(prefix="pulse-flips-"))
    draw = random.Random(SEED)  # noqa: S311  the same flips each time
    try:
        asyncio.run(make(folder / "whole"))
        seen = Counter(attempted(folder, draw) for _ in range(attempts))
    finally:
        shutil.rmtree(folder)
    figures = {name: str(count) for name, count in sorted(seen.items())}
    return Outcome(attempts=attempts, got_through=seen["a bug"] + seen["damaged and ok"], figures=figures)


async def make(folder: Path) -> None:
    """Make a store as a kill leaves it: a part of it in the file, the last commits in the log."""
    store = await open_store(folder / "made.db")
    for number in range(CARDS):
        name = f"c{number}"
        changes = (
            AddCard(card=card(name)),
            step(name),
            AddExecution(execution=execution(f"x{number}", card_id=name)),
        )
        await store.commit([changes])
        if number == CARDS // 2:
            await store.close()
            store = await open_store(folder / "made.db")
    for end in ("", "-wal"):
        shutil.copy(folder / f"made.db{end}", folder / f"pulse.db{end}")
    await store.close()


def attempted(folder: Path, draw: random.Random) -> str:
    """Flip bits in one copy; return what came of it."""
    copy = folder / "copy"
    copy.mkdir()
    try:
        for name in FILES:
            shutil.copy(folder / "whole" / name, copy / name)
        hurt = flipped(copy / draw.choice(FILES), draw)
        said = asyncio.run(used(copy / "pulse.db"))
        return said if said != "ok" else judged(copy / "pulse.db", hurt)
    finally:
        shutil.rmtree(copy)


def flipped(path: Path, draw: random.Random) -> Path:
    """Flip one to three bits, half of the time in the first bytes."""
    content = bytearray(path.read_bytes())
    for _ in range(draw.randint(1, FLIPS_MAX)):
        at = draw.randrange(HEADER_BYTES if draw.random() < 1 / 4 else len(content))
        content[at] ^= 1 << draw.randrange(8)
    path.write_bytes(bytes(content))
    return path


async def used(path: Path) -> str:
    """Open, read everything and write; return "ok" only if nobody noticed anything."""
    try:
        store = await open_store(path)
    except PulseError:
        return "refused at the start"
    except Exception:  # noqa: BLE001  that is what is counted
        return "a bug"
    try:
        return await looked_through(store)
    except PulseError:
        return "found while running" if store.health().status != "ok" else "damaged and ok"
    except Exception:  # noqa: BLE001  that is what is counted
        return "a bug"
    finally:
        await store.close()


async def looked_through(store: SqliteStore) -> str:
    """Read all that is there, and write."""
    queries: list[Query[Any]] = [RecentCards(user=ANNA, limit=2 * CARDS)]
    for number in range(CARDS):
        queries += [CardById(user=ANNA, card_id=f"c{number}"), StepsOf(user=ANNA, card_id=f"c{number}", limit=10)]
    for query in queries:
        await store.read(query)
    (outcome,) = await store.commit([(AddCard(card=card("new")),)])
    if isinstance(outcome, Unwritten) or store.health().status != "ok":
        return "found while running" if store.health().status != "ok" else "damaged and ok"
    return "ok"


def judged(path: Path, hurt: Path) -> str:
    """Nobody noticed: return whether there was something that can be noticed."""
    connection = sqlite3.connect(path)
    said = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    cards = connection.execute("SELECT count(*) FROM predictions").fetchone()[0]
    connection.close()
    if said != "ok":
        return "damaged and ok"
    if cards < CARDS:  # one more was written; the last commit of a log may have been cut off by a crash
        return "damaged and ok"
    return f"harmless, or a letter in a text ({hurt.suffix[1:]})"


TRIAL = Trial(
    name="flipped_databases",
    promise="A damaged store is refused or makes health say so; nothing is taken for well",
    run=run,
    short=20,
    long=400,
)
