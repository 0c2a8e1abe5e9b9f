"""What presses, and why Pulse woke or did not: the bars on the page, `pulse drives`, and what an agent reports."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.base import HubMessage, Message
from hub.contract.phrasing import Phrasing

WANTS_SHOWN_MAX = 20
"""So many of the matters that are open in a drive are shown, the strongest first."""
ADDRESSED_MAX = 15
SUMMARY_CHARS_MAX = 500

Moment = Annotated[datetime, Meta(tz=True)]
Number = Annotated[int, Meta(ge=0)]
Pressure = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
DriveName = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
WakeRule = Literal["alert", "total", "single", "model"]
"""Why it wakes."""
RestRule = Literal[
    "off", "paused", "silent", "below", "full", "conversation", "turns", "cooldown", "away", "asking", "model-no"
]
"""Why it does not: switched off, Pulse is paused or killed, nothing open, too little pressure, no room for a card, the
person is talking, woke too often or just now, the agent outside cannot be reached, or a model said no."""
IdleReason = Literal["no-agent", "less-wanted", "answered"]
MutationKind = Literal[
    "adjust_weight",
    "adjust_threshold",
    "adjust_rate",
    "adjust_cooldown",
    "adjust_turns_per_hour",
    "add_drive",
    "remove_drive",
    "spike_drive",
    "decay_drive",
]
MutationStatus = Literal["applied", "asked", "refused"]
"""Whether a change holds, waits for the person's yes, or was refused."""
Outcome = Literal["success", "partial", "blocked"]
"""What came of the work, in the words of DRIVES 5."""
WakeEnd = Literal["", "card", "nothing", "sent", "refused", "undelivered", "interrupted", Outcome]
"""What became of a wake: a card, nothing worth one, handed to the agent, refused by a rail, not delivered, cut short as
Pulse was stopped, or what the agent reported; empty while it is under way."""


class WantView(HubMessage):
    """Something that stands open: what it is in a line, how much it matters, since when, and when it was brought up.

    `id` is what a message that wakes an agent calls it; `saysWorded` is `says` as a code.
    """

    says: str
    strength: Share
    since: Moment
    brought_at: Moment | None = None
    id: str = ""
    says_worded: Phrasing | None = None


class IdleView(HubMessage):
    """Something that was seen and presses nothing, and why not.

    No agent here can do it, the person wants less of its kind, or answered it as it stands, or let it expire.
    """

    says: str
    why: IdleReason


class DriveView(HubMessage):
    """One drive: its pressure at the moment of the answer, and what is open in it, the strongest first.

    `load` is the pressure times the weight: what it adds to the total while it `counts`, which it does when something
    in it may be brought up now. `growsPerMin` is by how much the pressure itself grows. `open` is how many matters are
    open, of which `wants` shows 20.
    """

    name: str
    weight: Pressure
    pressure: Pressure
    pressure_max: Pressure
    load: Pressure
    grows_per_min: Pressure
    counts: bool
    open: Number
    wants: tuple[WantView, ...] = ()
    addressed_at: Moment | None = None


class DriveVerdictView(HubMessage):
    """Whether Pulse wakes now, by which rule, and that in one sentence; `until` is when it changes, if time helps.

    `saysWorded` is that sentence as a code, for readers of other languages, with moments as their clock has them.
    """

    wakes: bool
    rule: WakeRule | RestRule
    says: str
    says_worded: Phrasing | None = None
    until: Moment | None = None


class WakeView(HubMessage):
    """One wake: why, in a sentence too, where to (`inside`, or the agent's name), and what came of it.

    `predictionId` is the card that it led to. `ended` is empty while it is under way. `note` is what is said of how it
    ended, as a code, too, unless it is the agent's word.
    """

    id: str
    at: Moment
    rule: WakeRule
    drive: str
    pressure: Pressure
    total: Pressure
    threshold: Pressure
    says: str
    says_worded: Phrasing | None = None
    place: str = "inside"
    card_id: str | None = field(name="predictionId", default=None)
    ended: WakeEnd = ""
    ended_at: Moment | None = None
    note: str = ""
    note_worded: Phrasing | None = None


class DrivesView(HubMessage):
    """The answer of `GET /api/v1/drives`, the heaviest drive first.

    `total` is the sum of the loads that count, and is to reach `threshold`; or one alone `singleThreshold`. `nextAt` is
    when the drives are looked at next, if time alone brings that. `idle` was seen and presses nothing.
    """

    enabled: bool
    at: Moment
    drives: tuple[DriveView, ...]
    total: Pressure
    threshold: Pressure
    single_threshold: Pressure
    verdict: DriveVerdictView
    next_at: Moment | None = None
    last_wake: WakeView | None = None
    idle: tuple[IdleView, ...] = ()


class DriveLineView(HubMessage):
    """One drive from the moment of a sample on: a straight line that begins at `pressure`, up to the most."""

    name: str
    pressure: Pressure
    grows_per_min: Pressure
    weight: Pressure


class DriveSampleView(HubMessage):
    """All drives that pressed at a moment; a drive that is not named has no pressure."""

    at: Moment
    drives: tuple[DriveLineView, ...]


