"""Deliveries on their way, against a real HTTP server: each fault of a push service, order, expiry, deletion."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from hub.contract.address import fingerprint
from hub.contract.events import PredictionNew, PredictionSettled
from hub.contract.words import DeliveryState, Status
from hub.kit.gateway.outcome import Accepted, Gone, RetryLater, Undeliverable
from surfaces.web.send import Sender
from tests.surfaces.shown import prediction, settlement
from tests.surfaces.web.carrying import carrying, parcel, rendered, sending
from tests.surfaces.web.push_service import PushService
from tests.surfaces.web.receiver import Browser

ACCEPTED, DEAD, UNKNOWN = DeliveryState.ACCEPTED, DeliveryState.DEAD, DeliveryState.UNKNOWN
QUEUED = DeliveryState.QUEUED


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with PushService() as running:
        yield running


@pytest.fixture
async def sender(service: PushService) -> AsyncIterator[Sender]:
    async with sending(service.origin, send_s_max=1.0) as ready:
        yield ready


async def test_a_browser_reads_what_was_sent(service: PushService, sender: Sender) -> None:
    addresses = {"phone": service.subscribe("a", lang="de")}
    async with carrying(sender, addresses) as (carrier, reports):
        assert carrier.take(parcel("phone", "dlv_1"))
        assert (await reports.until(1))["dlv_1"].state is ACCEPTED
    (message,) = service.taken
    note = json.loads(message.plain)["notification"]
    assert (note["title"], note["body"]) == ("Vorschlag: code", "Run the tests")
    assert (message.urgency, message.claims["aud"]) == ("high", service.origin)
    assert 290 <= message.ttl <= 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "state", "tries"),
    [
        (("503", "ok"), ACCEPTED, 2),
        (("429:0", "500", "502", "ok"), ACCEPTED, 4),
        (("reset", "ok"), ACCEPTED, 2),
        (("hang", "ok"), ACCEPTED, 2),
        (("404",), DEAD, 1),
        (("410",), DEAD, 1),
        (("503", "410"), DEAD, 2),
        (("401", "ok"), ACCEPTED, 2),
        (("401",), UNKNOWN, 2),
        (("403",), UNKNOWN, 2),
        (("400",), UNKNOWN, 1),
        (("redirect",), UNKNOWN, 1),
        (("413", "413", "ok"), ACCEPTED, 3),
        (("413",), UNKNOWN, 4),
    ],
)
async def test_each_fault(
    service: PushService, sender: Sender, plan: tuple[str, ...], state: DeliveryState, tries: int
) -> None:
    address = service.subscribe("a", *plan)
    async with carrying(sender, {"phone": address}) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1"))
        receipt = (await reports.until(1))["dlv_1"]
    assert (receipt.state, service.tries["a"]) == (state, tries)
    assert receipt.gone == (fingerprint(address) if state is DEAD else "")
    assert "elsewhere" not in service.tries
    assert len(set(service.seen["a"])) == 1, "every attempt has the same topic"


async def test_what_is_too_large_becomes_smaller(service: PushService, sender: Sender) -> None:
    addresses = {"phone": service.subscribe("a", "413", "413", "ok")}
    async with carrying(sender, addresses) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1", PredictionNew(prediction=prediction("x" * 4_000))))
        await reports.until(1)
    assert len(service.taken[0].plain) <= 2_000


async def test_retry_after_is_obeyed(service: PushService, sender: Sender) -> None:
    addresses = {"phone": service.subscribe("a", "503:3600", "ok")}
    async with carrying(sender, addresses) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1"))
        receipt = (await reports.until(1))["dlv_1"]
    assert (receipt.state, service.tries["a"]) == (UNKNOWN, 1)
    assert "status 503" in receipt.detail


async def test_what_expires_is_not_sent(service: PushService, sender: Sender) -> None:
    addresses = {"phone": service.subscribe("a")}
    async with carrying(sender, addresses) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1", lasts=timedelta(0)))
        assert (await reports.until(1))["dlv_1"].state is UNKNOWN
    assert service.taken == []


async def test_a_device_without_an_address_is_said(service: PushService, sender: Sender) -> None:
    async with carrying(sender, {}) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1"))
        assert (await reports.until(1))["dlv_1"].detail == "no address"
    assert service.taken == []


async def test_an_outcome_is_never_overtaken_by_its_card(service: PushService, sender: Sender) -> None:
    """The card meets a push service that is busy for an hour; its outcome is sent at once and ends those tries."""
    addresses = {"phone": service.subscribe("a", "503:200", "ok")}
    settled = PredictionSettled(prediction=prediction(status=Status.CONFIRMED, settled=settlement()))
    async with carrying(sender, addresses) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1"))
        carrier.take(parcel("phone", "dlv_2", settled))
        receipts = await reports.until(2)
        assert len(carrier) <= 1
    assert receipts["dlv_1"].state is UNKNOWN
    assert receipts["dlv_2"].state is ACCEPTED
    assert [json.loads(message.plain)["notification"]["data"]["event"] for message in service.taken] == [
        "prediction.settled"
    ]


async def test_other_cards_do_not_wait_for_it(service: PushService, sender: Sender) -> None:
    addresses = {"phone": service.subscribe("a", "503:200", "ok")}
    async with carrying(sender, addresses) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1"))
        carrier.take(parcel("phone", "dlv_2", PredictionNew(prediction=prediction(card_id="card_2"))))
        receipts = await reports.until_told(2)
    assert receipts["dlv_2"].state is ACCEPTED
    waits = receipts["dlv_1"]
    assert (waits.state, waits.trouble) == (QUEUED, "Its push service is busy or away (status 503)")


async def test_a_browser_that_subscribed_anew_meanwhile_is_not_reported_dead(
    service: PushService, sender: Sender
) -> None:
    addresses = {"phone": service.subscribe("old", "503", "410")}
    async with carrying(sender, addresses) as (carrier, reports):
        carrier.take(parcel("phone", "dlv_1"))
        addresses["phone"] = service.subscribe("new")
        assert (await reports.until(1))["dlv_1"].state is ACCEPTED
    assert [message.name for message in service.taken] == ["new"]


async def test_a_repeat_of_what_is_on_its_way_is_not_sent_twice(service: PushService, sender: Sender) -> None:
    addresses = {"phone": service.subscribe("a", "503", "ok")}
    async with carrying(sender, addresses) as (carrier, reports):
        for _ in range(5):
            assert carrier.take(parcel("phone", "dlv_1"))
        await reports.until(1)
    assert len(service.taken) == 1


@pytest.mark.slow
async def test_no_more_than_so_many_are_in_flight(service: PushService, sender: Sender) -> None:
    addresses = {f"d{n}": service.subscribe(f"s{n}") for n in range(200)}
    async with carrying(sender, addresses) as (carrier, reports):
        for number in range(200):
            carrier.take(parcel(f"d{number}", f"dlv_{number}"))
        await reports.until(200)
    assert service.in_flight_most <= 20


async def test_hostile_and_broken_addresses_are_not_called(service: PushService, sender: Sender) -> None:
    push = rendered(parcel("phone", "dlv_1"), service.subscribe("a"), 3_993)
    assert push is not None
    for endpoint in ("https://169.254.169.254/x", "http://127.0.0.1:1/x", "https://evil.example/x"):
        assert isinstance(await sender.send(Browser().address(endpoint), push), Undeliverable)
    assert isinstance(await sender.send(service.subscribe("b"), push), Accepted)
    assert isinstance(await sender.send(Browser().address(f"{service.origin}/push/nobody"), push), Gone)


async def test_nobody_listening_is_unreachable() -> None:
    async with PushService() as other:
        address = other.subscribe("a")
        origin = other.origin
    push = rendered(parcel("phone", "dlv_1"), address, 3_993)
    assert push is not None
    async with sending(origin) as there:
        assert isinstance(await there.send(address, push), RetryLater)
