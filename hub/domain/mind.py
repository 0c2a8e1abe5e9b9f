"""What the loop remembers between events. Stored with every change, so a restart (or a kill -9) forgets nothing."""

from datetime import datetime

from msgspec import field

from hub.contract.base import Value
from hub.contract.words import Autonomy
from hub.domain.judgement import Ledger


class AutonomyState(Value):
    """The state of CROSSPOLL 5.2 and why it is so."""

    state: Autonomy = Autonomy.WATCHING
    since: datetime | None = None
    reason: str = ""


class Tally(Value):
    """How a kind of suggestion has been answered so far."""

    approved: int = 0
    rejected: int = 0


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


class Known(Value):
    """A reason that has been suggested, with the state of the world it was about."""

    key: str
    signature: str
    at: datetime
