"""Requests and answers of the HTTP and WebSocket API, in the words of CROSSPOLL 8 (camelCase on the wire).

Money is in US dollars here, as the source document has it; inside, Pulse counts whole micro-dollars.
Every datetime carries its zone.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.alone import AloneProgress, AwaySummary
from hub.contract.attention import AttentionStatus, Badness, ClockTimes, Held, PerDay
from hub.contract.base import HubMessage, Message
from hub.contract.drives import DrivesStatus
from hub.contract.permission import Permission, PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.runs import PlannedRun, WorkResult
from hub.contract.words import (
    Autonomy,
    Badge,
    Breadth,
    HumanInput,
    MoveReason,
    Origin,
    Risk,
    RunState,
    Source,
    Status,
    TextSource,
    Verb,
)
from hub.contract.world_api import WorldStatus

PROMPT_CHARS_MAX = 4_000
REASON_CHARS_MAX = 500
TASK_TITLE_CHARS_MAX = 500
COUNT_MAX = 10

Prompt = Annotated[str, Meta(min_length=1, max_length=PROMPT_CHARS_MAX)]
Reason = Annotated[str, Meta(max_length=REASON_CHARS_MAX)]
Word = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Key = Annotated[str, Meta(min_length=1, max_length=128)]
Unit = Annotated[float, Meta(ge=0, le=1)]
Dollars = Annotated[float, Meta(ge=0, le=1_000_000)]
Count = Annotated[int, Meta(ge=0)]
ModelName = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")]
Aware = Annotated[datetime, Meta(tz=True)]


class Settlement(HubMessage):
    """Who settled a card, where, when and how; `permission` is what else they answered to an agent."""

    verb: Verb
    by: str
    surface: str
    device: str
    human_input: HumanInput
    at: Aware
    reason: str = ""
    permission: PermissionAnswer | None = None


class Likelihood(HubMessage):
    """How likely a yes was thought to be: the chance, and between what and what it is in eight of ten cases.

    `yes` of the latest `answers` answers to the like were a yes, ten at most: true counts, to be told in words.
    """

    p: Unit
    low: Unit
    high: Unit
    yes: Count
    answers: Count


class Prediction(HubMessage):
    """One suggestion, as every surface sees it. `runs` is null where Pulse itself runs nothing.

    `prompt` is what a yes runs, or ran; where a person had other words run than were asked for, `asked` is what was
    asked for, and empty on all other cards.
    `statusReason` is why it is where it is, null before its first move; `returnedAt` when it last came back: after a
    snooze, an undo, a run that could not go on. `round` counts how often it came back after an answer; an answer that
    names it is not taken in a later one.
    `origin` is whose words would run, `quotes` where those of others in them came from. Only what is Pulse's own and
    quotes nobody ever runs without a person. `editable` is whether other words would change what is done: not where
    a fixed command runs, nor in somebody else's question. `editText` is what an edit begins with where that is not the
    prompt: the message of a commit, which is then all that the edit changes.
    `repository` and `branch` are where it belongs, empty where it belongs nowhere; `details` is what to look at before
    a yes: a diff, the tests that failed. `confidenceLearnt` is false where `confidence` is only the fixed figure of the
    beginning, which says nothing and is not to be shown. `likelihood` is what
    earlier answers say, null while they say nothing. `inPerson` is that only a yes from the page or from `pulse
    approve` counts: devices are not offered one.
    `result` is what came of its last run, null before one has ended; `endedAt` is when that was. `mendedAt`
    is when what had failed was seen to end well since, by whose hand it may be: then it is no failure any more, and
    asks for nothing. `offers` are the verbs of
    a card that ended badly, was not ignored and works no better by now: `retry`, `ignore`, and `fix` where an agent of
    the person's is connected, named by `fixer`.
    `held` is that it waits for a good moment: it is listed and can be answered, but nobody was told of it yet.
    `permission` is what an agent asks leave for, null on any other card. `alike` is the same on open requests of one
    agent that can be looked at together, empty on all others; `alwaysAsked` is why none like this can be let run
    without asking, as a sentence, and `alwaysAskedWorded` the same as a code. `promptWorded` and `reasoningWorded` say
    both as codes, where the sentences are Pulse's: for reading only, since what runs is the prompt to the letter.
    """

    id: str
    prompt: str
    target_agent: str
    target_channel: str
    confidence: Unit
    reasoning: str
    created_at: Aware
    status: Status
    source: Source
    expires_at: Aware
    risk: Risk
    card_hash: str
    cost_estimate_usd: Dollars
    status_reason: MoveReason | None = None
    badges: tuple[Badge, ...] = ()
    returned_at: Aware | None = None
    snoozed_until: Aware | None = None
    snoozes_left: int = 0
    settled: Settlement | None = None
    execution_id: str | None = None
    run_state: RunState | None = None
    outcome: str = ""
    attempts: Count = 0
    round: Count = 0
    runs: PlannedRun | None = None
    origin: Origin = Origin.WORLD
    quotes: tuple[TextSource, ...] = ()
    editable: bool = True
    repository: str = ""
    branch: str = ""
    details: str = ""
    confidence_learnt: bool = False
    likelihood: Likelihood | None = None
    in_person: bool = False
    result: WorkResult | None = None
    mended_at: Aware | None = None
    ended_at: Aware | None = None
    offers: tuple[Verb, ...] = ()
    fixer: str = ""
    held: Held | None = None
    permission: Permission | None = None
    alike: str = ""
    always_asked: str = ""
    always_asked_worded: Phrasing | None = None
    outcome_worded: Phrasing | None = None
    asked: str = ""
    edit_text: str = ""
    prompt_worded: Phrasing | None = None
    reasoning_worded: Phrasing | None = None

    @property
    def cannot_run(self) -> str:
        """Why a yes would start nothing and only have it looked at again; empty where it would start something."""
        return "" if self.runs is None else self.runs.problem

    @property
    def opened_at(self) -> datetime:
        """When it last came before the person, or will: made, back again, or back at the end of a snooze."""
        return max(self.returned_at or self.created_at, self.snoozed_until or self.created_at)


class Unreached(HubMessage):
    """One device on which nothing reaches the person now: why, what to do about it, and since when.

    `absent`: nothing is wrong there; it is closed, or has no notifications yet. `worded` and `fix_worded` are `why` and
    `fix` as codes.
    """

    surface: str
    device: str
    title: str
    why: str
    fix: str = ""
    since: Aware | None = None
    absent: bool = False
    worded: Phrasing | None = None
    fix_worded: Phrasing | None = None


class ReachStatus(HubMessage):
    """Which of the person's devices are reached now, from what became of the last messages to them.

    `line` says it in one line, empty where nothing is to be said; `worded` is that as a code. `nobody`: nothing that is
    sent is seen anywhere. `unreached` names the devices, those that fail before those that are only absent.
    """

    line: str = ""
    nobody: bool = False
    unreached: tuple[Unreached, ...] = ()
    worded: Phrasing | None = None


class CrossPollStatus(HubMessage):
    """The autonomous state and its budgets.

    `killed_by` is the level of the kill switch that holds, empty for none; `month_stopped` that the month's cap was
    reached, which only a person lifts. `reason_worded` is why the state is so as a code, unless a person said it.
    `mutes` is how many wishes for less or none of something hold, `grants` how many things may run without asking,
    and `progress` how far Pulse has come in that. `away` is there for an hour after a return: what happened
    meanwhile. `model_trouble` says which model does not answer, and why (as a code, too); empty while all do.
    `attention` is what today has cost in interruptions, and what waits for a good moment; `drives` is what presses, and
    `world` how the sessions of the world log are. `reach` says on which devices nothing reaches the person, and why.
    """

    enabled: bool
    autonomous: bool
    state: Autonomy
    reason: str
    last_trigger_at: Aware | None
    total_triggers: Count
    cost_this_hour: Dollars
    cost_cap_per_hour: Dollars
    cost_today: Dollars
    cost_cap_per_day: Dollars
    cost_this_month: Dollars
    cost_cap_per_month: Dollars
    quiet: bool
    pending: Count
    loop_detections: Count
    mutes: Count = 0
    grants: Count = 0
    progress: AloneProgress | None = None
    away: AwaySummary | None = None
    attention: AttentionStatus | None = None
    drives: DrivesStatus | None = None
    world: WorldStatus | None = None
    dnd_until: Aware | None = None
    killed_by: Literal["", "emergency", "file", "run-time"] = ""
    month_stopped: bool = False
    model_trouble: str = ""
    model_trouble_worded: Phrasing | None = None
    reason_worded: Phrasing | None = None
    reach: ReachStatus | None = None


class PredictAnswer(HubMessage):
    """The answer of `GET /api/v1/twin/predict`."""

    predictions: tuple[Prediction, ...]
    count: Count
    timestamp: Aware
    cross_poll_status: CrossPollStatus


class TriggerRequest(Message):
    """Body of `POST /api/v1/crosspoll/trigger`: start a cycle, or approve `predictionId`."""

    target_channel: Word | None = None
    hint: Prompt | None = None
    force: bool = False
    card_id: Word | None = field(name="predictionId", default=None)


class TriggerAnswer(HubMessage):
    """What a trigger did; `triggered` false always comes with its reason in `message` (`messageWorded` as a code).

    A pending `prediction` then is the open one that says what a hint asked for already.
    """

    triggered: bool
    prediction: Prediction | None
    target_channel: str | None
    message: str
    status: CrossPollStatus
    message_worded: Phrasing | None = None


class AnswerRequest(Message):
    """Body of confirm, reject, snooze, edit, undo, stop, retry, less, never, fix and ignore; may be empty.

    `attempt` names the failed run that a retry, fix or ignore means (`attempts` of the card then): it counts only once.
    `round` is the card's, as it was shown: an answer to an earlier one is not taken. `about` is how far `less` and
    `never` reach; left out, `less` is of this kind everywhere, `never` of this kind here. `permission` is what is
    answered to an agent beyond yes or no. `latest` is that the person wrote that word for the card, and `look` what
    came with the card when an answer was refused because it, or the words that the answer brings, had not been looked
    at.
    """

    card_hash: Key | None = None
    reason: Reason = ""
    until: Aware | None = None
    minutes: Annotated[int, Meta(ge=1, le=10_080)] | None = None
    prompt: Prompt | None = None
    attempt: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    round: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    about: Breadth | None = None
    permission: PermissionAnswer | None = None
    human_input: HumanInput = HumanInput.TAP
    surface: Word = "api"
    device: Word = "api"
    idempotency_key: Key | None = None
    latest: bool = False
    look: Key | None = None


class RespondRequest(Message):
    """Body of `POST /api/v1/predictions/{id}/respond`: what a failed task needed to know; it is run again with that.

    `attempt` names the failed run that is meant, as for a retry; `look` is as in other answers.
    """

    text: Prompt
    attempt: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    human_input: HumanInput = HumanInput.KEY
    surface: Word = "api"
    device: Word = "api"
    idempotency_key: Key | None = None
    look: Key | None = None


class AnswerReply(HubMessage):
    """A person's answer was taken (or had been taken before)."""

    prediction: Prediction
    repeated: bool = False
    message: str = ""


