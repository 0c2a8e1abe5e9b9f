"""Who is not reached: the same line in every command that looks at devices, and a test that is seen or named as not."""

import json
from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.access import DeviceList, DeviceTest, DeviceView, OutsideView
from hub.contract.api import HealthAnswer, ReachStatus, Unreached
from hub.contract.words import DeliveryState
from tests.cli.conftest import Pulse
from tests.cli.running_config import running_config
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW, status

LINE = "Chat is not reaching you right now. New suggestions go to: Terminal."
BARRED = Unreached(
    surface="telegram",
    device="chat",
    title="Chat",
    why="the bot is blocked",
    fix="Unblock it in Telegram.",
    since=NOW - timedelta(days=400),
)
CLOSED = Unreached(surface="terminal", device="x", title="Laptop", why="it is closed", absent=True)
CHAT = DeviceView(surface="telegram", device="chat", title="Chat", profile="telegram", online=True, unreached=BARRED)
NTFY = DeviceView(surface="ntfy", device="phone", title="ntfy", profile="ntfy", online=True, arrives_since=NOW)
TESTED = "/api/v1/devices/telegram/chat/test"


@pytest.fixture
def barred(hub: SmallHub) -> SmallHub:
    """A hub that says that its only chat is blocked."""
    told = replace(status(), pending=0, reach=ReachStatus(line=LINE, unreached=(BARRED, CLOSED)))
    hub.answer(
        "GET /api/v1/health",
        HealthAnswer(status="ok", version="1", parts=(), cross_poll_status=told, timestamp=NOW),
    )
    hub.answer("GET /api/v1/crosspoll/status", told)
    hub.answer("GET /api/v1/crosspoll/config", running_config(told))
    hub.answer("GET /api/v1/outside", OutsideView(public_url="", own_certificate=False))
    hub.answer("GET /api/v1/devices", DeviceList(devices=(CHAT, NTFY), count=2))
    hub.answer(f"POST {TESTED}", CHAT)
    hub.answer(f"GET {TESTED}", DeviceTest())
    return hub


@pytest.mark.parametrize("command", ["status", "setup", "doctor", "devices"])
@pytest.mark.usefixtures("barred")
def test_the_same_line_stands_everywhere_with_why_and_what_to_do(pulse: Pulse, command: str) -> None:
    said = " ".join(pulse(command).out.split())
    assert LINE in said
    assert "the bot is blocked" in said
    assert "Unblock it in Telegram." in said
    assert "Laptop" not in said, "who is only closed is not named while others are reached"


@pytest.mark.usefixtures("barred")
def test_the_line_stands_on_top_of_the_status(pulse: Pulse) -> None:
    assert pulse("status").out.startswith("reach")


def test_who_was_sent_nothing_yet_is_not_said_to_be_reached(pulse: Pulse, barred: SmallHub) -> None:
    fresh = replace(NTFY, arrives_since=None)
    barred.answer("GET /api/v1/devices", DeviceList(devices=(fresh,), count=1))
    said = " ".join(pulse("setup").out.split())
    assert "ntfy: nothing has been sent there yet" in said
    assert "`pulse devices test ntfy phone` sends a test" in said
    barred.answer("GET /api/v1/devices", DeviceList(devices=(NTFY,), count=1))
    assert "ntfy: suggestions and results arrive" in " ".join(pulse("setup").out.split())


AWAY = DeviceTest(state=DeliveryState.QUEUED, at=NOW, detail="Telegram is away")
REFUSED = DeviceTest(state=DeliveryState.UNKNOWN, at=NOW, detail="the bot is blocked", fix="Unblock it.")


@pytest.mark.parametrize(
    ("came", "says"),
    [
        (DeviceTest(state=DeliveryState.SHOWN, at=NOW), "✓ telegram/chat: The test is there"),
        (DeviceTest(state=DeliveryState.ACCEPTED, at=NOW), "it does not report whether it was shown"),
        (REFUSED, "✗ telegram/chat: The test did not arrive: the bot is blocked. → Unblock it."),
        (AWAY, "Telegram is away. Pulse keeps trying"),
        (DeviceTest(state=DeliveryState.DEAD, at=NOW), "no longer accepts its address"),
    ],
)
def test_a_test_is_seen_or_named_as_not_arrived(
    pulse: Pulse, barred: SmallHub, monkeypatch: pytest.MonkeyPatch, came: DeviceTest, says: str
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: barred.answer(f"GET {TESTED}", came))
    said = pulse("devices", "test", "telegram", "chat")
    assert says in " ".join(said.out.split())
    assert said.code == int(came.state not in {DeliveryState.SHOWN, DeliveryState.ACCEPTED})


@pytest.mark.usefixtures("barred")
def test_a_device_that_there_is_not_cannot_be_tried(pulse: Pulse) -> None:
    assert "[unknown-device]" in pulse("devices", "test", "browser", "none").err


@pytest.mark.usefixtures("barred")
def test_as_json_each_device_says_why(pulse: Pulse) -> None:
    first, second = json.loads(pulse("devices", "--json").out)["devices"]
    assert first["unreached"]["why"] == "the bot is blocked"
    assert second["unreached"] is None
