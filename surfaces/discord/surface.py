"""The surface as a whole: what the hub says and what Discord says meet on the desk, and answers go back to the hub.

One asyncio loop, no locks: everything that changes the messages runs between two awaits.
"""

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from typing import Protocol

from hub.contract import topics
from hub.contract.envelope import Envelope
from hub.contract.errors import PulseError
from hub.contract.events import ExecutionProgress, StatusChanged
from hub.contract.mentions import MentionsSeen
from hub.contract.surface import AnyDelivered, Decision, DeliveredCard, DeliveredVerdict, Receipt
from hub.contract.words import DeliveryState
from hub.kit.backoff import RetryPolicy
from hub.kit.chat.receipts import ChatReceipts
from hub.kit.hub_api import NotRunningError
from hub.kit.mqtt.device import Heard, Item, LinkChanged
from hub.kit.mqtt.reading import read, read_delivered
from hub.kit.tasks import BackgroundTasks
from hub.kit.trouble import ServiceTrouble
from surfaces.discord import adopt
from surfaces.discord.ballots import Ballots
from surfaces.discord.bot import Report
from surfaces.discord.card_messages import CardMessages
from surfaces.discord.faults import again_after_s
from surfaces.discord.hub_client import HubClient
from surfaces.discord.mentions import Mentions
from surfaces.discord.message_sync import now
from surfaces.discord.settings import Config
from surfaces.discord.threads import Threads
from surfaces.discord.vote_counter import VoteCounter

ASK_AGAIN = RetryPolicy(base_s=0.5, cap_s=5.0, spread=0.5)
"""The hub is asked again about a message that was found no later than this, if it could not say."""
GOES_ON = "Cards and votes are read back as soon as it works again."
VERDICT_LOOK_S = 5.0
LONG_LOOK_S = 0.001
REST_FOR_LOOK = 8
"""Counting many votes takes a while; then it is done again only after several times as long, so new ones come in."""


class AnyLink(Protocol):
    """What is needed of the connection to the hub (`hub.kit.mqtt.device.DeviceLink`)."""

    def is_new(self, event_id: str) -> bool:
        """Say whether this id comes for the first time."""

    def send_receipt(self, receipt: Receipt) -> object:
        """Tell what became of a delivery."""

    def send_decision(self, decision: Decision) -> bool:
        """Hand in an answer; False when there is no connection."""

    def send_mentions(self, seen: MentionsSeen) -> object:
        """Report a reading of the owner's mentions."""


class Attention(Protocol):
    """What the surface asks of whoever is connected to Discord just now."""

    def kick(self) -> None:
        """Something changed: look what is to be done there."""

    def read(self, key: str) -> None:
        """Read the votes on a message."""

    def look_up(self, people: tuple[str, ...]) -> None:
        """Find out who these people are."""


