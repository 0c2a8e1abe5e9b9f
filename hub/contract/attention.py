"""What the person's attention is worth, as it crosses the wire: how bad mistakes are, what is held, what is spent."""

from typing import Annotated, Literal

from msgspec import Meta

Badness = Literal["mild", "bad", "awful"]
"""How bad a mistake of Pulse's is to the person, in their own words."""
ClockTime = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A local time, such as "13:00"."""
DIGEST_TIMES_MAX = 12
