"""What is asked of the store about the world log."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.storage import Query
from hub.domain.world import WorldSession
from hub.domain.world_log_state import LoggedOut, WorldIntake


class WorldPlace(Value):
    """How far the log has been read, as its reader said it, and what was counted up to there."""

    cursor: bytes = b""
    intake: WorldIntake = WorldIntake()


class WorldSessions(Query[tuple[WorldSession, ...]]):
    """Sessions that are in one of these statuses, those heard of last first; `before` are a moment and an id."""

    user: str
    statuses: tuple[AgentStatus, ...]
    limit: int
    before: tuple[datetime, str] | None = None


class WorldSessionsByIds(Query[dict[str, WorldSession]]):
    """Several sessions at once, by id; unknown ids are missing from the answer."""

    user: str
    ids: tuple[str, ...]


class WorldSessionsBetween(Query[tuple[WorldSession, ...]]):
    """Sessions that lived within a span, `start` up to before `end`, oldest first."""

    user: str
    start: datetime
    end: datetime
    limit: int


class WorldLinesOut(Query[tuple[LoggedOut, ...]]):
    """Lines that wait to be seen in the log, oldest first."""

    user: str
    limit: int


class KnownOwnLines(Value):
    """Which of some lines Pulse itself wrote, by digest; what is older than `since` it does not know any more."""

    since: datetime | None = None
    digests: frozenset[str] = frozenset()


class OwnLinesAmong(Query[KnownOwnLines]):
    """Those of these digests that are of lines of Pulse's own."""

    user: str
    digests: tuple[str, ...]


class WorldPlaceOf(Query[WorldPlace]):
    """How far the log was read."""

    user: str
