"""How long a session may be where it is (WORLD 5), as data. Each status but the last has a line: none is forgotten."""

from datetime import timedelta
from typing import Literal

from hub.contract.base import Value
from hub.contract.world import AgentStatus


class StatusTimeout(Value):
    """After how long in a status somebody is told. `answered`: for a failed session, whether a person has answered."""

    status: AgentStatus
    after: timedelta
    action: Literal["alert", "escalate"]
    why: str
    answered: bool = False


TIMEOUTS = (
    StatusTimeout(
        status=AgentStatus.START,
        after=timedelta(hours=1),
        action="alert",
        why="It was started and has not begun to work.",
    ),
    StatusTimeout(
        status=AgentStatus.ACTIVE,
        after=timedelta(hours=2),
        action="alert",
        why="It has worked for long and is not done.",
    ),
    StatusTimeout(
        status=AgentStatus.FAILED,
        after=timedelta(hours=24),
        action="escalate",
        why="It failed, and nobody has answered.",
    ),
    # Beyond WORLD's three: what else could be left without an outcome.
    StatusTimeout(
        status=AgentStatus.RETRY, after=timedelta(hours=1), action="alert", why="It was to try again and has not begun."
    ),
    StatusTimeout(
        status=AgentStatus.FINISH,
        after=timedelta(hours=1),
        action="alert",
        why="It says it is done; nobody has checked.",
    ),
    StatusTimeout(
        status=AgentStatus.FAILED,
        answered=True,
        after=timedelta(hours=1),
        action="alert",
        why="You have answered, and it was not tried again.",
    ),
)
