"""From queries to answers; one function per kind of query. A negative limit finds nothing."""

from collections import Counter
from functools import singledispatch
from itertools import chain
from typing import Any

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
from hub.io.store.codec import END_OF_TIME, list_of, maybe_moment_of, maybe_text_of, moment_of, text_of
from hub.io.store.limits import SEARCH_CHARS_MAX, SEARCHED_ROWS_MAX
from hub.io.store.looks import ANSWERS
from hub.io.store.session import QuerySession
from hub.io.store.world import ANSWERS as WORLD_ANSWERS


@singledispatch
def answer(query: Query[Any], session: QuerySession) -> object:
    """Answer a query from one consistent view of the tables."""
    raise TypeError(f"the store knows no query {type(query).__name__} ({session})")


def _most(limit: int) -> int:
    return max(limit, 0)


@answer.register
def _(query: CardById, session: QuerySession) -> Card | None:
    return session.one(Card, "card_by_id", query.card_id, id=query.card_id, user_id=query.user)


@answer.register
def _(query: CardsByIds, session: QuerySession) -> dict[str, Card]:
    found = (session.one(Card, "card_by_id", id_, id=id_, user_id=query.user) for id_ in query.ids)
    return {card.id: card for card in found if card is not None}


@answer.register
def _(query: OpenCards, session: QuerySession) -> tuple[Card, ...]:
    return session.bodies(
        Card,
        "open_cards",
        user_id=query.user,
        now=text_of(query.now),
        channel=query.channel,
        snoozed=query.snoozed,
        limit=_most(query.limit),
    )


@answer.register
def _(query: AnsweredAsks, session: QuerySession) -> tuple[Card, ...]:
    return session.bodies(Card, "answered_asks", user_id=query.user, limit=_most(query.limit))


@answer.register
def _(query: AsksOf, session: QuerySession) -> tuple[Card, ...]:
    searched = _most(query.ended_max)
    return session.bodies(Card, "asks_of", user_id=query.user, client=query.client, searched=searched)


@answer.register
def _(query: Wakes, session: QuerySession) -> tuple[Wake, ...]:
    since = "" if query.since is None else text_of(query.since)
    return session.bodies(Wake, "wakes", user_id=query.user, since=since, limit=_most(query.limit))


@answer.register
def _(query: WakeById, session: QuerySession) -> Wake | None:
    return session.one(Wake, "wake_by_id", query.wake_id, user_id=query.user, id=query.wake_id)


@answer.register
def _(query: DriveMutations, session: QuerySession) -> tuple[MutationRecord, ...]:
    return session.bodies(
        MutationRecord, "drive_mutations", user_id=query.user, first=query.first, limit=_most(query.limit)
    )


@answer.register
def _(query: WakesThere, session: QuerySession) -> tuple[str, ...]:
    return tuple(str(found) for (found,) in session.rows("wakes_there", user_id=query.user, ids=list_of(query.ids)))


@answer.register
def _(query: MutationsThere, session: QuerySession) -> tuple[str, ...]:
    return tuple(str(found) for (found,) in session.rows("mutations_there", user_id=query.user, ids=list_of(query.ids)))


@answer.register
def _(query: MutationsFrom, session: QuerySession) -> tuple[MutationRecord, ...]:
    limit = _most(query.limit)
    return session.bodies(MutationRecord, "mutations_from", user_id=query.user, id=query.record_id, limit=limit)


@answer.register
def _(query: DriveSamples, session: QuerySession) -> tuple[DriveSample, ...]:
    since, limit = text_of(query.since), _most(query.limit)
    return session.bodies(DriveSample, "drive_samples", user_id=query.user, since=since, limit=limit)


@answer.register
def _(query: GrantEvents, session: QuerySession) -> tuple[GrantEvent, ...]:
    return session.bodies(
        GrantEvent, "grant_events", user_id=query.user, grant_id=query.grant_id, limit=_most(query.limit)
    )


@answer.register
def _(query: HeldCards, session: QuerySession) -> tuple[Card, ...]:
    return session.bodies(Card, "held_cards", user_id=query.user, limit=_most(query.limit))


@answer.register
def _(query: CountOpen, session: QuerySession) -> int:
    return int(session.first("count_open", user_id=query.user) or 0)


@answer.register
def _(query: CountOpenAsks, session: QuerySession) -> dict[str, int]:
    return Counter(str(owner) for (owner,) in session.rows("open_asks", user_id=query.user))


@answer.register
def _(query: DueCards, session: QuerySession) -> tuple[Card, ...]:
    return session.bodies(Card, "due_cards", user_id=query.user, now=text_of(query.now), limit=_most(query.limit))


