"""Devices that a push service reaches: addresses, what is told to their gateway, answers over HTTP, and tests."""

from msgspec.structs import replace

from hub.contract.address import AnyAddress, WebPushAddress, fingerprint
from hub.contract.events import (
    CostApproaching,
    ExecutionFailed,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionNew,
    PredictionSettled,
)
from hub.contract.surface import CardDelivery, Decision, DeliveredAddress, Presence, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, HumanInput, Verb
from hub.domain.delivery import Device
from hub.domain.requests import (
    ChangeDevice,
    DeviceDecision,
    Noted,
    RegisterDevice,
    ReportPresence,
    ReportReceipt,
    RevokeDevice,
    SetAddress,
    TellDevices,
    TryDevice,
)
from hub.domain.storage import Devices, ReleaseLeases, Send
from hub.domain.suggestion import Card
from tests.fakes.deliveries import handed_over
from tests.fakes.world import APP_ADDRESS, World
from tests.loop.stage import HOUR, MINUTE, NOON, PHONE, WATCH, a_card, a_world, handed, refused, taken

BROWSER = DeviceAddress(surface="browser", device="desk")
PUSH = WebPushAddress(
    endpoint="https://push.example.org/1", p256dh="B" * 87, auth="a" * 22, origin="http://127.0.0.1:8420"
)
OTHER = replace(PUSH, endpoint="https://push.example.org/2")


async def a_browser() -> World:
    world = await a_world()
    await world.ask(RegisterDevice(address=BROWSER, profile="browser", title="Desk"))
    await world.ask(SetAddress(address=BROWSER, push=PUSH))
    return world


async def the_device(world: World) -> Device:
    return next(one for one in await world.store.read(Devices(user="me")) if one.device == "desk")


def told_to_gateway(world: World) -> list[AnyAddress | None]:
    sent = [change.message for change in world.changes if isinstance(change, Send)]
    return [data.address for to, data in handed_over(sent) if isinstance(data, DeliveredAddress) and to == BROWSER]


def cards(world: World) -> list[CardDelivery]:
    return [one for _, to, one in world.deliveries if to == BROWSER]


def prompted(world: World) -> list[str]:
    """Return the ids of the new cards that the browser was handed."""
    return [one.event.prediction.id for one in cards(world) if isinstance(one.event, PredictionNew)]


async def test_a_browser_that_is_away_is_pushed_to_and_one_that_is_watched_is_not() -> None:
    world = await a_browser()
    await a_card(world, "Write the first")
    assert [type(one.event) for one in cards(world)] == [PredictionNew]
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=True, person_active_at=NOON)))
    before = len(world.changes)
    await a_card(world, "Write the second")
    assert len(cards(world)) == 1
    assert not [change for change in world.changes[before:] if isinstance(change, ReleaseLeases)]
    assert (await the_device(world)).person_active_at == NOON
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=False)))
    await a_card(world, "Write the third")
    assert len(cards(world)) == 2


async def test_what_came_to_a_page_that_nobody_looked_at_any_more_is_pushed_when_it_is_left() -> None:
    world = await a_browser()
    await a_card(world, "Write the first")
    before = len(prompted(world))
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=True, person_active_at=world.now)))
    await world.until(world.now + MINUTE)
    late = await a_card(world, "Write the second")
    assert len(prompted(world)) == before
    for _ in range(2):
        await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=False)))
    assert prompted(world)[before:] == [late.id]


async def test_a_snooze_that_ended_unseen_is_pushed_when_the_page_is_left() -> None:
    world = await a_browser()
    card = await a_card(world)
    before = len(prompted(world))
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=True, person_active_at=world.now)))
    taken(await world.answer(card, Verb.SNOOZE))
    await world.until(world.now + HOUR)
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=False)))
    assert prompted(world)[before:] == [card.id]


async def test_a_page_that_does_not_come_back_after_a_restart_is_pushed_what_nobody_saw() -> None:
    world = await a_browser()
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=True, person_active_at=world.now)))
    await world.until(world.now + MINUTE)
    unseen = await a_card(world, "Write the first")
    await world.reopen()
    late = await a_card(world, "Write the second")
    assert prompted(world) == []
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=False)))
    assert sorted(prompted(world)) == sorted([unseen.id, late.id])


