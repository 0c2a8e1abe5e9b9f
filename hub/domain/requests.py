"""What people, agents and devices ask of the hub, and how it replies. A refusal is a value, not an exception."""

from datetime import datetime
from typing import Literal

from hub.contract.address import AnyAddress
from hub.contract.alone import DaySummary
from hub.contract.api import AnswerReply, ConfigPatch, CrossPollStatus, Prediction, Settlement, TriggerAnswer
from hub.contract.base import Value
from hub.contract.events import DigestReady
from hub.contract.permission import Permission
from hub.contract.phrasing import Phrasing
from hub.contract.surface import Decision, Presence, Privacy, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import Risk
from hub.domain.at_agent import AtAgent, AtAgentSeen, LookAtAgent
from hub.domain.drive_requests import DrivesShown, DrivesTaken, ImportDrives, LookAtDrives
from hub.domain.drives import Feedback
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.provenance import TaskText, Wording
from hub.domain.situation import Task, TaskState
from hub.domain.storage import Client
from hub.domain.suggestion import Answer
from hub.domain.training import Trainer
from hub.domain.world_requests import WorldReply, WorldRequest


class DeviceDecision(Value, tag="hand-in"):
    """A device hands in a person's decision; with `replies` it waits for the reply (HTTP), else for MQTT."""

    sender: DeviceAddress
    decision: Decision
    replies: bool = False


class Trigger(Value, tag="trigger"):
    """Start a cycle now, with or without a hint. `in_person`: from the person's own terminal or signed-in page.

    `by_program`: nothing shows that a person is behind it, so that the hint is somebody else's words.
    """

    channel: str | None = None
    hint: str | None = None
    force: bool = False
    in_person: bool = False
    by_program: bool = False


LOCAL_CLIENT = "local"
"""The client that is the person's own command line."""
UNPROVEN_CLIENT = "local_unproven"
"""The client that stands for all programs of this machine of which nothing shows that the person typed them."""
RUNS_CLIENT = "runs"
"""The client that stands for all agents that Pulse itself runs."""


class Ask(Value, tag="ask"):
    """An agent or script asks a person for approval of something of its own; `client` is whose question it is.

    `permission` is what exactly an agent asks leave for; what of it Pulse itself says is not in it yet. `is_attended`:
    it is taken back once nobody waits for it. `seen_folder` is where its program runs, by the kernel's word;
    `is_linked` says that a path in what is asked leads elsewhere, or that nobody looked: a grant then covers nothing.
    `share` is whose share of its client's it takes; empty where nobody can say, None where the client is one asker.
    """

    key: str
    asker: str
    question: str
    details: str
    risk: Risk
    timeout_s: int
    client: str = LOCAL_CLIENT
    share: str | None = None
    permission: Permission | None = None
    is_attended: bool = False
    seen_folder: str = ""
    is_linked: bool = True


class Withdraw(Value, tag="withdraw"):
    """Whoever asked takes it back, or (`overrules`) took another answer; the person's command line takes back any.

    `shares` are those of the client that whoever says so may have asked under; None where the client is one asker.
    `as_asked`: what was asked ran after all, and not the words that a person had put in its place. `ran` is what ran
    in the place of what was approved, whole.
    """

    card_id: str
    client: str = LOCAL_CLIENT
    shares: tuple[str, ...] | None = None
    why: str = ""
    why_worded: Phrasing | None = None
    overrules: bool = False
    as_asked: bool = False
    ran: str = ""


ReportedEnd = Literal["done", "failed", "tested"]


class ReportDone(Value, tag="report-done"):
    """The agent that was told yes reports that it did what it had asked for, or that this failed.

    `tested`: it was no agent, but a test of whether the answer arrives, and it did.
    """

    card_id: str
    client: str
    how: ReportedEnd = "done"


class AgentFinished(Value, tag="agent-finished"):
    """An agent of the person's has come to the end of what it was told to do."""

    agent: str


