"""What goes out and comes in over the broker: kept until receipted, heard once, and garbage changes nothing."""

import asyncio
from datetime import timedelta

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.contract import topics
from hub.contract.envelope import Envelope, encode
from hub.contract.errors import BusyError, PulseError
from hub.contract.events import ExecutionProgress, PredictionExecuted, PredictionNew
from hub.contract.surface import AnyDelivered, Decision, DeliveredVerdict, Presence, Receipt
from hub.contract.topics import DeviceAddress
from hub.contract.words import DeliveryState, HumanInput, Status, Verb
from hub.domain.readings import BrokenReading, MessageReading, Reading
from hub.domain.requests import DeviceDecision, Reply, ReportPresence, Request, Spoke
from hub.domain.storage import DeliveriesOf, OutboxDepth, Outgoing, RecentCards
from hub.domain.suggestion import Card
from hub.kit.mqtt.messages import Delivery
from hub.kit.mqtt.proof import key_of, signed
from hub.loop.commands import Mention
from hub.runner.outbox import MENTIONS_MAX, Outbox
from tests.fakes.agent import Script, ScriptedRunner
from tests.fakes.bus import FakeBroker, FakeBus, Inbox
from tests.fakes.clock import VirtualClock, let_others
from tests.fakes.deliveries import delivered
from tests.fakes.store import MemoryStore
from tests.loop.stage import NOON, PHONE
from tests.runner.running_hub import House, is_new, living


def wrapped(data: object, event_id: str = "e1") -> bytes:
    return encode(Envelope(id=event_id, source="phone/mine", type="x", time=NOON, data=data))


def ids(house: House, part: str) -> list[str]:
    return [msgspec.json.decode(one.payload)["id"] for one in house.published(part)]


def token_of(house: House) -> str:
    sent = [Outgoing(id="x", topic=one.topic, payload=one.payload) for one in house.published("/deliver/phone")]
    return [card.token for _, card in delivered(sent) if isinstance(card.event, PredictionNew)][-1]


async def a_decision(house: House, card: Card, verb: Verb = Verb.APPROVE, **more: object) -> bytes:
    return wrapped(await answered(house, card, verb, **more))


async def answered(house: House, card: Card, verb: Verb, **more: object) -> Decision:
    await let_others()
    said = Decision(
        decision_id="d1",
        card_id=card.id,
        verb=verb,
        card_hash=card.card_hash,
        token=token_of(house),
        human_input=HumanInput.TAP,
        at=NOON,
    )
    return msgspec.structs.replace(said, **more)


async def test_what_the_broker_missed_is_sent_when_it_is_back_with_the_same_id() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        house.broker.online = False
        card = await house.card()
        await let_others()
        assert house.published("/deliver/phone") == []
        house.broker.online = True
        await house.tick()
        assert ids(house, "/deliver/phone") == [
            entry.id for entry in await house.store.read(DeliveriesOf(user="me", card_ids=(card.id,)))
        ]


async def test_a_device_that_comes_back_need_not_wait_for_a_lease_to_run_out() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        await house.card()
        await let_others()
        first = ids(house, "/deliver/phone")
        await house.hub.submit(ReportPresence(sender=PHONE, presence=Presence(online=True)))
        await let_others()
        again = ids(house, "/deliver/phone")[len(first) :]
        assert set(first) <= set(again)
        assert len(again) == len(set(again))


async def test_a_delivery_is_sent_again_until_its_receipt_and_an_event_until_the_broker_has_it() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        await house.card()
        await let_others()
        await house.hub.submit(Spoke(at=house.clock.now(), source="api"))
        for _ in range(3):
            await house.tick()
        sent = ids(house, "/deliver/phone")
        assert len(sent) >= 3
        assert len(set(sent)) == 1
        assert len(ids(house, "/event/prediction/new")) == 1
        assert await house.store.read(OutboxDepth()) == 1
        receipt = Receipt(delivery_id=sent[0], state=DeliveryState.SHOWN, at=NOON)
        topic = topics.receipt("me", PHONE)
        await house.ear.take(Delivery(topic=topic, payload=wrapped(receipt), retained=False))
        await house.tick()
        await house.tick()
        assert len(ids(house, "/deliver/phone")) == len(sent)
        assert await house.store.read(OutboxDepth()) == 0


async def test_what_was_not_sent_before_a_stop_is_sent_after_it() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        house.broker.online = False
        await house.card()
    house.broker.online = True
    async with living(House(store=house.store, broker=house.broker)) as again:
        await again.tick()
        await again.tick()
        assert len(set(ids(again, "/deliver/phone"))) == 1


