"""What the level 1 supervisor finds: plain values, equal for as long as the same is the case, so each is told once."""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.world import SessionProcess


class LivingProcess(Value):
    """A process of an agent's that is there now. `run`: Pulse started it for this execution, so Pulse may end it."""

    process: SessionProcess
    begun_at: datetime
    run: str = ""


class ProcessLook(Value):
    """What a look at the processes found.

    `gone` are those of the named processes that were looked for and are not there, or are others with the same number;
    `agents` the processes of agents that Pulse knows of by itself.
    """

    gone: tuple[SessionProcess, ...] = ()
    agents: tuple[LivingProcess, ...] = ()


class Abandoned(Value, tag="abandoned"):
    """A session says that it works, and its process is gone: it is to fail, so that a person hears of it."""

    session: str
    process: SessionProcess


OverdueAction = Literal["alert", "escalate", "give-up"]


class Overdue(Value, tag="overdue"):
    """A session has been where it is for longer than it should.

    It is to be told, told again more loudly, or, where it was told in vain and gives no sign of life, to fail. `times`
    is how often it was told before.
    """

    session: str
    status: AgentStatus
    since: datetime
    action: OverdueAction
    why: str
    times: int = 0


class StrayProcess(Value, tag="stray-process"):
    """An agent's process that no session names: to be told, and ended where Pulse started it, for the run `run`."""

    process: SessionProcess
    run: str = ""


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
