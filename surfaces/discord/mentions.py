"""Where the owner was mentioned and has not answered: a sensor of the surface's, off unless the settings ask for it.

What was said, and by whom, is not kept: ids and times, so many of them, and each for a day. Who writes in a channel has
seen what stands there; who reacts to a message has seen that one. After a gap in what the gateway tells nobody knows
what was answered meanwhile, so it begins anew, and while there is no connection nothing is said at all.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

import discord

from hub.contract.base import Value
from hub.contract.mentions import (
    MENTION_LASTS,
    MENTIONS_MAX,
    MentionsReading,
    MentionsSeen,
    OpenMentions,
)
from hub.kit.bounded import BoundedMap
from surfaces.discord.settings import Config

AGAIN_S = 300.0
"""A reading is said again so often: the hub takes one for unknown after three times as long."""
Send = Callable[[MentionsSeen], object]
Clock = Callable[[], datetime]


class Mention(Value):
    """One message that mentions the owner: where, and when it came."""

    channel: str
    at: datetime


class Mentions:
    """Remembers the open mentions, and tells the hub whenever they change."""

    def __init__(self, config: Config, send: Send, clock: Clock) -> None:
        self._guild_id = config.guild_id
        self._owner_id = config.owner_id
        self._is_wanted = config.mentions and bool(config.owner_id)
        self._send = send
        self._clock = clock
        self._open: BoundedMap[str, Mention] = BoundedMap(MENTIONS_MAX)
        self._listens = False
        self._said: MentionsReading | None = None
        self._timer: asyncio.TimerHandle | None = None

    def concern(self, message: discord.Message) -> bool:
        """Say whether a message matters here: people mention the owner, or the owner writes."""
        if not self._is_wanted or message.guild is None or str(message.guild.id) != self._guild_id:
            return False
        if str(message.author.id) == self._owner_id:
            return True
        by_a_person = not message.author.bot and message.webhook_id is None
        return by_a_person and any(str(one.id) == self._owner_id for one in message.mentions)

    def hear(self, message: discord.Message) -> None:
        """Take a message that matters: a mention, or the owner's answer to all that stands in that channel."""
        channel = str(message.channel.id)
        if str(message.author.id) == self._owner_id:
            for message_id in [each for each, mention in self._open.items() if mention.channel == channel]:
                del self._open[message_id]
        else:
            self._open[str(message.id)] = Mention(channel=channel, at=self._clock())
        self._tell_news()

    def react(self, event: discord.RawReactionActionEvent) -> None:
        """Take a reaction; the owner's to a mention answers it."""
        if str(event.user_id) == self._owner_id:
            self.lose(str(event.message_id))

    def lose(self, message_id: str) -> None:
        """Forget a mention: it was answered, or its message is gone."""
        if self._open.pop(message_id, None) is not None:
            self._tell_news()

    def begin(self, *, anew: bool) -> None:
        """Take that the gateway tells what happens from now on; `anew` without what happened before."""
        self._listens = True
        if anew:
            self._open.clear()
        self.tell()

    def stop(self) -> None:
        """Take that nothing is heard: nothing is said."""
        self._listens = False
        self._cancel()

    def tell(self) -> None:
        """Say how it is, and again after a while."""
        self._cancel()
        if not self._is_wanted or not self._listens:
            return
        self._said = self._reading()
        self._send(MentionsSeen(at=self._clock(), body=self._said))
        self._timer = asyncio.get_running_loop().call_later(AGAIN_S, self.tell)

    def _tell_news(self) -> None:
        if self._reading() != self._said:
            self.tell()

    def _reading(self) -> MentionsReading:
        now = self._clock()
        self._open.forget_while(lambda mention: now - mention.at > MENTION_LASTS)
        found: dict[str, list[datetime]] = {}
        for mention in self._open.values():
            found.setdefault(mention.channel, []).append(mention.at)
        return MentionsReading(
            channels=tuple(
                OpenMentions(channel=channel, count=len(times), last_at=max(times)) for channel, times in found.items()
            )
        )

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
