"""One connection to Discord, from login until it ends; the desk outlives it.

After every READY (a start, a restart, a session that Discord declared invalid), and when the server was not available
for a while, the gateway has told nothing of what happened before. So the channel is read back, and each card's votes
before that card is decided; one that cannot be read holds up no other. After a RESUME the gateway itself has told
everything that was missed.
"""

import asyncio

import discord

from hub.kit.gateway.outcome import RetryLater
from hub.kit.tasks import BackgroundTasks, end_all
from surfaces.discord import adopt, reader
from surfaces.discord.ballot import Entry
from surfaces.discord.bot import Bot, Inbox, emoji_text, person_of
from surfaces.discord.card_messages import STATUS
from surfaces.discord.commands import Commands
from surfaces.discord.faults import again_after_s, refuses_token
from surfaces.discord.found import sort
from surfaces.discord.identify_budget import IdentifyBudget
from surfaces.discord.message_sync import FAILURES, MessageSync, now
from surfaces.discord.pressing import Pressing
from surfaces.discord.rooms import Rooms
from surfaces.discord.surface import Surface

BATCH_MAX = 256
READS_AT_ONCE_MAX = 4
BACK_S = 15.0
"""discord.py waits longer after each try to come back, without bound; after this long a new session is begun."""


class Session:
    """Runs one client, and what goes on while it is connected."""

    def __init__(self, surface: Surface, budget: IdentifyBudget) -> None:
        self._surface = surface
        self._budget = budget
        self._inbox = Inbox()
        self.bot = Bot(self._inbox, surface.mentions.concern)
        self._rooms = Rooms(surface.config)
        self._sync = MessageSync(
            self.bot,
            surface.config,
            surface.card_messages,
            surface.ballots,
            self._rooms,
            receipts=surface.receipts,
            report=surface.report,
            broke=surface.end_by,
        )
        self._pressing = Pressing(
            surface.config,
            surface.card_messages,
            surface.ballots,
            surface.counter,
            surface.hub,
            hand_in=surface.hand_in,
            think=surface.think,
        )
        self._commands = Commands(surface.config, surface.hub)
        self._commands.register(self.bot)
        self._sync.is_decided = surface.counter.is_asking
        self._sync.on_stuck = self._stuck
        self._sync.on_refused = self._on_refused
        self._sync.on_unsure = self._catch_up_soon
        self._sync.on_posted = self._posted
        self._catching_up: asyncio.Task[None] | None = None
        self._beside = BackgroundTasks(surface.end_by)
        self._looking_up: set[str] = set()
        self._reading: set[str] = set()
        """The messages whose votes are being read."""
        self._reads = asyncio.Semaphore(READS_AT_ONCE_MAX)
        self._synced = False
        self._ending = asyncio.Event()
        self._left: asyncio.TimerHandle | None = None
        self._caught_up = False
        self.refused = False
        """Whether Discord did not take the token."""

    async def run(self, token: str) -> BaseException | None:
        """Be connected until that ends; return what ended it."""
        connection = asyncio.create_task(self.bot.start(token))
        works = [
            asyncio.create_task(self._work()),
            asyncio.create_task(self._sync.run()),
            asyncio.create_task(self._surface.threads.run(self.bot)),
        ]
        over = asyncio.create_task(self._over())
        self._surface.attention = self
        try:
            await asyncio.wait({connection, over, *works}, return_when=asyncio.FIRST_COMPLETED)
            for work in works:
                if work.done():
                    work.result()
            return connection.exception() if connection.done() and not connection.cancelled() else None
        finally:
            self._is_back()
            self._surface.attention = None
            self._surface.ballots.stop_listening()
            await end_all([over, *works])
            await self._beside.close()
            await self.bot.close()
            await end_all([connection])
            self._surface.mentions.stop()

    async def _over(self) -> None:
        await self._ending.wait()

    def kick(self) -> None:
        """Something changed: look what is to be done."""
        self._sync.kick()

    def read(self, key: str) -> None:
        """Read the votes on a message; when nobody listens, that follows as soon as somebody does."""
        if self._surface.ballots.listening and key not in self._reading:
            self._reading.add(key)
            self._beside.spawn(self._read_until_known(key))

    def look_up(self, people: tuple[str, ...]) -> None:
        """Find out who these people are, then look at the votes again."""
        unknown = [one for one in people if one not in self._looking_up]
        if unknown:
            self._looking_up.update(unknown)
            self._beside.spawn(self._look_up(unknown))

    async def _work(self) -> None:
        """Take in what the gateway says, in its order, many events at a time."""
        while True:
            for name, event in await self._inbox.take(BATCH_MAX):
                self._fold(name, event)
            if self._inbox.overflowed:
                self._after_overflow()
            self._surface.think()
            await asyncio.sleep(0)

    def _after_overflow(self) -> None:
        """Read back what found no room, once all is folded that did: older events must not come on top of that."""
        self._surface.ballots.stop_listening()
        if self._inbox.is_empty:
            self._inbox.overflowed = False
            self._surface.mentions.begin(anew=True)
            self._catch_up_soon()

    def _fold(self, name: str, event: object) -> None:
        match event:
            case discord.RawReactionActionEvent():
                self._reacted(event, added=name == "raw_reaction_add")
            case discord.RawReactionClearEvent():
                self._cleared(str(event.message_id), None)
            case discord.RawReactionClearEmojiEvent():
                self._cleared(str(event.message_id), event.emoji)
            case discord.RawMessageDeleteEvent():
                self._surface.card_messages.lose(str(event.message_id))
                self._surface.mentions.lose(str(event.message_id))
            case discord.RawBulkMessageDeleteEvent():
                self._surface.card_messages.lose_all(map(str, event.message_ids))
                for message_id in event.message_ids:
                    self._surface.mentions.lose(str(message_id))
            case discord.Message():
                self._surface.mentions.hear(event)
            case discord.Interaction():
                self._beside.spawn(self._interaction(event))
            case discord.Guild(id=guild_id) if guild_id != self._rooms.guild_id:
                pass  # the bot is in other servers too
            case _:
                self._changed(name)

    def _changed(self, name: str) -> None:
        self._mind_gap(name)
        match name:
            case "disconnect":
                self._surface.trouble.say("hearing", "Discord is not connected")
                self._left = self._left or asyncio.get_running_loop().call_later(BACK_S, self._ending.set)
                self._stop()
            case "resumed" if self._caught_up:
                self._listen()
            case "resumed" | "ready" | "guild_unavailable":
                self._catch_up_soon()
            case _ if self._look_round() and self._catching_up is not None:
                self._catch_up_soon()
            case _ if not self._rooms.barred[0]:
                self._sync.try_again()

    def _mind_gap(self, name: str) -> None:
        """A gateway that resumed told all that was missed; one that began a new session told nothing of it."""
        match name:
            case "ready" | "resumed":
                self._is_back()
                if name == "ready":
                    self._budget.spend()
                    if self._budget.wait_s():
                        self._ending.set()
                self._surface.mentions.begin(anew=name == "ready")
            case "disconnect" | "guild_unavailable":
                self._surface.mentions.stop()
            case "guild_available":
                self._surface.mentions.begin(anew=True)

    def _is_back(self) -> None:
        if self._left is not None:
            self._left.cancel()
            self._left = None

    def _look_round(self) -> bool:
        """Find the channels, and what we may do there; return whether any of them changed."""
        changed = self._rooms.look(self.bot.get_guild(self._rooms.guild_id))
        self._surface.ballots.may_remove = self._rooms.may_remove
        self._surface.trouble.say("rooms", *self._rooms.barred)
        self._surface.trouble.say("limits", *self._rooms.limits, limits=True)
        return changed

    def _reacted(self, event: discord.RawReactionActionEvent, *, added: bool) -> None:
        surface, message_id = self._surface, str(event.message_id)
        if added:
            surface.mentions.react(event)
        card = surface.card_messages.card_of(message_id)
        own = self.bot.user is not None and event.user_id == self.bot.user.id
        if card is None or own or (event.member is not None and event.member.bot):
            return
        sign = surface.ballots.sign_of(emoji_text(event.emoji))
        if sign is None:
            return
        if event.member is not None:
            surface.ballots.meet(person_of(event.member), now())
        entry = Entry(voter=str(event.user_id), sign=sign, via="super" if event.burst else "reaction")
        counts = surface.ballots.put(card, message_id, entry) if added else surface.ballots.take(card, entry)
        surface.card_messages.dirty.add(card.key)
        if counts:
            surface.counter.undecided.add(card.id)

    def _cleared(self, message_id: str, emoji: discord.PartialEmoji | None) -> None:
        card = self._surface.card_messages.card_of(message_id)
        if card is None:
            return
        sign = self._surface.ballots.sign_of(emoji_text(emoji)) if emoji is not None else None
        if emoji is None or sign is not None:
            self._surface.ballots.ballot(card.key).clear(sign)
            self._surface.card_messages.bare(card.key, emoji_text(emoji) if emoji is not None else "")
            self._surface.counter.undecided.add(card.id)

    async def _interaction(self, interaction: discord.Interaction) -> None:
        try:
            await self._pressing.answer(interaction)
        except FAILURES as error:
            self._surface.report(f"A press could not be answered ({type(error).__name__}: {error}).")

    def _posted(self, key: str) -> None:
        """Somebody may have voted before we knew the message's id, most of all when its post had to be repeated."""
        self.read(key)

    def _stop(self) -> None:
        """Nothing is heard: decide nothing and change nothing."""
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._surface.ballots.stop_listening()
        self._sync.pause()

    def _catch_up_soon(self) -> None:
        """Read everything back, from the beginning."""
        self._stop()
        self._caught_up = False
        self._surface.ballots.doubt_all()
        self._catching_up = self._beside.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """Try until it worked, or until we are told to begin anew."""
        tries = 0
        while True:
            try:
                await self._catch_up_once()
            except FAILURES as error:
                if refuses_token(error):
                    self._on_refused()
                    return
                self._surface.trouble.say("hearing", f"The channel cannot be read ({type(error).__name__})")
                await asyncio.sleep(again_after_s(tries))
                tries += 1
            else:
                return

    async def _catch_up_once(self) -> None:
        surface = self._surface
        self._look_round()
        pages = [await reader.history(self.bot, channel_id) for channel_id in set(self._rooms.ids.values())]
        messages = [one for page in pages for one in page.messages]
        messages.sort(key=lambda one: int(one.message_id), reverse=True)
        oldest = max((int(page.oldest_id) for page in pages if not page.complete), default=0)
        complete = bool(pages) and all(page.complete for page in pages)
        if pages:
            adopt.look_through(surface.card_messages, sort(messages), complete=complete, oldest_id=str(oldest or 2**63))
        if surface.card_messages.orphans:
            surface.spawn(surface.ask_about_orphans())
        self._caught_up = True
        self._listen()
        if not self._synced:
            self._synced = True
            self._beside.spawn(self._tell_commands())

    async def _tell_commands(self) -> None:
        """Tell Discord about the commands; votes do not wait for that."""
        try:
            await self._commands.sync(self.bot)
        except FAILURES as error:
            self._surface.report(f"The /pulse commands were not added ({type(error).__name__}): pulse discord setup.")

    def _listen(self) -> None:
        """It is known what is there: bring the channel up to date, and decide each card as soon as its votes are."""
        self._surface.ballots.listening = True
        self._surface.trouble.say("hearing", "")
        self._sync.resume()
        self._surface.counter.look_at_all()
        self._surface.card_messages.dirty.update(key for key, _ in self._surface.card_messages.messages())
        self._surface.card_messages.dirty.update(self._surface.card_messages.current.values())
        self._surface.card_messages.dirty.add(STATUS)
        for key in self._surface.card_messages.unread():
            self.read(key)
        self._surface.think()

    async def _read_until_known(self, key: str) -> None:
        """Try until the votes on a message are known, it is gone, or nobody listens any more."""
        tries = 0
        try:
            while (
                self._surface.ballots.listening
                and "bridge" in self._rooms.ids
                and self._surface.card_messages.is_unread(key)
            ):
                try:
                    await self._read(key, self._surface.card_messages.known[key].message_id)
                except FAILURES as error:
                    if refuses_token(error):
                        self._on_refused()
                        return
                    await asyncio.sleep(again_after_s(tries))
                    tries += 1
        finally:
            self._reading.discard(key)
        self._surface.think()

    async def _read(self, key: str, message_id: str) -> None:
        surface = self._surface
        ballot = surface.ballots.ballot(key)
        reading = ballot.begin_reading()
        try:
            async with self._reads:
                entries = await reader.reactions(self.bot, surface.ballots, self._rooms.ids["bridge"], message_id)
        except discord.NotFound:
            surface.card_messages.lose(message_id)
            return
        ballot.finish_reading(reading, entries)
        card = surface.card_messages.faces.get(key)
        if card is not None:
            surface.card_messages.dirty.add(key)
            surface.counter.undecided.add(card.id)

    async def _look_up(self, people: list[str]) -> None:
        failures = 0
        for user_id in people:
            try:
                person = await reader.member(self.bot, self._rooms, user_id)
            except FAILURES:
                await asyncio.sleep(again_after_s(failures))
                failures += 1
                continue
            finally:
                self._looking_up.discard(user_id)
            self._surface.ballots.meet(person, now())
            # Who left, or lost a role, was shown as counted until now.
            self._surface.card_messages.dirty.update(self._surface.ballots.marked_by(user_id))
        self._surface.counter.look_at_all()
        self._surface.think()

    def _stuck(self, later: RetryLater | None) -> None:
        self._surface.trouble.say("sending", *((later.why, later.fix) if later is not None else ("",)))

    def _on_refused(self) -> None:
        self.refused = True
        self._ending.set()
