"""What comes into the loop: requests with the stored facts they need, timers, readings, and the ends of slow work."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import field

from hub.contract.base import Value
from hub.domain.cut_off import ConnectedAgent, CutOffAgent
from hub.domain.delivery import Device, LedgerEntry, SurfaceTrouble
from hub.domain.drives import Wake
from hub.domain.execution import Execution, RunResult
from hub.domain.mind import Known, Mind
from hub.domain.moment import Change
from hub.domain.mutations import MutationRecord
from hub.domain.plan import AnyPlan
from hub.domain.policy import Policy
from hub.domain.readings import Reading
from hub.domain.requests import Request
from hub.domain.situation import Task
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught, YesModel
from hub.domain.training import TrainingOffer
from hub.domain.twin import TwinReply, TwinSaid
from hub.domain.world import WorldLine, WorldSession
from hub.domain.world_findings import ProcessLook
from hub.domain.world_log_state import WorldIntake
from hub.domain.world_proof import ProofFinding


class Facts(Value):
    """Committed state that an event needs, read by the shell just before the step.

    Never part of an event: an event may wait, and what it carried would be out of date.
    """

    card: Card | None = None
    execution: Execution | None = None
    task: Task | None = None
    delivery: LedgerEntry | None = None
    ledgers: tuple[tuple[Card, tuple[LedgerEntry, ...]], ...] | None = None
    """The open cards with all that was sent of each, where it is looked at who was told; None elsewhere."""
    repeated: Card | None = None
    open_cards: tuple[Card, ...] = ()
    under_way: tuple[Card, ...] = ()
    """Cards whose run has not ended: their matter is taken care of."""
    due: tuple[Card, ...] = ()
    shown: tuple[LedgerEntry, ...] = ()
    """Of the cards that are due, what the ledger knows was shown, and where."""
    next_due: datetime | None = None
    held: tuple[Card, ...] = ()
    failed: tuple[Card, ...] = ()
    """The latest cards that failed and still ask for something."""
    answered: tuple[Card, ...] = ()
    """What the person answered to agents, the latest first."""
    mutations: tuple[MutationRecord, ...] = ()
    """The audit of the drives from the record on that is to be taken back."""
    wakes_there: frozenset[str] = frozenset()
    mutations_there: frozenset[str] = frozenset()
    """Of the wakes and records that are to be imported, the ids that are there already."""
    sessions: dict[str, WorldSession] = field(default_factory=dict)
    """Of the sessions that lines are about, those that the loop does not remember."""
    swept: tuple[WorldSession, ...] | None = None
    """The next page of open sessions in the store, where some are not remembered; None where it was not read."""
    open_keys: tuple[str, ...] = ()
    """What the open cards and those under way are known by."""
    open_count: int = 0
    open_asks: dict[str, int] = field(default_factory=dict)


WAKES_TAKEN_UP = 50
"""Among so many of the latest wakes, those that were under way are looked for after a start."""


class Opened(Value):
    """The hub starts (again): all that was stored."""

    mind: Mind | None
    known: tuple[Known, ...]
    devices: tuple[Device, ...]
    executions: tuple[tuple[Execution, Card | None], ...]
    open_count: int
    open_asks: dict[str, int] = field(default_factory=dict)
    taught: tuple[Taught, ...] = ()
    held: int = 0
    sessions: tuple[WorldSession, ...] = ()
    """Those without an outcome and the last ones that were verified, those heard of last first."""
    intake: WorldIntake = WorldIntake()
    session_cards: tuple[Card, ...] = ()
    """The open questions about sessions."""
    wakes: tuple[Wake, ...] = ()
    """The latest of them, the last first."""


class RequestArrived(Value):
    """A request arrived; `reply_to` names who waits for the reply."""

    request: Request
    reply_to: str = ""


class Ticked(Value):
    """Time passed. The facts hold the cards that expired or wake up."""


class Changed(Value):
    """Something changed in the world, and may be worth a thought."""

    change: Change


class SensorsRead(Value):
    """The sensors were read for a cycle."""

    cycle_id: str
    readings: Mapping[str, Reading]


class TwinAnswered(Value):
    """The models answered, or did not."""

    cycle_id: str
    reply: TwinReply = TwinReply()


class ModelCalled(Value):
    """A model was asked outside a cycle (a test, a question of a program's); what that cost, and what is wrong now."""

    reply: TwinReply


class WakeJudged(Value):
    """A model answered the question whether to wake, or did not."""

    said: TwinSaid


class FinishProven(Value):
    """What was found of a session's need, part by part in the order of the command, and the last lines of the log."""

    check_id: str
    session: str
    found: tuple[ProofFinding, ...] = ()
    lines: tuple[WorldLine, ...] = ()


class FinishJudged(Value):
    """A model answered whether a session is done, or did not; `model` is the name of the one that was asked."""

    check_id: str
    session: str
    model: str
    said: TwinSaid


class Resolved(Value):
    """What would run for the work that a cycle chose."""

    cycle_id: str
    plan: AnyPlan


class YesModelArrived(Value):
    """A training ended: the model of all that was taught before `before`, or None where that failed."""

    before: datetime
    model: YesModel | None


class TrainingDue(Value):
    """A training at a service is due, and all is ready for it: the person can be asked."""

    offer: TrainingOffer


class ModelTrained(Value):
    """The training of a card ended: with a model that answers, or with what went wrong, in a sentence."""

    card_id: str
    name: str = ""
    wrong: str = ""


class SettingsEdited(Value):
    """A settings file was edited while Pulse runs; `written` is the policy that it now means.

    `waits` names what of the edit waits for a restart, if the person's devices are to be told.
    """

    written: Policy
    waits: str = ""


class FilesPutBack(Value):
    """Another program changed files that only the hub writes. `left` could not be put back, each with the reason."""

    put_back: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is told of it."""
        them = "it" if len(self.put_back) == 1 else "them"
        changed = f"Another program changed {', '.join(self.put_back)}; Pulse put {them} back."
        left = f"Another program changed {', '.join(self.left)}; Pulse could not put that back."
        return " ".join(one for one, files in ((changed, self.put_back), (left, self.left)) if files)


class AgentConnected(Value):
    """The first coding agent that runs as the hub's own user was connected."""


class CycleBroke(Value):
    """Looking or asking the model broke; the cycle ends, and the requester is told."""

    cycle_id: str
    why: str


class StartDue(Value):
    """A queued execution may have its turn."""

    execution_id: str


class Progressed(Value):
    """Lines came from a running agent; `first` numbers the first of them from 1."""

    execution_id: str
    card_id: str
    first: int
    lines: tuple[str, ...]


class RunEnded(Value):
    """An agent's run is over."""

    execution_id: str
    result: RunResult


class WorldRead(Value):
    """Lines of the world log were read, each once, and none that the hub itself wrote: of those `seen` has the ids.

    `cursor` is where to read on, kept with what comes of the lines. `gaps` counts what befell the log before this.
    Whoever waits until all of it is durable is known by `reply_to`.
    """

    lines: tuple[WorldLine, ...]
    cursor: bytes
    seen: tuple[str, ...] = ()
    gaps: int = 0
    reply_to: str = ""


class SurfacesSeen(Value):
    """The processes of the surfaces, or the broker, are in trouble, or not any more: all that are in trouble now."""

    troubles: tuple[SurfaceTrouble, ...] = ()


class AgentsSeen(Value):
    """The settings of agents were looked at: all that were connected, and nobody disconnected, by whether they ask."""

    cut_off: tuple[CutOffAgent, ...] = ()
    asking: tuple[ConnectedAgent, ...] = ()


class ProcessesSeen(Value):
    """The processes were looked at, and the log was read to its end after that."""

    look: ProcessLook


Event = (
    Opened
    | RequestArrived
    | Ticked
    | Changed
    | SensorsRead
    | TwinAnswered
    | ModelCalled
    | WakeJudged
    | FinishProven
    | FinishJudged
    | Resolved
    | SettingsEdited
    | FilesPutBack
    | AgentConnected
    | CycleBroke
    | YesModelArrived
    | TrainingDue
    | ModelTrained
    | StartDue
    | Progressed
    | RunEnded
    | WorldRead
    | ProcessesSeen
    | SurfacesSeen
    | AgentsSeen
)


class Stamped(Value):
    """An event with all that a pure step may not fetch itself: the time, a source of ids, and stored facts."""

    at: datetime
    seed: str
    event: Event
    facts: Facts = Facts()
