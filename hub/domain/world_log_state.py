"""What the loop knows of the world log, and what of it is stored: sessions, lines that go out, how far was read."""

from datetime import datetime
from typing import Literal

from msgspec import field

from hub.contract.base import Value
from hub.domain.world import SessionProcess, Unparsed, WorldEntryLine, WorldSession
from hub.domain.world_proof import ProofFinding

OPEN_MAX = 10_000
"""Sessions without an outcome that are remembered; the others are looked after from the store, in turn."""
ENDED_MAX = 1_000
"""Verified sessions that are remembered; the store knows the others."""
UNPARSED_MAX = 100
KEYS_MAX, SENDERS_MAX = 128, 256
"""Keys that are remembered of each client, and clients of which any are."""
"""Lines that were no entries, of which the latest are shown."""


class WorldIntake(Value):
    """What was taken in from the log since it began, counted; `unparsed` are the last lines that were no entries.

    `unknown` lines were about sessions that never began, `forgotten` sessions had to make room for others, and `gaps`
    counts how often the log was cut, replaced or moved before it was read.
    """

    lines: int = 0
    unparsed_lines: int = 0
    unknown_lines: int = 0
    forgotten: int = 0
    gaps: int = 0
    unparsed: tuple[Unparsed, ...] = ()


class WorldCheck(Value):
    """It is being found out whether a session is done, or somebody is asked.

    Attributes:
        id: by which what comes back is known; another end of the same session has another.
        ended_at, retries: which of the session's ends this is about.
        by: what finds out now; in `turn` it waits until others are through, at `command` it is looked up what a command
            would start, at `person` nothing more is looked at.
        until: when that takes too long.
        model: the name of the model that was asked last, `found` what was looked at before, and `question` what is put
            to each model in turn.
    """

    id: str
    ended_at: datetime
    retries: int
    by: Literal["turn", "proof", "command", "model", "person"] = "turn"
    until: datetime | None = None
    model: str = ""
    found: tuple[ProofFinding, ...] = ()
    question: str = ""


class SentLine(Value):
    """A line that a client sent under a key: what tells it from others, and its session."""

    digest: str
    session: str = ""


class WorldShare(Value):
    """How much a client has said since a moment."""

    since: datetime
    size_bytes: int = 0


class WorldSweep(Value):
    """How far the stored sessions were looked through that are not remembered: those heard of before a moment are left.

    `found` is whether there were some in this round.
    """

    before: tuple[datetime, str] | None = None
    found: bool = False


class MissedProcess(Value):
    """The process of a session was not there at a look: since when. Only a second look in a row is believed."""

    process: SessionProcess
    since: datetime


AlertKind = Literal["overdue", "abandoned", "given-up", "stray-process", "odd-time", "refused-status"]


class WorldAlert(Value):
    """What the level 1 supervisor told without a question; `session` is empty where it is about a process."""

    at: datetime
    kind: AlertKind
    text: str
    session: str = ""


class WorldWatch(Value):
    """What the level 1 supervisor goes by between two looks; all of it is found out again after a start.

    Attributes:
        look_at: when to look at the processes next; None while there is no session to look after.
        looking_since: when the look began that has not come back yet.
        due_at: before this no time-out falls due; it is found out anew at each look.
        missed: sessions whose process the last look missed.
        strays: processes without a session that were told.
        alerts: the last ones, oldest first.
    """

    look_at: datetime | None = None
    looking_since: datetime | None = None
    due_at: datetime | None = None
    missed: dict[str, MissedProcess] = field(default_factory=dict)
    strays: tuple[SessionProcess, ...] = ()
    alerts: tuple[WorldAlert, ...] = ()


class WorldLogState(Value):
    """The sessions by id, and what is being done about them.

    Attributes:
        sessions: those without an outcome, and the last ones that were verified; in the order of their last lines.
        watch: what the level 1 supervisor goes by.
        checks: what is being found out, by session.
        sent: the lines that were taken under a key, by client and key, the latest last.
        shares: how much each client has said lately, the latest last.
        sweep: where open sessions are looked for that are not remembered; None while there are none.
    """

    sessions: dict[str, WorldSession] = field(default_factory=dict)
    intake: WorldIntake = WorldIntake()
    watch: WorldWatch = WorldWatch()
    checks: dict[str, WorldCheck] = field(default_factory=dict)
    sent: dict[str, dict[str, SentLine]] = field(default_factory=dict)
    shares: dict[str, WorldShare] = field(default_factory=dict)
    sweep: WorldSweep | None = None


class LoggedOut(Value):
    """A line that is to stand in the log; `id` is the hub's own name for it, and stands nowhere in the log."""

    id: str
    line: WorldEntryLine


class PutSession(Value, tag="put-session"):
    """Add or replace a session."""

    user: str
    session: WorldSession


class PutWorldPlace(Value, tag="put-world-place"):
    """How far the log has been read, as its reader says it, and what was counted: with what came of the lines."""

    user: str
    cursor: bytes
    intake: WorldIntake


class AddWorldLine(Value, tag="add-world-line"):
    """A line is to be appended to the log; it waits here until it was seen there."""

    user: str
    out: LoggedOut


class DropWorldLines(Value, tag="drop-world-lines"):
    """These lines were seen in the log. Unknown ids are fine."""

    user: str
    ids: tuple[str, ...]


WorldChange = PutSession | PutWorldPlace | AddWorldLine | DropWorldLines
