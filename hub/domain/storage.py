"""What can be written to and asked of a store, as values: a transaction is a tuple of changes, all or none."""

from datetime import datetime
from typing import Generic, TypeVar

from hub.contract.base import Value
from hub.contract.words import RunState, Status
from hub.domain.delivery import Device, LedgerEntry
from hub.domain.drives import DriveChange
from hub.domain.episode import Step
from hub.domain.execution import Execution
from hub.domain.mind import Known, Mind
from hub.domain.permission_grant import AddGrantEvent
from hub.domain.situation import Task
from hub.domain.suggestion import Card
from hub.domain.teaching import TeachingChange
from hub.domain.world_log_state import WorldChange

T = TypeVar("T")


class Outgoing(Value):
    """A message that follows from a change; it waits in the outbox of the same transaction.

    `id` is the CloudEvents id: receivers drop repeats by it. With `wants_receipt` the row stays until the receiver's
    receipt (or `expires_at`); without, until the broker has acknowledged it.
    """

    id: str
    topic: str
    payload: bytes
    retain: bool = False
    wants_receipt: bool = False
    expires_at: datetime | None = None


class Client(Value):
    """A holder of an API token; only the token's SHA-256 is kept.

    `surface` and `device` name the device that it is, or the surface alone for a surface's process. `carries` names the
    surfaces whose deliveries it may carry. A browser's session has a `key` too, its public key as a JSON Web Key, and
    the `origin` at which it signed in; its token alone opens nothing. `used_at` is when it was last used, to the hour.
    `until` is when a session ends at the latest that was begun behind a warning about the certificate.
    """

    id: str
    user: str
    name: str
    token_sha256: str
    scopes: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None = None
    surface: str = ""
    device: str = ""
    key: str = ""
    origin: str = ""
    used_at: datetime | None = None
    carries: tuple[str, ...] = ()
    until: datetime | None = None


class LogEntry(Value):
    """One line of the execution log (crosspoll_log): a trigger that ran or was blocked. As a change it is appended.

    `trigger` is `autonomous` where Pulse ran it alone; else whether a person asked for the suggestion (`manual`) or
    Pulse found it (`cron`).
    """

    user: str
    card_id: str | None
    trigger: str
    channel: str
    prompt: str
    cost_microusd: int
    blocked: bool
    block_reason: str
    at: datetime


# Changes. Each one that names an expectation is a compare-and-set; if it does not hold, the whole transaction is lost.


class AddCard(Value, tag="add-card"):
    """Store a new card; its id must be new."""

    card: Card


class MoveCard(Value, tag="move-card"):
    """Replace a card whose stored version and status are as expected; `card.version` is `expect_version + 1`."""

    card: Card
    expect_version: int
    expect_status: Status


class AddExecution(Value, tag="add-execution"):
    """Record an execution before it starts; (card, attempt) must be new."""

    execution: Execution


class MoveExecution(Value, tag="move-execution"):
    """Replace an execution whose stored state is as expected."""

    execution: Execution
    expect_state: RunState


class SaveMind(Value, tag="save-mind"):
    """Replace the user's mind."""

    user: str
    mind: Mind


class Remember(Value, tag="remember"):
    """Remember that a reason was suggested (one signature per key, the latest)."""

    user: str
    known: Known


class PutTask(Value, tag="put-task"):
    """Add or replace a task."""

    user: str
    task: Task


class DropTask(Value, tag="drop-task"):
    """Remove a task; it must exist."""

    user: str
    task_id: str


class PutDevice(Value, tag="put-device"):
    """Add or replace a device."""

    device: Device


class PutClient(Value, tag="put-client"):
    """Add or replace an API client."""

    client: Client


class Send(Value, tag="send"):
    """Put a message into the outbox, leased to the writer until `leased_until`; the id must be new."""

    message: Outgoing
    leased_until: datetime


class ReleaseLeases(Value, tag="hasten"):
    """End the leases of all messages to `topic` at `at`, and restart their back-off: the receiver has come back."""

    topic: str
    at: datetime


class DeleteSent(Value, tag="retire"):
    """Take messages out of the outbox: acknowledged, receipted or expired. Unknown ids are fine."""

    ids: tuple[str, ...]


