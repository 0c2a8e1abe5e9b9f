"""The inbox when it is full: what stops something still has a place."""

import pytest

from hub.contract.api import ConfigPatch
from hub.contract.errors import BusyError
from hub.contract.topics import DeviceAddress
from hub.contract.words import Verb
from hub.domain.requests import Configure, Pause, Request, Resume, RevokeDevice, Trigger
from hub.loop.events import RequestArrived
from hub.runner.inbox import INBOX_EVENTS_MAX, STOPS_RESERVED, Inbox, Item
from tests.conformance.store.samples import card
from tests.runner.running_hub import an_answer

CARD = card("pred_1")
STOPS: tuple[Request, ...] = (
    Configure(patch=ConfigPatch(emergency_stop=True), by="me"),
    Pause(reason=""),
    RevokeDevice(address=DeviceAddress(surface="phone", device="p")),
    an_answer(CARD, Verb.REJECT),
    an_answer(CARD, Verb.STOP),
)
OTHERS: tuple[Request, ...] = (Trigger(), Resume(), an_answer(CARD, Verb.APPROVE))


def full() -> Inbox:
    inbox = Inbox()
    for _ in range(INBOX_EVENTS_MAX):
        inbox.put(Item(RequestArrived(request=Trigger())))
    return inbox


@pytest.mark.parametrize("stop", STOPS, ids=lambda one: type(one).__name__)
def test_what_stops_something_has_a_place_in_a_full_inbox(stop: Request) -> None:
    inbox = full()
    inbox.put(Item(RequestArrived(request=stop)))
    assert len(inbox) == INBOX_EVENTS_MAX + 1


@pytest.mark.parametrize("other", OTHERS, ids=lambda one: type(one).__name__)
def test_all_others_are_refused(other: Request) -> None:
    inbox = full()
    with pytest.raises(BusyError):
        inbox.put(Item(RequestArrived(request=other)))


def test_these_places_have_an_end_too() -> None:
    inbox = full()
    for _ in range(STOPS_RESERVED):
        inbox.put(Item(RequestArrived(request=STOPS[0])))
    with pytest.raises(BusyError):
        inbox.put(Item(RequestArrived(request=STOPS[0])))
