"""Random histories: the store in memory and the durable one give the same outcomes and the same answers."""

import asyncio
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from hub.contract.attention import Held
from hub.contract.words import RunState, Status
from hub.contract.world import AgentStatus
from hub.domain.lessons import AddPair, DropPairs, MarkExported
from hub.domain.mind import Known, Mind
from hub.domain.reports import (
    AnsweredForReason,
    AnsweredInChannel,
    ChannelsNow,
    CountPairs,
    EpisodesAfter,
    PairsAfter,
    SettledCards,
    Tallies,
    TalliesOf,
)
from hub.domain.storage import (
    AddCard,
    AddExecution,
    CardById,
    CardsByIds,
    CardsSince,
    Change,
    CountOpen,
    DeleteSent,
    DeliveriesOf,
    DropTask,
    DueCards,
    ExecutionsOf,
    HeldCards,
    KnownReasons,
    LogSince,
    MindOf,
    MoveCard,
    MoveExecution,
    NextDue,
    OpenCards,
    OpenExecutions,
    OutboxDepth,
    PutTask,
    Query,
    RecentCards,
    ReleaseLeases,
    Remember,
    SaveMind,
    StepsOf,
    Tasks,
)
from hub.domain.world_log_state import AddWorldLine, DropWorldLines, PutSession, PutWorldPlace, WorldIntake
from hub.domain.world_queries import (
    WorldLinesOut,
    WorldPlaceOf,
    WorldSessions,
    WorldSessionsBetween,
    WorldSessionsByIds,
)
from hub.io.store.sqlite import open_store
from hub.ports import Store
from tests.conformance.store.samples import (
    ANNA,
    BERT,
    NOON,
    after,
    card,
    delivery,
    line,
    log_entry,
    message,
    pair,
    run,
    send,
    step,
    task,
)
from tests.conformance.store.test_store_world import out, session
from tests.fakes.store import MemoryStore

T = TypeVar("T")

users = st.sampled_from([ANNA, BERT])
ids = st.sampled_from(["a", "b", "c"])
seconds = st.integers(0, 9)
maybe_seconds = st.none() | seconds
statuses = st.sampled_from(Status)
states = st.sampled_from(RunState)
versions = st.integers(1, 3)
prompts = st.sampled_from(["Run the tests", "50% of a_b!", "Grüße"])

plain_cards = st.builds(
    card,
    ids,
    user=users,
    status=statuses,
    created=seconds,
    expires=seconds,
    snoozed=maybe_seconds,
    prompt=prompts,
    channel=st.sampled_from(["koji-core", "chronicle-hub"]),
)
marks = st.none() | st.just(Held(until="digest", since=NOON))
cards = st.builds(lambda made, held: msgspec.structs.replace(made, held=held), plain_cards, marks)
runs = st.builds(run, ids, card_id=ids, user=users, attempt=versions, state=states, queued=seconds)


def moving(to: object, version: int, expect: Status) -> MoveCard:
    assert isinstance(to, type(card()))
    after_it = msgspec.structs.replace(to, version=version + 1)
    return MoveCard(card=after_it, expect_version=version, expect_status=expect)


changes: st.SearchStrategy[Change] = st.one_of(
    cards.map(lambda made: AddCard(card=made)),
    st.builds(moving, cards, versions, statuses),
    st.builds(AddExecution, execution=runs),
    st.builds(MoveExecution, execution=runs, expect_state=states),
    st.builds(step, ids, at=seconds) | st.builds(line, versions, ids),
    st.builds(SaveMind, user=users, mind=st.builds(Mind, started_at=st.none() | seconds.map(after))),
    st.builds(Remember, user=users, known=st.builds(Known, key=ids, signature=ids, at=seconds.map(after))),
    st.builds(log_entry, st.none() | ids, at=seconds, user=users),
    st.builds(PutTask, user=users, task=st.builds(task, ids, status=st.sampled_from(["queued", "failed"]))),
    st.builds(DropTask, user=users, task_id=ids),
    st.builds(delivery, ids, card_id=ids, at=seconds, loudness=st.sampled_from(["silent", "notify"])),
    st.builds(send, ids, leased=seconds, expires=maybe_seconds),
    st.builds(ReleaseLeases, topic=st.just(message().topic), at=seconds.map(after)),
    st.builds(AddPair, pair=st.builds(pair, ids, ids, user=users, at=seconds)),
    st.builds(DropPairs, user=users, card_id=ids),
    st.builds(MarkExported, user=users, through=versions, at=seconds.map(after)),
    st.builds(DeleteSent, ids=st.lists(ids, max_size=2).map(tuple)),
    st.builds(
        PutSession,
        user=users,
        session=st.builds(session, ids, st.sampled_from(AgentStatus), started=seconds, heard=seconds),
    ),
    st.builds(PutWorldPlace, user=users, cursor=st.binary(max_size=2), intake=st.builds(WorldIntake, lines=versions)),
    st.builds(AddWorldLine, user=users, out=st.builds(out, ids)),
    st.builds(DropWorldLines, user=users, ids=st.lists(ids, max_size=2).map(tuple)),
)


