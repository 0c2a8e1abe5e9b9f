"""What surfaces, gateways and glasses rely on, against real brokers."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract import topics
from hub.contract.access import Login
from hub.contract.envelope import decode
from hub.contract.mentions import MentionsReading, MentionsSeen
from hub.contract.surface import Decision, Presence, Receipt
from hub.contract.topics import GATEWAY, DeviceAddress
from hub.contract.words import DeliveryState, HumanInput, Verb
from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild
from hub.io.broker.passwords import with_password
from hub.kit.hub_api import NotRunningError
from hub.kit.mqtt import device
from hub.kit.mqtt.device import DeviceLink, Heard, Item, LinkChanged
from hub.kit.mqtt.link import MqttLink
from hub.kit.mqtt.proof import is_proven, key_of
from tests.conformance.bus.world import PERSON, PROMPT, full_user, options_for, password_of
from tests.fakes.bus import Inbox
from tests.io.broker.starting import Starter

WAIT_S_MAX = 20.0
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
WATCH = DeviceAddress(surface="watch", device="w1")


def login_at(child: BrokerChild, name: str = "bob", address: DeviceAddress = WATCH, password: str = "") -> Login:
    return Login(
        url=child.address.shown,
        username=name,
        password=password or password_of(name),
        client_id=name,
        user=PERSON,
        surface=address.surface,
        device=address.device,
    )


async def hub_at(child: BrokerChild, *kinds: str) -> tuple[MqttLink, Inbox]:
    inbox, hub = Inbox(), MqttLink(options_for(child, "alice"), tuning=PROMPT)
    await hub.listen([f"pulse/v1/{PERSON}/{kind}/#" for kind in kinds or ["signal"]], inbox)
    hub.start()
    assert await hub.until_connected(WAIT_S_MAX)
    return hub, inbox


async def next_of(link: DeviceLink, wanted: Callable[[Item], bool] = lambda _item: True) -> Item:
    async with asyncio.timeout(WAIT_S_MAX):
        async for item in link.items():
            if wanted(item):
                return item
    raise AssertionError


async def until(link: DeviceLink, state: str) -> LinkChanged:
    found = await next_of(link, lambda item: isinstance(item, LinkChanged) and item.state == state)
    assert isinstance(found, LinkChanged)
    return found


def decision(name: str) -> Decision:
    return Decision(
        decision_id=name,
        card_id="card",
        verb=Verb.APPROVE,
        card_hash="hash",
        token="token",
        human_input=HumanInput.TAP,
        at=NOW,
    )


@pytest.mark.slow
async def test_the_word_that_it_is_up_comes_before_all_that_is_heard(child: BrokerChild) -> None:
    hub, _ = await hub_at(child)
    assert await hub.publish(topics.state(PERSON), b"state", retain=True)
    async with DeviceLink(login_at(child), also=[topics.state(PERSON)]) as link:
        first, second = await next_of(link), await next_of(link)
        assert first == LinkChanged(state="up", note="", broker=child.address.shown)
        assert second == Heard(topic=topics.state(PERSON), payload=b"state")
    await hub.close()


@pytest.mark.slow
async def test_a_device_hears_its_own_deliveries_and_a_gateway_those_of_all(child: BrokerChild) -> None:
    hub, _ = await hub_at(child)
    gateway = DeviceAddress(surface="watch", device=GATEWAY)
    other, elsewhere = DeviceAddress(surface="watch", device="w2"), DeviceAddress(surface="phone", device="w1")
    async with DeviceLink(login_at(child)) as one, DeviceLink(login_at(child, "carol", gateway)) as all_of_them:
        await until(one, "up")
        await until(all_of_them, "up")
        for to in (elsewhere, other, WATCH):
            assert await hub.publish(topics.deliver(PERSON, to), str(to).encode())
        assert await next_of(one) == Heard(topic=topics.deliver(PERSON, WATCH), payload=b"watch/w1")
        heard = [await next_of(all_of_them), await next_of(all_of_them)]
        assert [item.payload for item in heard if isinstance(item, Heard)] == [b"watch/w2", b"watch/w1"]
    await hub.close()


@pytest.mark.slow
async def test_what_is_sent_arrives_and_a_repeat_has_an_id_of_its_own(child: BrokerChild) -> None:
    hub, inbox = await hub_at(child, "receipt", "decision")
    receipt = Receipt(delivery_id="d", state=DeliveryState.SHOWN, at=NOW)
    async with DeviceLink(login_at(child)) as link:
        assert not link.send_decision(decision("early"))
        await until(link, "up")
        assert link.send_receipt(receipt)
        assert link.send_receipt(receipt, "w2")
        assert link.send_decision(decision("d1"))
        assert link.send_decision(decision("d1"), again=True)
        await inbox.wait_count(4)
    # A broker keeps the order within a subscription, and need not keep it between two of them.
    receipts = [one.topic for one in inbox.deliveries if "/receipt/" in one.topic]
    assert receipts == [
        topics.receipt(PERSON, WATCH),
        topics.receipt(PERSON, DeviceAddress(surface="watch", device="w2")),
    ]
    said = [decode(one.payload, Decision) for one in inbox.deliveries if "/decision/" in one.topic]
    assert [one.data.decision_id for one in said] == ["d1", "d1"]
    assert said[0].id == "d1" != said[1].id
    await hub.close()


@pytest.mark.slow
async def test_a_reading_of_mentions_goes_out_as_a_signal_and_is_not_kept_for_later(child: BrokerChild) -> None:
    hub, inbox = await hub_at(child)
    seen = MentionsSeen(at=NOW, body=MentionsReading())
    async with DeviceLink(login_at(child)) as link:
        link.send_mentions(replace(seen, at=NOW - timedelta(hours=1)))
        await until(link, "up")
        link.send_mentions(seen)
        await inbox.wait_count(1)
    assert [decode(one.payload, MentionsSeen).data for one in inbox.deliveries] == [seen]
    await hub.close()


@pytest.mark.slow
async def test_presence_comes_goes_and_is_retained(child: BrokerChild) -> None:
    hub, inbox = await hub_at(child, "presence")
    async with DeviceLink(login_at(child)) as link:
        await until(link, "up")
        await inbox.wait_count(1)
    await inbox.wait_count(2)
    assert [decode(payload, Presence).data.online for payload in inbox.payloads] == [True, False]
    await hub.close()


@pytest.mark.slow
async def test_what_the_broker_had_not_acknowledged_is_sent_again_under_the_same_id(child: BrokerChild) -> None:
    """It listens to itself: a broker that was killed may have forgotten for a moment who else does."""
    own = topics.decision(PERSON, WATCH)
    async with DeviceLink(login_at(child), also=[own]) as link:
        await until(link, "up")
        pid = child.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        assert link.send_decision(decision("d1"))
        os.kill(pid, signal.SIGKILL)
        await until(link, "lost")
        assert not link.send_decision(decision("d2"))
        heard = await next_of(link, lambda item: isinstance(item, Heard))
        assert isinstance(heard, Heard)
        assert (heard.topic, decode(heard.payload, Decision).id) == (own, "d1")


@pytest.mark.slow
async def test_what_was_sent_again_and_acknowledged_is_not_sent_a_third_time(child: BrokerChild) -> None:
    async with DeviceLink(login_at(child), also=[topics.decision(PERSON, WATCH)]) as link:

        async def ids_until(last: str) -> list[str]:
            ids: list[str] = []
            while not ids or ids[-1] != last:
                heard = await next_of(link, lambda item: isinstance(item, Heard))
                assert isinstance(heard, Heard)
                ids.append(decode(heard.payload, Decision).id)
            return ids

        await until(link, "up")
        assert child.pid is not None
        os.kill(child.pid, signal.SIGSTOP)
        assert link.send_decision(decision("d1"))
        os.kill(child.pid, signal.SIGKILL)
        assert await ids_until("d1") == ["d1"]
        assert link.send_decision(decision("d2"))
        await ids_until("d2")  # the broker acknowledges in order, so d1 is acknowledged by now
        os.kill(child.pid, signal.SIGKILL)
        await until(link, "up")
        assert link.send_decision(decision("d3"))
        assert "d1" not in await ids_until("d3")


@pytest.mark.slow
async def test_more_than_fits_makes_the_broker_wait(child: BrokerChild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "QUEUED_MAX", 3)
    hub, _ = await hub_at(child)
    async with DeviceLink(login_at(child)) as link:
        await until(link, "up")
        sent = [str(number).encode() for number in range(200)]
        for payload in sent:
            assert await hub.publish(topics.deliver(PERSON, WATCH), payload)
        heard = [await next_of(link)]
        while not (isinstance(heard[-1], Heard) and heard[-1].payload == sent[-1]):
            heard.append(await next_of(link))
        payloads = [item.payload for item in heard if isinstance(item, Heard)]
        assert list(dict.fromkeys(payloads)) == sent, "a broker that waits long for a word sends again, in order"
    await hub.close()


@pytest.mark.slow
async def test_a_wrong_password_is_told_as_refused(child: BrokerChild) -> None:
    async with DeviceLink(login_at(child, password="wrong")) as link:
        told = await until(link, "refused")
        assert "wrong" not in repr(told)
        assert not link.send_decision(decision("d1"))


@pytest.mark.slow
async def test_it_goes_where_the_hub_says_when_the_broker_stays_away(
    child: BrokerChild, starter: Starter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "PAIR_AGAIN_AFTER_S", 0.05)
    second = await starter.start(tmp_path / "second", [full_user("bob")])
    known: list[Login] = []

    def pair() -> Login:
        if not known:
            raise NotRunningError("Pulse does not answer.")
        return known[0]

    async with DeviceLink(login_at(child), pair_again=pair) as link:
        assert (await until(link, "up")).broker == child.address.shown
        await child.stop()
        await until(link, "lost")
        assert (await until(link, "gone")).note == "Pulse does not answer."
        known.append(login_at(second))
        assert (await until(link, "up")).broker == second.address.shown
    await second.stop()


@pytest.mark.slow
async def test_a_broker_that_comes_back_while_the_hub_is_asked_is_not_gone(
    child: BrokerChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "PAIR_AGAIN_AFTER_S", 0.0)
    asked, is_back, told = threading.Event(), threading.Event(), threading.Event()

    def pair() -> Login:
        asked.set()
        assert is_back.wait(WAIT_S_MAX)
        told.set()
        raise NotRunningError

    hub, _ = await hub_at(child)
    async with DeviceLink(login_at(child), pair_again=pair) as link:
        await until(link, "up")
        assert await asyncio.to_thread(asked.wait, WAIT_S_MAX)  # its thread may begin after the broker is back
        is_back.set()
        assert await asyncio.to_thread(told.wait, WAIT_S_MAX)
        assert await hub.publish(topics.deliver(PERSON, WATCH), b"one")
        assert await next_of(link) == Heard(topic=topics.deliver(PERSON, WATCH), payload=b"one")
        assert link.is_up
    await hub.close()


@pytest.mark.slow
async def test_up_and_deaf_is_not_up(tmp_path: Path) -> None:
    """Mosquitto grants every subscription, and only hands nothing over."""

    def may_hear(address: DeviceAddress) -> BrokerUser:
        user = BrokerUser(name="bob", user=PERSON, role="device", surface=address.surface, device=address.device)
        return with_password(user, password_of("bob"))

    child = await Starter("nats-server").start(
        tmp_path / "broker", [may_hear(DeviceAddress(surface="phone", device="p1"))]
    )
    link = DeviceLink(login_at(child))
    async with link:
        assert not await link._link.until_connected(0.5)  # noqa: SLF001  nothing tells that it never came up
        await child.admit([may_hear(WATCH)])
        await until(link, "up")
    await child.stop()


@pytest.mark.parametrize(("signing", "secret"), [("", "p"), ("of its own", "of its own")])
async def test_it_signs_with_what_it_alone_was_told(signing: str, secret: str) -> None:
    login = Login(
        url="mqtt://localhost",
        username="",
        password="p",
        client_id="c",
        user="u",
        surface="s",
        device="d",
        signing=signing,
    )
    notice = DeviceLink(login).decision_notice(decision("d1"))
    assert is_proven(notice.payload, key_of(secret), notice.topic)


def test_a_repeated_id_is_not_new_and_not_all_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "SEEN_IDS_MAX", 2)
    login = Login(url="mqtt://localhost", username="", password="p", client_id="c", user="u", surface="s", device="d")

    async def made() -> DeviceLink:
        return DeviceLink(login)

    link = asyncio.run(made())
    assert [link.is_new(one) for one in ("a", "a", "b", "c", "a")] == [True, False, True, True, True]
    assert "p@" not in repr(login)
