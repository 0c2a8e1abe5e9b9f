"""What the loop knows while it runs. The durable part is `mind` and `known`; the rest is rebuilt at start."""

from datetime import datetime
from functools import partial
from typing import Literal

from msgspec import field

from hub.contract.api import ConfigPatch, Prediction
from hub.contract.base import Value
from hub.contract.drives import IdleReason
from hub.contract.profile import DeviceProfile
from hub.domain.delivery import AwaitedReceipt, Device, SurfaceTrouble
from hub.domain.drives import DriveVerdict, Wake
from hub.domain.episode import Proposed
from hub.domain.judgement import StandingYes
from hub.domain.mind import Mind
from hub.domain.moment import Change, Changes, Occasion
from hub.domain.permission_grant import PermissionGrant
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText
from hub.domain.requests import Trigger
from hub.domain.session_run import SessionRun
from hub.domain.situation import Situation
from hub.domain.suggestion import Answer, Proposal, Work
from hub.domain.teaching import Taught, YesModel
from hub.domain.worded import Worded
from hub.domain.world_log_state import WorldLogState

KNOWN_MAX = 500
"""Reasons remembered; the oldest is forgotten first."""


class Cycle(Value):
    """The one cycle that may be under way. `reply_to` is who waits for its outcome.

    `choice` is what it would propose, while it waits to hear what would run for that. `urgency_min` is how urgent that
    must be to be worth saying now; `returned` says that the person has just come back. `again` is the open card that
    may run alone, if what would run for it is still the same. `wake` is the need that began it.
    """

    id: str
    occasion: Occasion
    stage: Literal["looking", "asking-twin", "resolving"]
    started_at: datetime
    reply_to: str = ""
    channel: str | None = None
    hint: str | None = None
    force: bool = False
    in_person: bool = False
    by_program: bool = False
    from_channel: str | None = None
    situation: Situation | None = None
    may_act: bool = False
    urgency_min: float = 0.0
    returned: bool = False
    choice: Proposed | None = None
    again: str = ""
    wake: Wake | None = None


class Mending(Value):
    """Work that mends what failed, or takes back what was done, at a person's word; it is being found out how.

    `takes_back` is the card whose work is taken back; empty where something is mended.
    """

    id: str
    proposal: Proposal
    answer: Answer
    takes_back: str = ""


class Spawning(Value):
    """A try at a session of the world log; it is being found out what would run. `run` is as it was before it.

    `agent` and `work` are who is to do it, and where. Of a first try `order` is the person's own word, if it was
    theirs, and `reply_to` who waits; its session begins with its card.
    """

    id: str
    session: str
    run: SessionRun
    agent: str
    work: Work
    is_first: bool
    order: Answer | None = None
    reply_to: str = ""


class WaitingTrigger(Value):
    """A person's trigger that waits, until `until` at most, for a cycle under way to end."""

    trigger: Trigger
    reply_to: str
    until: datetime


class LastChange(Value):
    """The last change that was noticed."""

    change: Change
    at: datetime


class AskedLately(Value):
    """When a client asked for leave, for whose share of it, and a digest of the agent and session."""

    at: datetime
    client: str
    session: str
    share: str = ""


class RemovedGrant(Value):
    """A permission as it stood when it was removed."""

    grant: StandingYes | PermissionGrant
    at: datetime


class AlikeOpen(Value):
    """An open request of an agent: what those like it have in common, and when one of them was last heard.

    `shown` is the request as it was told, `batch` the id of the first of those that have waited together since.
    """

    card_id: str
    alike: str
    heard_at: datetime
    shown: Prediction | None = None
    batch: str = ""


class SeenAtAgent(Value):
    """When a person last showed that they sit before an agent.

    `session` is a digest of whose word that was, the agent and its session.
    """

    at: datetime
    session: str


class Habits(Value):
    """What the person's answers show: a base, what was taught since (oldest first), and the model of both together."""

    base: YesModel = YesModel()
    since: tuple[Taught, ...] = ()
    model: YesModel = YesModel()
    training_at: datetime | None = None
    """When the training under way began."""