Change = (
    AddCard
    | MoveCard
    | AddExecution
    | MoveExecution
    | Step
    | SaveMind
    | Remember
    | LogEntry
    | AddGrantEvent
    | PutTask
    | DropTask
    | PutDevice
    | LedgerEntry
    | PutClient
    | Send
    | ReleaseLeases
    | DeleteSent
    | (TeachingChange | DriveChange | WorldChange)
)


class Committed(Value, tag="committed"):
    """The transaction is durable."""


class Lost(Value, tag="lost"):
    """An expectation did not hold, and nothing of this transaction was written. `what` names the change."""

    what: str
    card: Card | None = None


class Unwritten(Value, tag="unwritten"):
    """The disk refused (full, read-only, broken); nothing was written. `code` is an error code of docs/errors.md."""

    code: str
    detail: str


CommitOutcome = Committed | Lost | Unwritten


# Queries. Each is a value that knows the type of its answer.


class Query(Value, Generic[T]):
    """A question whose answer is a `T`."""


class CardById(Query[Card | None]):
    """One card."""

    user: str
    card_id: str


class CardsByIds(Query[dict[str, Card]]):
    """Several cards at once, by id; unknown ids are missing from the answer."""

    user: str
    ids: tuple[str, ...]


class OpenCards(Query[tuple[Card, ...]]):
    """Pending cards, newest first; snoozed ones only when asked for."""

    user: str
    limit: int
    now: datetime
    channel: str | None = None
    snoozed: bool = False


class HeldCards(Query[tuple[Card, ...]]):
    """Pending cards that nobody was told of yet, oldest first."""

    user: str
    limit: int


class CountOpen(Query[int]):
    """How many cards are pending, snoozed ones included."""

    user: str


class CountOpenAsks(Query[dict[str, int]]):
    """How many questions of others are pending, by whose they are (the `signature` of such a card)."""

    user: str


class DueCards(Query[tuple[Card, ...]]):
    """Pending cards that have expired, or whose snooze has ended, at `now`; oldest first."""

    user: str
    now: datetime
    limit: int


class NextDue(Query[datetime | None]):
    """When the next pending card expires or wakes up."""

    user: str


class RecentCards(Query[tuple[Card, ...]]):
    """Cards of any status, newest first, created before `before`; `search` is a plain substring of the prompt."""

    user: str
    limit: int
    before: datetime | None = None
    status: Status | None = None
    search: str = ""


class CardsSince(Query[tuple[Card, ...]]):
    """Cards created at or after `since`, oldest first (for metrics)."""

    user: str
    since: datetime
    limit: int


class StepsOf(Query[tuple[Step, ...]]):
    """The episode of a card, in order."""

    user: str
    card_id: str
    limit: int


class ExecutionById(Query[Execution | None]):
    """One execution."""

    user: str
    execution_id: str


class OpenExecutions(Query[tuple[Execution, ...]]):
    """Executions that are queued or active."""

    user: str
    limit: int


class ExecutionsOf(Query[tuple[Execution, ...]]):
    """All attempts at a card, in order."""

    user: str
    card_id: str


class MindOf(Query[Mind | None]):
    """What the loop remembered."""

    user: str


class KnownReasons(Query[tuple[Known, ...]]):
    """Reasons already suggested, newest first."""

    user: str
    limit: int


class Tasks(Query[tuple[Task, ...]]):
    """Tasks, newest first."""

    user: str
    limit: int
    open_only: bool = False


class TaskById(Query[Task | None]):
    """One task."""

    user: str
    task_id: str


class Devices(Query[tuple[Device, ...]]):
    """All devices, revoked ones included."""

    user: str


class DeliveriesOf(Query[tuple[LedgerEntry, ...]]):
    """The ledgers of these cards, one after the other in this order; each oldest first."""

    user: str
    card_ids: tuple[str, ...]


class DeliveryById(Query[LedgerEntry | None]):
    """One ledger entry."""

    user: str
    delivery_id: str


class Clients(Query[tuple[Client, ...]]):
    """All API clients, revoked ones included."""

    user: str


class LogSince(Query[tuple[LogEntry, ...]]):
    """The execution log from `since` on, oldest first."""

    user: str
    since: datetime
    limit: int


class OutboxDepth(Query[int]):
    """How many messages wait."""
