"""A carrier on a real HTTP session, what it reports kept, for the tests that send to a local push service."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import pytest

from hub.contract.address import WebPushAddress
from hub.contract.events import AnyEvent
from hub.contract.surface import Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.carrier import Carrier, Outside
from hub.kit.gateway.parcel import Parcel
from hub.kit.phrase_files import all_phrases
from hub.kit.phrasebook import in_language
from surfaces.web.gateway import WebGateway
from surfaces.web.render import Push, Reader, render
from surfaces.web.send import Sender, opened_session
from surfaces.web.settings import DEFAULT_CONTACT
from surfaces.web.vapid import Signer
from tests.surfaces.shown import delivery
from tests.surfaces.web.receiver import Browser

WORDS = all_phrases()


def now() -> datetime:
    return datetime.now(UTC)


def _is_settled(receipt: Receipt) -> bool:
    return receipt.state is not DeliveryState.QUEUED


class Reports:
    """Receipts by delivery, as the hub would get them."""

    def __init__(self) -> None:
        self.by_id: dict[str, Receipt] = {}
        self._changed = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, _device: str, receipt: Receipt) -> bool:
        self.by_id[receipt.delivery_id] = receipt
        task = asyncio.ensure_future(self._wake())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def until_told(self, count: int, wait_s: float = 30) -> dict[str, Receipt]:
        async with asyncio.timeout(wait_s), self._changed:
            await self._changed.wait_for(lambda: len(self.by_id) >= count)
        return self.by_id

    async def until(self, count: int, wait_s: float = 30) -> dict[str, Receipt]:
        """Wait for outcomes: what takes long is told as still queued before."""
        async with asyncio.timeout(wait_s), self._changed:
            await self._changed.wait_for(lambda: sum(map(_is_settled, self.by_id.values())) >= count)
        return self.by_id

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()


@contextlib.asynccontextmanager
async def sending(origin: str, *, send_s_max: float = 5.0) -> AsyncIterator[Sender]:
    """Give a sender that may send to one local push service."""
    async with opened_session((origin,), send_s_max=send_s_max) as session:
        yield Sender(session, Signer(Browser().key, DEFAULT_CONTACT), (origin,), now)


def outside(reports: Reports, draw: Callable[[], float] = lambda: 0.01) -> Outside:
    return Outside(tell=reports.tell, fail=pytest.fail, clock=now, draw=draw)


@contextlib.asynccontextmanager
async def carrying(
    sender: Sender, addresses: dict[str, WebPushAddress], draw: Callable[[], float] = lambda: 0.01
) -> AsyncIterator[tuple[Carrier[WebPushAddress, Push], Reports]]:
    """Give a carrier for these devices, and what it reports."""
    reports = Reports()
    told = outside(reports, draw)
    carrier = Carrier(WebGateway(told, sender, WORDS), addresses.get, told)
    try:
        yield carrier, reports
    finally:
        await carrier.close()


def rendered(parcel: Parcel, address: WebPushAddress, bytes_max: int) -> Push | None:
    reader = Reader(origin=address.origin, words=in_language(address.lang, WORDS))
    return render(parcel.card, reader, at=parcel.at, now=now(), bytes_max=bytes_max)


def parcel(
    device: str, delivery_id: str, event: AnyEvent | None = None, *, lasts: timedelta = timedelta(minutes=5)
) -> Parcel:
    card = delivery(event, delivery_id=delivery_id, expires_at=now() + lasts)
    return Parcel(device=device, card=card, at=now())
