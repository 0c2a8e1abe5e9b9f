"""What a device or a broker repeats, or sends as garbage, decides nothing and costs little."""

from datetime import timedelta

from hub.contract import topics
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import Decision, Presence, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, HumanInput, Status, Verb
from hub.domain.storage import Outgoing
from hub.domain.suggestion import Card
from hub.kit.mqtt.messages import Delivery
from hub.runner.senders import BAD_MAX, IGNORED_S, SENDERS_MAX, BadSenders
from tests.fakes.clock import let_others
from tests.fakes.deliveries import delivered
from tests.loop.stage import NOON, PHONE
from tests.runner.running_hub import House, living

DECISION = topics.decision("me", PHONE)


def wrapped(data: object, event_id: str = "e1") -> bytes:
    return encode(Envelope(id=event_id, source="phone/mine", type="x", time=NOON, data=data))


async def approval(house: House, card: Card) -> bytes:
    await let_others()
    sent = [Outgoing(id="x", topic=one.topic, payload=one.payload) for one in house.published("/deliver/phone")]
    token = next(shown.token for _, shown in reversed(delivered(sent)))
    said = Decision(
        decision_id="d1",
        card_id=card.id,
        verb=Verb.APPROVE,
        card_hash=card.card_hash,
        token=token,
        human_input=HumanInput.TAP,
        at=NOON,
    )
    return wrapped(said)


async def test_a_retained_decision_is_refused_and_cleared() -> None:
    """A broker hands it out anew at each start of the hub, when nobody says it any more."""
    async with living(House()) as house:
        await house.ear.listen(house.bus)
        await house.pair(PHONE)
        card = await house.card()
        payload = await approval(house, card)
        await house.ear.take(Delivery(topic=DECISION, payload=payload, retained=True))
        assert (await house.stored(card.id)).status is Status.PENDING
        assert house.ear.retained == 1
        assert [(one.payload, one.retained) for one in house.published(DECISION)] == [(b"", True)]
        await house.ear.take(Delivery(topic=DECISION, payload=payload, retained=False))
        assert (await house.stored(card.id)).status is not Status.PENDING


async def test_a_retained_receipt_is_refused_and_cleared() -> None:
    async with living(House()) as house:
        await house.ear.listen(house.bus)
        topic = topics.receipt("me", PHONE)
        receipt = wrapped(Receipt(delivery_id="d", state=DeliveryState.SHOWN, at=NOON))
        await house.ear.take(Delivery(topic=topic, payload=receipt, retained=True))
        assert house.ear.retained == 1
        assert [one.payload for one in house.published(topic)] == [b""]


async def test_the_taking_back_itself_is_not_garbage_and_not_answered() -> None:
    async with living(House()) as house:
        await house.ear.take(Delivery(topic=DECISION, payload=b"", retained=False))
        assert (house.ear.garbage, house.ear.retained, house.published(DECISION)) == (0, 0, [])


async def test_retained_presence_is_heard() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        presence = wrapped(Presence(online=True, at=NOON))
        await house.ear.take(Delivery(topic=topics.presence("me", PHONE), payload=presence, retained=True))
        assert (house.ear.retained, house.ear.garbage) == (0, 0)


async def test_a_flood_of_garbage_is_not_read_after_a_while_and_others_are() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        card = await house.card()
        payload = await approval(house, card)
        flooder = topics.decision("me", DeviceAddress(surface="phone", device="flooder"))
        for _ in range(10 * BAD_MAX):
            await house.ear.take(Delivery(topic=flooder, payload=b"garbage", retained=False))
        assert house.ear.garbage == BAD_MAX
        await house.ear.take(Delivery(topic=DECISION, payload=payload, retained=False))
        assert (await house.stored(card.id)).status is not Status.PENDING


def test_who_is_ignored_is_heard_again_after_a_minute() -> None:
    senders = BadSenders()
    told = [senders.note("phone", NOON) for _ in range(BAD_MAX)]
    assert told == [(True, False), *[(False, False)] * (BAD_MAX - 2), (False, True)]
    assert senders.is_ignored("phone", NOON)
    assert not senders.is_ignored("watch", NOON)
    assert not senders.is_ignored("phone", NOON + timedelta(seconds=IGNORED_S))


def test_those_who_are_remembered_are_bounded() -> None:
    senders = BadSenders()
    for number in range(3 * SENDERS_MAX):
        senders.note(f"phone{number}", NOON)
    assert len(senders) == SENDERS_MAX


async def test_a_text_with_a_nul_is_refused_at_this_door_too() -> None:
    """At a NUL, programs that are not ours end a text: what runs would be another text than the one that was shown."""
    async with living(House()) as house:
        await house.pair(PHONE)
        card = await house.card()
        payload = (await approval(house, card)).replace(b'"verb"', b'"reason":"a\\u0000b","verb"')
        await house.ear.take(Delivery(topic=DECISION, payload=payload, retained=False))
        assert (house.ear.garbage, (await house.stored(card.id)).status) == (1, Status.PENDING)
