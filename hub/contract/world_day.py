"""One day of the world log as everybody outside sees it: `GET /api/v1/world/day`, `pulse world report`, the page."""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import HubMessage
from hub.contract.phrasing import Phrasing
from hub.contract.world import AgentStatus
from hub.contract.world_api import CheckedBy, Moment, Number

SEARCH_CHARS_MAX = 200
Seconds = Annotated[float, Meta(ge=0)]


class WorldSpan(HubMessage):
    """How a session was for a while; `status` is null where it had begun before and no more is known.

    `said` is what it said last meanwhile, `saidWorded` as a code where it is Pulse's own sentence. A session is
    `verified` in a moment: it begins and ends at once.
    """

    status: AgentStatus | None
    begin: Moment
    end: Moment
    said: str = ""
    said_worded: Phrasing | None = None


class WorldPause(HubMessage):
    """It waited for an answer, waited to be checked, or was silent while it worked; `isOpen` if that still lasts."""

    kind: Literal["answer", "check", "silence"]
    begin: Moment
    end: Moment
    is_open: bool = False


class WorldFact(HubMessage):
    """An event; with `refused` a line that claimed a status that could not be. `about`: the time is not its own.

    `forged`: a line of the file in the name of Pulse, or of who began the session, that neither has said. `textWorded`
    is `text` as a code where it tells of an answer to a card.
    """

    at: Moment
    source: str
    identifier: str = ""
    text: str = ""
    refused: AgentStatus | None = None
    about: bool = False
    forged: bool = False
    text_worded: Phrasing | None = None


class WorldLane(HubMessage):
    """One session on that day, and as it was at the end of it; `more` of its events and spans were left out.

    `workedS`, `waitedS`, `checkedS` and `silentS` are how long it worked, waited for an answer, waited to be checked,
    and was silent while it worked, on that day. `left`: nothing is asked about how it ended, as in a session's view.
    `taskWorded` is the task as a code, where it is a card's and the hub's own.
    """

    session: str
    task: str
    need: str
    status: AgentStatus
    said: str
    asks: str
    tries: Number
    proven: bool
    worked_s: Seconds
    waited_s: Seconds
    checked_s: Seconds
    silent_s: Seconds
    agent: str = ""
    checked_by: CheckedBy = ""
    spans: tuple[WorldSpan, ...] = ()
    pauses: tuple[WorldPause, ...] = ()
    events: tuple[WorldFact, ...] = ()
    more: Number = 0
    left: bool = False
    task_worded: Phrasing | None = None


class WorldDayAnswer(HubMessage):
    """The answer of `GET /api/v1/world/day?day=2026-01-09&search=flight`: a day in the person's time zone.

    `lanes` are its sessions in the order in which they began, `events` the facts of no session. Counted are the lines
    of the day, those that are no entries (`unparsed`), those of sessions that never began (`unknown`), and those that
    nothing places in time (`undated`); `more` lanes and facts were left out. `cutAt`: what was before was not read.
    """

    day: date
    zone: str
    since: Moment
    until: Moment
    now: Moment
    lanes: tuple[WorldLane, ...] = ()
    events: tuple[WorldFact, ...] = ()
    lines: Number = 0
    unparsed: Number = 0
    unknown: Number = 0
    undated: Number = 0
    more: Number = 0
    cut_at: Moment | None = None
