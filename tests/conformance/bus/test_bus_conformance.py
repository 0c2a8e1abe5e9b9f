"""What every bus does, whichever broker carries it."""

import asyncio
import random

import pytest

from hub.kit.mqtt.link import MESSAGE_BYTES_MAX, MessageTooLargeError
from hub.kit.mqtt.messages import Delivery
from tests.conformance.bus.world import EVENTS, World
from tests.fakes.bus import Inbox


@pytest.mark.slow
async def test_what_is_published_is_heard_as_it_was(world: World) -> None:
    inbox = Inbox()
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    alice = await world.open("alice")
    assert await alice.publish(f"{EVENTS}/card/new", b"\x00\xff{}")
    await inbox.wait_count(1)
    (delivery,) = inbox.deliveries
    assert (delivery.topic, delivery.payload, delivery.retained) == (f"{EVENTS}/card/new", b"\x00\xff{}", False)


@pytest.mark.slow
async def test_a_listener_added_later_hears_too(world: World) -> None:
    inbox = Inbox()
    bob = await world.open("bob")
    await bob.listen([f"{EVENTS}/late"], inbox)
    assert await bob.publish(f"{EVENTS}/late", b"to myself")
    await inbox.wait_count(1)
    assert inbox.payloads == [b"to myself"]


@pytest.mark.slow
async def test_the_order_of_one_publisher_is_kept_in_a_burst(world: World) -> None:
    inbox = Inbox()
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    alice = await world.open("alice")
    sent = [str(number).encode() for number in range(300)]
    for payload in sent:
        assert await alice.publish(f"{EVENTS}/n", payload)
    await inbox.wait_count(len(sent))
    assert inbox.payloads == sent


@pytest.mark.slow
async def test_only_matching_topics_are_heard(world: World) -> None:
    inbox = Inbox()
    await world.open("bob", [f"{EVENTS}/+/a", f"{EVENTS}/all/#"], inbox)
    alice = await world.open("alice")
    for topic in ("x/a", "x/b", "all", "all/deep/er", "x/y/a", "end/a"):
        assert await alice.publish(f"{EVENTS}/{topic}", topic.encode())
    heard = [b"all", b"all/deep/er", b"end/a", b"x/a"]
    await inbox.wait_for(lambda: set(heard) <= set(inbox.payloads))
    assert sorted(inbox.payloads) == heard, "each once; between topics no broker promises an order"


@pytest.mark.slow
async def test_each_listener_gets_its_own(world: World) -> None:
    left, right = Inbox(), Inbox()
    bob = await world.open("bob", [f"{EVENTS}/left"], left)
    await bob.listen([f"{EVENTS}/right"], right)
    alice = await world.open("alice")
    assert await alice.publish(f"{EVENTS}/left", b"l")
    assert await alice.publish(f"{EVENTS}/right", b"r")
    await left.wait_count(1)
    await right.wait_count(1)
    assert (left.payloads, right.payloads) == ([b"l"], [b"r"])


@pytest.mark.slow
async def test_the_last_retained_message_waits_for_a_newcomer(world: World) -> None:
    inbox = Inbox()
    alice = await world.open("alice")
    topic = f"pulse/v1/me/presence/{world.__class__.__name__.lower()}"
    assert await alice.publish(topic, b"old", retain=True)
    assert await alice.publish(topic, b"new", retain=True)
    await world.open("bob", [topic], inbox)
    await inbox.wait_count(1)
    assert (inbox.payloads, inbox.deliveries[0].retained) == ([b"new"], True)


@pytest.mark.slow
async def test_an_empty_retained_message_clears(world: World) -> None:
    inbox = Inbox()
    alice = await world.open("alice")
    assert await alice.publish(f"{EVENTS}/state", b"old", retain=True)
    assert await alice.publish(f"{EVENTS}/state", b"", retain=True)
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    assert await alice.publish(f"{EVENTS}/end", b"end")
    await inbox.wait_count(1)
    assert inbox.payloads == [b"end"]


