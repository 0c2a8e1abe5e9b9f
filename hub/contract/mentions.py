"""What Discord's surface says as a sensor: where the person was mentioned and has not answered. Counts and times only.

No word that was written there, and nobody's name: of what others said, nothing crosses to the hub.
"""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import Message, Value

MENTIONS_SURFACE = "discord"
MENTIONS_SENSOR = "discord-mentions"
"""The sensor's name, and so the last part of its topic; a device of that surface, and no other, writes there."""
MENTIONS_MAX = 50
MENTION_LASTS = timedelta(hours=24)
"""A mention that was not answered by then presses no more."""


class OpenMentions(Value):
    """The mentions in one channel that the person has not answered; `channel` is Discord's id of it, digits only."""

    channel: Annotated[str, Meta(pattern=r"^[0-9]{15,20}$")]
    count: Annotated[int, Meta(ge=1, le=MENTIONS_MAX)]
    last_at: Annotated[datetime, Meta(tz=True)]


class MentionsReading(Value, tag="mentions"):
    """Every channel with open mentions."""

    channels: Annotated[tuple[OpenMentions, ...], Meta(max_length=MENTIONS_MAX)] = ()


class MentionsSeen(Message):
    """One reading, as it goes over the broker."""

    at: Annotated[datetime, Meta(tz=True)]
    body: MentionsReading
    sensor: Literal["discord-mentions"] = "discord-mentions"
