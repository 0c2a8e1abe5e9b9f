"""What a person looks at: everything at once, the agents, similar answers, and the figures behind the charts."""

from datetime import date
from typing import Literal

from msgspec import field

from hub.contract.alone import DaySummary
from hub.contract.api import Aware, Count, CrossPollStatus, Dollars, Prediction, TaskView, Unit
from hub.contract.base import HubMessage
from hub.contract.phrasing import Phrasing
from hub.contract.runs import WorkResult
from hub.contract.words import RunState


class AgentView(HubMessage):
    """One channel and its agent: what it does now, or else what it last did; what it used since midnight.

    `failed` lasts until something is run there again. `tokens_today` is null where the agent reports none.
    `containment` says what its runs can see and reach.
    """

    channel: str
    agent: str
    specialty: str
    state: Literal["idle", "queued", "running", "failed"]
    card_id: str | None = field(name="predictionId", default=None)
    doing: str = ""
    since: Aware | None = None
    last_line: str = ""
    tokens_today: Count | None = None
    cost_today_usd: Dollars = 0.0
    runs_today: Count = 0
    containment: str = ""


class AgentList(HubMessage):
    """The answer of `GET /api/v1/agents`."""

    agents: tuple[AgentView, ...]
    count: Count


class SyncAnswer(HubMessage):
    """The answer of `GET /api/v1/sync`: all that a device shows, as of place `seq` in the live feed `feed`.

    `open` are the cards to answer, newest first; `recent` the settled ones; `day` is what this day brings, once that
    was told, `zone` the person's time zone.
    """

    status: CrossPollStatus
    open: tuple[Prediction, ...]
    recent: tuple[Prediction, ...]
    agents: tuple[AgentView, ...]
    tasks: tuple[TaskView, ...]
    seq: Count
    feed: str
    timestamp: Aware
    day: DaySummary | None = None
    zone: str = ""


class SimilarAnswer(HubMessage):
    """The answer of `GET /api/v1/predictions/{id}/similar`: how suggestions like this one were answered."""

    predictions: tuple[Prediction, ...]
    approved: Count
    rejected: Count


class Day(HubMessage):
    """One day in the person's time zone. `interruptions` are those that count against the day's.

    Suggestions made on that day count by what has become of them since; what ran by itself was neither approved nor
    rejected. Runs and their cost count on the day on which they were queued: `executed` are those that were proven
    done, `handedOver` those of which nothing shows whether they are.
    """

    day: date
    suggestions: Count
    approved: Count
    rejected: Count
    expired: Count
    executed: Count
    failed: Count
    blocked: Count
    interruptions: Count
    cost_usd: Dollars
    approval_rate: Unit | None
    handed_over: Count = 0


class ChannelFigures(HubMessage):
    """One channel over the whole span."""

    channel: str
    suggestions: Count
    approved: Count
    rejected: Count
    executed: Count
    failed: Count
    cost_usd: Dollars
    handed_over: Count = 0


class Reliability(HubMessage):
    """Suggestions of one range of confidence; how sure the answered ones were on average, how many were approved."""

    low: Unit
    high: Unit
    suggestions: Count
    answered: Count
    mean_confidence: Unit | None
    approval_rate: Unit | None


class ChancePoint(HubMessage):
    """Answered suggestions of one range of chances: how likely a yes was said to be on average, how often it came."""

    low: Unit
    high: Unit
    answers: Count
    said: Unit
    came: Unit


class ChancesJudged(HubMessage):
    """How far the chances of a yes can be believed, by the answers that came; `more` answers until it can be judged.

    Until then the figures are null and there are no points. `apart` is how far saying and coming are apart on average
    (expected calibration error), `brier` the mean squared error (0.25 is what always saying one half gets),
    `sharpness` the variance of what was said: 0 where all is said alike.
    """

    answers: Count
    more: Count
    apart: Unit | None = None
    brier: Unit | None = None
    sharpness: Unit | None = None
    points: tuple[ChancePoint, ...] = ()


class Cap(HubMessage):
    """What was spent of one cap."""

    window: Literal["hour", "day", "month"]
    spent_usd: Dollars
    cap_usd: Dollars


class InsightAnswer(HubMessage):
    """The answer of `GET /api/v1/insight?days=30`; with `truncated` the oldest days count too little."""

    zone: str
    days: tuple[Day, ...]
    channels: tuple[ChannelFigures, ...]
    calibration: tuple[Reliability, ...]
    caps: tuple[Cap, ...]
    chances: ChancesJudged
    truncated: bool = False


class RunView(HubMessage):
    """One attempt at a suggestion, with what it put out.

    `result` says it for a person, null for a run that has not ended; `proofWorded` is `proof` as a code. `diff` are the
    changes to files as git tells them, `diffCut` that there are more.
    """

    execution_id: str
    attempt: Count
    state: RunState
    agent: str
    autonomous: bool
    queued_at: Aware
    started_at: Aware | None
    ended_at: Aware | None
    cost_usd: Dollars
    proof: str
    output: str
    exit_code: int | None
    result: WorkResult | None = None
    diff: str = ""
    diff_cut: bool = False
    proof_worded: Phrasing | None = None


class CommitPicture(HubMessage):
    """A picture among the files of a commit, as it was before or is now; `data` is base64."""

    path: str
    is_before: bool
    media: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str


class CommitChanges(HubMessage):
    """The answer of `GET /api/v1/predictions/{id}/changes`: all of the diff that a card would commit, and pictures.

    `isCurrent` is false where the files are others by now, or the card is over: then it is what the card itself has.
    """

    diff: str = ""
    diff_cut: bool = False
    is_current: bool = False
    pictures: tuple[CommitPicture, ...] = ()


class RunList(HubMessage):
    """The answer of `GET /api/v1/predictions/{id}/runs`."""

    runs: tuple[RunView, ...]
    count: Count


class CalibrationBucket(HubMessage):
    """Predictions of one confidence range and how many of the answered ones were approved."""

    bucket: str
    predictions: Count
    approval_rate: Unit | None


class MetricsAnswer(HubMessage):
    """The answer of `GET /api/v1/crosspoll/metrics` (CROSSPOLL 7.6); null where there is no data yet."""

    period: str
    total_predictions: Count
    approved: Count
    rejected: Count
    expired: Count
    auto_executed: Count
    auto_executed_undone: Count
    approval_rate: Unit | None
    auto_success_rate: Unit | None
    avg_confidence: Unit | None
    avg_approved_confidence: Unit | None
    avg_rejected_confidence: Unit | None
    calibration: tuple[CalibrationBucket, ...]
    trend_direction: Literal["improving", "steady", "declining", "unknown"]
    last_dpo_training: Aware | None
