"""The mentions on Discord where nobody asked for them: known to be none, and no login may report any.

Where the settings ask for them (`discord.mentions`), there is no sensor here: Discord's surface is it, over the broker.
"""

from datetime import datetime

from hub.contract.mentions import MENTIONS_SENSOR, MentionsReading
from hub.domain.readings import Reading


class NoMentions:
    """Says that there are none; what stood open before the setting was switched off has passed."""

    name = MENTIONS_SENSOR

    async def read(self, now: datetime) -> Reading:
        """Say so."""
        return Reading(sensor=self.name, at=now, body=MentionsReading())

    async def close(self) -> None:
        """Nothing is held open."""
