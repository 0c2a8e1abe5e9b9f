"""The glasses' own connection on a real broker: presence as retained state, and answers that outlive its loss."""

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from paho.mqtt.client import MQTTMessage

from edge.body import find_battery, look
from edge.link import AGAIN, Body, GlassesLink, Kept
from hub.contract.envelope import decode
from hub.contract.surface import Decision, Presence
from hub.contract.words import HumanInput, Verb
from hub.kit.mqtt.device import DeviceLink, LinkChanged
from tests.edge.cards import NOW
from tests.fakes.broker import PlainBroker, hub_side, plain_broker

pytestmark = pytest.mark.slow
WAIT_S_MAX = 60.0


class Heard:
    """What the hub's side heard; paho calls from its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._messages: asyncio.Queue[MQTTMessage] = asyncio.Queue()

    def __call__(self, _client: object, _data: object, message: MQTTMessage) -> None:
        self._loop.call_soon_threadsafe(self._messages.put_nowait, message)

    async def until(self, wanted: Callable[[MQTTMessage], bool]) -> MQTTMessage:
        async with asyncio.timeout(WAIT_S_MAX):
            while not wanted(message := await self._messages.get()):
                pass
        return message


def presence_of(message: MQTTMessage) -> Presence | None:
    return decode(bytes(message.payload), Presence).data if "/presence/" in message.topic else None


def has(**fields: object) -> Callable[[MQTTMessage], bool]:
    def fits(message: MQTTMessage) -> bool:
        found = presence_of(message)
        return found is not None and all(getattr(found, name) == value for name, value in fields.items())

    return fits


async def until_link(link: DeviceLink, state: str) -> None:
    async with asyncio.timeout(WAIT_S_MAX):
        async for item in link.items():
            if isinstance(item, LinkChanged) and item.state == state:
                return


def decision(name: str) -> Decision:
    return Decision(
        decision_id=name,
        card_id=f"card-{name}",
        verb=Verb.APPROVE,
        card_hash="hash",
        token="token",
        human_input=HumanInput.SPEECH,
        at=NOW,
    )


@pytest.mark.needs_mosquitto
async def test_presence_wearing_and_battery_are_retained(tmp_path: Path) -> None:
    heard = Heard()
    with plain_broker(tmp_path) as broker:
        async with GlassesLink(broker.login, Kept(tmp_path / "edge")) as link:
            await until_link(link, "up")
            link.set_body(Body(is_there=True, worn=True, battery_percent=80))
            with hub_side(broker, heard):
                await heard.until(has(online=True, worn=True, battery_percent=80))
            heard = Heard()
            with hub_side(broker, heard):  # comes later, and is told all the same
                assert (await heard.until(has(online=True, worn=True, battery_percent=80))).retain
                link.set_body(Body(is_there=False, worn=False, battery_percent=75))
                await heard.until(has(online=False, worn=False, battery_percent=75))
        with hub_side(broker, heard):  # said good-bye
            await heard.until(has(online=False, worn=None))


@pytest.mark.needs_mosquitto
async def test_the_last_will_says_that_they_are_gone(tmp_path: Path) -> None:
    heard = Heard()
    with plain_broker(tmp_path) as broker, hub_side(broker, heard):
        async with GlassesLink(broker.login, Kept(tmp_path / "edge")) as link:
            await heard.until(has(online=True))
            connection = link._link._link  # noqa: SLF001  the cable is pulled
            assert connection is not None
            pulled = connection._client.socket()  # noqa: SLF001  the cable is pulled
            assert isinstance(pulled, socket.socket)
            pulled.shutdown(socket.SHUT_RDWR)
            await heard.until(has(online=False))
            await heard.until(has(online=True))  # and it comes back by itself


@pytest.mark.needs_mosquitto
async def test_answers_wait_for_the_broker_with_their_time_and_come_before_presence(tmp_path: Path) -> None:
    heard = Heard()
    order: list[str] = []
    with plain_broker(tmp_path) as broker:
        async with GlassesLink(broker.login, Kept(tmp_path / "edge")) as link:
            await until_link(link, "up")
            assert link.answer(decision("first"))
            broker.stop()
            await until_link(link, "lost")
            assert not link.answer(decision("second"))
            assert link.awaits("card-second")
        assert await told_again(broker, heard, tmp_path, order) == ["first", "second"]
    assert order.index("decision") < order.index("presence")


@pytest.mark.needs_mosquitto
async def test_an_answer_without_a_verdict_is_handed_in_again_under_a_new_message_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub drops a repeated message without a word; by the decision's id it knows the answer, and says so."""
    monkeypatch.setattr("edge.link.AGAIN", replace(AGAIN, base_s=0.05))
    heard = Heard()
    with plain_broker(tmp_path) as broker, hub_side(broker, heard):
        async with GlassesLink(broker.login, Kept(tmp_path / "edge")) as link:
            await heard.until(has(online=True))
            assert link.answer(decision("lost"))
            come = [await heard.until(lambda message: "/decision/" in message.topic) for _ in range(3)]
            envelopes = [decode(bytes(message.payload), Decision) for message in come]
            assert {one.data.decision_id for one in envelopes} == {"lost"}
            assert len({one.id for one in envelopes}) == 3
            assert link.judged("lost") is not None


async def told_again(broker: PlainBroker, heard: Heard, folder: Path, order: list[str]) -> list[str]:
    """Start everything anew but the glasses' folder; return the answers that come, in order."""
    answers: list[Decision] = []

    def note(message: MQTTMessage) -> bool:
        kind = message.topic.split("/")[3]
        order.append(kind)
        if kind == "decision":
            answers.append(decode(bytes(message.payload), Decision).data)
        return kind == "presence" and has(online=True)(message)

    with hub_side(broker, heard) as hub:
        subscribed = asyncio.Event()
        loop = asyncio.get_running_loop()

        @hub.subscribe_callback()
        def _subscribed(*_: object) -> None:
            loop.call_soon_threadsafe(subscribed.set)

        broker.start()
        await asyncio.wait_for(subscribed.wait(), WAIT_S_MAX)
        kept = Kept(folder / "edge")
        async with GlassesLink(broker.login, kept) as link:
            await heard.until(note)
            assert [one.at for one in answers] == [NOW, NOW]
            assert link.judged("first") is not None
            assert link.judged("unknown") is None
        assert [one.decision_id for one in kept.answers()] == ["second"]
    return [one.decision_id for one in answers]


def test_the_body_is_read_from_files_of_the_kernel(tmp_path: Path) -> None:
    supply = tmp_path / "BAT0"
    supply.mkdir()
    assert find_battery(tmp_path) == ""
    (supply / "type").write_text("Battery\n")
    (supply / "capacity").write_text("73\n")
    (tmp_path / "AC").mkdir()
    (tmp_path / "AC" / "type").write_text("Mains\n")
    battery = find_battery(tmp_path)
    assert battery == str(supply / "capacity")
    worn = tmp_path / "worn"
    worn.write_text("1\n")
    assert look(str(worn), battery, has_sound=True) == Body(is_there=True, worn=True, battery_percent=75)
    worn.write_text("0\n")
    assert look(str(worn), "", has_sound=True) == Body(is_there=False, worn=False)
    for strange in ("", "maybe", "\x00" * 100):
        worn.write_text(strange)
        (supply / "capacity").write_text(strange or "101")
        assert look(str(worn), battery, has_sound=True) == Body(is_there=True)
    assert look(str(tmp_path / "gone"), "", has_sound=False) == Body(is_there=False)
    assert find_battery(tmp_path / "gone") == ""
