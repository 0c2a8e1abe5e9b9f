"""One real Home Assistant with its app's phone and a broker, a real hub, and every way from one to the other."""

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository
from tests.fakes.broker import plain_broker
from tests.surfaces.homeassistant.real_homeassistant import RealHome, real_home

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
WAIT_S_MAX = 40.0
TITLE = "Deploy the shop?"
QUESTION = "Question"


async def pushed(home: RealHome, text: str) -> dict[str, Any]:
    """Return what the phone is told of this."""
    async with asyncio.timeout(WAIT_S_MAX):
        while True:
            said = await home.pushed.get()
            if text in said["message"] or text == said.get("data", {}).get("tag"):
                return said


def action(said: dict[str, Any], title: str) -> str:
    return str(next(one["action"] for one in said["data"]["actions"] if one["title"] == title))


def asked_in(sensor: dict[str, Any]) -> list[str]:
    """Return which questions wait; the hub may have suggestions of its own."""
    titles = [one["title"] for one in sensor["attributes"].get("cards", [])]
    return [title for title in titles if title.startswith(QUESTION)]


async def answered(asking: subprocess.Popen[str]) -> str:
    return str((await asyncio.to_thread(asking.communicate, None, WAIT_S_MAX))[0])


async def test_cards_reach_the_phone_and_its_entities_and_are_answered_from_both(tmp_path: Path) -> None:
    make_repository(tmp_path / "repository")
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))
    with plain_broker(tmp_path) as broker:
        async with real_home(tmp_path / "ha") as home:
            await home.add_broker(broker.port)
            hub.environment["PULSE_HOMEASSISTANT_TOKEN"] = home.token
            address = ("--url", home.url, "--broker", f"mqtt://127.0.0.1:{broker.port}")
            said = await asyncio.to_thread(hub.pulse, "homeassistant", "setup", *address)
            assert "The phone: mobile_app_judges_phone" in said.stdout, said.stderr
            del hub.environment["PULSE_HOMEASSISTANT_TOKEN"]
            assert home.token not in (tmp_path / "home" / "set-up.json").read_text()
            await asyncio.to_thread(hub.start)
            try:
                await tell(hub, home)
            finally:
                assert await asyncio.to_thread(hub.stop) == ENDED_WELL
            assert (await home.until("sensor.pulse_waiting", lambda one: one["state"] == "unavailable"))["state"]


async def tell(hub: RealHub, home: RealHome) -> None:
    await home.until("sensor.pulse_waiting", lambda one: one["state"].isdigit())
    tested = await asyncio.to_thread(hub.pulse, "devices", "test", "homeassistant", "home")
    assert tested.returncode == 0, tested.stderr
    assert (await pushed(home, "This is a test"))["data"]["actions"] == []

    asking = hub.begin("ask", TITLE, "--timeout", "2m", "--json")
    card = await pushed(home, TITLE)
    top = await home.until("sensor.pulse_waiting", lambda one: len(asked_in(one)) == 1)
    assert TITLE not in json.dumps(top), "the broker is not trusted with what a card says"
    await home.press("PULSE_" + "a" * 32)  # nobody offered that
    await home.press(action(card, "Approve"))
    assert json.loads(await answered(asking))["approved"] is True
    assert (await pushed(home, card["data"]["tag"]))["message"] == "clear_notification"
    await home.until("sensor.pulse_waiting", lambda one: not asked_in(one))
    told = await home.until("event.pulse_answered", lambda one: one["attributes"].get("event_type") == "approved")
    assert told["attributes"]["where"] == "homeassistant"

    await home.call("notify", "send_message", entity_id="notify.pulse_ask_through_pulse", message="Water the plants?")
    await pushed(home, "Water the plants?")
    await home.until("sensor.pulse_waiting", lambda one: len(asked_in(one)) == 1)
    await home.until("sensor.pulse_newest_question", lambda one: one["state"].startswith(QUESTION))
    await home.call("button", "press", entity_id="button.pulse_dismiss_the_newest")
    await home.until("sensor.pulse_waiting", lambda one: not asked_in(one))
    await home.until("event.pulse_answered", lambda one: one["attributes"].get("event_type") == "dismissed")

    await home.call("select", "select_option", entity_id="select.pulse_acts_alone", option="paused")
    await home.until("select.pulse_acts_alone", lambda one: one["state"] == "paused")
    await home.call("select", "select_option", entity_id="select.pulse_acts_alone", option="active")
    status = (await asyncio.to_thread(hub.pulse, "status", "--json")).stdout
    assert '"state":"paused"' in status, "only a broker that is trusted lets Pulse act again"
