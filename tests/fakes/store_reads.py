"""How the store in memory answers each query."""

import string
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import singledispatch
from typing import Any, TypeVar

from hub.contract.words import MoveReason, RunState, Source, Status
from hub.domain.canonical import visible
from hub.domain.delivery import Device, LedgerEntry
from hub.domain.drives import DriveSample, Wake
from hub.domain.episode import Step
from hub.domain.execution import Execution
from hub.domain.mind import Known, Mind
from hub.domain.mutations import MutationRecord
from hub.domain.permission_grant import GrantEvent
from hub.domain.reports import (
    AnsweredAsks,
    AsksOf,
    DriveMutations,
    DriveSamples,
    GrantEvents,
    MutationsFrom,
    MutationsThere,
    WakeById,
    Wakes,
    WakesThere,
)
from hub.domain.situation import Task
from hub.domain.storage import (
    CardById,
    CardsByIds,
    CardsSince,
    Client,
    Clients,
    CountOpen,
    CountOpenAsks,
    DeliveriesOf,
    DeliveryById,
    Devices,
    DueCards,
    ExecutionById,
    ExecutionsOf,
    HeldCards,
    KnownReasons,
    LogEntry,
    LogSince,
    MindOf,
    NextDue,
    OpenCards,
    OpenExecutions,
    OutboxDepth,
    Query,
    RecentCards,
    StepsOf,
    TaskById,
    Tasks,
)
from hub.domain.suggestion import Card
from hub.io.store.limits import SEARCH_CHARS_MAX, SEARCHED_ROWS_MAX
from tests.fakes.store_looks import ANSWERS
from tests.fakes.store_tables import Tables
from tests.fakes.store_world import ANSWERS as WORLD_ANSWERS

T = TypeVar("T")

END_OF_TIME = datetime.max.replace(tzinfo=UTC)
OPEN_RUNS = frozenset({RunState.QUEUED, RunState.ACTIVE})
OPEN_TASKS = frozenset({"queued", "running"})
ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@singledispatch
def answer(query: Query[Any], tables: Tables) -> object:
    """Answer a query."""
    raise TypeError(f"{type(query).__name__}, {tables}")


def _newest(tables: Tables, user: str) -> list[Card]:
    mine = (card for card in tables.cards.values() if card.user == user)
    return sorted(mine, key=lambda card: (card.created_at, card.id), reverse=True)


def _pending(tables: Tables, user: str) -> list[Card]:
    return [card for card in _newest(tables, user) if card.status is Status.PENDING]


@answer.register
def _(query: CardById, tables: Tables) -> Card | None:
    return tables.card(query.user, query.card_id)


@answer.register
def _(query: CardsByIds, tables: Tables) -> dict[str, Card]:
    return {id_: card for id_ in query.ids if (card := tables.card(query.user, id_)) is not None}


@answer.register
def _(query: OpenCards, tables: Tables) -> tuple[Card, ...]:
    def shown(card: Card) -> bool:
        awake = query.snoozed or card.snoozed_until is None or card.snoozed_until <= query.now
        return awake and query.channel in {None, card.proposal.channel}

    return _first(filter(shown, _pending(tables, query.user)), query.limit)


@answer.register
def _(query: AnsweredAsks, tables: Tables) -> tuple[Card, ...]:
    answered = [
        card
        for card in tables.cards.values()
        if card.user == query.user
        and card.proposal.source is Source.ASK
        and (card.status in {Status.CONFIRMED, Status.REJECTED} or card.status_reason is MoveReason.OVERRULED)
        and not card.autonomous
        and card.settled_at is not None
    ]
    answered.sort(key=lambda card: (card.settled_at or card.created_at, card.id), reverse=True)
    return _first(answered, query.limit)


