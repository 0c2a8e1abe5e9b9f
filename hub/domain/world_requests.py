"""What is asked of the hub about sessions of the world log, and how it replies."""

from typing import Literal

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.world import AgentLine, WorldEvent, WorldSession
from hub.domain.world_log_state import WorldIntake

SessionGroup = Literal["active", "pending", "failed", "verified"]
GROUPS: dict[SessionGroup, tuple[AgentStatus, ...]] = {
    "active": (AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY),
    "pending": (AgentStatus.FINISH,),
    "failed": (AgentStatus.FAILED,),
    "verified": (AgentStatus.VERIFIED,),
}


ORIGIN_SIGN = "#"
"""Between a client of this machine's agents and the one of them that it is, where that is known."""


class SayWorld(Value, tag="say-world"):
    """Somebody who is known says a line: a fact, or where a session is. `client` is whose token came with it.

    Times in it are not believed: the hub's own is written. The same key again is the same line. `is_here`: it was said
    on this machine by a program of the person's, which could as well write into the file.
    """

    line: WorldEvent | AgentLine
    client: str
    key: str = ""
    is_here: bool = False


class RespondToSession(Value, tag="respond-to-session"):
    """A person answers a session that failed; it is to try again with their words. `in_person` as in a trigger."""

    session: str
    text: str
    in_person: bool = False


class SpawnSession(Value, tag="spawn-session"):
    """A person has an agent do something, as a session that is followed. Without `session` the hub makes an id.

    `folder` is where the agent works, an absolute path; empty for an empty one of its own. `in_person` as in a trigger;
    `surface` and `device` are where it was said.
    """

    task: str
    need: str
    agent: str
    session: str = ""
    channel: str = ""
    folder: str = ""
    surface: str = ""
    device: str = ""
    in_person: bool = False


class LookAtWorld(Value, tag="look-at-world"):
    """Show the sessions as the loop knows them; nothing changes by it."""


class WorldShown(Value, tag="world-shown"):
    """All sessions that are remembered, those heard of last first, and what was counted."""

    sessions: tuple[WorldSession, ...]
    intake: WorldIntake


class WorldSaid(Value, tag="world-said"):
    """The line was taken: its session as it is now, if it is about one; `repeated` if it had been taken before."""

    session: WorldSession | None = None
    repeated: bool = False
    card_id: str = ""


WorldRequest = SayWorld | RespondToSession | SpawnSession | LookAtWorld
WorldReply = WorldShown | WorldSaid