class AskRequest(Message):
    """Body of `POST /api/v1/ask`: an agent or script asks a person for approval of something of its own."""

    question: Prompt
    risk: Risk = Risk.MEDIUM
    timeout_s: Annotated[int, Meta(ge=1, le=86_400)] = 600
    asker: Word = "script"
    details: Annotated[str, Meta(max_length=PROMPT_CHARS_MAX)] = ""
    wait_s: Annotated[int, Meta(ge=0, le=300)] = 0
    idempotency_key: Key | None = None


class AskReply(HubMessage):
    """How an ask stands; `answered` false means that nobody has answered yet."""

    prediction: Prediction
    answered: bool
    approved: bool


class TaskBody(Message):
    """Body of task creation and update; a missing field keeps its value on update."""

    title: Annotated[str, Meta(min_length=1, max_length=TASK_TITLE_CHARS_MAX)] | None = None
    status: Literal["queued", "running", "completed", "failed", "cancelled"] | None = None
    channel: Word | None = None
    deadline: Aware | None = None
    notes: Annotated[str, Meta(max_length=PROMPT_CHARS_MAX)] | None = None


TaskDoubt = Literal["", "hour", "weekday", "night", "past"]
"""What else a sentence could have meant: the other half of the day, today, the day that has begun; or that its moment
has passed, so that the task has none.
"""