class SaveTask(Value, tag="save-task"):
    """Create a task (`task_id` None) or change the fields that are given; `in_person` as in a trigger.

    `kept_by` is the surface whose process creates it, if one does.
    """

    task_id: str | None = None
    title: TaskText | None = None
    status: TaskState | None = None
    channel: str | None = None
    deadline: datetime | None = None
    notes: TaskText | None = None
    in_person: bool = False
    kept_by: str = ""


class RemoveTask(Value, tag="remove-task"):
    """Remove a task."""

    task_id: str


class Spoke(Value, tag="spoke"):
    """A person said something to an agent; silence ends."""

    at: datetime
    source: str


class Configure(Value, tag="configure"):
    """Change the running configuration; it holds until it is reset. `place` is where it was said, if on a device."""

    patch: ConfigPatch
    by: str
    place: str = ""


class ResetConfig(Value, tag="reset-config"):
    """Let the settings file hold again: for one field of the patch, or (empty) for all that was changed."""

    name: str = ""
    by: str = ""


class AddMute(Value, tag="add-mute"):
    """Want less or none of something, or always be asked; one of the three says about what, or a card, by its kind.

    `in_person` as in a trigger.
    """

    degree: Literal["less", "never", "ask"]
    card_id: str | None = None
    kind: str | None = None
    repository: str | None = None
    channel: str | None = None
    in_person: bool = False


class DropMute(Value, tag="drop-mute"):
    """Take back a wish for less or none of something."""

    mute_id: str


class DropGrant(Value, tag="drop-grant"):
    """Take back what may run without asking; `by` is the device on which it was said."""

    grant_id: str
    by: str = ""


class RestoreGrant(Value, tag="restore-grant"):
    """Give back what was removed a moment ago, as it stood; `by` is who said so."""

    grant_id: str
    by: str


class AllowKind(Value, tag="allow-kind"):
    """Let a kind of Pulse's own work run alone, in one folder or any, from this confidence on; `by` is who said so."""

    kind: str
    folder: str
    threshold: float
    for_s: int
    by: str


class UseGrant(Value, tag="use-grant"):
    """An agent is about to do this: say whether its person let it, and write that down if so.

    `seen_folder` is where its program runs by the kernel's word; `is_linked`: a path in it leads elsewhere by a
    link, or nobody looked.
    """

    permission: Permission
    seen_folder: str = ""
    is_linked: bool = True


class GiveDigest(Value, tag="give-digest"):
    """Tell every device now of all that waits, at once."""


class LookAtDay(Value, tag="look-at-day"):
    """Show what the day brings, where the person was told of it; nothing changes by it."""


class Pause(Value, tag="pause"):
    """Stop acting autonomously, with a reason."""

    reason: str


class Resume(Value, tag="resume"):
    """Go on after a pause."""


class ReportReceipt(Value, tag="receipt"):
    """A device reports what became of a delivery."""

    sender: DeviceAddress
    receipt: Receipt


class ReportPresence(Value, tag="presence"):
    """A device is there, or gone."""

    sender: DeviceAddress
    presence: Presence


class RegisterDevice(Value, tag="register-device"):
    """Pair a device; `profile` names a file in device_profiles/."""

    address: DeviceAddress
    profile: str
    title: str = ""


class RevokeDevice(Value, tag="revoke-device"):
    """End a device's pairing: it is handed nothing more, and nothing more is taken from it."""

    address: DeviceAddress


class ChangeDevice(Value, tag="change-device"):
    """Call a device otherwise, or show more or less of a card on it; None changes nothing."""

    address: DeviceAddress
    title: str | None = None
    privacy: Privacy | None = None


class SetAddress(Value, tag="set-address"):
    """Say where a device's push service finds it; None: nowhere any more."""

    address: DeviceAddress
    push: AnyAddress | None


class TryDevice(Value, tag="try-device"):
    """Send a device a notification that says it is a test."""

    address: DeviceAddress


class TellDevices(Value, tag="tell-devices"):
    """Tell every device of the person's what was loosened at a command line."""

    what: str


class PutNotice(Value, tag="put-notice"):
    """Tell the person of something about an agent, on a card that stays until they know; once while that is open.

    `key` says what it is about; `why` stands below what is `said`.
    """

    key: str
    said: Wording
    why: Wording = Wording()


