"""The store in memory: the same answers as the durable one, held by tests/conformance/store."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import singledispatchmethod
from typing import TypeVar, cast

from msgspec.structs import replace

from hub.contract.api import HealthPart
from hub.domain.delivery import LedgerEntry
from hub.domain.drives import AddDriveSample, DropOldWakes, PutWake
from hub.domain.episode import Line, Step
from hub.domain.lessons import AddPair, DropPairs, MarkExported, TrainingPair
from hub.domain.mutations import AddMutation
from hub.domain.permission_grant import AddGrantEvent
from hub.domain.reports import StoredPair
from hub.domain.storage import (
    AddCard,
    AddExecution,
    Change,
    CommitOutcome,
    Committed,
    DeleteSent,
    DropTask,
    LogEntry,
    Lost,
    MoveCard,
    MoveExecution,
    Outgoing,
    PutClient,
    PutDevice,
    PutTask,
    Query,
    ReleaseLeases,
    Remember,
    SaveMind,
    Send,
    Unwritten,
)
from hub.domain.teaching import Taught
from hub.domain.world import AgentLine, WorldEvent
from hub.domain.world_lines import digest_of
from hub.domain.world_log_state import AddWorldLine, DropWorldLines, PutSession, PutWorldPlace
from hub.domain.world_queries import WorldPlace
from hub.io.store.check import check
from hub.io.store.claim import lease_end
from hub.io.store.errors import StoreClosedError
from hub.io.store.limits import LINES_PER_CARD_MAX
from tests.fakes.store_reads import answer
from tests.fakes.store_tables import Letter, Tables

T = TypeVar("T")


class _LostError(Exception):
    """An expectation did not hold: the transaction is to be taken back."""

    def __init__(self, what: str, card_of: tuple[str, str] | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.card_of = card_of


class MemoryStore:
    """The `Store` port on dictionaries. `refuse` makes the disk refuse writes until `accept`."""

    def __init__(self) -> None:
        self._tables = Tables()
        self._refusing: Unwritten | None = None
        self._trouble: Unwritten | None = None
        self._closed = False

    def refuse(self, code: str = "disk-full", detail: str = "no space left") -> None:
        """Let the disk refuse every write from now on."""
        self._refusing = Unwritten(code=code, detail=detail)

    def accept(self) -> None:
        """Let the disk take writes again."""
        self._refusing = None

    async def commit(self, transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        """Write several transactions, each whole or not at all."""
        self._check_open()
        for transaction in transactions:
            for change in transaction:
                check(change)
        if self._refusing is not None and transactions:
            self._trouble = self._refusing
            return (self._refusing,) * len(transactions)
        outcomes = tuple(self._commit_one(transaction) for transaction in transactions)
        await asyncio.sleep(0)  # others run meanwhile, as they do while a disk works
        return outcomes

    async def read(self, query: Query[T]) -> T:
        """Answer a query."""
        self._check_open()
        found = answer(query, self._tables)
        await asyncio.sleep(0)
        return cast("T", found)

    async def claim(self, *, now: datetime, lease_s: float, limit: int) -> tuple[Outgoing, ...]:
        """Lease messages; expired ones are removed."""
        self._check_open()
        if self._refusing is not None:
            self._trouble = self._refusing
            return ()
        for id_, letter in list(self._tables.outbox.items()):
            if letter.message.expires_at is not None and letter.message.expires_at <= now:
                del self._tables.outbox[id_]
        due = [letter for letter in self._tables.outbox.values() if letter.leased_until <= now]
        claimed = sorted(due, key=lambda letter: (letter.leased_until, letter.seq))[: max(limit, 0)]
        for letter in claimed:
            letter.leased_until = lease_end(now, lease_s, letter.claims)
            letter.claims += 1
        await asyncio.sleep(0)
        return tuple(letter.message for letter in claimed)

    def health(self) -> HealthPart:
        """Say how the store is."""
        if self._closed:
            return HealthPart(name="store", status="down", detail="The store is closed.")
        if self._trouble is not None:
            return HealthPart(name="store", status="degraded", detail=self._trouble.detail)
        return HealthPart(name="store", status="ok")

    async def close(self) -> None:
        """Refuse everything from now on."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError

    def _commit_one(self, transaction: tuple[Change, ...]) -> CommitOutcome:
        self._tables.begin()
        try:
            for change in transaction:
                self._write(change)
        except _LostError as lost:
            self._tables.take_back()
            card = self._tables.card(*lost.card_of) if lost.card_of else None
            return Lost(what=lost.what, card=card)
        self._trouble = None
        return Committed()

    @singledispatchmethod
    def _write(self, change: Change) -> None:
        raise TypeError(type(change).__name__)

    @_write.register
    def _(self, change: AddCard) -> None:
        if change.card.id in self._tables.cards:
            raise _LostError(f"add-card {change.card.id}")
        self._tables.set(self._tables.cards, change.card.id, change.card)

    @_write.register
    def _(self, change: MoveCard) -> None:
        card = change.card
        stored = self._tables.card(card.user, card.id)
        if stored is None or (stored.version, stored.status) != (change.expect_version, change.expect_status):
            raise _LostError(f"move-card {card.id}", (card.user, card.id))
        self._tables.set(self._tables.cards, card.id, card)

    @_write.register
    def _(self, change: AddExecution) -> None:
        run = change.execution
        attempt = (run.card_id, run.attempt)
        taken = run.id in self._tables.executions or attempt in self._tables.attempts
        if taken or self._tables.card(run.user, run.card_id) is None:
            raise _LostError(f"add-execution {run.id}")
        self._tables.set(self._tables.executions, run.id, run)
        self._tables.set(self._tables.attempts, attempt, run.id)

    @_write.register
    def _(self, change: MoveExecution) -> None:
        run = change.execution
        stored = self._tables.executions.get(run.id)
        expected = (run.user, run.card_id, run.attempt, change.expect_state)
        if stored is None or (stored.user, stored.card_id, stored.attempt, stored.state) != expected:
            raise _LostError(f"move-execution {run.id}")
        self._tables.set(self._tables.executions, run.id, run)

    @_write.register
    def _(self, step: Step) -> None:
        if step.card_id not in self._tables.cards:
            raise _LostError(f"add-step {step.card_id}")
        steps = self._tables.steps.get(step.card_id, ())
        if isinstance(step.body, Line) and sum(isinstance(s.body, Line) for s in steps) >= LINES_PER_CARD_MAX:
            return
        self._tables.set(self._tables.steps, step.card_id, (*steps, step))

    @_write.register
    def _(self, change: SaveMind) -> None:
        self._tables.set(self._tables.minds, change.user, change.mind)

    @_write.register
    def _(self, change: Remember) -> None:
        self._tables.set(self._tables.known, (change.user, change.known.key), change.known)

    @_write.register
    def _(self, entry: LogEntry) -> None:
        if entry.card_id is not None and self._tables.card(entry.user, entry.card_id) is None:
            raise _LostError(f"write-log {entry.card_id}")
        self._tables.set(self._tables.log, len(self._tables.log), entry)

    @_write.register
    def _(self, change: PutWake) -> None:
        self._tables.set(self._tables.wakes, (change.user, change.wake.id), change.wake)

    @_write.register
    def _(self, change: DropOldWakes) -> None:
        wakes = self._tables.wakes
        mine = sorted((wake.at, wake.id) for (user, _), wake in wakes.items() if user == change.user)
        for _, wake_id in mine[: max(0, len(mine) - change.kept)]:
            self._tables.drop(wakes, (change.user, wake_id))

    @_write.register
    def _(self, change: AddMutation) -> None:
        number = len(self._tables.mutations)
        self._tables.set(self._tables.mutations, number, (change.user, change.record))

    @_write.register
    def _(self, change: AddDriveSample) -> None:
        number = len(self._tables.samples)
        self._tables.set(self._tables.samples, number, (change.user, change.sample))

    @_write.register
    def _(self, change: AddGrantEvent) -> None:
        number = len(self._tables.grant_events)
        self._tables.set(self._tables.grant_events, number, (change.user, change.event))

    @_write.register
    def _(self, taught: Taught) -> None:
        self._tables.set(self._tables.taught, (taught.user, taught.card_id), taught)

    @_write.register
    def _(self, change: PutTask) -> None:
        self._tables.set(self._tables.tasks, (change.user, change.task.id), change.task)

    @_write.register
    def _(self, change: DropTask) -> None:
        if (change.user, change.task_id) not in self._tables.tasks:
            raise _LostError(f"drop-task {change.task_id}")
        self._tables.drop(self._tables.tasks, (change.user, change.task_id))

    @_write.register
    def _(self, change: PutDevice) -> None:
        device = change.device
        self._tables.set(self._tables.devices, (device.user, device.surface, device.device), device)

    @_write.register
    def _(self, entry: LedgerEntry) -> None:
        key = (entry.user, entry.id)
        self._tables.set(self._tables.deliveries, key, entry)
        if key not in self._tables.sent_at:
            self._tables.set(self._tables.sent_at, key, entry.at)

    @_write.register
    def _(self, change: PutClient) -> None:
        self._tables.set(self._tables.clients, (change.client.user, change.client.id), change.client)

    @_write.register
    def _(self, change: Send) -> None:
        message = change.message
        if message.id in self._tables.outbox:
            raise _LostError(f"send {message.id}")
        self._tables.seq += 1
        self._tables.set(self._tables.outbox, message.id, Letter(self._tables.seq, message, change.leased_until))

    @_write.register
    def _(self, change: ReleaseLeases) -> None:
        for id_, letter in list(self._tables.outbox.items()):
            if letter.message.topic == change.topic and letter.leased_until > change.at:
                self._tables.set(self._tables.outbox, id_, Letter(letter.seq, letter.message, change.at))

    @_write.register
    def _(self, change: AddPair) -> None:
        self._drop_pairs(change.pair.user, lambda pair: pair.chosen_id == change.pair.chosen_id)
        number = max(self._tables.pairs, default=0) + 1
        self._tables.set(self._tables.pairs, number, StoredPair(number=number, pair=change.pair))

    @_write.register
    def _(self, change: DropPairs) -> None:
        self._drop_pairs(change.user, lambda pair: change.card_id in {pair.chosen_id, pair.rejected_id})

    def _drop_pairs(self, user: str, goes: Callable[[TrainingPair], bool]) -> None:
        for number, stored in list(self._tables.pairs.items()):
            if stored.pair.user == user and goes(stored.pair):
                self._tables.drop(self._tables.pairs, number)

    @_write.register
    def _(self, change: MarkExported) -> None:
        for number, stored in list(self._tables.pairs.items()):
            if stored.pair.user == change.user and number <= change.through and stored.exported_at is None:
                self._tables.set(self._tables.pairs, number, replace(stored, exported_at=change.at))

    @_write.register
    def _(self, change: DeleteSent) -> None:
        for id_ in change.ids:
            self._tables.drop(self._tables.outbox, id_)

    @_write.register
    def _(self, change: PutSession) -> None:
        self._tables.set(self._tables.world_sessions, (change.user, change.session.id), change.session)

    @_write.register
    def _(self, change: PutWorldPlace) -> None:
        place = WorldPlace(cursor=change.cursor, intake=change.intake)
        self._tables.set(self._tables.world_places, change.user, place)

    @_write.register
    def _(self, change: AddWorldLine) -> None:
        if (change.user, change.out.id) not in self._tables.world_lines:
            self._tables.set(self._tables.world_lines, (change.user, change.out.id), change.out)
        line = change.out.line
        if isinstance(line, AgentLine | WorldEvent) and line.at is not None:
            own = (change.user, digest_of(line))
            if own not in self._tables.own_lines:
                self._tables.set(self._tables.own_lines, own, line.at)

    @_write.register
    def _(self, change: DropWorldLines) -> None:
        for id_ in change.ids:
            self._tables.drop(self._tables.world_lines, (change.user, id_))
