"""A surface that is one device itself: what it is told is carried, told once, and answered by its own names."""

import asyncio
from pathlib import Path

import pytest

from hub.contract.base import Message
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import Decision, DeliveredCard, DeliveredVerdict, Receipt, Verdict
from hub.contract.topics import DeviceAddress, deliver
from hub.contract.words import DeliveryState, HumanInput, Verb
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import DeviceSurface, OnlyPlace, key_in
from hub.kit.gateway.outcome import Accepted, Outcome
from hub.kit.gateway.parcel import Parcel
from hub.kit.mqtt.device import Heard
from tests.surfaces.shown import NOW, delivery, prediction

HERE = DeviceAddress(surface="lamp", device="desk")


class Link:
    """The hub's end; `is_up` says whether answers get through."""

    def __init__(self) -> None:
        self.receipts: asyncio.Queue[Receipt] = asyncio.Queue()
        self.decisions: list[Decision] = []
        self.is_up = True

    def is_new(self, event_id: str) -> bool:
        return bool(event_id)

    def send_receipt(self, receipt: Receipt) -> None:
        self.receipts.put_nowait(receipt)

    def send_decision(self, decision: Decision, *, again: bool = False) -> bool:
        assert again, "a second press is a message of its own"
        self.decisions += [decision] if self.is_up else []
        return self.is_up


class Lamp(DeviceSurface[str]):
    sizes = (100,)
    in_flight_max = 1

    def __init__(self, link: Link, folder: Path | None) -> None:
        outside = Outside(tell=lambda *_: None, fail=lambda _: None, clock=lambda: NOW, draw=lambda: 0.0)
        super().__init__(HERE, link, folder, outside)
        self.sent: list[str] = []

    def render(self, parcel: Parcel, address: OnlyPlace, bytes_max: int) -> str:
        assert (address, bytes_max) == (OnlyPlace(), 100)
        return self.offers.offer(parcel.card, prediction(), Verb.APPROVE)

    async def send(self, address: OnlyPlace, push: str) -> Outcome:
        assert address == OnlyPlace()
        self.sent.append(push)
        return Accepted()


def says(data: Message) -> Heard:
    envelope = Envelope(id="e1", source="pulse/hub", type="deliver", time=NOW, data=data)
    return Heard(topic=deliver("me", HERE), payload=encode(envelope))


@pytest.mark.parametrize("is_kept", [False, True])
async def test_a_card_is_told_once_also_after_a_restart_and_answered_by_name(tmp_path: Path, *, is_kept: bool) -> None:
    link, folder = Link(), tmp_path / "lamp" if is_kept else None
    lamp = Lamp(link, folder)
    lamp.take(says(DeliveredCard(card=delivery())))
    assert (await link.receipts.get()).state is DeliveryState.ACCEPTED
    assert lamp.press(lamp.sent[0], HumanInput.TAP)
    assert (link.decisions[0].verb, link.decisions[0].decision_id) == (Verb.APPROVE, lamp.sent[0])
    lamp.take(says(DeliveredVerdict(verdict=Verdict(decision_id=lamp.sent[0], accepted=True, code="", message=""))))
    assert (await link.receipts.get()).state is DeliveryState.ACTED
    again = Lamp(link, folder) if is_kept else lamp
    before = list(again.sent)
    again.take(says(DeliveredCard(card=delivery())))
    assert (await link.receipts.get()).state is DeliveryState.ACCEPTED
    assert again.sent == before
    await lamp.close()


async def test_a_word_that_cannot_be_handed_in_is_not_kept_for_later() -> None:
    link = Link()
    lamp = Lamp(link, None)
    lamp.take(says(DeliveredCard(card=delivery())))
    await link.receipts.get()
    link.is_up = False
    assert not lamp.press(lamp.sent[0], HumanInput.TAP)
    assert not lamp.press("never-offered", HumanInput.TAP)
    assert link.decisions == []


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    made = key_in(tmp_path / "lamp")
    assert (len(made), key_in(tmp_path / "lamp")) == (32, made)
    assert (tmp_path / "lamp" / "answers.key").stat().st_mode & 0o077 == 0
    assert key_in(None) != key_in(None)
