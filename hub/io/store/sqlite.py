"""The store on SQLite: one thread writes, another reads; asyncio only waits."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from hub.contract.api import HealthPart
from hub.domain.storage import Change, CommitOutcome, Outgoing, Query, Unwritten
from hub.io.store.claim import Claim
from hub.io.store.connect import mark_changed, open_reader
from hub.io.store.damage import BackgroundCheck, Damage
from hub.io.store.known_rows import KnownRows
from hub.io.store.limits import COMPARED_EVERY_S, STORE_BYTES_MAX
from hub.io.store.reader import Reader
from hub.io.store.standing import compare
from hub.io.store.writer import Writer, apply
from hub.io.store.writes import operations_of

T = TypeVar("T")


class SqliteStore:
    """The `Store` port on one file. Make it with `open_store`; it belongs to the event loop that opened it."""

    def __init__(self, writer: Writer, reader: Reader, damage: Damage, check: BackgroundCheck) -> None:
        self._damage = damage
        self._check = check
        self._writer = writer
        self._reader = reader
        self._closed = False

    async def commit(self, transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        """Write several transactions with one disk synchronisation, shared with whoever else waits.

        Waits for room when too many wait already. Once it waits for the disk the work is done even if the caller is
        cancelled.

        Raises:
            BrokenChangeError: a change could not be read back or breaks its own rule; nothing was written.
            StoreClosedError: the store is closed.
        """
        if not transactions:
            return ()
        units = [partial(apply, operations_of(transaction)) for transaction in transactions]
        answers = await self._writer.ask(units)
        if isinstance(answers, Unwritten):
            return (answers,) * len(units)
        return cast("tuple[CommitOutcome, ...]", answers)

    async def read(self, query: Query[T]) -> T:
        """Answer a query; whatever `commit` returned before is seen.

        A text search (`RecentCards.search`) ignores the case of A to Z, takes the first `SEARCH_CHARS_MAX` letters,
        and looks through the newest `SEARCHED_ROWS_MAX` cards before `before` only, so that it stays as fast however
        much is stored.

        Raises:
            StoreError: the file cannot be read.
            StoreClosedError: the store is closed.
        """
        return cast("T", await self._reader.ask(query))

    async def claim(self, *, now: datetime, lease_s: float, limit: int) -> tuple[Outgoing, ...]:
        """Lease messages whose lease has run out, the one that waited longest first; expired ones are removed.

        While the disk refuses, nothing can be leased: the answer is empty and `health` says why.

        Raises:
            StoreClosedError: the store is closed.
        """
        answers = await self._writer.ask([Claim(now=now, lease_s=lease_s, limit=limit)])
        return () if isinstance(answers, Unwritten) else cast("tuple[Outgoing, ...]", answers[0])

    def health(self) -> HealthPart:
        """Say how the store is: degraded from a refused write until one succeeds, down for good once it is damaged."""
        if self._closed:
            return HealthPart(name="store", status="down", detail="The store is closed.")
        if self._damage.found is not None:
            found = self._damage.found
            return HealthPart(name="store", status="down", detail=f"{found.detail} {found.fix}".strip())
        trouble = self._writer.trouble
        if trouble is not None:
            return HealthPart(name="store", status="degraded", detail=trouble.detail)
        return HealthPart(name="store", status="ok")

    def group_counts(self) -> tuple[int, int]:
        """Return how many disk transactions there were, and how many requests they carried."""
        return self._writer.groups, self._writer.requests

    async def close(self) -> None:
        """Finish what was accepted, compare what the next start believes, and let go of the file.

        Closing twice is fine.
        """
        was_closed, self._closed = self._closed, True
        await asyncio.to_thread(self._check.close)
        await self._reader.close()
        if was_closed:
            await self._writer.close()
            return
        await self._writer.ask(())  # nothing to write: it asks whether another program did
        await self._writer.close()
        await asyncio.to_thread(self._check.compare)


async def open_store(path: Path, *, size_bytes_max: int = STORE_BYTES_MAX) -> SqliteStore:
    """Open the store, creating or upgrading its file; an upgrade makes a backup beside it first.

    Args:
        path: The file; its folder is made if missing. Both are private to their owner.
        size_bytes_max: Size of the file at which commits are refused with `disk-full`.

    Raises:
        StoreError: the file is damaged, foreign, newer, locked, or cannot be written; it is left as it is.
    """
    damage = Damage(partial(mark_changed, path))
    known = KnownRows()
    writer = Writer(path, size_bytes_max, damage, known)
    await writer.start()
    reader = Reader(path, damage, known)
    try:
        await reader.start()
    except BaseException:
        await writer.close()
        raise
    check = BackgroundCheck(path, damage, open_reader, compare=partial(compare, path, known), every_s=COMPARED_EVERY_S)
    check.start()
    return SqliteStore(writer, reader, damage, check)
