"""Whether what is sent reaches the person: what speaks against a device, what ends that, and who gets the card then."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.address import WebPushAddress, fingerprint
from hub.contract.api import ReachStatus
from hub.contract.events import PredictionNew
from hub.contract.surface import CardDelivery, Presence, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, Verb
from hub.domain.delivery import SurfaceTrouble
from hub.domain.requests import RegisterDevice, ReportPresence, ReportReceipt, SetAddress, TryDevice
from hub.domain.storage import DeleteSent
from hub.loop.events import SurfacesSeen
from hub.loop.reach import ANSWERED_IN, RECEIPT_IN
from hub.loop.views import status_of
from hub.where import FIX_SAID, LASTS
from tests.fakes.world import World
from tests.loop.stage import DISCORD, HOUR, MINUTE, NOON, PHONE, a_card, a_question, a_world, handed, refused, taken

BROWSER = DeviceAddress(surface="browser", device="desk")
TERMINAL = DeviceAddress(surface="terminal", device="desk")
PUSH = WebPushAddress(
    endpoint="https://push.example.org/1", p256dh="B" * 87, auth="a" * 22, origin="http://127.0.0.1:8420"
)
SECOND = timedelta(seconds=1)
NO_SENDING = "the bot may not send messages in its channel"


async def say(world: World, to: DeviceAddress, state: DeliveryState, **said: str) -> CardDelivery:
    """Have a device say what became of the latest delivery to it."""
    last = [one for _, address, one in world.deliveries if address == to][-1]
    receipt = Receipt(delivery_id=last.delivery_id, state=state, at=world.now, **said)
    await world.ask(ReportReceipt(sender=to, receipt=receipt))
    return last


async def refuse(world: World, to: DeviceAddress = DISCORD) -> None:
    await say(world, to, DeliveryState.UNKNOWN, trouble=NO_SENDING, fix="Give it that right.")
    await world.until(world.now + SECOND)


async def come(world: World, address: DeviceAddress, *, online: bool = True) -> None:
    await world.ask(ReportPresence(sender=address, presence=Presence(online=online)))
    await world.until(world.now + SECOND)


def reach(world: World) -> ReachStatus:
    found = status_of(world.state, world.now).reach
    assert found is not None
    return found


def named(world: World) -> dict[str, str]:
    """Return why each device that fails does not reach the person."""
    return {one.surface: one.why for one in reach(world).unreached if not one.absent}


def cards_to(world: World, to: DeviceAddress) -> list[str]:
    """Return how loudly each new card came to a device."""
    return [
        one.loudness for _, address, one in world.deliveries if address == to and isinstance(one.event, PredictionNew)
    ]


async def test_what_a_surface_refuses_is_named_at_once_with_what_to_do_and_since_when() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    assert reach(world).line == ""
    await a_question(world)
    await refuse(world)
    (found,) = reach(world).unreached
    assert found.why == f"it reports «{NO_SENDING}. Give it that right»"
    assert (found.fix, found.since) == (FIX_SAID.text, NOON)
    assert reach(world).nobody
    assert reach(world).line == "Nothing can reach you right now; new suggestions wait here until something can."


async def test_a_later_success_ends_it_and_says_since_when_it_arrives() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    await refuse(world)
    await a_question(world, "q2")
    await say(world, DISCORD, DeliveryState.SHOWN)
    assert named(world) == {}
    (device,) = world.state.devices
    assert device.arrives_since == world.now


async def test_what_is_still_tried_is_named_and_stays_with_the_surface() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    before = sum(isinstance(change, DeleteSent) for change in world.changes)
    await say(world, DISCORD, DeliveryState.QUEUED, trouble="Discord is not reachable")
    assert named(world) == {"discord": "it reports «Discord is not reachable»"}
    assert sum(isinstance(change, DeleteSent) for change in world.changes) == before, "the outbox keeps it"
    await say(world, DISCORD, DeliveryState.SHOWN)
    assert named(world) == {}


async def test_trouble_that_comes_after_the_arrival_it_was_about_says_nothing() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    await say(world, DISCORD, DeliveryState.SHOWN)
    await say(world, DISCORD, DeliveryState.QUEUED, trouble="Discord is not reachable")
    assert named(world) == {}


async def test_silence_is_named_within_a_minute_and_only_where_something_was_to_be_heard() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    await world.until(NOON + RECEIPT_IN - SECOND)
    assert named(world) == {}
    await world.until(NOON + MINUTE)
    assert named(world) == {"discord": "it does not confirm what is sent to it"}


@pytest.mark.parametrize("state", list(DeliveryState))
async def test_any_receipt_ends_the_waiting(state: DeliveryState) -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    before = len(world.state.awaited)
    await say(world, DISCORD, state)
    assert (before, len(world.state.awaited)) == (1, 0)


async def test_an_address_that_has_ended_is_named_and_a_new_one_ends_that() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=BROWSER, profile="browser"))
    await world.ask(SetAddress(address=BROWSER, push=PUSH))
    await a_question(world)
    await say(world, BROWSER, DeliveryState.DEAD, gone=fingerprint(PUSH))
    assert named(world) == {"browser": "its push service no longer accepts its address"}
    await world.ask(SetAddress(address=BROWSER, push=replace(PUSH, endpoint="https://push.example.org/2")))
    assert named(world) == {}
    await say(world, BROWSER, DeliveryState.DEAD, gone=fingerprint(PUSH))
    assert named(world) == {}, "it was about the old one"


async def test_a_browser_whose_push_service_took_it_but_that_has_not_shown_it_is_not_reached() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=BROWSER, profile="browser"))
    await world.ask(SetAddress(address=BROWSER, push=PUSH))
    await a_question(world)
    await say(world, BROWSER, DeliveryState.ACCEPTED)
    await world.until(NOON + MINUTE)
    assert "was not shown there" in named(world)["browser"]
    await say(world, BROWSER, DeliveryState.SHOWN)
    assert named(world) == {}


async def test_a_process_that_is_gone_is_named_once_that_lasts_and_not_any_more_afterwards() -> None:
    world = await a_world()
    await world.pair(PHONE)
    gone = SurfaceTrouble(surface="phone", since=world.now, why="ended: the key is wrong; again in 8 s")
    await world.happen(SurfacesSeen(troubles=(gone,)))
    assert named(world) == {}
    await world.until(world.now + LASTS)
    assert named(world) == {"phone": "ended: the key is wrong; again in 8 s"}
    await world.happen(SurfacesSeen())
    assert named(world) == {}


async def test_a_card_that_was_refused_goes_to_another_device_that_lives_as_loudly() -> None:
    world = await a_world()
    quieter = replace(world.state.profiles["phone"], matrix={"new-high": "silent"})
    world.state = replace(world.state, profiles={**world.state.profiles, "phone": quieter})
    await world.pair(DISCORD, PHONE)
    await a_question(world)
    await say(world, PHONE, DeliveryState.ACCEPTED)
    assert cards_to(world, PHONE) == ["silent"]
    await refuse(world)
    assert cards_to(world, PHONE) == ["silent", "notify"]
    assert reach(world).line == "Discord is not reaching you right now. New suggestions go to: ACC (phone)."
    await say(world, PHONE, DeliveryState.ACCEPTED)
    await world.until(world.now + 2 * MINUTE)
    assert cards_to(world, PHONE) == ["silent", "notify"], "once"


async def test_a_card_that_reached_nobody_is_heard_on_the_first_device_that_lives_again() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    await refuse(world)
    await world.ask(RegisterDevice(address=TERMINAL, profile="terminal"))
    await come(world, TERMINAL)
    assert cards_to(world, TERMINAL) == ["notify"]


async def test_a_card_is_tried_again_where_it_was_refused_once_that_is_mended() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    first = await a_question(world)
    await refuse(world)
    await world.ask(TryDevice(address=DISCORD))
    await say(world, DISCORD, DeliveryState.SHOWN)
    await world.until(world.now + SECOND)
    again = handed(world, DISCORD)
    assert isinstance(again.event, PredictionNew)
    assert (again.event.prediction.id, again.loudness) == (first.id, "notify")


async def test_a_card_that_was_shown_is_handed_to_nobody_else() -> None:
    world = await a_world()
    await world.pair(DISCORD, PHONE)
    await a_question(world)
    await say(world, DISCORD, DeliveryState.SHOWN)
    await say(world, PHONE, DeliveryState.ACCEPTED)
    before = len(world.deliveries)
    await come(world, DISCORD, online=False)
    await world.until(world.now + MINUTE)
    assert len(world.deliveries) == before


async def two_of_which_one_tells_it_silently() -> World:
    world = await a_world()
    quieter = replace(world.state.profiles["phone"], matrix={"new-high": "silent"})
    world.state = replace(world.state, profiles={**world.state.profiles, "phone": quieter})
    await world.pair(DISCORD, PHONE)
    return world


@pytest.mark.parametrize("state", [DeliveryState.SHOWN, DeliveryState.ACTED, DeliveryState.CLEARED])
async def test_what_nobody_answers_is_told_on_the_next_device_whatever_the_first_one_says(state: DeliveryState) -> None:
    """Or a device that confirms everything, and shows nothing, would keep an agent's question from the person."""
    world = await two_of_which_one_tells_it_silently()
    await a_question(world)
    await say(world, DISCORD, state)
    await world.until(NOON + ANSWERED_IN - SECOND)
    await say(world, DISCORD, state, trouble="moved on")
    assert cards_to(world, PHONE) == ["silent"]
    await world.until(NOON + ANSWERED_IN + SECOND)
    assert cards_to(world, PHONE) == ["silent", "notify"]
    await world.until(NOON + 3 * ANSWERED_IN)
    assert cards_to(world, PHONE) == ["silent", "notify"], "once"
    assert cards_to(world, DISCORD) == ["notify"]


