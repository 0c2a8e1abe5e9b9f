"""What the gateway makes of the hub's messages: addresses, repeats, the count on the icon, garbage."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.access import AddressList, AddressView
from hub.contract.address import WebPushAddress, fingerprint
from hub.contract.base import Message
from hub.contract.envelope import Envelope, encode
from hub.contract.events import PredictionNew, StatusChanged
from hub.contract.surface import CardDelivery, DeliveredAddress, DeliveredCard, DeliveredVerdict, Verdict
from hub.contract.words import DeliveryState
from surfaces.web.gateway import WebGateway
from tests.surfaces.shown import delivery, prediction, status
from tests.surfaces.web.carrying import WORDS, Reports, now, outside, sending
from tests.surfaces.web.push_service import PushService

STATE = "pulse/v1/me/state"


def told(data: Message, event_id: str = "e1") -> bytes:
    return encode(Envelope(id=event_id, source="pulse/hub", type="deliver", time=now(), data=data))


def to(device: str) -> str:
    return f"pulse/v1/me/deliver/browser/{device}"


def card(delivery_id: str = "dlv_1", card_id: str = "card_1") -> CardDelivery:
    event = PredictionNew(prediction=prediction(card_id=card_id))
    return delivery(event, delivery_id=delivery_id, expires_at=now() + timedelta(minutes=5))


def known(**addresses: WebPushAddress) -> AddressList:
    views = tuple(AddressView(device=name, address=address) for name, address in addresses.items())
    return AddressList(user="me", addresses=views)


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with PushService() as running:
        yield running


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture
async def gateway(service: PushService, reports: Reports) -> AsyncIterator[WebGateway]:
    async with sending(service.origin) as sender:
        made = WebGateway(outside(reports), sender, WORDS)
        async with made:
            yield made


async def test_a_card_goes_to_its_browser_in_its_language(
    service: PushService, gateway: WebGateway, reports: Reports
) -> None:
    gateway.learn_addresses(known(phone=service.subscribe("p", lang="de-CH"), hub_api=service.subscribe("d")))
    gateway.hear(to("phone"), told(DeliveredCard(card=card())))
    assert (await reports.until(1))["dlv_1"].state is DeliveryState.ACCEPTED
    assert [(message.name, json.loads(message.plain)["notification"]["lang"]) for message in service.taken] == [
        ("p", "de")
    ]


async def test_the_count_is_the_state_s(service: PushService, gateway: WebGateway, reports: Reports) -> None:
    gateway.learn_addresses(known(phone=service.subscribe("p")))
    gateway.hear(STATE, told(StatusChanged(status=status(pending=7))))
    gateway.hear(to("phone"), told(DeliveredCard(card=card())))
    await reports.until(1)
    assert json.loads(service.taken[0].plain)["app_badge"] == 7


async def test_the_count_is_that_of_the_message_itself_where_the_state_follows_it(
    service: PushService, gateway: WebGateway, reports: Reports
) -> None:
    gateway.learn_addresses(known(phone=service.subscribe("p")))
    gateway.hear(STATE, told(StatusChanged(status=status(pending=0))))
    gateway.hear(to("phone"), told(DeliveredCard(card=replace(card(), pending=1))))
    await reports.until(1)
    assert json.loads(service.taken[0].plain)["app_badge"] == 1


async def test_a_repeat_is_told_again_and_not_sent_again(
    service: PushService, gateway: WebGateway, reports: Reports
) -> None:
    gateway.learn_addresses(known(phone=service.subscribe("p")))
    gateway.hear(to("phone"), told(DeliveredCard(card=card())))
    first = dict(await reports.until(1))
    reports.by_id.clear()
    gateway.hear(to("phone"), told(DeliveredCard(card=card())))
    assert reports.by_id == first
    assert len(service.taken) == 1


async def test_before_the_addresses_are_known_nothing_is_said(gateway: WebGateway, reports: Reports) -> None:
    gateway.hear(to("phone"), told(DeliveredCard(card=card())))
    assert (len(gateway.carrier), reports.by_id) == (0, {})


async def test_addresses_come_change_and_go(service: PushService, gateway: WebGateway, reports: Reports) -> None:
    gateway.learn_addresses(known())
    for number, address in enumerate((service.subscribe("one"), service.subscribe("two"), None)):
        gateway.hear(to("phone"), told(DeliveredAddress(delivery_id=f"adr_{number}", address=address)))
        gateway.hear(to("phone"), told(DeliveredCard(card=card(f"dlv_{number}", f"card_{number}"))))
        await reports.until(number + 1)
    assert [message.name for message in service.taken] == ["one", "two"]
    assert reports.by_id["dlv_2"].detail == "no address"


async def test_an_address_that_ended_is_named_and_not_used_again(
    service: PushService, gateway: WebGateway, reports: Reports
) -> None:
    address = service.subscribe("p", "410")
    gateway.learn_addresses(known(phone=address))
    gateway.hear(to("phone"), told(DeliveredCard(card=card("dlv_1"))))
    assert (await reports.until(1))["dlv_1"].gone == fingerprint(address)
    gateway.hear(to("phone"), told(DeliveredCard(card=card("dlv_2"))))
    assert (await reports.until(2))["dlv_2"].detail == "no address"
    assert service.tries["p"] == 1


@pytest.mark.parametrize("payload", [b"", b"{}", b"\xff", b"[" * 100_000, told(DeliveredCard(card=card()))[:-5]])
async def test_garbage_is_let_go(gateway: WebGateway, reports: Reports, payload: bytes) -> None:
    gateway.learn_addresses(known())
    for topic in (to("phone"), STATE, "pulse/v1/me", "x", ""):
        gateway.hear(topic, payload)
    assert (len(gateway.carrier), reports.by_id) == (0, {})


async def test_verdicts_are_not_for_us(gateway: WebGateway, reports: Reports) -> None:
    gateway.learn_addresses(known())
    verdict = Verdict(decision_id="d", accepted=True, code="", message="")
    gateway.hear(to("phone"), told(DeliveredVerdict(verdict=verdict)))
    assert (len(gateway.carrier), reports.by_id) == (0, {})
