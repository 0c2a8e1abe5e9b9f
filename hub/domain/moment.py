"""Whether now is the moment: why a cycle was asked for, and what `when` says to it."""

from datetime import datetime
from enum import StrEnum

from hub.contract.base import Value
from hub.domain.mind import AutonomyState


class Occasion(StrEnum):
    """Why a cycle might run."""

    CRON = "cron"
    """The half-hourly cycle of CROSSPOLL 5.3."""
    START = "start"
    """The first look after a start, so that a person sees what Pulse sees; proposes, never acts."""
    FOLLOW_UP = "follow-up"
    """Work was finished; its results may suggest the next step. Proposes, never acts, and is no trigger."""
    MANUAL = "manual"
    """A person asked, through `trigger`."""
    DRIVE = "drive"
    """A need became strong enough: what is thought about is what presses most (DRIVES 4)."""
    CHANGE = "change"
    """Something changed since the last look. Proposes only what was not there before, never acts, and is no trigger."""


class Change(StrEnum):
    """What happened that may be worth a thought."""

    EDIT = "edit"
    """Program text was saved: somebody is at work."""
    FILES = "files"
    """Another file of a workspace changed."""
    GIT = "git"
    """A commit, another branch, a merge, a fetch."""
    TESTS = "tests"
    """A test run ended that Pulse did not start."""
    RUN = "run"
    """A run that Pulse started is over."""
    AGENT = "agent"
    """An agent said something: a question, or that it has finished."""
    TASK = "task"
    """A task was added, changed or removed."""
    READING = "reading"
    """A sensor from outside reported."""
    MESSAGE = "message"
    """The person said something to an agent."""
    PRESENCE = "presence"
    """The person is active on one of their devices."""


class Burst(Value):
    """Changes that came one after the other: when the first and the last of them came."""

    first_at: datetime
    last_at: datetime


class Changes(Value):
    """What has changed and was not thought about yet, and what is known of the person's attention. Kept in memory.

    `edits` are saved files, `events` everything else. `look_at` is when time alone will bring or end a matter.
    `busy_at` is when the person was last seen at work with their hands (typing, or talking to an agent), `busy_since`
    since when without a pause that needs would wait for, `here_at` when there was any sign of them; `returned` says
    that they have come back since the last look. `shown_at` are the times of the last cards that came unasked.
    `held_at` is since when something weighty waits for the person to pause.
    """

    edits: Burst | None = None
    events: Burst | None = None
    look_at: datetime | None = None
    busy_at: datetime | None = None
    busy_since: datetime | None = None
    here_at: datetime | None = None
    returned: bool = False
    shown_at: tuple[datetime, ...] = ()
    held_at: datetime | None = None


class Moment(Value):
    """Think now; `may_act` says whether a very confident idea may run without a person.

    `urgency_min` is how urgent an idea must be (0 to 1) to be worth the person's attention at this moment.
    """

    may_act: bool
    why: str
    autonomy: AutonomyState
    urgency_min: float = 0.0


class NotNow(Value):
    """Do not think now; worth asking again at `until`."""

    until: datetime
    why: str
    autonomy: AutonomyState
