"""Lists, health and configuration as the API answers them (CROSSPOLL 8, and what the design adds)."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.api import Aware, Count, CrossPollStatus, Dollars, Prediction, Reason, TaskView, Unit
from hub.contract.attention import Badness, ClockTimes, PerDay
from hub.contract.base import HubMessage, Message
from hub.contract.permission import PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.words import Risk


class PredictionList(HubMessage):
    """The answer of `GET /api/v1/predictions`, newest first; `nextBefore` asks for the page after this one."""

    predictions: tuple[Prediction, ...]
    count: Count
    next_before: Aware | None = None


class TaskList(HubMessage):
    """The answer of `GET /api/v1/tasks`, newest first."""

    tasks: tuple[TaskView, ...]
    count: Count


class PauseRequest(Message):
    """Body of `POST /api/v1/crosspoll/pause`; may be left out."""

    reason: Reason = ""


class ChannelView(HubMessage):
    """One channel as configured, and whether suggestions for it are made at present."""

    name: str
    specialty: str
    agent: str
    risk: Risk
    cost_per_run_usd: Dollars
    enabled: bool
    specialty_worded: Phrasing | None = None


class OverrideView(HubMessage):
    """A setting that was changed on the page: the field of `ConfigPatch`, the setting in the file, both values."""

    name: str
    setting: str
    value: str
    file_value: str


class ConfigAnswer(HubMessage):
    """The configuration as it runs: the file's, with what was changed while Pulse ran (`overrides`).

    What runs alone waits for `silenceS` without a sign of the person, and has `sessionSMax` and `allowedTools`.
    """

    enabled: bool
    autonomous: bool
    interval_ms: Count
    cost_cap_per_hour: Dollars
    cost_cap_per_day: Dollars
    cost_cap_per_month: Dollars
    auto_execute_threshold: Unit
    quiet_hours_start: Annotated[int, Meta(ge=0, le=23)]
    quiet_hours_end: Annotated[int, Meta(ge=0, le=23)]
    channels: tuple[str, ...]
    suggest_threshold: Unit
    show_threshold: Unit
    zone: str
    channel_views: tuple[ChannelView, ...]
    status: CrossPollStatus
    needless_interruption: Badness
    missed_help: Badness
    wrong_act: Badness
    interruptions_per_day: PerDay
    digest_times: ClockTimes
    digest_on_return: bool
    twin_model: str = ""
    twin_model_enabled: bool = False
    dnd_until: Aware | None = None
    overrides: tuple[OverrideView, ...] = ()
    silence_s: float = 0.0
    session_s_max: float = 0.0
    allowed_tools: tuple[str, ...] = ()


class HealthBrief(HubMessage):
    """Health for whoever has no token: that Pulse is there, and whether it is well."""

    status: Literal["ok", "degraded", "down"]


class PermissionReply(HubMessage):
    """How an agent's question stands.

    `answered` false with the status `pending` means that nobody has answered yet; with another one nobody will.
    `answer` is there once somebody has. Where it is a no, `prediction.settled.reason` says why, in the person's words.
    `since` is since when it stands so: asked, answered, taken back, or its time over.
    """

    prediction: Prediction
    answered: bool
    approved: bool
    answer: PermissionAnswer | None = None
    since: Aware | None = None


PLACE_PATTERN = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00 [A-Za-z0-9_-]{1,128}\Z"
"""A question's place in a list: since when it stands so, and its id. Its text sorts as the list does."""


def question_place(since: datetime, ask_id: str) -> str:
    """Return the place of what stands as it does since then; no two are alike."""
    return f"{since.astimezone(UTC).isoformat(timespec='microseconds')} {ask_id}"


class PermissionList(HubMessage):
    """Questions of one client, those that changed last first; `count` are all that fit, not only those of this page.

    `next` goes on from here as `after`, empty at the end.
    """

    permissions: tuple[PermissionReply, ...]
    count: Count
    next: str = ""