class TaskView(HubMessage):
    """One task of the task store; `doubt` comes with a new one alone, whose moment was read from its title."""

    id: str
    title: str
    status: Literal["queued", "running", "completed", "failed", "cancelled"]
    channel: str | None
    deadline: Aware | None
    notes: str
    created_at: Aware
    updated_at: Aware
    stale: bool
    card_id: str | None = field(name="predictionId", default=None)
    doubt: TaskDoubt = ""
    title_worded: Phrasing | None = None


class MessageBody(Message):
    """Body of `POST /api/v1/messages`: a person said something to an agent; ends silence."""

    text: Annotated[str, Meta(max_length=PROMPT_CHARS_MAX)] = ""
    channel: Word | None = None
    at: Aware | None = None


class ConfigPatch(Message):
    """Body of `PATCH /api/v1/crosspoll/config`: lasts until it is reset, and cannot lift what the file forbids.

    `twin_model` is the model to ask from now on, at the first of the services that the file names;
    `twin_model_enabled` whether any is asked.
    """

    enabled: bool | None = None
    autonomous: bool | None = None
    interval_ms: Annotated[int, Meta(ge=1_000, le=86_400_000)] | None = None
    cost_cap_per_hour: Dollars | None = None
    cost_cap_per_day: Dollars | None = None
    cost_cap_per_month: Dollars | None = None
    auto_execute_threshold: Unit | None = None
    suggest_threshold: Unit | None = None
    show_threshold: Unit | None = None
    disabled_channels: Annotated[tuple[Word, ...], Meta(max_length=100)] | None = None
    quiet_hours_start: Annotated[int, Meta(ge=0, le=23)] | None = None
    quiet_hours_end: Annotated[int, Meta(ge=0, le=23)] | None = None
    needless_interruption: Badness | None = None
    missed_help: Badness | None = None
    wrong_act: Badness | None = None
    interruptions_per_day: PerDay | None = None
    digest_times: ClockTimes | None = None
    digest_on_return: bool | None = None
    twin_model: ModelName | None = None
    twin_model_enabled: bool | None = None
    dnd_until: Aware | None = None
    dnd_off: bool | None = None
    emergency_stop: bool | None = None
    reenable_month: bool | None = None


class Problem(HubMessage):
    """An RFC 9457 problem document. `code` is stable; docs/errors.md explains each.

    `look` says, sent with the same answer again, that the person has looked at `prediction` meanwhile: the card, with
    the words that the answer brings.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    fix: str = ""
    instance: str = ""
    settled: Settlement | None = None
    prediction: Prediction | None = None
    errors: tuple[str, ...] = ()
    look: str = ""


class HealthPart(HubMessage):
    """One part's health: `ok`, `degraded` or `down`, with what to do about it."""

    name: str
    status: Literal["ok", "degraded", "down", "unknown"]
    detail: str = ""
    since: Aware | None = None
    fix: str = ""


class HealthAnswer(HubMessage):
    """The answer of `GET /api/v1/health`."""

    status: Literal["ok", "degraded", "down"]
    version: str
    parts: tuple[HealthPart, ...]
    cross_poll_status: CrossPollStatus
    timestamp: Aware