class DriveModel(Value):
    """What a model said to the question whether to wake, in model mode; `alone_until`: the rules decide alone."""

    is_asked: bool = False
    yes: bool = False
    yes_until: datetime | None = None
    reason: ModelText = field(default_factory=partial(ModelText, ""))
    no_until: datetime | None = None
    failures: int = 0
    alone_until: datetime | None = None


class Limits(Value):
    """Bounds of the loop itself."""

    running_max: int = 4
    cycle_s_max: float = 60.0
    trigger_wait_s_max: float = 5.0
    delivery_lease_s: float = 30.0


class Planned(Value):
    """A meeting, or a task by its deadline, with its title as it may be shown; `since` is when it was written down."""

    kind: Literal["meeting", "task"]
    title: str
    at: datetime
    ends_at: datetime
    all_day: bool = False
    since: datetime | None = None


class State(Value):
    """Everything `step` reads and returns."""

    user: str
    secret: bytes
    file_policy: Policy
    policy: Policy
    profiles: dict[str, DeviceProfile]
    limits: Limits = Limits()
    mind: Mind = Mind()
    known: dict[str, str] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    """The reasons that were there at the last look, said or not, by key: each with its signature."""
    changes: Changes = Changes()
    happened: LastChange | None = None
    habits: Habits = Habits()
    devices: tuple[Device, ...] = ()
    cycle: Cycle | None = None
    waiting: tuple[WaitingTrigger, ...] = ()
    mendings: tuple[Mending, ...] = ()
    spawnings: tuple[Spawning, ...] = ()
    running: tuple[str, ...] = ()
    queued: tuple[str, ...] = ()
    open_count: int = 0
    asked_lately: tuple[AskedLately, ...] = ()
    at_agents: tuple[SeenAtAgent, ...] = ()
    alike_open: tuple[AlikeOpen, ...] = ()
    grants_used: tuple[datetime, ...] = ()
    """When grants were lately used."""
    grant_offered_at: datetime | None = None
    removed_grants: tuple[RemovedGrant, ...] = ()
    """What was lately removed from the list of permissions, and can be given back."""
    open_asks: dict[str, int] = field(default_factory=dict)
    """Open questions by the client whose they are; `open_count` counts them too."""

    drive_model: DriveModel = DriveModel()
    verdict: DriveVerdict | None = None
    """What the drives last came to: whether to wake, by which rule."""
    idle: tuple[tuple[str, IdleReason], ...] = ()
    """What the latest look saw that presses nothing, in a line each, and why not."""
    breakpoint_at: datetime | None = None
    """When the person last came to the end of something: a commit, a run, a return."""
    returned_at: datetime | None = None
    meetings: tuple[tuple[datetime, datetime], ...] = ()
    """From when to when, as the calendar was last read."""
    agenda: tuple[Planned, ...] | None = None
    """What is planned for the next days, as it was last read; None before that."""
    reminder_at: datetime | None = None
    """When the next task comes due, as the tasks were last read."""
    held: int = 0
    """How many open cards nobody was told of yet."""

    world: WorldLogState = WorldLogState()

    awaited: tuple[AwaitedReceipt, ...] = ()
    """For each device the oldest delivery that was to be heard there and has no receipt."""
    surface_troubles: tuple[SurfaceTrouble, ...] = ()
    living: frozenset[tuple[str, str]] = frozenset()
    """The devices that were reached when it was last looked at what reached nobody."""
    unanswered: dict[str, datetime] = field(default_factory=dict)
    """The open questions that somebody waits for, by card, each with when it was last told aloud on one more device."""

    model_trouble: str = ""
    """Which model did not answer when it was last asked, and why, in words; empty when all did."""
    model_trouble_worded: Worded | None = None

    @property
    def is_killed(self) -> bool:
        """Whether any level of the kill switch is on."""
        return not self.policy.enabled or self.mind.ledger.emergency

    @property
    def patch(self) -> ConfigPatch:
        """What was changed while Pulse ran."""
        return self.mind.overrides.patch

    @property
    def open_suggestions(self) -> int:
        """How many suggestions of our own are open."""
        return self.open_count - sum(self.open_asks.values())