async def test_progress_goes_out_once_and_is_never_kept() -> None:
    house = House()
    house.agent = ScriptedRunner(default=Script(lines=("one", "two", "three")))
    async with living(house):
        card = await house.card()
        await house.answer(card, Verb.APPROVE)
        await house.until_told_of(PredictionExecuted)
        await let_others()
        assert sum(isinstance(event, ExecutionProgress) for event in house.events) == 3
        assert len(house.published("/event/execution/progress")) == 3
        await house.tick()
        await house.tick()
        assert len(house.published("/event/execution/progress")) == 3


async def test_a_flood_of_mentions_is_dropped_and_does_not_wait() -> None:
    bus = FakeBus()
    outbox = Outbox(MemoryStore(), bus, VirtualClock())
    for number in range(5 * MENTIONS_MAX):
        outbox.mention(Mention(topic="pulse/v1/me/event/x", payload=str(number).encode()))
    await let_others()
    assert len(bus.broker.published) == MENTIONS_MAX
    outbox.mention(Mention(topic="pulse/v1/me/event/x", payload=b"again"))
    await let_others()
    assert len(bus.broker.published) == MENTIONS_MAX + 1


@pytest.mark.slow
async def test_what_the_broker_did_not_take_is_tried_again_before_its_lease_runs_out() -> None:
    broker, inbox = FakeBroker(), Inbox()
    device = FakeBus(broker, "phone")
    await device.listen(["pulse/v1/me/deliver/#"], inbox)
    outbox = Outbox(MemoryStore(), FakeBus(broker, "hub"), VirtualClock())
    broker.online = False
    outbox.send([Outgoing(id="verdict", topic="pulse/v1/me/deliver/phone/mine", payload=b"yes")])
    await let_others()
    assert broker.published == []
    broker.online = True
    await inbox.wait_count(1)
    assert inbox.payloads == [b"yes"]
    await outbox.close(1)
    await device.close()


async def test_what_was_not_taken_does_not_hold_up_the_end() -> None:
    broker = FakeBroker()
    broker.online = False
    outbox = Outbox(MemoryStore(), FakeBus(broker, "hub"), VirtualClock())
    outbox.send([Outgoing(id="verdict", topic="pulse/v1/me/deliver/phone/mine", payload=b"yes")])
    await let_others()
    async with asyncio.timeout(30):
        await outbox.close(60)
    assert outbox.unsent == 1


async def test_a_message_that_no_broker_takes_does_not_come_back() -> None:
    store, clock = MemoryStore(), VirtualClock()
    outbox = Outbox(store, FakeBus(), clock)
    outbox.send([Outgoing(id="big", topic="pulse/v1/me/event/x", payload=b"x" * 10_000_000)])
    await let_others()
    await outbox.close(1)
    assert await store.read(OutboxDepth()) == 0


async def test_a_decision_is_heard_once_however_often_it_is_handed_in() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        card = await house.card()
        payload = await a_decision(house, card)
        for _ in range(3):
            await house.ear.take(Delivery(topic=topics.decision("me", PHONE), payload=payload, retained=False))
        await house.until_told_of(PredictionExecuted)
        assert len(house.agent.jobs) == 1


async def test_a_decision_that_found_no_room_is_taken_when_it_comes_again() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        card = await house.card()
        delivery = Delivery(
            topic=topics.decision("me", PHONE), payload=await a_decision(house, card, Verb.REJECT), retained=False
        )
        submit, full = house.hub.submit, [True]

        async def busy(request: Request) -> Reply:
            if isinstance(request, DeviceDecision) and full.pop():
                full.append(False)
                raise BusyError
            return await submit(request)

        house.hub.submit = busy  # type: ignore[method-assign]  # the inbox is full once
        with pytest.raises(PulseError):
            await house.ear.take(delivery)
        full[:] = [False]
        await house.ear.take(delivery)
        assert (await house.stored(card.id)).status is Status.REJECTED


