"""Once an agent is connected, who has read ntfy's secrets in the person's home says no and later, and nothing else."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hub.cli.api import open_api
from hub.contract.api import AskRequest, Prediction
from hub.contract.words import Status, Verb
from hub.io.home.folder import Home
from hub.kit.offered_answers import OfferedAnswers
from surfaces.ntfy.settings import REPLY_TOPIC
from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository
from tests.surfaces.ntfy.ntfy_server import NtfyServer, ntfy_server
from tests.surfaces.shown import delivery
from tests.terminals import PULSE, Terminal, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]
WAIT_S_MAX = 40.0


class Agent:
    """A program of the person's user: it reads their files, and writes to the reply topic as the phone does."""

    def __init__(self, hub: RealHub, server: NtfyServer) -> None:
        self._home, self._server = Home(hub.home), server

    def name_of(self, card: Prediction, verb: Verb) -> str:
        """Make the name of an answer from the key in the home, whether it was offered or not."""
        (key,) = [path for path in (self._home.folder / "ntfy").iterdir() if path.suffix == ".key"]
        return OfferedAnswers(key.read_bytes()).offer(delivery(), card, verb)

    async def publish(self, name: str) -> None:
        topic = await asyncio.to_thread(self._home.secret_path(REPLY_TOPIC).read_text)
        await self._server.say(topic.strip(), name)


async def published(server: NtfyServer, text: str) -> dict[str, Any]:
    async with asyncio.timeout(WAIT_S_MAX):
        while text not in (said := await server.published.get())["message"]:
            pass
    return said


async def asked(hub: RealHub, question: str) -> str:
    body = AskRequest(question=question, timeout_s=3_600)
    reply = await asyncio.to_thread(open_api(hub.home).call, "POST", "/ask", body)
    return str(json.loads(reply)["prediction"]["id"])


async def card_of(hub: RealHub, card_id: str) -> Prediction:
    return await asyncio.to_thread(open_api(hub.home).get, f"/predictions/{card_id}", Prediction)


async def test_who_publishes_a_yes_with_ntfys_secrets_lets_nothing_run(tmp_path: Path) -> None:
    make_repository(tmp_path / "repository")
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))
    async with ntfy_server() as server:
        await asyncio.to_thread(hub.pulse, "ntfy", "setup", "--server", server.url)
        agent = Agent(hub, server)
        await asyncio.to_thread(hub.start)
        try:
            with terminal(hub.environment) as mine:
                await attack(hub, server, agent, mine)
        finally:
            assert await asyncio.to_thread(hub.stop) == ENDED_WELL
        await allowed_knowingly(hub, server)


async def attack(hub: RealHub, server: NtfyServer, agent: Agent, mine: Terminal) -> None:
    early = await asked(hub, "Deploy the shop?")
    await published(server, "Deploy the shop?")
    said, ended = await asyncio.to_thread(mine.run, f"{PULSE} connect claude-code --yes")
    assert ended == 0, said
    await agent.publish(agent.name_of(await card_of(hub, early), Verb.APPROVE))
    refused = await published(server, "A coding agent is connected")
    assert refused["message"].endswith("Approve in Pulse.")
    assert (await card_of(hub, early)).status is Status.PENDING

    late = await asked(hub, "Delete the logs?")
    shown = await published(server, "Delete the logs?")
    assert [one["label"] for one in shown["actions"]] == ["Dismiss"]
    assert shown["message"].endswith("Approve in Pulse")
    await agent.publish(agent.name_of(await card_of(hub, late), Verb.APPROVE))  # it was not offered, so it says nothing
    await agent.publish(agent.name_of(await card_of(hub, early), Verb.REJECT))
    async with asyncio.timeout(WAIT_S_MAX):
        assert await server.deleted.get() in {f"pulse-{early}", shown["sequence_id"]}
    assert (await card_of(hub, early)).status is Status.REJECTED
    assert (await card_of(hub, late)).status is Status.PENDING


async def allowed_knowingly(hub: RealHub, server: NtfyServer) -> None:
    """The person may allow it, by the settings file and a start of theirs."""
    (hub.home / "config.toml").write_text("[ntfy]\napproves = true\n")
    await asyncio.to_thread(hub.start)
    try:
        card = await asked(hub, "Deploy the blog?")
        shown = await published(server, "Deploy the blog?")
        await server.press(shown, "Approve")
        async with asyncio.timeout(WAIT_S_MAX):
            while (await card_of(hub, card)).status is Status.PENDING:
                await server.deleted.get()
        assert (await card_of(hub, card)).status is Status.CONFIRMED
    finally:
        assert await asyncio.to_thread(hub.stop) == ENDED_WELL
