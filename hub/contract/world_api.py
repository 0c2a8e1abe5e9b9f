"""Sessions of the world log as everybody outside sees them: HTTP, MCP, `--json`, the page, the status."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.base import HubMessage, Message
from hub.contract.phrasing import Phrasing
from hub.contract.world import AgentStatus

SESSION_CHARS_MAX = 128
SAID_CHARS_MAX = 8_192
"""Of one text of a line that comes over the wire; a longer one is refused, so nothing of it is lost unseen."""
ANSWER_CHARS_MAX = 2_000
RECENT_MAX = 1_000
CHECK_MAX = 200
SHOWN_MAX = 1_000

Moment = Annotated[datetime, Meta(tz=True)]
Number = Annotated[int, Meta(ge=0)]
SessionName = Annotated[
    str, Meta(min_length=1, max_length=SESSION_CHARS_MAX, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$")
]
SaidText = Annotated[str, Meta(max_length=SAID_CHARS_MAX)]
Key = Annotated[str, Meta(min_length=1, max_length=128)]
CheckedBy = Literal["", "proof", "model", "person"]


class WorldSessionView(HubMessage):
    """One session: what it is to do, what has to be found at the end, where it is, and what it said last.

    `saidWorded` is `said`, `taskWorded` is `task` as a code where it is Pulse's own sentence. `asks` is what it needs
    from a person while it is failed, `answer` what they said to that last. `proven`: every line that moved it is
    known to be its own or Pulse's. `checkedBy` is what found the last outcome. `predictionId` is the open card that
    asks about it. `refused` lines claimed what could not follow, or were not its own. `left`: nothing is asked about
    how it ended: a failure that the person left as it is, or of a card's run, which asks by itself; a `finish` that
    was only handed over, which nobody checks.
    """

    id: str
    status: AgentStatus
    task: str
    need: str
    said: str
    asks: str
    started_at: Moment
    moved_at: Moment
    heard_at: Moment
    tries: Number
    retries: Number
    proven: bool
    agent: str = ""
    folder: str = ""
    checked_by: CheckedBy = ""
    refused: Number = 0
    pid: Number | None = None
    card_id: str | None = field(name="predictionId", default=None)
    left: bool = False
    answer: str = ""
    said_worded: Phrasing | None = None
    task_worded: Phrasing | None = None
    need_worded: Phrasing | None = None


class WorldSessionsAnswer(HubMessage):
    """The answer of `GET /api/v1/world/sessions`, those heard of last first; `more` were left out."""

    sessions: tuple[WorldSessionView, ...]
    more: Number = 0


class WorldLineView(HubMessage):
    """One line of the log, oldest first in a list: `kind` says which of the fields are filled.

    `tag` is the source, status or reader, `name` what stands in the last brackets; `fault` is why a line is no entry.
    """

    kind: Literal["event", "agent", "read", "remark", "unparsed"]
    at: Moment | None = None
    tag: str = ""
    name: str = ""
    text: str = ""
    need: str = ""
    fault: str = ""
    size_bytes: Number = 0


class WorldLines(HubMessage):
    """Lines in order. `batch` is what to hand back once they were read (`check`); `hasMore`: ask again."""

    lines: tuple[WorldLineView, ...]
    has_more: bool = False
    batch: str = ""


class WorldEventBody(Message):
    """Body of `POST /api/v1/world/events`: a fact, as in `[event:source][identifier] output`."""

    source: Annotated[str, Meta(min_length=1, max_length=32)]
    identifier: SaidText
    output: SaidText = ""
    idempotency_key: Key | None = None


class WorldAgentBody(Message):
    """Body of `POST /api/v1/world/agents`: where a session is, as in `[agent:status][session] output | need: need`."""

    status: AgentStatus
    session: SessionName
    output: SaidText = ""
    need: SaidText = ""
    idempotency_key: Key | None = None


class WorldAnswer(HubMessage):
    """The answer to a line that was taken: its session as it is now, if it is about one."""

    session: WorldSessionView | None = None
    repeated: bool = False
    card_id: str | None = field(name="predictionId", default=None)


class WorldCheckBody(Message):
    """Body of `POST /api/v1/world/check`: what is new for a reader; `done` is the batch that it has read since."""

    reader: SessionName
    done: Annotated[str, Meta(max_length=128)] = ""
    most: Annotated[int, Meta(ge=1, le=CHECK_MAX)] = CHECK_MAX


class WorldPath(HubMessage):
    """The answer of `GET /api/v1/world/path`: where the log lies on the machine of this Pulse."""

    path: str
    enabled: bool = True


class WorldRespondBody(Message):
    """Body of `POST /api/v1/world/sessions/{id}/respond`: a person's answer to a session that failed."""

    text: Annotated[str, Meta(min_length=1, max_length=ANSWER_CHARS_MAX)]


class WorldSpawnBody(Message):
    """Body of `POST /api/v1/world/spawn`: have an agent of the person's do something, as a session.

    `folder` is where it works, an absolute path; without one it works in an empty folder of its own.
    """

    task: Annotated[str, Meta(min_length=1, max_length=SAID_CHARS_MAX)]
    agent: Annotated[str, Meta(min_length=1, max_length=64)]
    need: SaidText = ""
    session: Annotated[str, Meta(max_length=SESSION_CHARS_MAX)] = ""
    channel: Annotated[str, Meta(max_length=64)] = ""
    folder: Annotated[str, Meta(max_length=4_096)] = ""


class WorldAlertView(HubMessage):
    """What was told of sessions and their processes without a question; `session` is empty for a process."""

    at: Moment
    kind: Literal["overdue", "abandoned", "given-up", "stray-process", "odd-time", "refused-status"]
    text: str
    session: str = ""


class WorldStatus(HubMessage):
    """The sessions in the status: how many work, wait to be checked, need somebody; when one was last verified."""

    active: Number
    pending: Number
    failed: Number
    verified_at: Moment | None = None
    asks: str = ""
    """Which session needs somebody, the latest; empty for none."""
    alerts: tuple[WorldAlertView, ...] = ()
    """The last few, oldest first."""
