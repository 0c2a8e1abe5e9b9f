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


class Moment(Value):
    """Think now; `may_act` says whether a very confident idea may run without a person."""

    may_act: bool
    why: str
    autonomy: AutonomyState


class NotNow(Value):
    """Do not think now; worth asking again at `until`."""

    until: datetime
    why: str
    autonomy: AutonomyState