@answer.register
def _(query: AsksOf, tables: Tables) -> tuple[Card, ...]:
    mine = [card for card in tables.cards.values() if card.user == query.user]
    ended = [card for card in mine if card.status is not Status.PENDING]
    ended.sort(key=lambda card: (card.stands_since, card.id), reverse=True)
    looked_at = [card for card in mine if card.status is Status.PENDING] + ended[: max(query.ended_max, 0)]
    return tuple(
        card for card in looked_at if card.proposal.source is Source.ASK and card.proposal.signature == query.client
    )


@answer.register
def _(query: Wakes, tables: Tables) -> tuple[Wake, ...]:
    mine = [wake for (user, _), wake in tables.wakes.items() if user == query.user]
    since = [wake for wake in mine if query.since is None or wake.at >= query.since]
    return _first(sorted(since, key=lambda wake: (wake.at, wake.id), reverse=True), query.limit)


@answer.register
def _(query: WakeById, tables: Tables) -> Wake | None:
    return tables.wakes.get((query.user, query.wake_id))


@answer.register
def _(query: DriveMutations, tables: Tables) -> tuple[MutationRecord, ...]:
    mine = [record for user, record in tables.mutations.values() if user == query.user]
    return _first(mine[query.first :], query.limit)


@answer.register
def _(query: WakesThere, tables: Tables) -> tuple[str, ...]:
    return tuple(wake_id for wake_id in query.ids if (query.user, wake_id) in tables.wakes)


@answer.register
def _(query: MutationsThere, tables: Tables) -> tuple[str, ...]:
    mine = {record.id for user, record in tables.mutations.values() if user == query.user}
    return tuple(sorted(mine & set(query.ids)))


@answer.register
def _(query: MutationsFrom, tables: Tables) -> tuple[MutationRecord, ...]:
    mine = [record for user, record in tables.mutations.values() if user == query.user]
    place = next((place for place, record in enumerate(mine) if record.id == query.record_id), len(mine))
    return _first(mine[place:], query.limit)


@answer.register
def _(query: DriveSamples, tables: Tables) -> tuple[DriveSample, ...]:
    mine = [sample for user, sample in tables.samples.values() if user == query.user]
    first = max((sample.at for sample in mine if sample.at < query.since), default=query.since)
    since = [sample for sample in mine if sample.at >= first]
    return _first(sorted(since, key=lambda sample: sample.at)[::-1], query.limit)


@answer.register
def _(query: GrantEvents, tables: Tables) -> tuple[GrantEvent, ...]:
    mine = [event for user, event in tables.grant_events.values() if user == query.user]
    return _first((one for one in reversed(mine) if query.grant_id in {"", one.grant_id}), query.limit)


@answer.register
def _(query: HeldCards, tables: Tables) -> tuple[Card, ...]:
    return _first((card for card in reversed(_pending(tables, query.user)) if card.held is not None), query.limit)


@answer.register
def _(query: CountOpen, tables: Tables) -> int:
    return len(_pending(tables, query.user))


@answer.register
def _(query: CountOpenAsks, tables: Tables) -> dict[str, int]:
    asks = [card.proposal.signature for card in _pending(tables, query.user) if card.proposal.source is Source.ASK]
    return dict(Counter(asks))


@answer.register
def _(query: DueCards, tables: Tables) -> tuple[Card, ...]:
    due = sorted((_due_at(card), card.id, card) for card in _pending(tables, query.user) if _due_at(card) <= query.now)
    return _first((card for _, _, card in due), query.limit)


@answer.register
def _(query: NextDue, tables: Tables) -> object:
    return min(map(_due_at, _pending(tables, query.user)), default=None)


@answer.register
def _(query: RecentCards, tables: Tables) -> tuple[Card, ...]:
    before = query.before or END_OF_TIME
    of_status = (card for card in _newest(tables, query.user) if query.status in {None, card.status})
    cards = [card for card in of_status if card.created_at < before]
    if query.search:
        text = query.search[:SEARCH_CHARS_MAX].translate(ASCII_LOWER)
        newest = cards[:SEARCHED_ROWS_MAX]
        cards = [card for card in newest if text in visible(card.prompt).translate(ASCII_LOWER)]
    return _first(cards, query.limit)