@answer.register
def _(query: NextDue, session: QuerySession) -> object:
    found = session.first("next_due", user_id=query.user)
    return maybe_moment_of(None if found is None else str(found))


@answer.register
def _(query: RecentCards, session: QuerySession) -> tuple[Card, ...]:
    name = "search_cards" if query.search else "recent_cards"
    if query.status is not None:
        name += "_of_status"
    return session.bodies(
        Card,
        name,
        user_id=query.user,
        before=maybe_text_of(query.before) or END_OF_TIME,
        status=None if query.status is None else query.status.value,
        searched=SEARCHED_ROWS_MAX,
        pattern=_pattern(query.search),
        limit=_most(query.limit),
    )


def _pattern(search: str) -> str:
    """Make a LIKE pattern that finds `search` anywhere, its own wildcards taken literally."""
    text = search[:SEARCH_CHARS_MAX].replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{text}%"


@answer.register
def _(query: CardsSince, session: QuerySession) -> tuple[Card, ...]:
    since = text_of(query.since)
    return session.bodies(Card, "cards_since", user_id=query.user, since=since, limit=_most(query.limit))


@answer.register
def _(query: StepsOf, session: QuerySession) -> tuple[Step, ...]:
    limit = _most(query.limit)
    return session.bodies(Step, "steps_of", prediction_id=query.card_id, user_id=query.user, limit=limit)


@answer.register
def _(query: ExecutionById, session: QuerySession) -> Execution | None:
    return session.one(Execution, "execution_by_id", query.execution_id, id=query.execution_id, user_id=query.user)


@answer.register
def _(query: OpenExecutions, session: QuerySession) -> tuple[Execution, ...]:
    return session.bodies(Execution, "open_executions", user_id=query.user, limit=_most(query.limit))


@answer.register
def _(query: ExecutionsOf, session: QuerySession) -> tuple[Execution, ...]:
    return session.bodies(Execution, "executions_of", prediction_id=query.card_id, user_id=query.user)


@answer.register
def _(query: MindOf, session: QuerySession) -> Mind | None:
    return session.one(Mind, "mind_of", "", user_id=query.user)


@answer.register
def _(query: KnownReasons, session: QuerySession) -> tuple[Known, ...]:
    rows = session.rows("known_reasons", user_id=query.user, limit=_most(query.limit))
    return tuple(Known(key=str(key), signature=str(sign), at=moment_of(str(at))) for key, sign, at in rows)


@answer.register
def _(query: Tasks, session: QuerySession) -> tuple[Task, ...]:
    name = "open_tasks" if query.open_only else "tasks"
    return session.bodies(Task, name, user_id=query.user, limit=_most(query.limit))


@answer.register
def _(query: TaskById, session: QuerySession) -> Task | None:
    return session.one(Task, "task_by_id", query.task_id, user_id=query.user, id=query.task_id)


@answer.register
def _(query: Devices, session: QuerySession) -> tuple[Device, ...]:
    return session.bodies(Device, "devices", user_id=query.user)


@answer.register
def _(query: DeliveriesOf, session: QuerySession) -> tuple[LedgerEntry, ...]:
    each = (
        session.bodies(LedgerEntry, "deliveries_of", user_id=query.user, prediction_id=id_) for id_ in query.card_ids
    )
    return tuple(chain.from_iterable(each))


@answer.register
def _(query: DeliveryById, session: QuerySession) -> LedgerEntry | None:
    return session.one(LedgerEntry, "delivery_by_id", query.delivery_id, user_id=query.user, id=query.delivery_id)


@answer.register
def _(query: Clients, session: QuerySession) -> tuple[Client, ...]:
    return session.bodies(Client, "clients", user_id=query.user)


@answer.register
def _(query: LogSince, session: QuerySession) -> tuple[LogEntry, ...]:
    rows = session.rows("log_since", user_id=query.user, since=text_of(query.since), limit=_most(query.limit))
    return tuple(_log_entry(*row) for row in rows)


def _log_entry(*row: Any) -> LogEntry:  # noqa: ANN401  the columns of log_since, as SQLite gives them
    user, card_id, trigger, channel, prompt, cost, blocked, block_reason, at = row
    return LogEntry(
        user=user,
        card_id=card_id,
        trigger=trigger,
        channel=channel,
        prompt=prompt,
        cost_microusd=cost,
        blocked=bool(blocked),
        block_reason=block_reason,
        at=moment_of(at),
    )


@answer.register
def _(query: OutboxDepth, session: QuerySession) -> int:  # noqa: ARG001  the query has no fields
    return int(session.first("outbox_depth") or 0)


for _kind, _answer in (ANSWERS | WORLD_ANSWERS).items():
    answer.register(_kind, _answer)
