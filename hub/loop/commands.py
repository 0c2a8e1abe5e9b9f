"""What the loop wants done. The shell (hub/runner) has one branch per command, taken after the changes are durable."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.events import AnyEvent
from hub.domain.execution import Job
from hub.domain.policy import Agent
from hub.domain.requests import Reply, Withdraw
from hub.domain.situation import Situation
from hub.domain.suggestion import Offer, Work
from hub.domain.training import TrainingOffer
from hub.domain.twin import TwinChat
from hub.domain.world import SessionProcess
from hub.domain.world_proof import LookedAt


class Look(Value):
    """Read the sensors and come back with `Looked`."""

    cycle_id: str


class AskTwin(Value):
    """Ask the models, which may choose some of the offers, and come back with `TwinAnswered`."""

    cycle_id: str
    situation: Situation
    offers: tuple[Offer, ...] = ()


class AskWhetherToWake(Value):
    """Put a short question to a model, and come back with `WakeJudged`."""

    chat: TwinChat


class ProveFinish(Value):
    """Look whether what a session needs is there, starting nothing, and come back with `FinishProven`.

    Only what changed since `since` counts as the session's; `wants_lines`: the last lines of the log are told, too.
    """

    check_id: str
    session: str
    parts: tuple[LookedAt, ...]
    folder: str
    since: datetime
    wants_lines: bool = False


class JudgeFinish(Value):
    """Ask a model whether a session is done, and come back with `FinishJudged`."""

    check_id: str
    session: str
    chat: TwinChat


class Resolve(Value):
    """Find out what would run for this work, starting nothing, and come back with `Resolved`.

    With a `tester`, also how it would run the project's tests afterwards, or else the words of this `command`.
    """

    cycle_id: str
    agent: Agent
    work: Work
    tester: Agent | None = None
    command: tuple[str, ...] = ()


class Train(Value):
    """Make a model of all that was taught before `before`, and come back with `YesModelArrived`."""

    before: datetime


class TrainModel(Value):
    """Train a model at a service, as the person of this card agreed to, and come back with `ModelTrained`."""

    card_id: str
    offer: TrainingOffer


class StopTraining(Value):
    """End the training of this card, here and at the service; nothing comes back."""

    card_id: str


class Start(Value):
    """Come back with `StartDue` for this execution."""

    execution_id: str


class Run(Value):
    """Start the agent, if what would run is still what was permitted; come back with `Progressed` and `RunEnded`.

    The execution is already recorded as active.
    """

    card_id: str
    job: Job


class Stop(Value):
    """End a running agent; `RunEnded` follows."""

    execution_id: str


class TakeBack(Value):
    """Take a question of the hub's own back: the request comes back, and finds the card as it is then."""

    request: Withdraw


class Respond(Value):
    """Give the waiting requester its reply."""

    to: str
    reply: Reply


class Tell(Value):
    """Show an event on the WebSocket; on MQTT it travels through the outbox."""

    event: AnyEvent


class Mention(Value):
    """Publish once, to whoever listens just now: neither kept nor sent again."""

    topic: str
    payload: bytes


class ShowStatus(Value):
    """The status changed: refresh the retained state and tell the WebSocket (latest wins, coalesced)."""


class WakeAt(Value):
    """Tick again at that moment at the latest."""

    at: datetime


class WriteWorld(Value):
    """Lines wait to be appended to the world log; `WorldRead` says when they were seen there."""


class LookAtProcesses(Value):
    """Look whether these processes of sessions are there, and which agents work besides.

    Then have the log read to its end, and come back with `ProcessesSeen`.
    """

    named: tuple[SessionProcess, ...]


class EndStrays(Value):
    """End what a run that is over has left behind; nothing comes back."""

    run: str


Command = (
    Look
    | AskTwin
    | AskWhetherToWake
    | ProveFinish
    | JudgeFinish
    | Resolve
    | Train
    | TrainModel
    | StopTraining
    | Start
    | Run
    | Stop
    | TakeBack
    | Respond
    | Tell
    | Mention
    | ShowStatus
    | WakeAt
    | (WriteWorld | LookAtProcesses | EndStrays)
)