def exact(tallies: Tallies) -> object:
    """Return the tallies with sums that do not show in which order they were added up."""
    bands = tuple(
        (one.band, one.status, one.autonomous, one.cards, round(one.confidence_sum, 9)) for one in tallies.bands
    )
    return msgspec.structs.replace(tallies, bands=()), bands


class SameAnswers(RuleBasedStateMachine):
    """Does everything to both stores and compares."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self._memory: Store = MemoryStore()

    @initialize()
    def open(self) -> None:
        self._sqlite: Store = self._do(open_store(Path(self._folder.name) / "pulse.db"))

    def _do(self, work: Awaitable[T]) -> T:
        async def wait() -> T:
            return await work

        return self._runner.run(wait())

    def _same(self, *queries: Query[Any]) -> None:
        """Ask both all of them, at once: beginning to wait costs more than an answer."""
        durable = self._do(asyncio.gather(*(self._sqlite.read(query) for query in queries)))
        expected = self._do(asyncio.gather(*(self._memory.read(query) for query in queries)))
        for query, found, right in zip(queries, durable, expected, strict=True):
            assert found == right, query

    @rule(transactions=st.lists(st.lists(changes, max_size=4).map(tuple), max_size=3))
    def commit(self, transactions: list[tuple[Change, ...]]) -> None:
        assert self._do(self._sqlite.commit(transactions)) == self._do(self._memory.commit(transactions))

    @rule(at=seconds, lease_s=seconds, limit=st.integers(-1, 3))
    def claim(self, at: int, lease_s: int, limit: int) -> None:
        now = after(at)
        claimed = self._do(self._sqlite.claim(now=now, lease_s=lease_s, limit=limit))
        assert claimed == self._do(self._memory.claim(now=now, lease_s=lease_s, limit=limit))

    @rule()
    def reopen(self) -> None:
        self._do(self._sqlite.close())
        self.open()

    @rule(user=users, at=seconds, limit=st.integers(-1, 4), status=st.none() | statuses, id_=ids)
    def ask_with_arguments(self, user: str, at: int, limit: int, status: Status | None, id_: str) -> None:
        now = after(at)
        self._same(
            OpenCards(user=user, limit=limit, now=now, channel="koji-core"),
            OpenCards(user=user, limit=limit, now=now, snoozed=True),
            HeldCards(user=user, limit=limit),
            DueCards(user=user, now=now, limit=limit),
            RecentCards(user=user, limit=limit, before=now, status=status),
            RecentCards(user=user, limit=limit, status=status, search="tEsTs"),
            CardsSince(user=user, since=now, limit=limit),
            OpenExecutions(user=user, limit=limit),
            ExecutionsOf(user=user, card_id=id_),
            StepsOf(user=user, card_id=id_, limit=limit),
            DeliveriesOf(user=user, card_ids=(id_, "c2", "c1")),
            LogSince(user=user, since=now, limit=limit),
            Tasks(user=user, limit=limit, open_only=True),
            CardById(user=user, card_id=id_),
            SettledCards(user=user, limit=limit),
            PairsAfter(user=user, after=at, limit=limit),
            AnsweredForReason(user=user, reason_key="tests:hub/store", limit=limit),
            AnsweredInChannel(user=user, channel="koji-core", limit=limit),
            ChannelsNow(user=user, channels=("koji-core", "garden"), since=now),
            EpisodesAfter(user=user, at=now, card_id=id_, limit=limit, steps_max=limit),
            WorldSessionsByIds(user=user, ids=(id_,)),
            WorldSessions(user=user, statuses=(AgentStatus.FAILED, AgentStatus.ACTIVE), limit=limit),
            WorldSessionsBetween(user=user, start=now, end=after(at + 3), limit=limit),
            WorldLinesOut(user=user, limit=limit),
        )

    @rule(user=users, at=seconds, days=st.integers(0, 3))
    def count(self, user: str, at: int, days: int) -> None:
        bounds = tuple(after(at + 3 * day) for day in range(days + 1))
        query = TalliesOf(user=user, bounds=bounds, rows_max=99)
        assert exact(self._do(self._sqlite.read(query))) == exact(self._do(self._memory.read(query)))

    @invariant()
    def everything_is_the_same(self) -> None:
        if not hasattr(self, "_sqlite"):
            return
        self._same(
            RecentCards(user=ANNA, limit=9),
            CardsByIds(user=BERT, ids=("a", "b", "c")),
            CountOpen(user=ANNA),
            NextDue(user=ANNA),
            KnownReasons(user=ANNA, limit=9),
            MindOf(user=ANNA),
            Tasks(user=ANNA, limit=9),
            LogSince(user=ANNA, since=NOON, limit=99),
            OutboxDepth(),
            CountPairs(user=ANNA),
            PairsAfter(user=ANNA, after=0, limit=99),
            WorldSessions(user=ANNA, statuses=tuple(AgentStatus), limit=99),
            WorldLinesOut(user=BERT, limit=99),
            WorldPlaceOf(user=ANNA),
        )

    def teardown(self) -> None:
        if hasattr(self, "_sqlite"):
            self._do(self._sqlite.close())
        self._runner.close()
        self._folder.cleanup()


SameAnswers.TestCase.settings = settings(
    max_examples=50, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestSameAnswers = pytest.mark.slow(SameAnswers.TestCase)
