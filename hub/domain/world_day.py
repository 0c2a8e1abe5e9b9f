"""One day of the world log: who did what, when, for how long, what was waited for, and where nothing was heard."""

from datetime import datetime, timedelta
from typing import Literal

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import NO_TEXT, WorldSession

LANES_MAX = 200
"""Sessions that are shown of one day; of more, those that were heard of last."""
PARTS_MAX = 200
"""Spans, and events, that are kept of one session and day; of more, the latest."""
EVENTS_MAX = 1_000
"""Facts of no session that are kept of one day; of more, the latest."""
SILENCE = timedelta(minutes=15)
"""A session that works and says nothing for longer was silent meanwhile."""

PauseKind = Literal["answer", "check", "silence"]


class DayBounds(Value):
    """Which day: from `since` up to before `until`, both in UTC, and what time it is `now`: nothing is known later."""

    since: datetime
    until: datetime
    now: datetime

    @property
    def end(self) -> datetime:
        """Up to when something of the day can be known."""
        return max(self.since, min(self.until, self.now))


class DaySpan(Value):
    """How a session was for a while. `status` is None where all that is known is that it had begun before."""

    status: AgentStatus | None
    begin: datetime
    end: datetime
    said: LogText = NO_TEXT


class DayPause(Value):
    """A while in which it waited (for an answer, to be checked) or nothing was heard; `is_open` if it still lasts."""

    kind: PauseKind
    begin: datetime
    end: datetime
    is_open: bool = False


class DayEvent(Value):
    """A fact, or a line of a session that could not be true (`refused`); `about`: its time is not its own.

    `forged`: it stands in the file as the word of Pulse, or of who began the session, and neither has said it.
    """

    at: datetime
    source: str
    identifier: LogText = NO_TEXT
    text: LogText = NO_TEXT
    refused: AgentStatus | None = None
    about: bool = False
    forged: bool = False


class DayLane(Value):
    """One session on that day. `session` is as it was at the end of it; `more` events and spans were left out."""

    session: WorldSession
    spans: tuple[DaySpan, ...] = ()
    pauses: tuple[DayPause, ...] = ()
    events: tuple[DayEvent, ...] = ()
    more: int = 0


class WorldDay(Value):
    """All of one day, and what was counted.

    `lines` are those of the day, `unparsed` of them no entries, `unknown` of sessions that never began; `undated` ones
    have no time by which they could be placed. `more` lanes or events were left out. `cut_at`: lines before that were
    not read, for the day has more than is read at once.
    """

    bounds: DayBounds
    lanes: tuple[DayLane, ...] = ()
    events: tuple[DayEvent, ...] = ()
    lines: int = 0
    unparsed: int = 0
    unknown: int = 0
    undated: int = 0
    more: int = 0
    cut_at: datetime | None = None
