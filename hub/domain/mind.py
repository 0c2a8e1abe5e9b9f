"""What the loop remembers between events. Stored with every change, so a restart (or a kill -9) forgets nothing."""

from datetime import datetime
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.base import Value
from hub.contract.phrasing import Phrasing
from hub.contract.words import Autonomy
from hub.domain.drives import Drives
from hub.domain.judgement import Ledger
from hub.domain.lessons import Lessons
from hub.domain.permission_grant import ChangedGrant, PermissionGrant
from hub.domain.training import Training
from hub.domain.worded import Worded

SPENT_DAYS_MAX = 365
"""As many days as the charts go back."""


class AutonomyState(Value):
    """The state of CROSSPOLL 5.2 and why it is so, in English and as a code; a person's own reason has none."""

    state: Autonomy = Autonomy.WATCHING
    since: datetime | None = None
    reason: str = ""
    wording: Phrasing | None = None


class Tally(Value):
    """How a kind of suggestion has been answered so far.

    `in_row` counts the dismissals since the last yes, `last_at` is when one was last shown or answered, `example` the
    text of the one that was dismissed last.
    """

    approved: int = 0
    rejected: int = 0
    in_row: int = 0
    last_at: datetime | None = None
    example: str = ""
    example_worded: Worded | None = None


class Streak(Value):
    """The yeses in a row to the same work in the same place; `offered` is how many there were at the last offer."""

    yeses: int
    last_at: datetime
    offered: int = 0


class Absence(Value):
    """What has happened since the last sign of the person: runs, answers, cards, agents' ends, new pairs."""

    since: datetime
    alone: int = 0
    failed: int = 0
    approved: int = 0
    rejected: int = 0
    made: int = 0
    finished: int = 0
    pairs: int = 0


class Returned(Value):
    """That the person came back, what had happened meanwhile, and whether their devices were told."""

    at: datetime
    absence: Absence
    told: bool = False


class DaySpent(Value):
    """How many interruptions a day (a local date) has had, and when the latest was heard; None before it was kept."""

    day: str = ""
    interruptions: int = 0
    heard_at: datetime | None = None


class DayCounts(Value):
    """What a day (a local date) has brought: runs that ended well and not, answers, tasks that were ticked off."""

    day: str = ""
    done: int = 0
    failed: int = 0
    approved: int = 0
    rejected: int = 0
    tasks: int = 0


class Mute(Value):
    """What a person wants less of, never, or always to be asked about: this kind, in this repository, of this channel.

    All that are given must be so. `times` is how often it was said, `card_ids` by which cards; `last_at` is when
    something of it was last shown or answered.
    """

    id: str
    degree: Literal["less", "never", "ask"]
    made_at: datetime
    last_at: datetime
    kind: str | None = None
    repository: str | None = None
    channel: str | None = None
    times: int = 1
    example: str = ""
    card_ids: tuple[str, ...] = ()
    example_worded: Worded | None = None


class Overrides(Value):
    """What the person changed on the page: it holds, also after a restart, until it is reset.

    `over` is what the settings file said of each then. Where the file says something else by now, that is the later
    word, and it holds.
    """

    patch: ConfigPatch = ConfigPatch()
    over: ConfigPatch = ConfigPatch()


class Mind(Value):
    """The durable part of the loop's state; bounded in every field."""

    autonomy: AutonomyState = AutonomyState()
    ledger: Ledger = Ledger()
    last_message_at: datetime | None = None
    started_at: datetime | None = None
    last_cycle_at: datetime | None = None
    dnd_until: datetime | None = None
    tallies: dict[str, Tally] = field(default_factory=dict)
    channel_last_at: dict[str, datetime] = field(default_factory=dict)
    mutes: tuple[Mute, ...] = ()
    overrides: Overrides = Overrides()
    lessons: Lessons = Lessons()
    training: Training = Training()
    streaks: dict[str, Streak] = field(default_factory=dict)
    offered_at: datetime | None = None
    absence: Absence | None = None
    returned: Returned | None = None
    spent: DaySpent = DaySpent()
    spent_before: tuple[DaySpent, ...] = ()
    """The days before with any interruption, oldest first."""
    today: DayCounts = DayCounts()
    yesterday: DayCounts = DayCounts()
    day_told: str = ""
    """The local date of the last day of which the person was told what it brings."""
    drives: Drives = Drives()
    familiar: tuple[str, ...] = ()
    """Digests of what the person let agents do in a folder, the latest last."""
    grants: tuple[PermissionGrant, ...] = ()
    """What agents may do without being asked, by the person's word."""
    grants_offered: tuple[str, ...] = ()
    """Digests of the patterns that Pulse has asked about, so that it asks once."""
    grants_changed: tuple[ChangedGrant, ...] = ()
    """What an update narrowed or ended, for as long as it is shown."""


def interruptions_on(mind: Mind, day: str) -> int:
    """Return how many interruptions a local date had: the one count that Settings, Trends and the day's limit read.

    An interruption is a notification with sound that Pulse sends on its own: a suggestion, or a whole digest. Questions
    from agents, answers to the person, results and tests do not count, nor does anything that reached no device.
    """
    return sum(one.interruptions for one in (*mind.spent_before, mind.spent) if one.day == day)


def with_interruption(mind: Mind, day: str, now: datetime) -> Mind:
    """Return the mind with one more interruption on a local date."""
    if mind.spent.day == day:
        spent = DaySpent(day=day, interruptions=mind.spent.interruptions + 1, heard_at=now)
        return replace(mind, spent=spent)
    ended = (DaySpent(day=mind.spent.day, interruptions=mind.spent.interruptions),) if mind.spent.day else ()
    kept = (*mind.spent_before, *ended)[-SPENT_DAYS_MAX:]
    return replace(mind, spent=DaySpent(day=day, interruptions=1, heard_at=now), spent_before=kept)


class Known(Value):
    """A reason that has been suggested, with the state of the world it was about."""

    key: str
    signature: str
    at: datetime