class DrivesHistory(HubMessage):
    """The answer of `GET /api/v1/drives/history`, oldest first: where lines bend or jump, and the wakes on them.

    The first sample is the last one before `since`. `thinned` says that some were left out between those shown.
    """

    since: Moment
    until: Moment
    samples: tuple[DriveSampleView, ...]
    wakes: tuple[WakeView, ...]
    pressure_max: Pressure
    threshold: Pressure
    thinned: bool = False


class FeedbackRequest(Message):
    """Body of `POST /feedback`, in the words of DRIVES 5: what an agent worked on, and what came of it.

    `failure` means `blocked`. The same key counts once; it may also come as the header `Idempotency-Key`.
    """

    drives_addressed: Annotated[tuple[DriveName, ...], Meta(min_length=1, max_length=ADDRESSED_MAX)] = field(
        name="drives_addressed"
    )
    outcome: Literal["success", "partial", "blocked", "failure"]
    summary: Annotated[str, Meta(max_length=SUMMARY_CHARS_MAX)] = ""
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=128)] | None = field(
        name="idempotency_key", default=None
    )


class DriveDecay(HubMessage):
    """What a report did to one drive's pressure."""

    before: Pressure
    after: Pressure
    decay_amount: Pressure = field(name="decay_amount")


class FeedbackAnswer(HubMessage):
    """The answer of `POST /feedback`: each drive that was named; none where the same report had been taken before."""

    decayed: dict[str, DriveDecay]
    repeated: bool = False


class DrivesStatus(HubMessage):
    """The drives in the status: the heaviest, its load, the sum against the threshold, and why it wakes or does not.

    Rounded to a tenth, so that it changes when there is something to see.
    """

    top: str
    load: Pressure
    total: Pressure
    threshold: Pressure
    rule: WakeRule | RestRule
    says: str


class MutationBody(Message):
    """One change, in the words of DRIVES 4: `{"type": "adjust_weight", "drive": "curiosity", "value": 1.5}`.

    `value` may be left out where the kind takes none; `reason` is why, for whoever reads the audit.
    """

    type: MutationKind
    drive: Annotated[str, Meta(max_length=200)] = ""
    value: float | None = None
    reason: Annotated[str, Meta(max_length=2_000)] = ""


class MutationsRequest(Message):
    """Body of `POST /api/v1/drives/mutations`; the same key counts once, also as the header `Idempotency-Key`."""

    mutations: Annotated[tuple[MutationBody, ...], Meta(min_length=1)]
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=128)] | None = None


class WeightRequest(Message):
    """Body of `POST /api/v1/drives/weights`: how much a drive is to count."""

    name: DriveName
    weight: Pressure


class MutationView(HubMessage):
    """One change as it stands in the audit: who asked for what and why, what it was before, and what it is since.

    `status` is whether it holds, waits for the person's yes (`predictionId` where it was just asked), or was refused
    (`code`, with what to do in `fix`; `note` says why). `askedValue` is what was asked for, where limits changed it.
    `undoes` is the id of the change that it takes back. `hash` is of this record and of `previous`.
    """

    id: str
    at: Moment
    by: str
    type: MutationKind
    status: MutationStatus
    drive: str = ""
    value: float | None = None
    reason: str = ""
    before: float | None = None
    after: float | None = None
    asked_value: float | None = None
    note: str = ""
    undoes: str = ""
    card_id: str | None = field(name="predictionId", default=None)
    code: str = ""
    fix: str = ""
    previous: str = ""
    hash: str = ""


class MutationsAnswer(HubMessage):
    """What became of changes, in their order; the last may stand for all that there was no room for."""

    mutations: tuple[MutationView, ...]
    repeated: bool = False


class DrivesImportRequest(Message):
    """Body of `POST /api/v1/drives/import`: the text of each file by its name, 4 MiB and 1,000 lines at most in all.

    `threshold` is the one that the public implementation's pressures were measured by, where it was changed there.
    With `onlyHistory` what presses stays as it is: a state then only says whose files these are.
    """

    files: Annotated[dict[str, str], Meta(min_length=1, max_length=8)]
    threshold: Annotated[float, Meta(gt=0, le=1_000)] | None = None
    only_history: bool = False


class DrivesImportAnswer(HubMessage):
    """What was taken: the drives that replaced those that were there, and the wakes and changes added.

    `changesLinkedAnew` of the changes did not go on the audit's chain here, and were added to it marked as imported.
    `notes` tell what was changed on the way, `problems` what could not be read and was left out.
    """

    drives: Number
    replaced: bool
    wakes: Number
    changes: Number
    changes_linked_anew: Number
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class AuditBreak(HubMessage):
    """The first place where the audit does not hold: the number of the record (from 0), its id, and what is wrong."""

    index: Number
    id: str
    kind: Literal["changed", "out-of-line", "beginning", "end", "rewritten", "unknown"]
    says: str


class AuditView(HubMessage):
    """The answer of `GET /api/v1/drives/mutations`: the latest changes, newest first, and whether all of them hold.

    `count` is how many there are; `intact` that every one of them is as it was written.
    """

    mutations: tuple[MutationView, ...]
    count: Number
    intact: bool
    broken: AuditBreak | None = None
