"""A push surface as small as one can be: with `render`, `send` and its addresses it is carried for like any other."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.access import AddressList, AddressView
from hub.contract.address import WebPushAddress
from hub.contract.base import Message
from hub.contract.envelope import Envelope, encode
from hub.contract.events import CostApproaching, DigestReady, Paused, PredictionExpired, PredictionNew, Resumed
from hub.contract.surface import CardDelivery, DeliveredCard, DigestItem, Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.carrier import AWAY_S, Outside
from hub.kit.gateway.gateway import Gateway
from hub.kit.gateway.outcome import (
    Accepted,
    Doubtful,
    Gone,
    Misconfigured,
    Outcome,
    Quarantined,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from hub.kit.gateway.parcel import Parcel, subject_of
from tests.surfaces.shown import delivery, prediction

ADDRESS = WebPushAddress(
    endpoint="https://lamp.example/1", p256dh="p" * 87, auth="a" * 22, origin="https://pulse.example"
)


def now() -> datetime:
    return datetime.now(UTC)


class LampGateway(Gateway[WebPushAddress, bytes]):
    """Blinks; each outcome is the next of a plan, and the last one stays."""

    address_type = WebPushAddress
    sizes = (100, 10)
    in_flight_max = 1

    def __init__(self, outside: Outside, plan: tuple[Outcome, ...]) -> None:
        super().__init__(outside)
        self.plan = list(plan)
        self.sent: list[tuple[WebPushAddress, bytes]] = []

    def render(self, parcel: Parcel, address: WebPushAddress, bytes_max: int) -> bytes | None:
        return f"{address.lang} {subject_of(parcel.card.event)}".encode() * bytes_max

    async def send(self, address: WebPushAddress, push: bytes) -> Outcome:
        self.sent.append((address, push))
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


class Hub:
    """What the hub hears of a lamp, and says to it."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[tuple[str, Receipt]] = asyncio.Queue()
        self.failures: asyncio.Queue[str] = asyncio.Queue()
        self.outside = Outside(
            tell=lambda device, receipt: self.told.put_nowait((device, receipt)),
            fail=self.failures.put_nowait,
            clock=now,
            draw=lambda: 0.0,
        )


@pytest.fixture
def hub() -> Hub:
    return Hub()


def says(gateway: LampGateway, data: Message) -> None:
    envelope = Envelope(id="e", source="pulse/hub", type="deliver", time=now(), data=data)
    gateway.hear("pulse/v1/me/deliver/lamp/desk", encode(envelope))


def card(delivery_id: str = "d1", lasts: timedelta = timedelta(minutes=5)) -> CardDelivery:
    return delivery(
        PredictionNew(prediction=prediction(card_id="c")), delivery_id=delivery_id, expires_at=now() + lasts
    )


@pytest.mark.parametrize(
    ("plan", "state", "tries"),
    [
        ((Accepted(detail="lit"),), DeliveryState.ACCEPTED, 1),
        ((RetryLater(why="busy"), Doubtful(why="cut"), Accepted()), DeliveryState.ACCEPTED, 3),
        ((RetryLater(why="away", after_s=3_600),), DeliveryState.UNKNOWN, 1),
        ((TooLarge(), Accepted()), DeliveryState.ACCEPTED, 2),
        ((TooLarge(),), DeliveryState.UNKNOWN, 2),
        ((Gone(),), DeliveryState.DEAD, 1),
        ((Quarantined(why="bulb"),), DeliveryState.UNKNOWN, 1),
        ((Misconfigured(why="topic"),), DeliveryState.UNKNOWN, 1),
        ((Undeliverable(why="dark"),), DeliveryState.UNKNOWN, 1),
    ],
)
async def test_each_outcome_becomes_one_receipt(
    hub: Hub, plan: tuple[Outcome, ...], state: DeliveryState, tries: int
) -> None:
    async with LampGateway(hub.outside, plan) as lamp:
        lamp.learn_addresses(AddressList(user="me", addresses=(AddressView(device="desk", address=ADDRESS),)))
        says(lamp, DeliveredCard(card=card()))
        device, receipt = await hub.told.get()
        assert (device, receipt.state, len(lamp.sent)) == ("desk", state, tries)
        assert bool(receipt.gone) is (state is DeliveryState.DEAD)
        says(lamp, DeliveredCard(card=card()))  # the hub did not get the receipt
        assert await hub.told.get() == (device, receipt)
        assert len(lamp.sent) == tries