async def test_what_was_answered_or_is_no_question_is_told_nowhere_else() -> None:
    world = await two_of_which_one_tells_it_silently()
    question = await a_question(world)
    await a_card(world)
    await say(world, DISCORD, DeliveryState.SHOWN)
    taken(await world.answer(question, Verb.REJECT))
    before = cards_to(world, PHONE)
    await world.until(NOON + 2 * ANSWERED_IN)
    assert cards_to(world, PHONE) == before


async def test_nor_is_it_in_quiet_hours() -> None:
    world = await two_of_which_one_tells_it_silently()
    await a_question(world)
    await say(world, DISCORD, DeliveryState.SHOWN)
    world.state = replace(world.state, mind=replace(world.state.mind, dnd_until=world.now + HOUR))
    await world.until(NOON + 2 * ANSWERED_IN)
    assert cards_to(world, PHONE) == ["silent"]


async def test_a_restart_does_not_end_the_waiting() -> None:
    world = await two_of_which_one_tells_it_silently()
    await a_question(world, timeout_s=3_600)
    await say(world, DISCORD, DeliveryState.SHOWN)
    profiles = world.state.profiles
    await world.reopen()
    world.state = replace(world.state, profiles=profiles)
    await come(world, PHONE)
    await come(world, DISCORD)
    await world.until(world.now + 2 * ANSWERED_IN)
    assert cards_to(world, PHONE)[-1] == "notify"


async def test_in_quiet_hours_it_is_handed_over_without_a_sound() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_card(world)
    await refuse(world)
    world.state = replace(world.state, mind=replace(world.state.mind, dnd_until=world.now + HOUR))
    await world.pair(PHONE)
    await world.until(world.now + SECOND)
    assert cards_to(world, PHONE) == ["silent"]


async def test_a_test_of_a_device_that_is_not_there_says_why() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await come(world, DISCORD, online=False)
    await world.until(world.now + MINUTE)
    reply = refused(await world.ask(TryDevice(address=DISCORD)))
    assert "it is not connected to Pulse" in reply.detail
    assert "`pulse doctor`" in reply.fix


async def test_a_device_that_was_just_paired_is_given_a_moment_to_come() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    assert named(world) == {}
    await world.until(world.now + LASTS)
    assert named(world) == {"discord": "it is not connected to Pulse"}