async def test_a_page_that_comes_back_after_a_restart_is_pushed_nothing() -> None:
    world = await a_browser()
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=True, person_active_at=world.now)))
    await world.until(world.now + MINUTE)
    await a_card(world, "Write the first")
    await world.reopen()
    await world.ask(ReportPresence(sender=BROWSER, presence=Presence(online=True)))
    assert prompted(world) == []


async def test_a_card_that_ends_elsewhere_is_replaced_in_place() -> None:
    world = await a_browser()
    card = await a_card(world)
    taken(await world.answer(card, Verb.REJECT))
    assert isinstance(handed(world, BROWSER, PredictionSettled).event, PredictionSettled)


async def test_the_gateway_hears_of_every_change_of_address() -> None:
    world = await a_browser()
    await world.ask(SetAddress(address=BROWSER, push=PUSH))
    await world.ask(SetAddress(address=BROWSER, push=OTHER))
    await world.ask(RevokeDevice(address=BROWSER))
    assert told_to_gateway(world) == [PUSH, OTHER, None]
    assert (await the_device(world)).address is None
    await a_card(world)
    assert cards(world) == []


async def receipt(world: World, gone: WebPushAddress) -> None:
    dead = Receipt(delivery_id=cards(world)[-1].delivery_id, state=DeliveryState.DEAD, at=NOON, gone=fingerprint(gone))
    await world.ask(ReportReceipt(sender=BROWSER, receipt=dead))


async def test_an_address_that_is_gone_is_forgotten() -> None:
    world = await a_browser()
    await a_card(world)
    await receipt(world, PUSH)
    assert (await the_device(world)).address is None


async def test_a_newer_address_outlives_the_end_of_an_older_one() -> None:
    world = await a_browser()
    await a_card(world)
    await world.ask(SetAddress(address=BROWSER, push=OTHER))
    await receipt(world, PUSH)
    assert (await the_device(world)).address == OTHER


def decision(card: Card, token: str, verb: Verb) -> Decision:
    return Decision(
        decision_id="d1",
        card_id=card.id,
        verb=verb,
        card_hash=card.card_hash,
        token=token,
        human_input=HumanInput.TAP,
        at=NOON,
    )


async def test_an_answer_over_http_is_replied_to_and_nothing_is_sent() -> None:
    world = await a_browser()
    card = await a_card(world)
    said = decision(card, handed(world, BROWSER).token, Verb.REJECT)
    assert taken(await world.ask(DeviceDecision(sender=BROWSER, decision=said, replies=True))).prediction.id == card.id
    assert taken(await world.ask(DeviceDecision(sender=BROWSER, decision=said, replies=True))).repeated
    forged = replace(said, token="x.y", decision_id="d2")
    assert refused(await world.ask(DeviceDecision(sender=BROWSER, decision=forged, replies=True))).code == "bad-token"
    assert world.verdicts == []


async def test_what_others_may_see_travels_with_the_card() -> None:
    world = await a_browser()
    await world.ask(ChangeDevice(address=BROWSER, title="Kitchen", privacy="nothing"))
    await a_card(world)
    assert cards(world)[-1].privacy == "nothing"
    device = await the_device(world)
    assert (device.title, device.privacy, device.address) == ("Kitchen", "nothing", PUSH)
    await world.ask(ChangeDevice(address=BROWSER, title="Hall"))
    assert (await the_device(world)).privacy == "nothing"


async def test_pairing_anew_keeps_what_is_known_unless_it_was_revoked() -> None:
    world = await a_browser()
    await world.ask(RegisterDevice(address=BROWSER, profile="browser"))
    assert (await the_device(world)).address == PUSH
    await world.ask(RevokeDevice(address=BROWSER))
    await world.ask(RegisterDevice(address=BROWSER, profile="browser"))
    assert ((await the_device(world)).address, (await the_device(world)).title) == (None, "Desk")


async def test_a_test_reaches_one_device_and_can_not_be_answered() -> None:
    world = await a_browser()
    assert isinstance(await world.ask(TryDevice(address=BROWSER)), Noted)
    sent = cards(world)[-1]
    assert (sent.verbs, sent.token, sent.loudness) == ((), "", "notify")
    assert await world.cards() == ()
    await world.ask(SetAddress(address=BROWSER, push=None))
    assert refused(await world.ask(TryDevice(address=BROWSER))).code == "no-address"
    nobody = DeviceAddress(surface="browser", device="nobody")
    assert refused(await world.ask(TryDevice(address=nobody))).code == "unknown-device"
    assert refused(await world.ask(SetAddress(address=nobody, push=PUSH))).code == "unknown-device"