@pytest.mark.slow
async def test_quality_zero_arrives_at_a_connected_listener(world: World) -> None:
    inbox = Inbox()
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    alice = await world.open("alice")
    assert await alice.publish(f"{EVENTS}/q0", b"fast", qos=0)
    await inbox.wait_count(1)
    assert inbox.payloads == [b"fast"]


@pytest.mark.slow
async def test_garbage_reaches_the_handler_as_bytes(world: World) -> None:
    draw = random.Random(4)  # noqa: S311  garbage, not secrets
    garbage = [draw.randbytes(draw.randrange(0, 2_000)) for _ in range(50)]
    inbox = Inbox()
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    alice = await world.open("alice")
    for number, payload in enumerate(garbage):
        assert await alice.publish(f"{EVENTS}/ü{number}\u202e\"'%s", payload)
    await inbox.wait_count(len(garbage))
    assert inbox.payloads == garbage


@pytest.mark.slow
async def test_the_largest_message_passes_and_a_larger_one_is_an_error(world: World) -> None:
    inbox = Inbox()
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    alice = await world.open("alice")
    assert await alice.publish(f"{EVENTS}/big", b"x" * MESSAGE_BYTES_MAX)
    await inbox.wait_count(1)
    assert inbox.payloads == [b"x" * MESSAGE_BYTES_MAX]
    with pytest.raises(MessageTooLargeError):
        await alice.publish(f"{EVENTS}/big", b"x" * (MESSAGE_BYTES_MAX + 1))


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["", f"{EVENTS}/#", f"{EVENTS}/+/x", f"{EVENTS}/a b", f"{EVENTS}/a\nb"])
async def test_a_topic_that_names_nothing_is_an_error(world: World, topic: str) -> None:
    alice = await world.open("alice")
    with pytest.raises(ValueError, match=r"(?i)topic"):
        await alice.publish(topic, b"x")
    assert await alice.publish(f"{EVENTS}/fine", b"still works")


@pytest.mark.slow
async def test_health_follows_the_connection_and_a_closed_bus_publishes_nothing(world: World) -> None:
    alice = await world.open("alice")
    assert alice.health().connected
    assert alice.health().since is not None
    await alice.close()
    await alice.close()
    assert not alice.health().connected
    assert await alice.publish(f"{EVENTS}/x", b"x") is False


@pytest.mark.slow
async def test_messages_wait_for_a_client_that_is_away(world: World) -> None:
    inbox = Inbox()
    bob = await world.open("bob", [f"{EVENTS}/#"], inbox)
    await bob.close()
    alice = await world.open("alice")
    sent = [str(number).encode() for number in range(100)]
    for payload in sent:
        assert await alice.publish(f"{EVENTS}/n", payload)
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    await inbox.wait_count(len(sent))
    assert inbox.payloads == sent


@pytest.mark.slow  # a broker waits before it sends one again
async def test_a_message_whose_handler_failed_comes_again(world: World) -> None:
    inbox = Inbox(failures=2)
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    alice = await world.open("alice")
    assert await alice.publish(f"{EVENTS}/hard", b"hard")
    await inbox.wait_count(3)
    assert await alice.publish(f"{EVENTS}/next", b"next")
    await inbox.wait_for(lambda: b"next" in inbox.payloads)
    assert inbox.payloads == [b"hard", b"hard", b"hard", b"next"]


@pytest.mark.slow  # as long
async def test_a_message_in_work_when_its_client_ends_comes_again(world: World) -> None:
    alice = await world.open("alice")
    at_work, inbox = asyncio.Event(), Inbox()

    async def never_done(_delivery: Delivery) -> None:
        at_work.set()
        await asyncio.Event().wait()

    bob = await world.open("bob")
    await bob.listen([f"{EVENTS}/#"], never_done)
    assert await alice.publish(f"{EVENTS}/n", b"work")
    await asyncio.wait_for(at_work.wait(), 5)
    await bob.close()
    await world.open("bob", [f"{EVENTS}/#"], inbox)
    await inbox.wait_count(1)
    assert inbox.payloads == [b"work"]
