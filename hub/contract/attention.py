"""What the person's attention is worth, as it crosses the wire: how bad mistakes are, what is held, what is spent."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import HubMessage

Badness = Literal["mild", "bad", "awful"]
"""How bad a mistake of Pulse's is to the person, in their own words."""
HeldUntil = Literal["breakpoint", "digest", "never", "dialog"]
ClockTime = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A local time, such as "13:00"."""
DIGEST_TIMES_MAX = 12
ClockTimes = Annotated[tuple[ClockTime, ...], Meta(max_length=DIGEST_TIMES_MAX)]
PerDay = Annotated[int, Meta(ge=0, le=1_000)]


class AttentionStatus(HubMessage):
    """What today has cost in interruptions, of how many; how many suggestions wait; and when a digest is due."""

    spent: Annotated[int, Meta(ge=0)]
    per_day: Annotated[int, Meta(ge=0)]
    held: Annotated[int, Meta(ge=0)] = 0
    next_digest_at: Annotated[datetime, Meta(tz=True)] | None = None


class Held(HubMessage):
    """That a card is open, but nobody was told of it: until a good moment, the next digest, or not at all.

    `dialog`: an agent's own dialog, before which the person sits, comes first for some seconds.
    """

    until: HeldUntil
    since: Annotated[datetime, Meta(tz=True)]
