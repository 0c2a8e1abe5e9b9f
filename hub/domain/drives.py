"""What presses: needs that grow while something stands open, are spiked by news, and decay by what was done (DRIVES 2).

A drive presses through its wants: what is open in it, each seen by a sensor or handed in. Without a want nothing
grows, so that time alone never reaches a threshold. Pressures are true at one moment (`Drive.at`); what they are at
another follows in closed form (`hub/when/drives`).
"""

from datetime import datetime
from functools import partial
from typing import Literal

from msgspec import field

from hub.contract.base import Value
from hub.contract.drives import Outcome, RestRule, WakeEnd, WakeRule
from hub.domain.mutations import AddMutation
from hub.domain.provenance import ModelText, Wording
from hub.domain.suggestion import Answer
from hub.domain.worded import Worded

BUILT_IN_DRIVES: tuple[tuple[str, float], ...] = (
    ("goals", 1.0),
    ("curiosity", 0.6),
    ("emotions", 0.8),
    ("learning", 0.5),
    ("social", 0.4),
    ("system", 1.5),
    ("unfinished", 0.9),
)
"""The drives of the source and their weights; others are a person's or an agent's own."""
PROTECTED = frozenset({"goals", "system"})
"""Drives that no mutation removes."""
WANTS_MAX = 40
"""So many wants are kept of one drive, the strongest first."""
DRIVES_MAX = 15
WAKES_MAX = 100_000
"""So many wakes are kept, the latest: years of them."""


class Want(Value):
    """Something that stands open and presses a drive.

    `key` names the matter, `strength` (0 to 1) is how much it matters, `sensor` who saw it: where that sensor cannot
    read, the want stays. `brought_at` is when it was last brought up (a card, a message to an agent); until some time
    after that it wakes nobody again. One that was handed in ends at `until`; one that a sensor sees has none.
    """

    key: str
    sensor: str
    strength: float
    says: Wording
    since: datetime
    brought_at: datetime | None = None
    until: datetime | None = None


class Drive(Value):
    """One need: its pressure (0 to the most that the rules allow) as it was at `at`, and what is open in it."""

    name: str
    weight: float = 1.0
    pressure: float = 0.0
    at: datetime | None = None
    addressed_at: datetime | None = None
    wants: tuple[Want, ...] = ()


class DriveRules(Value):
    """What the person sets (`[drives]`). Pressures are in the source's units, rates per minute, decays are shares.

    `mode` is whether a model (`model`, one of the person's, else the first) is asked whether to wake.
    `wakes` is what a wake may do outside, at the agent called `agent`: nothing, a card first, or alone. `mutations` is
    what agents may change of all this: nothing, everything by a card, or what tightens without one.
    """

    enabled: bool = True
    rate_per_min: float = 0.01
    pressure_max: float = 10.0
    threshold: float = 5.0
    single_threshold: float = 4.5
    alert_strength: float = 0.9
    spike: float = 15.0
    success_decay: float = 0.7
    partial_decay: float = 0.35
    cooldown_s: float = 300.0
    turns_per_hour_max: int = 10
    conversation_s: float = 180.0
    conversation_wait_s_max: float = 1_800.0
    again_s: float = 28_800.0
    mode: Literal["rules", "model"] = "rules"
    model: str = ""
    agent: str = ""
    wakes: Literal["off", "card", "alone"] = "card"
    mutations: Literal["off", "card", "tighten"] = "tighten"
    weights: tuple[tuple[str, float], ...] = ()
    """Drives of the person's own, and other weights for the built-in ones."""


class Tuning(Value):
    """What mutations changed of the rules; None is as the person's settings say."""

    threshold: float | None = None
    rate_per_min: float | None = None
    cooldown_s: float | None = None
    turns_per_hour_max: int | None = None


