"""What the hub tells everybody: the data of each event (CROSSPOLL 4.5 and 8.2, and what the design adds).

On MQTT an event travels in a CloudEvents envelope; on the WebSocket as `{"type": …, …data, "seq": n}`.
"""

from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.alone import AwaySummary, DaySummary
from hub.contract.api import Count, CrossPollStatus, Prediction
from hub.contract.base import HubMessage
from hub.contract.words import MoveReason

DIGEST_CARDS_MAX = 8
"""More at once is a list, not a message; the rest are counted."""


class Event(HubMessage, tag_field="type"):
    """Base of all events; the tag is the event's type."""


class PredictionNew(Event, tag="prediction.new"):
    """A card appeared; `alike` is how many open requests of an agent like it were told before."""

    prediction: Prediction
    alike: Count = 0


class PredictionSettled(Event, tag="prediction.settled"):
    """A card was answered or withdrawn; shown in place wherever the card is."""

    prediction: Prediction


class PredictionSnoozed(Event, tag="prediction.snoozed"):
    """A card is hidden, everywhere, until its time."""

    prediction: Prediction


class PredictionReturned(Event, tag="prediction.returned"):
    """A card is open again: a snooze ended, an answer was undone, or its execution was interrupted."""

    prediction: Prediction
    reason: str


class PredictionExpired(Event, tag="prediction.expired"):
    """Nobody answered in time; or, with the reason `passed`, what it was about is over."""

    card_id: str = field(name="predictionId")
    reason: MoveReason = MoveReason.EXPIRED


class PredictionExecuted(Event, tag="prediction.executed"):
    """A suggestion was carried out: proven done, or only handed over where `prediction.result.handedOver` says so.

    `taskId` is the finished task that is kept of it, empty where nothing was proven.
    """

    card_id: str = field(name="predictionId")
    task_id: str
    result: str
    prediction: Prediction


class ExecutionStarted(Event, tag="execution.started"):
    """An agent began; `autonomous` when no person approved this run itself."""

    prediction: Prediction
    execution_id: str
    autonomous: bool


class ExecutionProgress(Event, tag="execution.progress"):
    """One line from a running agent."""

    card_id: str = field(name="predictionId")
    execution_id: str
    number: int
    line: str


class ExecutionFailed(Event, tag="execution.failed"):
    """An execution ended without proof of what it was for; `kind` says how it ended."""

    card_id: str = field(name="predictionId")
    execution_id: str
    kind: Literal["failed", "stopped", "interrupted", "timeout"]
    error: str
    prediction: Prediction


class CostApproaching(Event, tag="cost.approaching"):
    """Spending passed the warning share of a cap."""

    window: Literal["hour", "day", "month"]
    spent_usd: float
    cap_usd: float


class StatusChanged(Event, tag="crosspoll.status"):
    """The autonomous state or a budget changed."""

    status: CrossPollStatus


class Paused(Event, tag="crosspoll.paused"):
    """Pulse stopped acting by itself."""

    reason: str


class Resumed(Event, tag="crosspoll.resumed"):
    """Pulse can start work on its own again."""


class DigestReady(Event, tag="digest.ready"):
    """What waited for a good moment, all at once, the most valuable first; each card is answered by itself.

    `more` is how many wait beyond these. `away` is what happened while the person was away, where they are just back;
    `day` is what the day brings, once a day; without cards it is these alone. With `alike` the cards are open requests
    of an agent of one kind, what they have in common; one with the `digestId` of another takes its place.
    """

    digest_id: str
    alike: Annotated[str, Meta(max_length=64)] = ""
    cards: Annotated[tuple[Prediction, ...], Meta(max_length=DIGEST_CARDS_MAX)] = ()
    more: Count = 0
    away: AwaySummary | None = None
    day: DaySummary | None = None


AnyEvent = (
    PredictionNew
    | PredictionSettled
    | PredictionSnoozed
    | PredictionReturned
    | PredictionExpired
    | PredictionExecuted
    | ExecutionStarted
    | ExecutionProgress
    | ExecutionFailed
    | CostApproaching
    | StatusChanged
    | Paused
    | Resumed
    | DigestReady
)


def type_of(event: AnyEvent) -> str:
    """Return an event's type, such as `prediction.new`."""
    tag = event.__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(type(event).__name__)
    return tag
