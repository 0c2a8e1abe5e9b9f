"""A gateway in front of a stand-in, told what the hub would tell it; what it reports is kept by delivery."""

import asyncio
import contextlib
import random
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from hub.contract.access import AddressList, AddressView
from hub.contract.address import AnyAddress, ApnsAddress
from hub.contract.base import Message
from hub.contract.envelope import Envelope, encode
from hub.contract.events import AnyEvent, PredictionNew
from hub.contract.surface import CardDelivery, DeliveredAddress, DeliveredCard, Loudness, Receipt
from hub.contract.words import DeliveryState, Verb
from hub.kit.gateway.carrier import Outside
from surfaces.apns.budget import Hours
from surfaces.apns.client import Client
from surfaces.apns.gateway import Setting, make_gateway
from tests.surfaces.apns.cards import WORDS, prediction
from tests.surfaces.shown import OPEN_VERBS, TOKEN

ALWAYS = Hours(start=time(0), end_hour=24)
USER = "me"


def now() -> datetime:
    return datetime.now(UTC)


class Reports:
    """Receipts by delivery, as the hub would get them."""

    def __init__(self) -> None:
        self.by_id: dict[str, Receipt] = {}
        self.count = 0
        self._changed = asyncio.Event()

    def tell(self, _device: str, receipt: Receipt) -> bool:
        self.by_id[receipt.delivery_id] = receipt
        self.count += 1
        self._changed.set()
        return True

    async def until(self, enough: Callable[["Reports"], bool], wait_s: float = 15) -> dict[str, Receipt]:
        async with asyncio.timeout(wait_s):
            while not enough(self):
                self._changed.clear()
                await self._changed.wait()
        return self.by_id

    async def of(self, delivery_id: str, wait_s: float = 15) -> Receipt:
        """Wait for an outcome: what takes long is told as still queued before."""
        await self.until(lambda reports: reports.is_settled(delivery_id), wait_s)
        return self.by_id[delivery_id]

    def is_settled(self, delivery_id: str) -> bool:
        return delivery_id in self.by_id and self.by_id[delivery_id].state is not DeliveryState.QUEUED


class Hub:
    """Says to a gateway what the hub says."""

    def __init__(self, surface: str, client: Client, folder: Path | None, draw: Callable[[], float]) -> None:
        self.reports = Reports()
        self.failures: list[str] = []
        self.surface = surface
        setting = Setting(
            surface=surface,
            topic="org.example.acc" + (".watchkitapp" if surface == "watch" else ""),
            words=WORDS,
            hours=ALWAYS,
            folder=folder,
        )
        outside = Outside(tell=self.reports.tell, fail=self.failures.append, clock=now, draw=draw)
        self.gateway = make_gateway(outside, setting, client)

    def knows(self, addresses: dict[str, ApnsAddress]) -> None:
        views = tuple(AddressView(device=device, address=address) for device, address in addresses.items())
        self.gateway.learn_addresses(AddressList(user=USER, addresses=views))

    def says(self, topic: str, data: Message) -> None:
        envelope = Envelope(id=uuid.uuid4().hex, source="pulse/hub", type="x", time=now(), data=data)
        self.gateway.hear(f"pulse/v1/{USER}/{topic}", encode(envelope))

    def event(self, event: AnyEvent) -> None:
        self.says("event/" + "/".join(str(event.__struct_config__.tag).split(".")), event)

    def delivers(self, device: str, card: CardDelivery) -> None:
        self.says(f"deliver/{self.surface}/{device}", DeliveredCard(card=card))

    def readdresses(self, device: str, address: AnyAddress | None) -> None:
        said = DeliveredAddress(delivery_id="adr_1", address=address)
        self.says(f"deliver/{self.surface}/{device}", said)


@contextlib.asynccontextmanager
async def a_hub(
    client: Client, surface: str = "phone", *, folder: Path | None = None, draw: Callable[[], float] | None = None
) -> AsyncIterator[Hub]:
    dice = random.Random(3).random  # noqa: S311  spreads retries, no secret
    hub = Hub(surface, client, folder, draw or (lambda: dice() * 0.02))
    async with hub.gateway:
        yield hub


def address(token: str, **fields: str) -> ApnsAddress:
    return ApnsAddress(token=token, environment="production", registered_at=datetime(2026, 1, 1, tzinfo=UTC), **fields)  # type: ignore[arg-type]  # text fields only


def card(
    delivery_id: str,
    event: AnyEvent | None = None,
    *,
    loudness: Loudness = "notify",
    verbs: tuple[Verb, ...] = OPEN_VERBS,
    lasts: timedelta = timedelta(minutes=5),
) -> CardDelivery:
    default = PredictionNew(prediction=prediction(card_id=f"card_{delivery_id}", created_at=now()))
    return CardDelivery(
        delivery_id=delivery_id,
        event=event or default,
        loudness=loudness,
        verbs=verbs,
        token=TOKEN,
        expires_at=now() + lasts,
    )
