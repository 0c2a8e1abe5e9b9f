"""What devices say: tokens that are not theirs, receipts out of order, presence, and the end of a pairing."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from hub.contract.events import ExecutionStarted, PredictionExecuted, PredictionNew, PredictionSettled
from hub.contract.surface import CardDelivery, Decision, Presence, Privacy, Receipt, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, HumanInput, Risk, Status, Verb
from hub.domain.requests import (
    ChangeDevice,
    DeviceDecision,
    RegisterDevice,
    ReportPresence,
    ReportReceipt,
    RevokeDevice,
)
from hub.domain.storage import DeleteSent, DeliveryById, Devices, OutboxDepth
from hub.domain.suggestion import Card
from hub.where import Grant, check, mint
from tests.fakes.world import World
from tests.loop.stage import (
    DISCORD,
    HOUR,
    MINUTE,
    NOON,
    PHONE,
    WATCH,
    a_card,
    a_question,
    a_world,
    handed,
    never,
    running,
    taken,
)

TABLET = DeviceAddress(surface="phone", device="tablet")
DESK = DeviceAddress(surface="terminal", device="desk")


async def a_pair() -> tuple[World, Card, CardDelivery]:
    world = await a_world()
    await world.pair(PHONE, WATCH)
    card = await a_card(world)
    return world, card, handed(world, PHONE)


def decision(card: Card, token: str, verb: Verb = Verb.APPROVE, key: str = "d1") -> Decision:
    return Decision(
        decision_id=key,
        card_id=card.id,
        verb=verb,
        card_hash=card.card_hash,
        token=token,
        human_input=HumanInput.TAP,
        at=NOON,
    )


async def hand_in(world: World, said: Decision, sender: DeviceAddress = PHONE) -> Verdict:
    await world.ask(DeviceDecision(sender=sender, decision=said))
    address, verdict = world.verdicts[-1]
    assert address == sender
    return verdict


async def test_a_decision_with_its_token_counts() -> None:
    world, card, delivery = await a_pair()
    verdict = await hand_in(world, decision(card, delivery.token))
    assert (verdict.accepted, verdict.code) == (True, "taken")
    settled = (await world.card(card.id)).settled
    assert settled is not None
    assert (settled.surface, settled.device) == ("phone", "mine")


async def test_a_decision_handed_in_again_counts_once() -> None:
    world, card, delivery = await a_pair()
    for code in ("taken", "repeated", "repeated"):
        assert (await hand_in(world, decision(card, delivery.token))).code == code
    assert (await hand_in(world, decision(card, delivery.token, Verb.REJECT, "d2"))).code == "already-settled"
    assert len(world.jobs) == 1


async def test_a_late_decision_is_told_who_was_first() -> None:
    world, card, delivery = await a_pair()
    await hand_in(world, decision(card, handed(world, WATCH).token, Verb.REJECT, "d2"), WATCH)
    verdict = await hand_in(world, decision(card, delivery.token))
    assert (verdict.accepted, verdict.code) == (False, "already-settled")
    assert "watch/mine" in verdict.message
    assert verdict.prediction is not None
    assert verdict.prediction.status is Status.REJECTED


Spoil = Callable[[World, Decision, Grant], tuple[Decision, DeviceAddress]]


def with_grant(world: World, said: Decision, grant: Grant, **changed: object) -> tuple[Decision, DeviceAddress]:
    return replace(said, token=mint(world.state.secret, replace(grant, **changed))), PHONE


SPOILED: dict[str, Spoil] = {
    "no-token": lambda _w, said, _g: (replace(said, token=""), PHONE),
    "garbage": lambda _w, said, _g: (replace(said, token="ü.ö"), PHONE),
    "forged": lambda _w, said, grant: (replace(said, token=mint(b"x" * 32, grant)), PHONE),
    "other-device": lambda _w, said, _g: (said, TABLET),
    "other-surface": lambda _w, said, _g: (said, WATCH),
    "other-card": lambda w, said, grant: with_grant(w, said, grant, card_id="pred_other"),
    "other-text": lambda w, said, grant: with_grant(w, said, grant, card_hash="0" * 32),
    "other-verb": lambda w, said, grant: with_grant(w, said, grant, verbs=(Verb.REJECT,)),
    "expired": lambda w, said, grant: with_grant(w, said, grant, expires_at=NOON),
    "another-hash": lambda _w, said, _g: (replace(said, card_hash="0" * 32), PHONE),
    "other-device-by-its-own-pairing": lambda w, said, grant: (
        with_grant(w, said, grant, pairing=w.state.devices[-1].pairing)[0],
        TABLET,
    ),
    "nobody-paired": lambda w, said, grant: (
        with_grant(w, said, grant, device="stranger")[0],
        DeviceAddress(surface="phone", device="stranger"),
    ),
}


@pytest.mark.parametrize("how", SPOILED)
async def test_a_token_that_does_not_fit_gives_no_leave(how: str) -> None:
    world, card, delivery = await a_pair()
    await world.ask(RegisterDevice(address=TABLET, profile="phone"))
    grant = check(world.state.secret, delivery.token)
    said, sender = SPOILED[how](world, decision(card, delivery.token), grant)
    verdict = await hand_in(world, said, sender)
    assert (verdict.accepted, verdict.code) == (False, "bad-token")
    assert (await world.card(card.id)) == card
    assert world.jobs == []


async def test_an_expired_token_of_an_expired_card_says_that_it_expired() -> None:
    world, card, delivery = await a_pair()
    await world.clock.sleep_until(card.expires_at)
    assert (await hand_in(world, decision(card, delivery.token))).code == "expired"


async def test_a_snooze_does_not_make_an_old_token_live_longer() -> None:
    world, card, delivery = await a_pair()
    taken(await world.answer(card, Verb.SNOOZE, until=card.expires_at + HOUR))
    await world.clock.sleep_until(card.expires_at)
    assert (await hand_in(world, decision(card, delivery.token))).code == "bad-token"
    assert world.jobs == []


async def test_an_unknown_card_with_a_valid_token() -> None:
    world, card, delivery = await a_pair()
    grant = replace(check(world.state.secret, delivery.token), card_id="pred_gone")
    said = replace(decision(card, mint(world.state.secret, grant)), card_id="pred_gone")
    assert (await hand_in(world, said)).code == "unknown-card"


async def test_what_is_risky_cannot_be_approved_on_the_watch() -> None:
    world, _, _ = await a_pair()
    card = await a_question(world, risk=Risk.HIGH)
    assert Verb.APPROVE in handed(world, PHONE).verbs
    assert Verb.APPROVE not in handed(world, WATCH).verbs
    assert (await hand_in(world, decision(card, handed(world, WATCH).token), WATCH)).code == "bad-token"


async def test_stop_from_a_device_works_long_after_the_card_would_have_expired() -> None:
    world, card, _ = await a_pair()
    world.results = never
    await world.clock.sleep_until(card.expires_at - MINUTE)
    taken(await world.answer(card, Verb.APPROVE))
    await world.clock.sleep_until(card.expires_at + 10 * MINUTE)
    delivery = handed(world, PHONE, ExecutionStarted)
    assert delivery.verbs == (Verb.STOP,)
    assert (await hand_in(world, decision(card, delivery.token, Verb.STOP))).code == "taken"
    assert (await world.card(card.id)).status is Status.CANCELLED


async def test_undo_from_a_device() -> None:
    world, card, delivery = await a_pair()
    await hand_in(world, decision(card, delivery.token, Verb.REJECT))
    settled = handed(world, PHONE, PredictionSettled)
    assert settled.verbs == (Verb.UNDO,)
    assert (await hand_in(world, decision(card, settled.token, Verb.UNDO, "d2"))).code == "taken"
    assert (await world.card(card.id)).status is Status.PENDING


async def test_regret_from_a_device_of_what_was_done() -> None:
    world, card, delivery = await a_pair()
    await hand_in(world, decision(card, delivery.token))
    done = handed(world, PHONE, PredictionExecuted)
    assert (await hand_in(world, decision(card, done.token, Verb.UNDO, "d2"))).code == "taken"
    assert (await world.card(card.id)).undone


async def test_receipts_never_go_back() -> None:
    world, _, delivery = await a_pair()
    order = ("accepted", "shown", "accepted", "cleared", "queued", "acted", "cleared", "unknown")
    seen = []
    for state in order:
        receipt = Receipt(delivery_id=delivery.delivery_id, state=DeliveryState(state), at=NOON)
        await world.ask(ReportReceipt(sender=PHONE, receipt=receipt))
        entry = await world.store.read(DeliveryById(user="me", delivery_id=delivery.delivery_id))
        assert entry is not None
        seen.append(entry.state.value)
    assert seen == ["accepted", "shown", "shown", "cleared", "cleared", "acted", "acted", "acted"]


async def test_only_the_receipt_of_its_own_device_retires_a_message() -> None:
    world, _, delivery = await a_pair()
    depth = await world.store.read(OutboxDepth())
    receipt = Receipt(delivery_id=delivery.delivery_id, state=DeliveryState.SHOWN, at=NOON)
    await world.ask(ReportReceipt(sender=WATCH, receipt=receipt))
    await world.ask(ReportReceipt(sender=PHONE, receipt=replace(receipt, delivery_id="dlv_none")))
    assert await world.store.read(OutboxDepth()) == depth
    await world.ask(ReportReceipt(sender=PHONE, receipt=receipt))
    await world.ask(ReportReceipt(sender=PHONE, receipt=receipt))
    assert await world.store.read(OutboxDepth()) == depth - 1
    retired = [change.ids for change in world.changes if isinstance(change, DeleteSent)]
    assert set(retired) == {(delivery.delivery_id,)}


async def come(world: World, address: DeviceAddress, **said: object) -> None:
    presence = Presence(online=True, **said)  # type: ignore[arg-type]  # the test names fields of Presence
    await world.ask(ReportPresence(sender=address, presence=presence))


def cards_on(world: World, address: DeviceAddress) -> list[str]:
    return [
        one.event.prediction.id
        for _, to, one in world.deliveries
        if to == address and isinstance(one.event, PredictionNew)
    ]


async def test_a_device_that_comes_is_handed_the_open_cards_silently() -> None:
    world = await a_world()
    card = await a_card(world)
    snoozed = await a_card(world, "Snooze me")
    taken(await world.answer(snoozed, Verb.SNOOZE))
    await world.pair(PHONE)
    assert cards_on(world, PHONE) == [card.id]
    assert handed(world, PHONE).loudness == "silent"


async def test_a_question_that_came_while_a_device_was_away_is_heard_there_when_it_is_back() -> None:
    world = await a_world()
    await world.pair(DISCORD, DESK)
    for gone in (DISCORD, DESK):
        await world.ask(ReportPresence(sender=gone, presence=Presence(online=False)))
    await world.clock.sleep_until(NOON + MINUTE)
    await a_question(world)
    for back in (DISCORD, DESK):
        await come(world, back)
        assert handed(world, back).loudness != "silent"


async def test_what_a_device_has_shown_comes_silently_when_it_is_back() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await a_question(world)
    first = handed(world, DISCORD)
    shown = Receipt(delivery_id=first.delivery_id, state=DeliveryState.SHOWN, at=NOON)
    await world.ask(ReportReceipt(sender=DISCORD, receipt=shown))
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=False)))
    await come(world, DISCORD)
    assert handed(world, DISCORD).delivery_id != first.delivery_id
    assert handed(world, DISCORD).loudness == "silent"


async def test_what_missed_a_device_is_not_heard_there_at_night() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=False)))
    await world.clock.sleep_until(NOON + 11 * HOUR)
    await a_question(world)
    await come(world, DISCORD)
    assert handed(world, DISCORD).loudness == "silent"


async def test_a_terminal_that_has_just_left_comes_back_to_the_ending_and_one_long_gone_does_not() -> None:
    world = await a_world()
    await world.pair(DESK)
    first, second = await a_card(world), await a_card(world, "Another one")
    await world.ask(ReportPresence(sender=DESK, presence=Presence(online=False)))
    taken(await world.answer(first, Verb.REJECT))
    await world.clock.sleep_until(NOON + 6 * MINUTE)
    await world.ask(ReportPresence(sender=DESK, presence=Presence(online=False)))
    taken(await world.answer(second, Verb.REJECT))
    ended = [one.event for _, to, one in world.deliveries if to == DESK and isinstance(one.event, PredictionSettled)]
    assert [event.prediction.id for event in ended] == [first.id]
    await come(world, DESK)
    assert (await world.store.read(Devices(user="me")))[0].left_at is None


async def test_an_answer_right_after_a_restart_is_shown_where_the_card_still_is() -> None:
    world = await a_world()
    await world.pair(DESK)
    card = await a_card(world)
    await world.reopen()
    taken(await world.answer(card, Verb.REJECT))
    assert handed(world, DESK, PredictionSettled).loudness == "silent"


async def test_a_card_that_has_expired_is_not_handed_out_as_open() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.clock.sleep_until(card.expires_at)
    await world.pair(PHONE)
    assert cards_on(world, PHONE) == []


async def test_a_report_of_activity_hands_out_nothing_again() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    for minute in range(5):
        await world.clock.sleep_until(NOON + minute * MINUTE)
        await come(world, PHONE, person_active_at=NOON + minute * MINUTE)
    assert cards_on(world, PHONE) == [card.id]
    device = (await world.store.read(Devices(user="me")))[0]
    assert device.person_active_at == NOON + 4 * MINUTE


async def test_a_device_that_was_away_or_says_anew_that_it_is_there_is_handed_them() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    await world.ask(ReportPresence(sender=PHONE, presence=Presence(online=False)))
    await come(world, PHONE, person_active_at=NOON)
    await come(world, PHONE)
    assert cards_on(world, PHONE) == [card.id] * 3


async def test_an_unknown_device_is_handed_nothing() -> None:
    world = await a_world()
    await a_card(world)
    await come(world, TABLET)
    assert world.deliveries == []
    assert await world.store.read(Devices(user="me")) == ()


async def test_a_revoked_device_is_told_nothing_and_nothing_is_taken_from_it() -> None:
    world, card, delivery = await a_pair()
    await world.ask(RevokeDevice(address=PHONE))
    await world.ask(RevokeDevice(address=PHONE))
    world.deliveries.clear()
    await come(world, PHONE)
    await a_question(world)
    assert {address for _, address, _ in world.deliveries} == {WATCH}
    verdict = await hand_in(world, decision(card, delivery.token))
    assert (verdict.accepted, verdict.code) == (False, "bad-token")
    assert world.jobs == []


async def test_pairing_again_lifts_a_revocation_and_keeps_one_device() -> None:
    world, _, _ = await a_pair()
    await world.ask(RevokeDevice(address=PHONE))
    await world.ask(RegisterDevice(address=PHONE, profile="phone"))
    phones = [one for one in await world.store.read(Devices(user="me")) if one.surface == "phone"]
    assert [one.revoked for one in phones] == [False]


async def test_each_device_is_told_of_a_settled_card_once() -> None:
    world = await a_world()
    await world.pair(PHONE, WATCH, DISCORD)
    card = await running(world)
    told = [
        (to.surface, type(one.event)) for _, to, one in world.deliveries if not isinstance(one.event, PredictionNew)
    ]
    assert sorted(surface for surface, kind in told if kind is PredictionSettled) == ["discord", "phone", "watch"]
    await world.finish(card.execution_id or "")
    done = [to.surface for _, to, one in world.deliveries if isinstance(one.event, PredictionExecuted)]
    assert sorted(done) == ["discord", "phone", "watch"]


async def test_no_yes_is_taken_from_where_only_a_part_was_shown() -> None:
    world, card, delivery = await a_pair()
    said = replace(decision(card, delivery.token), shown="part")
    assert (await hand_in(world, said)).code == "not-shown"
    no = replace(decision(card, delivery.token, Verb.REJECT, "d2"), shown="part")
    assert (await hand_in(world, no)).accepted


@pytest.mark.parametrize("privacy", ["title", "nothing"])
@pytest.mark.parametrize(("where", "unfolds"), [(PHONE, False), (DISCORD, False), (DESK, True)])
async def test_what_is_hidden_is_approved_only_where_it_can_be_asked_for_and_was(
    privacy: Privacy, where: DeviceAddress, *, unfolds: bool
) -> None:
    world = await a_world()
    await world.pair(where)
    await world.ask(ReportPresence(sender=where, presence=Presence(online=True)))
    await world.ask(ChangeDevice(address=where, privacy=privacy))
    card = await a_card(world)
    token = handed(world, where).token
    assert (Verb.APPROVE in handed(world, where).verbs) is unfolds
    key = decision(card, token).human_input if where != DESK else HumanInput.KEY
    blind = replace(decision(card, token), human_input=key)
    assert (await hand_in(world, blind, where)).code == ("not-shown" if unfolds else "bad-token")
    read = replace(blind, shown="whole", decision_id="d2")
    assert (await hand_in(world, read, where)).accepted is unfolds


async def test_a_yes_is_not_taken_any_more_where_the_text_has_been_hidden_since() -> None:
    world, card, delivery = await a_pair()
    await world.ask(ChangeDevice(address=PHONE, privacy="title"))
    said = replace(decision(card, delivery.token), shown="whole")
    assert (await hand_in(world, said)).code == "not-shown"


async def test_no_device_says_that_its_person_will_be_active() -> None:
    """It would be where the person was last for good, and a question would wait for them nowhere else."""
    world = await a_world()
    await world.pair(DISCORD)
    await come(world, DISCORD, person_active_at=NOON + 100 * HOUR)
    assert [one.person_active_at for one in await world.store.read(Devices(user="me"))] == [world.now]


async def test_a_device_is_called_in_one_line() -> None:
    """What it calls itself is printed beside what is said of others."""
    world = await a_world()
    said = "Pixel\n✓ Telegram: \u202ereached"
    await world.ask(RegisterDevice(address=PHONE, profile="phone", title=said))
    assert [one.title for one in await world.store.read(Devices(user="me"))] == ["Pixel ✓ Telegram: reached"]
    await world.ask(ChangeDevice(address=PHONE, title="Mine\t\n"))
    assert [one.title for one in await world.store.read(Devices(user="me"))] == ["Mine"]


async def test_what_a_device_says_of_a_delivery_is_one_line_of_its_own_words() -> None:
    """It is printed by `pulse devices test` and `pulse why` beside what Pulse says itself, which no device may say."""
    world, _, delivery = await a_pair()
    said = Receipt(
        delivery_id=delivery.delivery_id,
        state=DeliveryState.QUEUED,
        at=NOON,
        detail="a\n✓ b",
        trouble="gone» ok\n✓ phone: reached\u202e",
        fix="One.\n  → Two.",
    )
    await world.ask(ReportReceipt(sender=PHONE, receipt=said))
    kept = await world.store.read(DeliveryById(user="me", delivery_id=delivery.delivery_id))
    assert kept is not None
    assert kept.detail == "«gone\u203a ok ✓ phone: reached. One. → Two»"
