"""A surface that is one device itself and hands what it is told to a service outside: carried as by any gateway.

It holds the connection of its one device, so it may hand in that device's answers; a gateway may not.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from hub.contract import topics
from hub.contract.base import Value
from hub.contract.envelope import Envelope
from hub.contract.errors import UserError
from hub.contract.events import AnyEvent
from hub.contract.surface import CardDelivery, Decision, DeliveredCard, DeliveredVerdict, Receipt, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, HumanInput
from hub.kit.files import FOLDER_MODE, replace_file
from hub.kit.gateway.carrier import Carrier, Outside, PushSurface
from hub.kit.gateway.parcel import Parcel
from hub.kit.gateway.receipts import Receipts
from hub.kit.hub_api import HubAddress, pair
from hub.kit.mqtt.device import DeviceLink, Heard, Item, LinkChanged
from hub.kit.mqtt.reading import read_delivered, read_event
from hub.kit.offered_answers import OfferedAnswers
from hub.kit.process import until_told
from hub.kit.tasks import BackgroundTasks
from hub.kit.trouble import ServiceTrouble

KEY_FILE, KEY_BYTES = "answers.key", 32
RECEIPTS_FILE = "receipts.jsonl"
GOES_ON = "Waiting messages are sent as soon as it works again."
P = TypeVar("P")
log = logging.getLogger("pulse.surface")


class OnlyPlace(Value):
    """Where such a surface tells: there is nowhere else."""


class AnswerLink(Protocol):
    """What is needed of the connection to the hub (`hub.kit.mqtt.device.DeviceLink`)."""

    def is_new(self, event_id: str) -> bool:
        """Return True if this id comes for the first time."""

    def send_receipt(self, receipt: Receipt) -> object:
        """Tell what became of a delivery."""

    def send_decision(self, decision: Decision, *, again: bool = False) -> bool:
        """Hand in an answer; False when there is no connection."""


class DeviceSurface(PushSurface[OnlyPlace, P], Generic[P]):
    """Derive from it with `render` and `send`. `folder` is the surface's own; None where nothing is to be kept."""

    def __init__(self, own_address: DeviceAddress, link: AnswerLink, folder: Path | None, outside: Outside) -> None:
        self.own_address = own_address
        self.outside = outside
        self.offers = OfferedAnswers(key_in(folder))
        self._link = link
        self._receipts = Receipts(folder / RECEIPTS_FILE if folder else None)
        carrying = Outside(tell=self._report, fail=outside.fail, clock=outside.clock, draw=outside.draw)
        self.carrier: Carrier[OnlyPlace, P] = Carrier(self, lambda _device: OnlyPlace(), carrying)
        self._beside = BackgroundTasks(_report_bug)
        self.trouble = ServiceTrouble(GOES_ON)

    async def close(self) -> None:
        """End what is under way; the hub sends it again later."""
        await self._beside.close()
        await self.carrier.close()

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Do something beside, until `close`; a bug in it is seen."""
        return self._beside.spawn(work)

    def take(self, item: Item) -> None:
        """Take one thing from the hub; garbage is let go."""
        if isinstance(item, LinkChanged):
            log.info("the broker at %s: %s %s", item.broker, item.state, item.note)
            return
        kind = item.topic.removeprefix(f"{topics.ROOT}/").partition("/")[2].partition("/")[0]
        if kind == "deliver":
            self._delivered(item)
        elif (heard := read_event(item.payload)) is not None:
            self.hear_event(heard)

    def hear_event(self, heard: Envelope[AnyEvent]) -> None:
        """Take what everybody is told."""

    def hear_card(self, card: CardDelivery, at: datetime) -> None:
        """Take note of a delivery beside carrying it."""

    def hear_verdict(self, verdict: Verdict) -> None:
        """Take what the hub said to an answer from here; what was accepted comes as an event, too."""

    def press(self, name: str, human_input: HumanInput, words: str = "") -> bool:
        """Hand in what a person said by an offer's name; False where it says nothing, or there is no connection."""
        decision = self.offers.decide(name, human_input, self.outside.clock(), words)
        return decision is not None and self._link.send_decision(decision, again=True)

    def _delivered(self, item: Heard) -> None:
        envelope = read_delivered(item.payload)
        match envelope.data if envelope is not None else None:
            case DeliveredCard(card=card) if envelope is not None:
                told = self._receipts.told(card.delivery_id)
                if told is not None:
                    self._link.send_receipt(told)
                elif card.delivery_id not in self.carrier:
                    self.hear_card(card, envelope.time)
                    self.carrier.take(Parcel(device=self.own_address.device, card=card, at=envelope.time))
            case DeliveredVerdict(verdict=verdict) if envelope is not None and self._link.is_new(envelope.id):
                self._judged(verdict)
            case _:
                return

    def _judged(self, verdict: Verdict) -> None:
        found = self.offers.find(verdict.decision_id)
        if verdict.accepted and found is not None:
            at = self.outside.clock()
            self._link.send_receipt(Receipt(delivery_id=found.delivery_id, state=DeliveryState.ACTED, at=at))
        self.hear_verdict(verdict)

    def _report(self, device: str, receipt: Receipt) -> None:
        self._receipts.note(device, receipt)
        self._link.send_receipt(receipt)


S = TypeVar("S", bound=DeviceSurface)  # type: ignore[type-arg]  # of whatever it pushes


async def serve_device(
    hub: HubAddress,
    own_address: DeviceAddress,
    make: Callable[[DeviceLink, Outside], S],
    works: Callable[[S], Iterable[Coroutine[object, object, None]]],
    refused: Callable[[str], UserError],
) -> None:
    """Pair as a device whose profile has the surface's name, and serve until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
        UserError: `refused`, where the service accepts nothing with our settings.
    """
    failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def fail(why: str) -> None:
        if not failed.done():
            failed.set_result(why)

    async def until_failed() -> None:
        raise refused(await failed)

    pairing = partial(pair, hub, own_address, own_address.surface)
    login = await asyncio.to_thread(pairing)
    outside = Outside(tell=lambda _device, _receipt: None, fail=fail, clock=utc_now, draw=random.random)
    async with DeviceLink(login, also=(topics.state(login.user),), pair_again=pairing) as link:
        surface = make(link, outside)
        try:
            running = (until_failed(), _hear(surface, link), *works(surface))
            await until_told([asyncio.create_task(work) for work in running])
        finally:
            await surface.close()


def _report_bug(error: BaseException) -> None:
    bug = {"message": "a surface's work ended in a bug", "exception": error}
    asyncio.get_running_loop().call_exception_handler(bug)


async def _hear(surface: DeviceSurface[P], link: DeviceLink) -> None:
    async for item in link.items():
        surface.take(item)


def key_in(folder: Path | None) -> bytes:
    """Return the key of a surface's own names, made on first use; without a folder it lasts as long as the process.

    Raises:
        OSError: it can be neither read nor written.
    """
    if folder is None:
        return secrets.token_bytes(KEY_BYTES)
    path = folder / KEY_FILE
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    kept = path.read_bytes() if path.exists() else b""
    if len(kept) != KEY_BYTES:
        kept = secrets.token_bytes(KEY_BYTES)
        replace_file(path, kept, lasting=True)
    return kept


def utc_now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)
