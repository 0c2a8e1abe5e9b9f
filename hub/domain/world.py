"""What stands in the world log, and what becomes of a session (WORLD 1 and 2). Its words are other people's.

A status, a source, a reader and a session's id are plain words: the grammar lets nothing else stand there. What is
free text has `LogText`, from the line on. A line without a timestamp has no time; whoever takes it in says when that
was.
"""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.contract.phrasing import Phrasing
from hub.contract.world import AgentStatus, LineFault
from hub.domain.provenance import LogText
from hub.domain.session_run import SessionRun
from hub.domain.worded import Worded
from hub.domain.world_commands import OfferedCommand, RanCommand

NO_TEXT = LogText("")
HUB = "hub"
"""The owner of sessions that Pulse itself runs."""
WORLD_CLIENT = "world"
"""The client by which the hub itself asks about sessions."""
UNPARSED_CHARS_MAX = 1_024
"""What is kept of a line that is no entry; its length in bytes is kept, too."""


class WorldEvent(Value, tag="event"):
    """A fact, without a life of its own."""

    source: str
    identifier: LogText
    at: datetime | None = None
    text: LogText = NO_TEXT


class AgentLine(Value, tag="agent"):
    """A session says where it is, or somebody says it of a session. `need` is what it needs, to be done or to go on."""

    status: AgentStatus
    session: str
    at: datetime | None = None
    text: LogText = NO_TEXT
    need: LogText = NO_TEXT


class ReadMarker(Value, tag="read"):
    """Who has read up to here, and how many entries since their last marker; without a reader it is an old log's."""

    reader: str
    at: datetime | None = None
    entries: int = 0


class Remark(Value, tag="remark"):
    """A line that begins with `#`: people's own headings; what stands behind the sign."""

    text: LogText = NO_TEXT


class Unparsed(Value, tag="unparsed"):
    """A line that is no entry: kept, shown, counted. `text` is its beginning, `size_bytes` all that there was of it."""

    fault: LineFault
    size_bytes: int
    text: LogText = NO_TEXT


WorldEntryLine = WorldEvent | AgentLine | ReadMarker | Remark
"""What can be written."""
WorldLine = WorldEntryLine | Unparsed
"""What can be read."""


class SessionProcess(Value):
    """The process that works on a session. `started` is the system's own count, so that a reused number is no life."""

    pid: int
    started: int


class SessionQuestion(Value):
    """What the person is to be asked about a session, once, as long as the session stays as it is.

    Attributes:
        about: what it needs to go on (`answer`), whether it is `done`, or whether it takes too long (`slow`).
        status: where the session is when this is to be asked; once it is elsewhere, nothing is asked any more.
        form: a digest of what is asked; the same again is no other question.
        detail: what whoever wants it asked adds to it, in words of the hub's own, and the same as a code.
        offered: a command of its need that the person may let run, to see whether it is done.
        card_id: the open card that asks; empty while there is no room for one.
    """

    about: Literal["answer", "done", "slow"]
    status: AgentStatus
    form: str = ""
    urgent: bool = False
    detail: str = ""
    detail_worded: Phrasing | None = None
    offered: OfferedCommand | None = None
    card_id: str = ""


class SessionWatch(Value):
    """What was said of a session because it stays where it is, kept with it: a restart says nothing twice.

    Attributes:
        status, since, retries: the stay that it is about; the next one begins anew.
        times: how often somebody was told since then, or since a person last said to keep waiting.
        at: when that was.
        odd_told, refused_told: whether it was told that a line claimed an impossible time, or status.
    """

    status: AgentStatus
    since: datetime
    retries: int = 0
    times: int = 0
    at: datetime | None = None
    odd_told: bool = False
    refused_told: bool = False


class SentUnder(Value):
    """A line of a session that came under a key: digests of whose key it was, and of what it said."""

    name: str
    content: str


class WorldSession(Value):
    """One session, as its lines have made it.

    Attributes:
        task: the words of its `start`, `task_worded` the hub's own where they are a card's; `need` is what has to be
            found at the end, `need_worded` as those.
        said: its last words, `said_worded` the hub's own where it spoke last; `asks` what it needs from a person while
            it is `failed`.
        tries: how often it was tried since it began or since a person last answered; `retries` of its whole life.
        started_at, moved_at, heard_at: when it began, came to its status, and last had a line. None is later than when
            that line was taken in: a clock that is ahead must not keep a session from its time-outs.
        odd_at: the last time that a line claimed and that cannot be true.
        answer, answered_at: what a person last said to it while it was `failed`.
        proven: whether every line that moved it is known to be its agent's or the hub's own; lines of the file are not.
        refused: how many lines claimed a status that could not follow, and `refused_status` the last of them.
        owner: the client that began it over the wire, or `HUB` where Pulse runs the agent; empty where a line of the
            file began it. Who owns it alone moves it, with the hub.
        agent: which of the person's agents works on it; empty where nobody said.
        folder: where it works, as an absolute path; empty where nobody said.
        wait_s: how long it may begin or work before somebody is told; None where the settings say so.
        checked_by: what found the last outcome: `proof`, `model`, `person`, or empty.
        left_at: when the person said to leave it as it is: nothing more is asked about it until it moves.
        question: what the person is, or is to be, asked about it; `asked_at` is when they last were asked something
            that they have not answered.
        watch: what the level 1 supervisor has said of it; None where nothing was to be said yet.
        of_card: it is the runs of the card of that id, whose own verification judges them, and which asks.
        run: how Pulse has an agent work on it; None where Pulse only hears of it.
        ran: what came of commands of its need that the person let run at the end at which it stands.
        checking: the card by which such a command runs now; empty while none does.
        sent: its last lines that came under a key, so that one which comes again counts once, also after a restart.
    """

    id: str
    status: AgentStatus
    started_at: datetime
    moved_at: datetime
    heard_at: datetime
    task: LogText = NO_TEXT
    need: LogText = NO_TEXT
    said: LogText = NO_TEXT
    said_worded: Worded | None = None
    task_worded: Worded | None = None
    need_worded: Worded | None = None
    asks: LogText = NO_TEXT
    tries: int = 1
    retries: int = 0
    odd_at: datetime | None = None
    answer: LogText = NO_TEXT
    answered_at: datetime | None = None
    process: SessionProcess | None = None
    proven: bool = False
    refused: int = 0
    refused_status: AgentStatus | None = None
    owner: str = ""
    agent: str = ""
    folder: str = ""
    wait_s: float | None = None
    checked_by: Literal["", "proof", "model", "person"] = ""
    left_at: datetime | None = None
    question: SessionQuestion | None = None
    asked_at: datetime | None = None
    watch: SessionWatch | None = None
    of_card: bool = False
    run: SessionRun | None = None
    ran: tuple[RanCommand, ...] = ()
    checking: str = ""
    sent: tuple[SentUnder, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether something is still to come of it."""
        return self.status is not AgentStatus.VERIFIED

    @property
    def is_watched(self) -> bool:
        """Whether its time-outs count: not while a card runs it or waits for a yes, for that ends by itself."""
        return self.is_open and not self.of_card and not self.checking and not (self.run and self.run.card_id)
