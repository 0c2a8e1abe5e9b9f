"""What is asked of a store only to be shown: figures, the agents at present, answers like this one, whole episodes."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.words import RunState, Status
from hub.domain.drives import DriveSample, Wake
from hub.domain.episode import Line, Step
from hub.domain.execution import Execution
from hub.domain.lessons import TrainingPair
from hub.domain.mutations import MutationRecord
from hub.domain.permission_grant import GrantEvent
from hub.domain.storage import Query
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught

BANDS = 10
"""Ranges of confidence of equal width; a border belongs to the upper one, 1 to the last."""


class DayTally(Value):
    """So many suggestions of one day that are alike; `day` counts from the first day asked for."""

    day: int
    channel: str
    status: Status
    autonomous: bool
    cards: int


class BandTally(Value):
    """So many suggestions of one range of confidence that are alike."""

    band: int
    status: Status
    autonomous: bool
    cards: int
    confidence_sum: float


class RunTally(Value):
    """So many executions, queued on one day, that are alike."""

    day: int
    channel: str
    state: RunState
    runs: int
    cost_microusd: int


class Tallies(Value):
    """Everything counted over some days. `blocked` has one number for each day.

    `truncated` says that a limit was reached, so that the oldest days count too little.
    """

    cards: tuple[DayTally, ...]
    bands: tuple[BandTally, ...]
    runs: tuple[RunTally, ...]
    blocked: tuple[int, ...]
    truncated: bool


class TalliesOf(Query[Tallies]):
    """Count the days between neighbouring `bounds`, oldest first; questions of others (`ask`) are no suggestions.

    Of each kind of row the newest `rows_max` are looked at. Executions count on the day on which they were queued.
    """

    user: str
    bounds: tuple[datetime, ...]
    rows_max: int


class SaidChance(Value):
    """How likely a yes was thought to be when a suggestion was made, and whether a yes came."""

    p: float
    yes: bool


class SaidChances(Query[tuple[SaidChance, ...]]):
    """What was said of suggestions made from `since` until before `until` that a person answered, newest first.

    Only where it was learnt from answers; what was taken back afterwards is left out.
    """

    user: str
    since: datetime
    until: datetime
    limit: int


class SettledCards(Query[tuple[Card, ...]]):
    """Cards that wait for nobody, the latest settled first."""

    user: str
    limit: int


class AnsweredForReason(Query[tuple[Card, ...]]):
    """Cards of one reason to which a person said yes or no, newest first."""

    user: str
    reason_key: str
    limit: int


class AnsweredInChannel(Query[tuple[Card, ...]]):
    """Cards of one channel to which a person said yes or no, newest first."""

    user: str
    channel: str
    limit: int


class ChannelNow(Value):
    """One channel: its execution under way (an active one before a queued one) or else its last one; what it used.

    `line` is the last line of progress of that very execution; `tokens` is None where no agent reported any.
    """

    channel: str
    run: Execution | None
    line: Line | None
    runs: int
    cost_microusd: int
    tokens: int | None = None


class ChannelsNow(Query[tuple[ChannelNow, ...]]):
    """How the channels are, in the order asked; use counts from `since` on."""

    user: str
    channels: tuple[str, ...]
    since: datetime


class Episode(Value):
    """A card with all that happened to it."""

    card: Card
    steps: tuple[Step, ...]
    runs: tuple[Execution, ...]


class StoredPair(Value):
    """A training pair with its number, which grows from pair to pair, and when it was exported first."""

    number: int
    pair: TrainingPair
    exported_at: datetime | None = None


class PairsAfter(Query[tuple[StoredPair, ...]]):
    """Training pairs with greater numbers than `after`, in order."""

    user: str
    after: int
    limit: int


class PairCount(Value):
    """How many training pairs there are; how many of them were not exported yet, and since when the oldest waits.

    `last` is the number of the newest, 0 without one.
    """

    total: int
    new: int
    last: int = 0
    new_since: datetime | None = None


class CountPairs(Query[PairCount]):
    """Count the training pairs."""

    user: str


class EpisodesAfter(Query[tuple[Episode, ...]]):
    """Cards after (`at`, `card_id`) in the order of their making, each with at most `steps_max` steps."""

    user: str
    at: datetime
    card_id: str
    limit: int
    steps_max: int


class TaughtLately(Query[tuple[Taught, ...]]):
    """What the latest `limit` answers taught, oldest first; what was taken back is among them, marked."""

    user: str
    limit: int


class AnsweredAsks(Query[tuple[Card, ...]]):
    """Questions of others that a person answered with yes or no, the latest first; not what a grant let through.

    Those are among them of which the agent took another answer, given at its own dialog.
    """

    user: str
    limit: int


class AsksOf(Query[tuple[Card, ...]]):
    """Questions of one client in no order: those that are open, and those among the cards that ended last.

    So many of the ended cards are looked through, whosever they are.
    """

    user: str
    client: str
    ended_max: int


class GrantEvents(Query[tuple[GrantEvent, ...]]):
    """The record of all grants, or of one, the latest first."""

    user: str
    limit: int
    grant_id: str = ""


class Wakes(Query[tuple[Wake, ...]]):
    """The history of wakes since `since`, the latest first."""

    user: str
    limit: int
    since: datetime | None = None


class WakeById(Query[Wake | None]):
    """One wake."""

    user: str
    wake_id: str


class DriveMutations(Query[tuple[MutationRecord, ...]]):
    """The audit of mutations, oldest first, from the record numbered `first` (from 0) on."""

    user: str
    limit: int
    first: int = 0


class WakesThere(Query[tuple[str, ...]]):
    """Which of these ids are of wakes in the history."""

    user: str
    ids: tuple[str, ...]


class MutationsThere(Query[tuple[str, ...]]):
    """Which of these ids are of records in the audit."""

    user: str
    ids: tuple[str, ...]


class MutationsFrom(Query[tuple[MutationRecord, ...]]):
    """The audit from one record on, oldest first; nothing where there is no such record."""

    user: str
    record_id: str
    limit: int


class DriveSamples(Query[tuple[DriveSample, ...]]):
    """The history of the drives since `since`, with the last sample before it, the latest first."""

    user: str
    limit: int
    since: datetime