async def test_what_was_loosened_at_a_terminal_is_told_to_every_device_that_can_be_reached() -> None:
    world = await a_browser()
    assert isinstance(await world.ask(TellDevices(what="At bash on pts/3: a token was created.")), Noted)
    sent = cards(world)[-1]
    assert (sent.verbs, sent.token, sent.loudness) == ((), "", "notify")
    assert isinstance(sent.event, PredictionNew)
    assert sent.event.prediction.prompt == "At bash on pts/3: a token was created."
    assert await world.cards() == ()
    await world.ask(SetAddress(address=BROWSER, push=None))
    before = len(cards(world))
    assert isinstance(await world.ask(TellDevices(what="At bash on pts/3: a token was created.")), Noted)
    assert len(cards(world)) == before


async def test_a_device_that_holds_its_connection_is_sent_a_test_while_it_is_there() -> None:
    world, lamp = await a_world(), DeviceAddress(surface="discord", device="bridge")
    await world.ask(RegisterDevice(address=lamp, profile="discord"))
    assert refused(await world.ask(TryDevice(address=lamp))).code == "no-address"
    await world.ask(ReportPresence(sender=lamp, presence=Presence(online=True)))
    assert isinstance(await world.ask(TryDevice(address=lamp)), Noted)
    assert [(one.verbs, one.token) for _, to, one in world.deliveries if to == lamp] == [((), "")]


async def test_a_gateway_that_comes_online_is_handed_at_once_what_has_waited() -> None:
    world = await a_browser()
    await world.ask(RegisterDevice(address=replace(BROWSER, device="other"), profile="browser"))
    before = len(world.changes)
    gateway = replace(BROWSER, device="gateway")
    await world.ask(ReportPresence(sender=gateway, presence=Presence(online=False)))
    await world.ask(ReportPresence(sender=gateway, presence=Presence(online=True)))
    hastened = [change.topic for change in world.changes[before:] if isinstance(change, ReleaseLeases)]
    assert hastened == ["pulse/v1/me/deliver/browser/desk"]


async def tried(to: DeviceAddress) -> list[CardDelivery]:
    """Return what a device of its own is sent as a test, after it was told everything else."""
    world = await a_world()
    await world.pair(to)
    assert isinstance(await world.ask(TryDevice(address=to)), Noted)
    assert await world.cards() == ()
    return [one for _, address, one in world.deliveries if address == to]


async def test_a_test_of_a_phone_is_one_of_each_kind() -> None:
    sent = await tried(PHONE)
    assert [(type(one.event), one.loudness) for one in sent] == [
        (PredictionNew, "notify"),
        (PredictionNew, "notify"),
        (ExecutionStarted, "silent"),
        (PredictionExecuted, "notify"),
        (ExecutionFailed, "alert"),
        (CostApproaching, "alert"),
        (Paused, "notify"),
    ]
    assert {(one.verbs, one.token) for one in sent} == {((), "")}
    said = [one for one in sent if "This is a test" not in repr(one.event)]
    assert [one.event for one in said] == [CostApproaching(window="hour", spent_usd=0, cap_usd=1)]
    shown = [getattr(one.event, "prediction").id for one in sent[:5]]  # noqa: B009  the first five are about cards
    assert len(set(shown)) == 5, "none takes the place of another"


async def test_a_test_of_a_watch_is_one_of_each_kind_that_it_is_told_of() -> None:
    assert [(type(one.event), one.loudness) for one in await tried(WATCH)] == [
        (PredictionNew, "notify"),
        (PredictionNew, "notify"),
        (ExecutionStarted, "silent"),
        (PredictionExecuted, "notify"),
        (ExecutionFailed, "alert"),
        (Paused, "badge"),
    ]


async def test_a_phone_whose_app_has_not_registered_is_told_nothing_and_leaves_nothing_waiting() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=PHONE, profile="phone"))
    await a_card(world)
    assert world.deliveries == []
    assert refused(await world.ask(TryDevice(address=PHONE))).code == "no-address"
    await world.ask(SetAddress(address=PHONE, push=APP_ADDRESS))
    await a_card(world, "Write the second")
    assert [to for _, to, _ in world.deliveries] == [PHONE]