@pytest.mark.parametrize(
    ("outcome", "trouble"),
    [
        (RetryLater(why="away", after_s=3_600, fix="Wait."), ("away", "Wait.")),
        (Quarantined(why="bulb", fix="Pair it again."), ("bulb", "Pair it again.")),
        (Misconfigured(why="topic", fix="Set it."), ("topic", "Set it.")),
        (Undeliverable(why="dark", fix="Switch it on."), ("dark", "Switch it on.")),
        (Undeliverable(why="this one is odd", only_this=True), ("", "")),
        (Gone(), ("", "")),
        (TooLarge(), ("", "")),
        (Accepted(), ("", "")),
    ],
)
async def test_why_it_does_not_reach_the_person_is_told_with_what_to_do(
    hub: Hub, outcome: Outcome, trouble: tuple[str, str]
) -> None:
    async with LampGateway(hub.outside, (outcome,)) as lamp:
        lamp.learn_addresses(AddressList(user="me", addresses=(AddressView(device="desk", address=ADDRESS),)))
        says(lamp, DeliveredCard(card=card()))
        _, receipt = await hub.told.get()
        assert (receipt.trouble, receipt.fix) == trouble


async def test_what_lasts_is_told_while_it_is_still_tried_and_is_no_last_word(hub: Hub) -> None:
    async with LampGateway(hub.outside, (RetryLater(why="away", after_s=AWAY_S, fix="Wait."),)) as lamp:
        lamp.learn_addresses(AddressList(user="me", addresses=(AddressView(device="desk", address=ADDRESS),)))
        says(lamp, DeliveredCard(card=card()))
        _, receipt = await hub.told.get()
        assert (receipt.state, receipt.trouble, receipt.fix) == (DeliveryState.QUEUED, "away", "Wait.")
        says(lamp, DeliveredCard(card=card()))  # the hub asks again: it is under way still
        assert hub.told.empty()
        assert len(lamp.carrier) == 1


async def test_each_card_of_a_digest_went_where_its_message_went(hub: Hub) -> None:
    item = DigestItem(delivery_id="d1_a", card_id="c", verbs=(), token="")
    digest = DigestReady(digest_id="dg", cards=(prediction(card_id="c"),))
    async with LampGateway(hub.outside, (Accepted(detail="lit"),)) as lamp:
        lamp.learn_addresses(AddressList(user="me", addresses=(AddressView(device="desk", address=ADDRESS),)))
        says(lamp, DeliveredCard(card=replace(card(), event=digest, items=(item,))))
        told = [await hub.told.get() for _ in range(2)]
        assert [(one.delivery_id, one.state) for _, one in told] == [
            ("d1", DeliveryState.ACCEPTED),
            ("d1_a", DeliveryState.ACCEPTED),
        ]


async def test_what_the_settings_forbid_waits_without_a_receipt(hub: Hub) -> None:
    async with LampGateway(hub.outside, (Misconfigured(why="no key", stops_all=True),)) as lamp:
        lamp.learn_addresses(AddressList(user="me", addresses=(AddressView(device="desk", address=ADDRESS),)))
        says(lamp, DeliveredCard(card=card()))
        assert await hub.failures.get() == "no key"
        assert hub.told.empty()


def test_what_a_message_is_about_names_its_place() -> None:
    shown = prediction(card_id="c")
    events = (PredictionNew(prediction=shown), PredictionExpired(card_id="c"), Paused(reason=""), Resumed())
    assert [subject_of(event) for event in events] == ["c", "c", "autonomy", "autonomy"]
    assert subject_of(CostApproaching(window="day", spent_usd=1, cap_usd=2)) == "cost-day"
