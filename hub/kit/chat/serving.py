"""The process of a chat: the hub on one side, the chat on the other, and the book between them.

One asyncio loop, no locks: everything that changes the book runs between two awaits. Messages are shown one after the
other, so that none overtakes another; what fails is tried again from what is then to be shown.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hub.contract import topics
from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.envelope import Envelope
from hub.contract.errors import PulseError
from hub.contract.surface import (
    AnyDelivered,
    CardDelivery,
    Decision,
    DeliveredCard,
    DeliveredVerdict,
    Receipt,
    Verdict,
)
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, HumanInput
from hub.kit.answer_retry import HandedAnswers
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.bounded import BoundedSet
from hub.kit.chat.answering import Answering, Meaning
from hub.kit.chat.book import ChatBook
from hub.kit.chat.heard import ChatHeard, Pressed, Relayed, Sender, Wrote
from hub.kit.chat.hub_tasks import tasks_of
from hub.kit.chat.receipts import ChatReceipts
from hub.kit.chat.service import ChatRefusedError, ChatService, Posted
from hub.kit.chat.shown import ShownPost, ShownPosts, read_shown
from hub.kit.chat.tasks import KEY, ChatTasks, dropped_post, kept_post
from hub.kit.chat.writing import ChatWriter
from hub.kit.digests import cards_of
from hub.kit.files import FOLDER_MODE, replace_file
from hub.kit.gateway.carrier import lasts
from hub.kit.gateway.outcome import (
    Accepted,
    Doubtful,
    Gone,
    Misconfigured,
    Outcome,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from hub.kit.hub_api import HubAddress, NotPairedError, NotRunningError, ask_hub, pair
from hub.kit.mqtt.device import DeviceLink, Heard, Item, LinkChanged
from hub.kit.mqtt.reading import read_delivered
from hub.kit.process import until_told

KEPT_FILE = "messages.json"
AGAIN = RetryPolicy(base_s=0.5, cap_s=15.0)
"""On top of what the chat asked for; after an outage nothing waits for longer."""
STRANGERS_MAX, BESIDE_MAX = 1_000, 10
"""How many strangers are remembered as told, and how many are told at a time; of a flood the rest is let go."""
UNKNOWN_CARD = "no-such-card"
UNKNOWN_TASK = "unknown-task"
Now = Callable[[], datetime]


class ChatPlace(Value):
    """Which chat this is: its surface and its device's name, who may answer where, and its folder for what it keeps."""

    surface: str
    device: str
    paired: Sender
    folder: str
    human_input: HumanInput = HumanInput.TAP