class NotePairs(Value, tag="note-pairs"):
    """The training pairs up to the number `through` are in a file of the person's by now."""

    through: int


class NoteModel(Value, tag="note-model"):
    """A model has learnt from so many pairs; `use` lets the twin ask it from now on."""

    name: str
    by: Trainer
    pairs: int
    use: bool = True


class BackToModel(Value, tag="back-to-model"):
    """Let the twin ask the model again that it asked before the present one."""


class SaveClient(Value, tag="save-client"):
    """Add or revoke an API client."""

    client: Client


class TakeFeedback(Value, tag="take-feedback"):
    """Whoever worked on what presses reports what came of it (DRIVES 5)."""

    feedback: Feedback


class HandInMutations(Value, tag="hand-in-mutations"):
    """Change the drives: `by` asks, who is the person themselves or an agent. The same key counts once."""

    mutations: tuple[Mutation, ...]
    by: str
    is_person: bool
    key: str = ""


class UndoMutation(Value, tag="undo-mutation"):
    """Take a change of the drives back, by the id of its record.

    With `is_own_weight` only a weight that the requester had set themselves.
    """

    record_id: str
    by: str
    is_person: bool
    is_own_weight: bool = False


Request = (
    Answer
    | DeviceDecision
    | Trigger
    | Ask
    | Withdraw
    | ReportDone
    | AtAgent
    | LookAtAgent
    | AgentFinished
    | SaveTask
    | RemoveTask
    | Spoke
    | Configure
    | ResetConfig
    | AddMute
    | DropMute
    | DropGrant
    | RestoreGrant
    | AllowKind
    | UseGrant
    | GiveDigest
    | LookAtDay
    | Pause
    | Resume
    | ReportReceipt
    | ReportPresence
    | RegisterDevice
    | RevokeDevice
    | ChangeDevice
    | SetAddress
    | TryDevice
    | TellDevices
    | PutNotice
    | NotePairs
    | NoteModel
    | BackToModel
    | SaveClient
    | TakeFeedback
    | LookAtDrives
    | HandInMutations
    | UndoMutation
    | ImportDrives
    | WorldRequest
)


class Refused(Value, tag="refused"):
    """It was not taken, and nothing changed. `code` is listed in docs/errors.md; `status` is the HTTP status.

    `look` says, sent with the same answer again, that the person has looked at `prediction` meanwhile.
    """

    code: str
    status: int
    detail: str
    fix: str = ""
    prediction: Prediction | None = None
    settled: Settlement | None = None
    look: str = ""


class TaskSaved(Value, tag="task-saved"):
    """The task as it is now."""

    task: Task


class Noted(Value, tag="noted"):
    """Done; the status as it is now."""

    status: CrossPollStatus


class DayShown(Value, tag="day-shown"):
    """What the day brings; None before it was told, and where there is nothing of it."""

    day: DaySummary | None = None


class DigestGiven(Value, tag="digest-given"):
    """What every device was told of."""

    digest: DigestReady


class GrantUsed(Value, tag="grant-used"):
    """What lets an agent go on without a question, in words, and until when; empty where its person is to be asked."""

    summary: str = ""
    until: str = ""


class FeedbackTaken(Value, tag="feedback-taken"):
    """What a report moved: each drive with its pressure before and after; nothing where it had been taken before."""

    decayed: tuple[tuple[str, float, float], ...] = ()
    repeated: bool = False


class MutationOutcome(Value):
    """What became of one change: its record, the card that asks about it, and the refusal's code and way out."""

    record: MutationRecord
    card_id: str | None = None
    code: str = ""
    fix: str = ""


class MutationsMade(Value, tag="mutations-made"):
    """What became of changes of the drives, in their order; nothing where they had been handed in before."""

    outcomes: tuple[MutationOutcome, ...] = ()
    repeated: bool = False


Reply = (
    MutationsMade
    | DrivesShown
    | DrivesTaken
    | FeedbackTaken
    | GrantUsed
    | AtAgentSeen
    | AnswerReply
    | Refused
    | TriggerAnswer
    | TaskSaved
    | Noted
    | DayShown
    | DigestGiven
    | WorldReply
)
