"""What `pulse doctor` and health say when Apple cannot be reached, or our key is of no use: why, and what to do."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.surfaces.apns.app_on_device import App
from tests.surfaces.apns.standin.certs import Certificates, pkcs8
from tests.surfaces.apns.standin.server import Standin
from tests.surfaces.apns.test_apns_journey import PHONE, settings_for
from tests.web.live_hub import LiveHub, live_hub

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
WAIT_S_MAX = 40
LOOK_S = 0.1


async def until_health(hub: LiveHub, fits: Callable[[str, str], bool]) -> str:
    """Wait until the gateway's health is so; return what it says."""
    async with asyncio.timeout(WAIT_S_MAX):
        while True:
            parts = (await hub.call("GET", "/api/v1/health"))["parts"]
            for part in parts:
                if part["name"] == "surface apns" and fits(part["status"], part["detail"]):
                    return str(part["detail"])
            await asyncio.sleep(LOOK_S)


async def doctor(hub: LiveHub) -> str:
    """Return the doctor's lines about the gateway: what is so, and what helps."""
    lines = (await asyncio.to_thread(hub.pulse, "doctor")).stdout.splitlines()
    return "\n".join("\n".join(lines[at : at + 2]) for at, line in enumerate(lines) if "surface apns" in line)


async def test_apple_out_of_reach_is_said_until_it_is_there_again(tmp_path: Path) -> None:
    async with Standin(Certificates(tmp_path)) as apns:
        with live_hub(tmp_path, settings_for(apns)) as hub:
            phone = App(hub, apns, "phone", PHONE)
            await phone.pair()
            await phone.register()
            await until_health(hub, lambda status, _: status == "ok")
            await apns.stop()
            card = await hub.ask("Anybody there?")
            await until_health(hub, lambda status, why: status == "degraded" and "APNs cannot be reached" in why)
            said = await doctor(hub)
            assert "! surface apns" in said
            assert " apns check`" in said
            await apns.listen()
            await phone.notified(card["id"])
            assert await until_health(hub, lambda status, _: status == "ok") == "running"


@pytest.mark.parametrize(
    ("key", "why", "fix"),
    [
        ("missing", "`apns.key_file` cannot be read", "Name the .p8 file"),
        ("garbage", "`apns.key_file` does not contain a private key", "Download the key again"),
        ("foreign", "do not belong together", "Correct `[apns]` in the settings file"),
    ],
)
async def test_a_key_that_is_of_no_use_is_named(tmp_path: Path, key: str, why: str, fix: str) -> None:
    async with Standin(Certificates(tmp_path)) as apns:
        file = tmp_path / "Other.p8"
        if key == "garbage":
            file.write_text("nothing of the kind")
        elif key == "foreign":
            other = tmp_path / "other"
            other.mkdir()
            file.write_bytes(pkcs8(Certificates(other).team_key))
        settings = settings_for(apns).replace(str(apns.certificates.key_file), str(file))
        with live_hub(tmp_path, settings) as hub:
            phone = App(hub, apns, "phone", PHONE)
            await phone.pair()
            await phone.register()
            await hub.ask("Waits for a key?")
            await until_health(hub, lambda status, said: status == "degraded" and why in said)
            said = await doctor(hub)
            assert "! surface apns" in said
            assert why in said
            assert fix in said
            assert phone.pushes() == []