class Surface:
    """Everything that outlives one connection to Discord."""

    def __init__(self, config: Config, user: str, link: AnyLink, hub: HubClient, report: Report) -> None:
        self.config = config
        self.hub = hub
        self.report = report
        self.ballots = Ballots(config)
        self.card_messages = CardMessages(config, self.ballots)
        self.counter = VoteCounter(config, self.card_messages, self.ballots)
        self.threads = Threads(self.card_messages)
        self.receipts = ChatReceipts(self._send_receipt)
        self.mentions = Mentions(config, link.send_mentions, now)
        self.attention: Attention | None = None
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Carries a bug in something that went on beside, so that it ends the surface and is seen."""
        self.trouble = ServiceTrouble(GOES_ON)
        self._user = user
        self._link = link
        self._beside = BackgroundTasks(self.end_by)
        self._asking = False
        self._timer: asyncio.TimerHandle | None = None
        self._look_at_s = 0.0

    def take(self, item: Item) -> None:
        """Take what came over the link; garbage is let go."""
        if isinstance(item, LinkChanged):
            self._link_changed(item)
        elif item.topic == topics.state(self._user):
            status = read(item.payload, StatusChanged)
            if status is not None:
                self.card_messages.hear_status(status.data.status, connected=True)
        elif item.topic == topics.event(self._user, "execution.progress"):
            progress = read(item.payload, ExecutionProgress)
            if progress is not None:
                self.threads.hear(progress.data)
        else:
            self._delivered(item)
        self.think()

    def think(self) -> None:
        """Look at the votes, hand in what is decided, and have the rest done."""
        loop, at = asyncio.get_running_loop(), now()
        if loop.time() < self._look_at_s:
            if self._timer is None or self._timer.when() > self._look_at_s:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = loop.call_at(self._look_at_s, self._look_again)
            if self.attention is not None:
                self.attention.kick()
            return
        began_s = loop.time()
        work = self.counter.look(at)
        took_s = loop.time() - began_s
        self._look_at_s = loop.time() + REST_FOR_LOOK * took_s if took_s > LONG_LOOK_S else 0.0
        for decision in work.decisions:
            self.hand_in(decision)
        for card_id in self.counter.silent(at):
            self.spawn(self._recheck(card_id))
        if self.attention is not None:
            if work.look_up:
                self.attention.look_up(work.look_up)
            while self.card_messages.to_read:
                self.attention.read(self.card_messages.to_read.pop())
            self.attention.kick()
        self._set_timer(work.again_at, at)

    def _look_again(self) -> None:
        self._timer = None
        self.think()

    def hand_in(self, decision: Decision) -> bool:
        """Send a decision; False when there is no connection, and then it is decided anew when there is."""
        sent = self._link.send_decision(decision)
        card = self.card_messages.card(decision.card_id)
        if not sent:
            self.counter.unsent(decision)
        elif card is not None:
            self.receipts.answered(card.delivery_id)
        return sent

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Do something beside; a bug in it ends the surface."""
        self._beside.spawn(work)

    async def close(self) -> None:
        """End what goes on beside."""
        self.mentions.stop()
        if self._timer is not None:
            self._timer.cancel()
        await self._beside.close()

    async def ask_about_orphans(self) -> None:
        """Ask the hub about every message that was found and whose card it has not told us about, until it has."""
        if self._asking:
            return
        self._asking, tries = True, 0
        try:
            while self.card_messages.orphans:
                await self._ask_about_each()
                if self.card_messages.orphans:
                    await asyncio.sleep(again_after_s(tries, ASK_AGAIN))
                    tries += 1
        finally:
            self._asking = False

    async def _ask_about_each(self) -> None:
        for card_id in tuple(self.card_messages.orphans):
            try:
                told = await self.hub.told(card_id)
            except NotRunningError:
                return  # and would not know of the others either
            except PulseError:
                continue
            adopt.resolve(self.card_messages, card_id, told, now())
            self.think()

    def _delivered(self, item: Heard) -> None:
        envelope = read_delivered(item.payload)
        if envelope is None:
            return
        delivered = envelope.data
        if isinstance(delivered, DeliveredCard):
            self._card(delivered, envelope)
        elif isinstance(delivered, DeliveredVerdict) and self._link.is_new(envelope.id):
            acted = self.counter.hear(delivered.verdict, now())
            if acted:
                self.receipts.say(acted, DeliveryState.ACTED)

    def _card(self, delivered: DeliveredCard, envelope: Envelope[AnyDelivered]) -> None:
        delivery = delivered.card
        if not self._link.is_new(envelope.id):
            self.receipts.repeat(delivery.delivery_id)
            return
        key = self.card_messages.hear(delivery, envelope.time)
        if not key:
            self.receipts.say(delivery.delivery_id, DeliveryState.CLEARED)
            return
        self.receipts.expect(key, delivery.delivery_id)
        card = self.card_messages.faces.get(key)
        if card is not None:
            self.counter.undecided.add(card.id)

    def _link_changed(self, item: LinkChanged) -> None:
        self.counter.link_up = item.state == "up"
        self.card_messages.hear_status(None, connected=self.counter.link_up)
        if self.counter.link_up:
            self.counter.look_at_all()
            self.mentions.tell()
            self.spawn(self._recheck_all())
        else:
            self.report(f"The connection to Pulse is {item.state}: {item.note}")

    async def _recheck_all(self) -> None:
        """The link was away: what was settled meanwhile, longer ago than deliveries are kept, is asked for."""
        cards = [self.card_messages.faces[key] for key in self.card_messages.current.values()]
        for card in cards:
            if card.phase != "settled":
                await self._recheck(card.id)

    async def _recheck(self, card_id: str) -> None:
        before = self.card_messages.card(card_id)
        try:
            told = await self.hub.told(card_id)
        except PulseError:
            return  # the hub is away; when it is back, everything is looked at again
        card = self.card_messages.card(card_id)
        if told is None or card is None or before is None or card.heard_at != before.heard_at:
            return  # an event came meanwhile, and knows better
        if card.phase == before.phase:
            self.card_messages.correct(told, now())
        self.counter.undecided.add(card_id)
        self.think()

    def _set_timer(self, again_at: datetime | None, at: datetime) -> None:
        waits_s = [VERDICT_LOOK_S] if self.counter.waits() else []
        if again_at is not None:
            waits_s.append(max(0.0, (again_at - at).total_seconds()))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if waits_s:
            self._timer = asyncio.get_running_loop().call_later(min(waits_s), self._look_again)

    def _send_receipt(self, delivery_id: str, state: DeliveryState, *, trouble: str = "", fix: str = "") -> None:
        receipt = Receipt(delivery_id=delivery_id, state=state, at=now(), trouble=trouble, fix=fix)
        self._link.send_receipt(receipt)

    def end_by(self, error: BaseException) -> None:
        """End the surface by a bug in something that went on beside, so that it is seen."""
        if not self.broken.done():
            self.broken.set_exception(error)
