"""What the level 1 supervisor finds: plain values, equal for as long as the same is the case, so each is told once."""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.world import SessionProcess


class LivingProcess(Value):
    """A process of an agent's that is there now. `is_ours`: Pulse started it, so Pulse may end it."""

    process: SessionProcess
    begun_at: datetime
    is_ours: bool = False


class Abandoned(Value, tag="abandoned"):
    """A session says that it works, and its process is gone: it is to fail, so that a person hears of it."""

    session: str
    process: SessionProcess


class Overdue(Value, tag="overdue"):
    """A session has been where it is for longer than it should; to be told, or told again more loudly."""

    session: str
    status: AgentStatus
    since: datetime
    action: Literal["alert", "escalate"]
    why: str


class StrayProcess(Value, tag="stray-process"):
    """An agent's process that no session names: to be told, and ended where Pulse started it."""

    process: SessionProcess
    is_to_end: bool


class OddTime(Value, tag="odd-time"):
    """A line of a session claimed a time that cannot be true; how long things take is not judged by it."""

    session: str
    at: datetime


class RefusedStatus(Value, tag="refused-status"):
    """Lines claimed a status that cannot follow; nothing came of the `times` of them."""

    session: str
    status: AgentStatus
    times: int


SupervisorFinding = Abandoned | Overdue | StrayProcess | OddTime | RefusedStatus