class ChatSurface:
    """Everything between the link to the hub and the chat. `told` asks the hub for a card."""

    def __init__(
        self,
        place: ChatPlace,
        writer: ChatWriter,
        service: ChatService,
        link: DeviceLink,
        told: Callable[[str], Prediction | None],
        *,
        tasks: ChatTasks,
        now: Now,
    ) -> None:
        self._place = place
        self._service = service
        self._link = link
        self._told = told
        self._tasks = tasks
        self._now = now
        self._file = Path(place.folder) / KEPT_FILE
        self.book = ChatBook(writer, _kept_at(self._file))
        self._answering = Answering(self.book, place.surface, place.human_input)
        self._receipts = ChatReceipts(self._send_receipt)
        self._handed = HandedAnswers(random.random)
        self._deliveries: dict[str, str] = {}
        self._to_show, self._to_hand, self._to_try = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._beside: set[asyncio.Task[None]] = set()
        self._strangers: BoundedSet[str] = BoundedSet(STRANGERS_MAX)
        self._posting = asyncio.Lock()
        self._failed = 0
        self._failing_since: datetime | None = None

    def works(self) -> list[asyncio.Task[None]]:
        """Begin all that goes on, until it is cancelled; an error in one ends it."""
        works = (self._hear_hub(), self._hear_chat(), self._show(), self._hand_in_again())
        return [asyncio.create_task(work) for work in works]

    async def _hear_hub(self) -> None:
        async for item in self._link.items():
            self.take(item)

    def take(self, item: Item) -> None:
        """Take what the hub says; garbage is let go."""
        if isinstance(item, LinkChanged):
            self._link_changed(item)
        elif isinstance(item, Heard) and (envelope := read_delivered(item.payload)) is not None:
            self._delivered(envelope)
        self._to_show.set()

    def _delivered(self, envelope: Envelope[AnyDelivered]) -> None:
        match envelope.data:
            case DeliveredCard(card=delivery) if self._link.is_new(envelope.id):
                self._take_card(delivery, envelope.time)
            case DeliveredCard(card=delivery):
                self._receipts.repeat(delivery.delivery_id)
            case DeliveredVerdict(verdict=verdict) if self._link.is_new(envelope.id):
                self._verdict(verdict)
            case _:
                return

    def _take_card(self, delivery: CardDelivery, at: datetime) -> None:
        key = self.book.take(delivery, at)
        for named in (delivery.delivery_id, *(one.delivery_id for one in cards_of(delivery))):
            if key:
                self._deliveries[key if named == delivery.delivery_id else f"{key}#{named}"] = named
                self._receipts.expect(key if named == delivery.delivery_id else f"{key}#{named}", named)
            else:
                self._receipts.say(named, DeliveryState.CLEARED)
        if wrong := self._service.trouble.sending:
            self._still_trying(wrong.why, wrong.fix)

    def _verdict(self, verdict: Verdict) -> None:
        handed = self._handed.heard(verdict.decision_id)
        if verdict.prediction is not None and self.book.card(verdict.prediction.id) is not None:
            self.book.told(verdict.prediction, self._now())
        if handed is None:
            return
        if verdict.accepted:
            self._receipts.say(handed.delivery_id, DeliveryState.ACTED)
        else:
            self._refuse(handed.decision.card_id, verdict.message or verdict.code)

    def _refuse(self, card_id: str, why: str) -> None:
        card = self.book.card(card_id)
        if card is not None:
            self.book.put(replace(card, refused=why))

    async def _hear_chat(self) -> None:
        async for heard in self._service.heard():
            if heard.sender == self._place.paired:
                await self._answer(heard)
            elif len(self._beside) < BESIDE_MAX and self._strangers.add(f"{heard.sender.room} {heard.sender.person}"):
                self._spawn(self._service.tell(heard, self._refusal(heard.sender)))

    def _refusal(self, sender: Sender) -> str:
        """Return what a stranger is told, once: why nothing was done, and nothing of the person or their work."""
        name = "chat.other_room" if sender.person == self._place.paired.person else "chat.stranger"
        return self.book.writer.words.title(name, command=f"`pulse {self._place.surface} setup`")

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def _answer(self, heard: ChatHeard) -> None:
        """Do what the paired person did. They may have let the bot in again, so what waits is tried at once."""
        self._to_try.set()
        about = _about(heard)
        if about and not self.book.shown.key_of(about):
            async with self._posting:  # quicker than the word that the message is there
                pass
        meaning = self._answering.hear(heard, self._now())
        says = meaning.says
        if meaning.decision is not None and not self._hand_in(meaning.decision):
            says = self.book.writer.words.title("chat.away")
        if meaning.keeps or meaning.drops:
            says = await self._task(meaning)
        self.book.add(meaning.posts)
        self._to_show.set()
        await self._service.tell(heard, says)

    async def _task(self, meaning: Meaning) -> str:
        """Keep or drop a task; return what to tell the person, empty where a message does."""
        writer = self.book.writer
        try:
            if meaning.drops:
                await asyncio.to_thread(self._tasks.drop, meaning.drops)
                self.book.add(((f"{KEY}{meaning.drops}", dropped_post(writer)),))
                return ""
            task = await asyncio.to_thread(self._tasks.keep, meaning.keeps)
        except NotRunningError:
            return writer.words.title("chat.away")
        except NotPairedError as error:
            return writer.words.title("task.removed") if error.refusal == UNKNOWN_TASK else error.detail
        waits = any(one.phase == "open" for one in self.book.open_cards())
        self.book.add(((f"{KEY}{task.id}", kept_post(task, writer, self._now(), card_waits=waits)),))
        return ""

    def _hand_in(self, decision: Decision) -> bool:
        card = self.book.card(decision.card_id)
        if card is None or not self._link.send_decision(decision):
            return False
        self._handed.add(decision, card.delivery_id, self._now())
        self._receipts.answered(card.delivery_id)
        self._to_hand.set()
        return True

    async def _hand_in_again(self) -> None:
        while True:
            self._to_hand.clear()
            for decision in self._handed.due(self._now()):
                self._link.send_decision(decision, again=True)
            for decision in self._handed.given_up(self._now()):
                self._refuse(decision.card_id, self.book.writer.words.title("chat.no_answer"))
                self._to_show.set()
            await _until(self._to_hand, self._handed.next_at(), self._now())

    def _link_changed(self, item: LinkChanged) -> None:
        if item.state != "up":
            return
        self._handed.hurry(self._now())
        self._to_hand.set()
        self._spawn(self._check_all())

    async def _check_all(self) -> None:
        """Nobody listened for a while: ask the hub what became of each card, those of old messages too."""
        for card_id in self.book.unsettled():
            before = self.book.card(card_id)
            try:
                told = await asyncio.to_thread(self._told, card_id)
            except PulseError:
                return  # the hub is away; all is asked again when it is back
            if self.book.card(card_id) is not before:
                continue  # a delivery came meanwhile, and knows better
            if told is None:
                self.book.unknown(card_id)
            else:
                self.book.told(told, self._now())
            self._to_show.set()

    async def _show(self) -> None:
        """Show what is to be shown, one message after the other."""
        while True:
            await self._to_show.wait()
            self._to_show.clear()
            while self.book.dirty:
                key = next(iter(self.book.dirty))
                del self.book.dirty[key]
                wait_s = await self._show_one(key)
                if wait_s:
                    self._to_try.clear()
                    await _until(self._to_try, self._now() + timedelta(seconds=wait_s), self._now())

    async def _show_one(self, key: str) -> float:
        """Show one message; return how long to wait before the next try, 0 where none is needed."""
        post, shown = self.book.wanted(key), self.book.shown.get(key)
        if post is None:
            self._gone(key)
            return 0.0
        if shown is not None and shown.face == post.face:
            self._kept(key, shown)
            return 0.0
        async with self._posting:
            if shown is None:
                return self._outcome(key, ShownPost(message_id="", face=post.face), await self._service.post(key, post))
            outcome = await self._service.edit(shown.message_id, post)
            return self._outcome(key, replace(shown, face=post.face), outcome)

    def _outcome(self, key: str, shown: ShownPost, outcome: Posted | Outcome) -> float:
        match outcome:
            case Posted(message_id=message_id):
                self._kept(key, replace(shown, message_id=message_id))
            case Accepted():
                self._kept(key, shown)
            case RetryLater() | Doubtful():
                return self._again(key, outcome)
            case Gone():
                self.book.shown.forget(key)
                if not self.book.is_settled(key):
                    self.book.dirty[key] = None
            case Misconfigured(why=why, fix=fix):
                raise ChatRefusedError(f"{why}.", fix=fix or "Set it up again.")
            case Undeliverable(only_this=False):
                _report(f"a message could not be shown: {outcome}")
                self._refused(key, outcome)
            case TooLarge():
                self._refused(key, Undeliverable(why="The message is too long for the chat"))
            case _:
                _report(f"a message could not be shown: {outcome}")
                self._gone(key)
        self._failed, self._failing_since = 0, None
        self._service.trouble.say("sending", "")
        return 0.0

    def _again(self, key: str, outcome: RetryLater | Doubtful) -> float:
        """Put it first in the queue and return how long to wait; once that has lasted a while, the hub is told."""
        self.book.dirty = {key: None, **self.book.dirty}
        self._failed += 1
        after_s = outcome.after_s if isinstance(outcome, RetryLater) else 0.0
        wait_s = after_s + retry_delay_s(self._failed - 1, AGAIN, random.random)
        self._failing_since = self._failing_since or self._now()
        if lasts(self._failing_since, self._now(), wait_s):
            self._service.trouble.say("sending", outcome.why, outcome.fix)
            self._still_trying(outcome.why, outcome.fix)
        return wait_s

    def _still_trying(self, why: str, fix: str) -> None:
        """Report it for all that waits: messages are shown one after the other."""
        for named in self._deliveries:
            self._receipts.still_trying(named, why, fix)

    def _kept(self, key: str, shown: ShownPost) -> None:
        """It is in the chat: remember it, also for the next start, and tell the hub."""
        known = replace(shown, is_settled=self.book.is_settled(key))
        if self.book.shown.get(key) != known:
            self.book.shown.keep(key, known)
            self._remember()
        self.book.mark_shown(key, shown.face)
        for named in self._named(key):
            self._receipts.shown(named, self._deliveries.pop(named))

    def _remember(self) -> None:
        """Keep which message is which; where the disk is full, a restart posts again what is open."""
        try:
            replace_file(self._file, self.book.shown.written())
        except OSError as error:
            _report(f"which message is which cannot be kept: {type(error).__name__}")

    def _gone(self, key: str) -> None:
        self.book.mark_refused(key)
        for named in self._named(key):
            self._deliveries.pop(named)
            self._receipts.gone(named)

    def _refused(self, key: str, outcome: Undeliverable) -> None:
        self.book.mark_refused(key)
        for named in self._named(key):
            self._deliveries.pop(named)
            self._receipts.refused(named, outcome.why, outcome.fix)

    def _named(self, key: str) -> tuple[str, ...]:
        return tuple(one for one in self._deliveries if one == key or one.startswith(f"{key}#"))

    def _send_receipt(self, delivery_id: str, state: DeliveryState, *, trouble: str = "", fix: str = "") -> None:
        receipt = Receipt(delivery_id=delivery_id, state=state, at=self._now(), trouble=trouble, fix=fix)
        self._link.send_receipt(receipt)