class DriveVerdict(Value):
    """Whether to wake, by which rule, with the numbers that it went by; `until` is when to ask again, if time helps.

    `total` is the weighted sum over the drives that have something to bring up, `drive` the heaviest of them and
    `pressure` its own pressure, weighted.
    """

    at: datetime
    woken_by: WakeRule | None = None
    held_by: RestRule = "below"
    drive: str = ""
    pressure: float = 0.0
    total: float = 0.0
    threshold: float = 0.0
    single_threshold: float = 0.0
    until: datetime | None = None
    said: ModelText = field(default_factory=partial(ModelText, ""))
    """What a model gave as its reason, shortened; empty in rules mode."""

    @property
    def wakes(self) -> bool:
        """Whether it is time to wake."""
        return self.woken_by is not None

    @property
    def rule(self) -> WakeRule | RestRule:
        """The rule by which it wakes, or does not."""
        return self.woken_by or self.held_by


class Wake(Value):
    """A wake as it is kept: why, where to, and what came of it.

    `place` is `inside` for a cycle of Pulse's own and else the agent's name; `ended` what became of it: a card, nothing
    worth a card, handed to the agent (`sent`), the agent's own outcome, refused by a rail, not delivered, or cut short.
    `note_worded` is `note` as a code, where it is the hub's own.
    """

    id: str
    at: datetime
    rule: WakeRule
    drive: str
    pressure: float
    total: float
    threshold: float
    place: str = "inside"
    card_id: str | None = None
    ended: WakeEnd = ""
    ended_at: datetime | None = None
    note: str = ""
    note_worded: Worded | None = None


class Handed(Value):
    """A wake that is to go to the agent outside, or went: its record, and the person's yes, where there was one.

    `execution_id` is that of the latest attempt; while it is `undelivered` and may be tried again, until `until`.
    """

    wake: Wake
    execution_id: str = ""
    answer: Answer | None = None
    until: datetime | None = None


class Feedback(Value):
    """What came of work on some drives, as whoever did it reports (DRIVES 5)."""

    drives: tuple[str, ...]
    outcome: Outcome
    summary: str = ""
    key: str = ""


class Drives(Value):
    """All that is remembered of the drives; bounded in every field."""

    drives: tuple[Drive, ...] = ()
    tuning: Tuning = Tuning()
    woke_at: tuple[datetime, ...] = ()
    """The wakes of the last hour."""
    mutated_at: tuple[datetime, ...] = ()
    """The mutations by agents in the last hour."""
    audit_hash: str = ""
    audit_count: int = 0
    heard: tuple[str, ...] = ()
    """Keys of feedback that was taken, the latest last."""
    away_since: datetime | None = None
    """Since when the agent outside cannot be reached."""
    away_tries: int = 0
    """How often it was tried since."""
    away_at: datetime | None = None
    """When it was tried last."""
    outside: tuple[Handed, ...] = ()
    """The latest wakes for the agent outside, the newest last."""
    removed: tuple[str, ...] = ()
    """Built-in drives, or ones of the settings, that a mutation took away: they do not come back by themselves."""

    def named(self, name: str) -> Drive | None:
        """Return the drive of that name, or None."""
        return next((drive for drive in self.drives if drive.name == name), None)


class DriveLine(Value):
    """One drive from the moment of a sample on: it grows in a straight line, up to the most that is allowed."""

    name: str
    pressure: float
    grows_per_min: float
    weight: float


class DriveSample(Value):
    """Where the lines of the drives bend or jump; a drive without pressure, that does not grow, is left out."""

    at: datetime
    lines: tuple[DriveLine, ...] = ()


class PutWake(Value, tag="put-wake"):
    """Add a wake to the history, or tell what became of it (by id)."""

    user: str
    wake: Wake


class DropOldWakes(Value, tag="drop-old-wakes"):
    """Keep this many of the latest wakes."""

    user: str
    kept: int


class AddDriveSample(Value, tag="add-drive-sample"):
    """Append to the history of the drives; the oldest are dropped."""

    user: str
    sample: DriveSample


DriveChange = PutWake | DropOldWakes | AddMutation | AddDriveSample
