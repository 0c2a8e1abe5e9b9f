"""Doing on Discord what the plan says, one step after the other for each message, and catching up after every failure.

A step that fails is not kept: it is planned again from what is then true, after a pause that grows (with jitter, to a
limit) for as long as the message is still wanted. A post carries the same nonce on every try; when it stayed unclear
for longer than Discord remembers nonces, the channel is read before anything is posted again.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Literal

import aiohttp
import discord
from msgspec.structs import replace

from hub.kit.chat.receipts import ChatReceipts
from hub.kit.gateway.carrier import AWAY_S
from hub.kit.gateway.outcome import Gone, Misconfigured, RetryLater, Undeliverable
from hub.kit.tasks import BackgroundTasks
from surfaces.discord.ballots import Ballots, Removal
from surfaces.discord.bot import Bot, Report
from surfaces.discord.card_messages import FACES_MAX, STATUS, CardMessages
from surfaces.discord.faults import Done, NoChannel, again_after_s, goes_on, judge
from surfaces.discord.plan import Edit, Known, Open, Post, React, Step, Wanted, next_step
from surfaces.discord.rooms import Rooms
from surfaces.discord.settings import Config
from surfaces.discord.wire import embeds, files, mentions, view

AT_ONCE_MAX = 8
OLD_S = 3_600.0
OLD_EDIT_S = 30.0
"""Messages older than an hour may be edited only so often."""
STATUS_EDIT_S = 10.0
NONCE_S = 60.0
THREAD_MINUTES: Literal[60] = 60
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


class MessageSync:
    """Carries out steps. `on_refused` hears when Discord does not take the token any more."""

    def __init__(
        self,
        bot: Bot,
        config: Config,
        card_messages: CardMessages,
        ballots: Ballots,
        rooms: Rooms,
        *,
        receipts: ChatReceipts,
        report: Report,
        broke: Callable[[BaseException], object],
    ) -> None:
        self._bot = bot
        self._config = config
        self._card_messages = card_messages
        self._ballots = ballots
        self._rooms = rooms
        self._receipts = receipts
        self._report = report
        self._kick = asyncio.Event()
        self._busy: set[str] = set()
        self._beside = BackgroundTasks(broke)
        self._not_before_s: dict[str, float] = {}
        self._failed: dict[str, int] = {}
        self._failing_since_s: dict[str, float] = {}
        self._stuck: dict[str, RetryLater] = {}
        """Why each message that has failed for a while does not get through."""
        self._tallies: dict[str, tuple[float, str]] = {}
        """Until when an edit of the tally alone is held back, and the face that the message keeps until then."""
        self._first_try_s: dict[str, float] = {}
        self._edited_s: dict[str, float] = {}
        self.open = False
        self.on_stuck: Callable[[RetryLater | None], object] = lambda _why: None
        """Told what keeps messages from getting out, and when nothing does any more."""
        self.is_decided: Callable[[str], bool] = lambda _key: False
        self.on_refused: Callable[[], None] = lambda: None
        self.on_unsure: Callable[[], None] = lambda: None
        self.on_posted: Callable[[str], None] = lambda _key: None

    def kick(self) -> None:
        """Something changed: look what is to be done."""
        self._kick.set()

    def pause(self) -> None:
        """Do nothing until `resume`: what is in the channel is not known."""
        self.open = False

    def resume(self) -> None:
        """What is in the channel is known again."""
        self.open = True
        self._first_try_s.clear()
        self.kick()

    async def run(self) -> None:
        """Work until cancelled."""
        try:
            while True:
                self._kick.clear()
                wait_s = self._start_due()
                try:
                    async with asyncio.timeout(wait_s):
                        await self._kick.wait()
                except TimeoutError:
                    continue
        finally:
            await self._beside.close()

    def _start_due(self) -> float | None:
        """Start what is due; return how long until more is."""
        now_s, soonest_s = time.monotonic(), None
        if not self.open:
            return None
        if self._ballots.removals and "removals" not in self._busy:
            self._start("removals", self._remove())
        for key in tuple(self._card_messages.dirty):
            due_s = max(self._not_before_s.get(key, 0.0), self._held_until_s(key, now_s))
            if due_s > now_s:
                soonest_s = due_s if soonest_s is None else min(soonest_s, due_s)
            elif key not in self._busy and len(self._busy) < AT_ONCE_MAX:
                self._start(key, self._message(key))
        return None if soonest_s is None else max(0.0, soonest_s - now_s)

    def _held_until_s(self, key: str, now_s: float) -> float:
        """Return until when an edit of the tally alone is held back, 0 for any other."""
        due_s, face = self._tallies.get(key, (0.0, ""))
        if due_s <= now_s:
            self._tallies.pop(key, None)
            return 0.0
        wanted = self._card_messages.wanted(key, now())
        return due_s if wanted is not None and wanted.face == face else 0.0

    def try_again(self) -> None:
        """What kept messages back may be over: try them at once."""
        for key in self._stuck:
            self._not_before_s.pop(key, None)
        self.kick()

    def _start(self, key: str, work: Coroutine[object, object, None]) -> None:
        self._busy.add(key)
        self._beside.spawn(work).add_done_callback(lambda _: self._ended(key))

    def _ended(self, key: str) -> None:
        self._busy.discard(key)
        self.kick()

    async def _message(self, key: str) -> None:
        """Take one message to what it should be, step by step."""
        while self.open:
            wanted = self._card_messages.wanted(key, now())
            if wanted is None or wanted.place not in self._rooms.ids:
                self._card_messages.dirty.discard(key)
                if wanted is None and not self._card_messages.held(key):
                    self._receipts.gone(key)
                return
            step = next_step(wanted, self._card_messages.known.get(key), self._card_messages.posts(key))
            if step is None:
                self._card_messages.done(key)
                self._forget_old()
                self._receipts.shown(key, wanted.delivery_id)
                for item_id in wanted.item_ids:
                    self._receipts.shown("", item_id)
                return
            if isinstance(step, Edit) and self._card_messages.is_unread(key):
                self._card_messages.dirty.discard(key)  # it is dirty again as soon as its votes are known
                return
            if self._too_soon(key, wanted, step) or not await self._try(key, wanted, step):
                return

    def _forget_old(self) -> None:
        """Times of messages that are no longer on the desk are of no use."""
        if len(self._edited_s) > 2 * FACES_MAX:
            self._edited_s = {key: at_s for key, at_s in self._edited_s.items() if key in self._card_messages.known}
            self._tallies = {key: held for key, held in self._tallies.items() if key in self._card_messages.known}
            self._failed = {key: tries for key, tries in self._failed.items() if key in self._card_messages.known}
            self._not_before_s = {
                key: at_s for key, at_s in self._not_before_s.items() if key in self._card_messages.known
            }

    def _too_soon(self, key: str, wanted: Wanted, step: Step) -> bool:
        """Hold back an edit that only moves a number, and a post that may be there already."""
        now_s = time.monotonic()
        if isinstance(step, Post):
            if now_s - self._first_try_s.setdefault(key, now_s) > NONCE_S:
                self.on_unsure()
                return True
            return False
        known = self._card_messages.known[key]
        if not isinstance(step, Edit) or (known.face != wanted.face and key != STATUS):
            return False
        interval_s = STATUS_EDIT_S if key == STATUS else self._config.edit_interval_s
        if _age_s(step.message_id) > OLD_S:
            interval_s = max(interval_s, OLD_EDIT_S)
        due_s = self._edited_s.get(key, -OLD_S) + interval_s
        if self.is_decided(key):  # what becomes of it is shown within moments, with the number
            due_s = max(due_s, now_s + self._config.edit_interval_s)
        if due_s > now_s:
            self._tallies[key] = (due_s, wanted.face)
        return due_s > now_s

    async def _try(self, key: str, wanted: Wanted, step: Step) -> bool:
        try:
            await self._do(key, wanted, step)
        except FAILURES as error:
            return self._fail(key, wanted, step, error)
        self._not_before_s.pop(key, None)
        self._gets_through(key, step)
        return True

    async def _do(self, key: str, wanted: Wanted, step: Step) -> None:
        channel = self._bot.get_partial_messageable(self._rooms.ids[wanted.place], guild_id=self._rooms.guild_id)
        match step:
            case Post(nonce=nonce):
                await self._post(channel, key, wanted, nonce)
            case Edit(message_id=message_id, rendered=rendered):
                await channel.get_partial_message(int(message_id)).edit(
                    content=rendered.content or None,
                    embeds=embeds(rendered.embeds),
                    view=view(rendered.buttons, rendered.menus),
                    allowed_mentions=mentions(rendered),
                )
                self._edited_s[key] = time.monotonic()
                self._looks(key, digest=rendered.digest, face=wanted.face)
            case React(message_id=message_id, emoji=emoji, add=add):
                await self._react(channel.get_partial_message(int(message_id)), emoji, add=add)
                self._reacted(key, step)
            case Open(message_id=message_id, name=name):
                message = channel.get_partial_message(int(message_id))
                await message.create_thread(name=name, auto_archive_duration=THREAD_MINUTES)
                self._looks(key, threaded=True)

    async def _post(self, channel: discord.PartialMessageable, key: str, wanted: Wanted, nonce: str) -> None:
        rendered = wanted.rendered
        self._card_messages.unsure.add(key)
        reply = channel.get_partial_message(int(wanted.reply_to)) if wanted.reply_to else None
        reference = reply.to_reference(fail_if_not_exists=False) if reply else None
        sent = await channel.send(
            content=rendered.content or None,
            embeds=embeds(rendered.embeds),
            files=files(rendered.files),
            nonce=nonce,
            silent=wanted.silent,
            allowed_mentions=mentions(rendered),
            view=view(rendered.buttons, rendered.menus),  # type: ignore[arg-type]  # None is its default
            reference=reference,  # type: ignore[arg-type]  # None is its default
        )
        self._first_try_s.pop(key, None)
        self._card_messages.unsure.discard(key)
        if not self._card_messages.is_free(str(sent.id), key):  # Discord took the nonce for that of an older message
            self._card_messages.repost(key)
            return
        self._edited_s[key] = time.monotonic()
        self._card_messages.learn(key, Known(message_id=str(sent.id), digest=rendered.digest, face=wanted.face))
        if key in self._card_messages.faces:
            self.on_posted(key)

    async def _react(self, message: discord.PartialMessage, emoji: str, *, add: bool) -> None:
        if add:
            await message.add_reaction(emoji)
        elif self._bot.user is not None:
            await message.remove_reaction(emoji, self._bot.user)

    def _reacted(self, key: str, step: React) -> None:
        known = self._card_messages.known.get(key)
        if known is not None:
            own = known.own | {step.emoji} if step.add else known.own - {step.emoji}
            self._looks(key, own=own)

    def _looks(self, key: str, **changes: str | bool | frozenset[str]) -> None:
        """Write down what a message looks like now, unless it was lost meanwhile."""
        known = self._card_messages.known.get(key)
        if known is not None:
            self._card_messages.learn(key, replace(known, **changes))

    def _fail(self, key: str, wanted: Wanted, step: Step, error: Exception) -> bool:
        """Do what a failure asks for; return True if the message's next step may follow at once."""
        meant = judge(error, step)
        match meant:
            case Gone() if not isinstance(step, Post):
                self._card_messages.lose(step.message_id)
            case Gone():
                self._card_messages.repost(key)
            case NoChannel():
                self._rooms.ids.pop(wanted.place, None)
                self.on_unsure()
            case Done():
                self._skip(key, step)
            case Misconfigured():
                self.on_refused()
            case Undeliverable(why=why):
                self._report(f"Discord will never accept this message ({key}): {why}")
                self._card_messages.done(key)
                self._receipts.refused(key, f"Discord does not accept it: {why}", meant.fix)
            case RetryLater():
                self._pause(key, meant)
        return goes_on(meant, step)

    def _pause(self, key: str, later: RetryLater) -> None:
        tries, now_s = self._failed.get(key, 0), time.monotonic()
        self._failed[key] = tries + 1
        wait_s = max(again_after_s(tries), later.after_s)
        self._not_before_s[key] = now_s + wait_s
        if tries == 0:
            self._report(f"Discord did not accept something ({later.why}); it is tried again.")
        if now_s - self._failing_since_s.setdefault(key, now_s) + wait_s >= AWAY_S:
            self._stuck[key] = later
            self._receipts.still_trying(key, later.why, later.fix)
            self.on_stuck(later)

    def _gets_through(self, key: str, step: Step) -> None:
        """Forget what kept this message back; once one can be posted, nothing keeps back any."""
        self._failed.pop(key, None)
        self._failing_since_s.pop(key, None)
        if self._stuck and (isinstance(step, Post) or self._stuck.keys() == {key}):
            self._stuck.clear()
            self.on_stuck(None)
        self._stuck.pop(key, None)

    def _skip(self, key: str, step: Step) -> None:
        """What may not be done or is done already is left as it is."""
        if isinstance(step, React):
            self._reacted(key, step)
        elif isinstance(step, Open):
            self._looks(key, threaded=True)

    async def _remove(self) -> None:
        """Take away what others put where they have no vote, as long as we may."""
        while self._ballots.removals and self._ballots.may_remove and "bridge" in self._rooms.ids:
            removal: Removal = self._ballots.removals.popleft()
            channel = self._bot.get_partial_messageable(self._rooms.ids["bridge"], guild_id=self._rooms.guild_id)
            message = channel.get_partial_message(int(removal.message_id))
            try:
                await message.remove_reaction(removal.emoji, discord.Object(id=int(removal.user_id)))
            except discord.Forbidden:
                self._ballots.may_remove = False
                self._report("The bot may not remove reactions here; strangers' votes stay, but do not count.")
            except FAILURES as error:
                self._report(f"A reaction was not removed ({type(error).__name__}); it does not count anyway.")
        self._ballots.removals.clear()


def now() -> datetime:
    """Return the time, with its zone."""
    return discord.utils.utcnow()


def _age_s(message_id: str) -> float:
    return (now() - discord.utils.snowflake_time(int(message_id))).total_seconds()
