"""From `pulse ntfy setup` to a question answered on the phone, with a real hub and its own process for ntfy."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository
from tests.surfaces.ntfy.ntfy_server import NtfyServer, ntfy_server

WAIT_S_MAX = 40.0
TOPIC = "PULSE_NTFY_TOPIC_KEY"


async def published(server: NtfyServer, text: str) -> dict[str, Any]:
    async with asyncio.timeout(WAIT_S_MAX):
        while text not in (said := await server.published.get())["message"]:
            pass
    return said


@pytest.mark.slow
async def test_a_question_is_answered_by_a_button_on_the_phone(tmp_path: Path) -> None:
    make_repository(tmp_path / "repository")
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))
    async with ntfy_server() as server:
        said = await asyncio.to_thread(hub.pulse, "ntfy", "setup", "--server", server.url)
        topic = await asyncio.to_thread((tmp_path / "home" / "secrets" / TOPIC).read_text)
        assert f"subscribe to {topic}" in said.stdout, said.stderr
        assert topic not in await asyncio.to_thread((tmp_path / "home" / "set-up.json").read_text)
        await asyncio.to_thread(hub.start)
        try:
            asking = hub.begin("ask", "Deploy the shop?", "--timeout", "2m", "--json")
            card = await published(server, "Deploy the shop?")
            assert card["topic"] == topic
            await server.press(card, "Approve")
            out, _ = await asyncio.to_thread(asking.communicate, None, WAIT_S_MAX)
            assert json.loads(out)["approved"] is True
            async with asyncio.timeout(WAIT_S_MAX):
                assert await server.deleted.get() == card["sequence_id"]
            tested = await asyncio.to_thread(hub.pulse, "devices", "test", "ntfy", "phone")
            assert tested.returncode == 0, tested.stderr
            await published(server, "This is a test")
        finally:
            assert await asyncio.to_thread(hub.stop) == ENDED_WELL


@pytest.mark.slow
async def test_a_server_that_goes_away_is_named_wherever_devices_are_looked_at(tmp_path: Path) -> None:
    """Nothing has to be sent for it: that the surface's own process runs says nothing of the server behind it."""
    make_repository(tmp_path / "repository")
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))

    async def until(text: str, *command: str) -> str:
        async with asyncio.timeout(WAIT_S_MAX):
            while text not in (said := (await asyncio.to_thread(hub.pulse, *command)).stdout):
                pass
        return str(said)

    async with ntfy_server() as server:
        await asyncio.to_thread(hub.pulse, "ntfy", "setup", "--server", server.url)
        await asyncio.to_thread(hub.start)
        try:
            assert "The ntfy server" not in await until("ntfy/phone", "devices")
            await server.stop()
            for command in ("devices", "doctor", "status"):
                await until("The ntfy server", command)
            assert "Check that the server is running" in await until("The ntfy server", "doctor")
        finally:
            assert await asyncio.to_thread(hub.stop) == ENDED_WELL