async def serve_chat(hub: HubAddress, place: ChatPlace, writer: ChatWriter, service: ChatService) -> None:
    """Serve until told to stop.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
        ChatRefusedError: the chat does not take us.
    """
    make_folder(Path(place.folder))
    pairing = partial(pair, hub, DeviceAddress(surface=place.surface, device=place.device), place.surface)
    login = pairing()
    async with DeviceLink(login, also=(topics.state(login.user),), pair_again=pairing) as link:
        told = partial(told_by_hub, hub)
        surface = ChatSurface(place, writer, service, link, told, tasks=tasks_of(hub), now=_now)
        await until_told(surface.works())


def make_folder(folder: Path) -> None:
    """Make the folder for what is kept, for its owner alone."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def told_by_hub(hub: HubAddress, card_id: str) -> Prediction | None:
    """Return a card as the hub has it; None where it does not know it.

    Raises:
        PulseError: the hub is not running, or refused.
    """
    try:
        document = ask_hub(hub, "GET", f"/api/v1/predictions/{card_id}")
        return msgspec.json.decode(document, type=Prediction)
    except NotPairedError as error:
        if error.refusal == UNKNOWN_CARD:
            return None
        raise
    except msgspec.DecodeError as error:
        raise NotPairedError(f"The hub's answer cannot be read: {error}.") from error


def _about(heard: ChatHeard) -> str:
    """Return the message that something was done to, empty where there is none."""
    match heard:
        case Pressed(message_id=message_id):
            return message_id
        case Wrote(reply_to=reply_to):
            return reply_to
        case Relayed():
            return ""


async def _until(woken: asyncio.Event, at: datetime | None, now: datetime) -> None:
    try:
        async with asyncio.timeout(None if at is None else max(0.0, (at - now).total_seconds())):
            await woken.wait()
    except TimeoutError:
        return


def _kept_at(file: Path) -> ShownPosts:
    try:
        return read_shown(file.read_bytes())
    except FileNotFoundError:
        return ShownPosts()


def _now() -> datetime:
    return datetime.now(UTC)


def _report(text: str) -> None:
    """Write one line to the process's log; never a token, never what a card says."""
    print(text.splitlines()[0], file=sys.stderr, flush=True)  # noqa: T201  a program's own log