@answer.register
def _(query: CardsSince, tables: Tables) -> tuple[Card, ...]:
    oldest = reversed(_newest(tables, query.user))
    return _first((card for card in oldest if card.created_at >= query.since), query.limit)


@answer.register
def _(query: StepsOf, tables: Tables) -> tuple[Step, ...]:
    card = tables.card(query.user, query.card_id)
    return () if card is None else _first(tables.steps.get(card.id, ()), query.limit)


@answer.register
def _(query: ExecutionById, tables: Tables) -> Execution | None:
    run = tables.executions.get(query.execution_id)
    return run if run is not None and run.user == query.user else None


@answer.register
def _(query: OpenExecutions, tables: Tables) -> tuple[Execution, ...]:
    runs = [run for run in tables.executions.values() if run.user == query.user and run.state in OPEN_RUNS]
    return _first(sorted(runs, key=lambda run: (run.queued_at, run.id)), query.limit)


@answer.register
def _(query: ExecutionsOf, tables: Tables) -> tuple[Execution, ...]:
    runs = (r for r in tables.executions.values() if (r.user, r.card_id) == (query.user, query.card_id))
    return tuple(sorted(runs, key=lambda run: run.attempt))


@answer.register
def _(query: MindOf, tables: Tables) -> Mind | None:
    return tables.minds.get(query.user)


@answer.register
def _(query: KnownReasons, tables: Tables) -> tuple[Known, ...]:
    mine = (known for (user, _), known in tables.known.items() if user == query.user)
    return _first(sorted(mine, key=lambda known: (known.at, known.key), reverse=True), query.limit)


@answer.register
def _(query: Tasks, tables: Tables) -> tuple[Task, ...]:
    mine = [task for (user, _), task in tables.tasks.items() if user == query.user]
    wanted = [task for task in mine if not query.open_only or task.status in OPEN_TASKS]
    return _first(sorted(wanted, key=lambda task: (task.created_at, task.id), reverse=True), query.limit)


@answer.register
def _(query: TaskById, tables: Tables) -> Task | None:
    return tables.tasks.get((query.user, query.task_id))


@answer.register
def _(query: Devices, tables: Tables) -> tuple[Device, ...]:
    return tuple(tables.devices[key] for key in sorted(tables.devices) if key[0] == query.user)


@answer.register
def _(query: DeliveriesOf, tables: Tables) -> tuple[LedgerEntry, ...]:
    wanted = [(query.user, card_id) for card_id in query.card_ids]
    mine = (entry for entry in tables.deliveries.values() if (entry.user, entry.card_id) in wanted)
    return tuple(sorted(mine, key=lambda entry: (wanted.index((entry.user, entry.card_id)), entry.at, entry.id)))


@answer.register
def _(query: DeliveryById, tables: Tables) -> LedgerEntry | None:
    return tables.deliveries.get((query.user, query.delivery_id))


@answer.register
def _(query: Clients, tables: Tables) -> tuple[Client, ...]:
    return tuple(tables.clients[key] for key in sorted(tables.clients) if key[0] == query.user)


@answer.register
def _(query: LogSince, tables: Tables) -> tuple[LogEntry, ...]:
    mine = [entry for entry in tables.log.values() if entry.user == query.user and entry.at >= query.since]
    return _first(sorted(mine, key=lambda entry: entry.at), query.limit)


@answer.register
def _(query: OutboxDepth, tables: Tables) -> int:  # noqa: ARG001  the query has no fields
    return len(tables.outbox)


def _first(values: Iterable[T], limit: int) -> tuple[T, ...]:
    return tuple(values)[: max(limit, 0)]


def _due_at(card: Card) -> datetime:
    return min(card.expires_at, card.snoozed_until or card.expires_at)


for _kind, _answer in (ANSWERS | WORLD_ANSWERS).items():
    answer.register(_kind, _answer)