async def test_a_decision_that_could_not_be_written_is_answered_at_once() -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        card = await house.card()
        await house.ear.listen(house.bus)
        payload = await a_decision(house, card)
        house.store.refuse()
        await house.ear.take(Delivery(topic=topics.decision("me", PHONE), payload=payload, retained=False))
        last = house.published("/deliver/phone/mine")[-1]
        data = msgspec.json.decode(last.payload, type=Envelope[AnyDelivered]).data
        assert isinstance(data, DeliveredVerdict)
        assert (data.verdict.accepted, data.verdict.code) == (False, "disk-full")
        house.store.accept()
        await house.ear.take(Delivery(topic=topics.decision("me", PHONE), payload=payload, retained=False))
        assert (await house.stored(card.id)).settled is not None
        await house.bus.close()


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        *((verb, {}) for verb in Verb if verb not in {Verb.REJECT, Verb.STOP}),
        (Verb.SNOOZE, {"until": NOON + timedelta(days=6)}),
        (Verb.REJECT, {"reason": "Use another tool."}),
        (Verb.STOP, {"reason": "Use another tool."}),
    ],
)
async def test_all_but_a_plain_no_takes_the_devices_own_proof(verb: Verb, more: dict[str, object]) -> None:
    async with living(House()) as house:
        await house.pair(PHONE)
        card = await house.card()
        await house.ear.listen(house.bus)
        house.device_key = key_of("secret")
        payload = await a_decision(house, card, verb, **more)
        await house.ear.take(Delivery(topic=topics.decision("me", PHONE), payload=payload, retained=False))
        last = house.published("/deliver/phone/mine")[-1]
        data = msgspec.json.decode(last.payload, type=Envelope[AnyDelivered]).data
        assert isinstance(data, DeliveredVerdict)
        assert (data.verdict.accepted, data.verdict.code) == (False, "unproven-decision")
        assert await house.stored(card.id) == card
        await house.bus.close()


async def test_a_plain_no_needs_no_proof_and_words_that_the_device_signed_are_taken() -> None:
    topic = topics.decision("me", PHONE)
    async with living(House()) as house:
        await house.pair(PHONE)
        house.device_key = key_of("secret")
        plain = await house.card()
        payload = await a_decision(house, plain, Verb.REJECT)
        await house.ear.take(Delivery(topic=topic, payload=payload, retained=False))
        assert (await house.stored(plain.id)).status is Status.REJECTED
        worded = await house.card("Write down what was left open")
        said = signed(
            await answered(house, worded, Verb.REJECT, decision_id="d2", reason="Not today."), "secret", topic
        )
        await house.ear.take(Delivery(topic=topic, payload=wrapped(said, "e2"), retained=False))
        settled = (await house.stored(worded.id)).settled
        assert settled is not None
        assert settled.reason == "Not today."


TOPICS = [
    topics.decision("me", PHONE),
    topics.receipt("me", PHONE),
    topics.presence("me", DeviceAddress(surface="phone", device="stranger")),
    topics.signal("me", "git"),
    "pulse/v1/me/receipt/ü/git",
    "pulse/v1/me/decision/phone",
    "",
    "/",
]
SHAPES = st.one_of(
    st.binary(max_size=300),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda s: st.lists(s, max_size=4)
    ).map(msgspec.json.encode),
    st.builds(
        lambda sensor: wrapped(Reading(sensor=sensor, at=NOON, body=BrokenReading(detail="x"))),
        st.sampled_from(["git", "tasks", "other"]),
    ),
    st.builds(
        lambda key, token: wrapped(
            Decision(
                decision_id=key,
                card_id="pred_x",
                verb=Verb.APPROVE,
                card_hash="h",
                token=token,
                human_input=HumanInput.TAP,
                at=NOON,
            )
        ),
        st.text(min_size=1, max_size=9),
        st.text(max_size=30),
    ),
    st.builds(lambda online: wrapped(Presence(online=online)), st.booleans()),
)


@given(st.lists(st.tuples(st.sampled_from(TOPICS), SHAPES), max_size=30))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_garbage_changes_nothing(messages: list[tuple[str, bytes]]) -> None:
    async with living(House()) as house:
        card = await house.card()
        before = house.hub.state()
        for topic, payload in messages:
            await house.ear.take(Delivery(topic=topic, payload=payload, retained=False))
        await house.settle()
        assert house.hub.state() == before
        assert await house.store.read(RecentCards(user="me", limit=9)) == (card,)
        assert house.agent.jobs == []
        assert is_new(await house.answer(card, Verb.REJECT))


async def test_the_ear_listens_where_devices_speak() -> None:
    async with living(House()) as house:
        await house.ear.listen(house.bus)
        await house.pair(PHONE)
        device = FakeBus(house.broker, "phone")
        for payload in (b"", b"garbage", wrapped(Presence(online=False))):
            await device.publish(topics.presence("me", PHONE), payload, retain=True)
        await house.bus.settled()
        assert house.ear.garbage == 1
        assert [one.online for one in house.hub.state().devices] == [False]
        await house.bus.close()


async def test_a_reading_whose_times_have_no_zone_is_garbage() -> None:
    async with living(House()) as house:
        await house.settle()
        body = MessageReading(last_message_at=NOON.replace(tzinfo=None))
        payload = wrapped(Reading(sensor="messages", at=NOON, body=body))
        await house.ear.take(Delivery(topic=topics.signal("me", "messages"), payload=payload, retained=False))
        assert house.ear.garbage == 1
