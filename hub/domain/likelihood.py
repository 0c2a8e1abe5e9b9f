"""How likely a person is to say yes: what an estimate is made about, and the estimate itself.

`Features` is kept with every suggestion as it was when it was made, so that the estimate can be made again offline, and
its answer teaches what was known then. Of one that was held, an answer teaches the moment of the telling: `WhenTold`.
"""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value

Presence = Literal["typing", "here", "away", "unknown"]
"""Where the person's attention was: hands at work, there within the last minutes, or elsewhere."""


class Levels(Value):
    """The six signals of CROSSPOLL 2.2, each 0 to 1: how much of it there was."""

    time: float = 0.0
    silence: float = 0.0
    tasks: float = 0.0
    conversations: float = 0.0
    git: float = 0.0
    calendar: float = 0.0


class Features(Value):
    """All that an estimate rests on. `hour` is the person's local hour with its fraction, `weekday` 0 for Monday.

    `happened` is what came just before: the change that caused the look, else why Pulse looked. `meaning` is where the
    prompt's words stand in the shipped table, and `prior` what the shipped rows say of such an offer, as log-odds.
    """

    kind: str
    reason: str
    channel: str
    at: datetime
    hour: float
    weekday: int
    repository: str = ""
    silence_s: float | None = None
    presence: Presence = "unknown"
    happened: str = ""
    urgency: float = 0.0
    levels: Levels = Levels()
    meaning: tuple[float, ...] = ()
    prior: float = 0.0


class Voice(Value):
    """One thing that spoke for a yes (`pull` above 0) or against it, such as the hour; in log-odds of the model."""

    about: str
    pull: float


class Estimate(Value):
    """P(yes): the chance that the person says yes to this, now, on this channel.

    In eight of ten cases at least the true chance is between `low` and `high`: as unsure as the weights are, and no
    surer than so many answers to the like allow. `yes` of the latest `answers` answers to the like were a yes: true
    counts, at most ten. `is_learnt` is false while the person has answered too little for the figure to mean anything.
    `spoke` are the voices that moved it most, and `model` which model said so.
    """

    about: Features
    p: float
    low: float
    high: float
    yes: int = 0
    answers: int = 0
    is_learnt: bool = False
    spoke: tuple[Voice, ...] = ()
    model: str = ""


class WhenTold(Value):
    """The moment at which what was held was told, or was answered before: all that an estimate knows of a moment.

    `happened` is empty where nothing had just happened, `calendar` None where no meetings are known. `estimate` is how
    likely a yes was thought to be at the telling; None where nobody was told, and in cards from before it was kept.
    """

    at: datetime
    hour: float
    weekday: int
    silence_s: float | None
    presence: Presence
    happened: str
    calendar: float | None = None
    estimate: Estimate | None = None
