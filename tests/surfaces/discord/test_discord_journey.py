"""A whole vote with a real hub: quorum, change of mind, an outage, a veto, and another surface at the same moment."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.house.source import ROOT
from tests.local_token import token_for
from tests.surfaces.discord.standin.server import TOKEN, Standin, buttons, field, footer, standing_in, title
from tests.surfaces.discord.standin.world import Json

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
YES, NO = "✅", "❌"


@pytest.fixture
def real_hub(tmp_path: Path) -> Iterator[RealHub]:
    with running_hub(tmp_path) as hub:
        yield hub


class Team:
    """Three voters, the surface as a process of its own, and the hub."""

    def __init__(self, discord: Standin, hub: RealHub) -> None:
        self.discord = discord
        self.hub = hub
        self.ann, self.bob, self.cid = (discord.world.user(name) for name in ("ann", "bob", "cid"))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, **policy: object) -> None:
        voters = [{"name": user["username"], "id": user["id"]} for user in (self.ann, self.bob, self.cid)]
        config = {
            "guild_id": self.discord.world.guild_id,
            "owner": "ann",
            "voters": voters,
            "policy": {"kind": "quorum", "needed": 2, "grace_s": 0.3, **policy},
        }
        run = json.loads((self.hub.home / "run.json").read_text())
        told = {
            "PULSE_API": run["api"],
            "PULSE_TOKEN": token_for(self.hub.home),
            "PULSE_DISCORD_TOKEN": TOKEN,
            "PULSE_DISCORD_CONFIG": json.dumps(config),
            "PYTHONWARNINGS": "ignore",
        }
        program = [sys.executable, "-m", "tests.surfaces.discord.standin.run_surface", str(self.discord.port)]
        self._process = subprocess.Popen(program, cwd=ROOT, env={**os.environ, **told}, stderr=subprocess.DEVNULL)

    async def stop(self, *, kill: bool = False) -> None:
        if self._process is None:
            return
        (self._process.kill if kill else self._process.terminate)()
        ended = await asyncio.to_thread(self._process.wait, 20)
        assert kill or ended == 0
        self._process = None

    async def pulse(self, *arguments: str) -> str:
        return (await asyncio.to_thread(self.hub.pulse, *arguments)).stdout

    @contextlib.contextmanager
    def asking(self, question: str) -> Iterator[subprocess.Popen[str]]:
        process = self.hub.begin("ask", question, "--timeout", "2m")
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
            process.communicate()

    async def card(self, question: str) -> Json:
        """Wait for a card that can be voted on, and return its message."""
        own = self.discord.world.bot["id"]
        await self.discord.until(
            lambda: [one for one in self.of(question) if own in self.discord.world.who_reacted(one["id"], "👀")],
            f"a card: {question}",
        )
        return self.of(question)[-1]

    def of(self, question: str) -> list[Json]:
        return [one for one in self.discord.cards() if one["embeds"][0]["description"].replace("\\", "") == question]


@pytest.fixture
async def team(real_hub: RealHub) -> AsyncIterator[Team]:
    async with standing_in() as discord:
        made = Team(discord, real_hub)
        try:
            yield made
        finally:
            await made.stop(kill=True)
        assert discord.rest.complaints == []


def id_of(message: Json) -> str:
    return str(message["embeds"][0]["footer"]["text"]).removeprefix("pulse why ")


async def test_a_whole_vote_is_the_same_everywhere_and_is_explained(team: Team) -> None:
    team.start()
    with team.asking("Deploy the shop?") as asking:
        message = await team.card("Deploy the shop?")
        await team.discord.react(team.bob, message, NO)
        await team.discord.react(team.bob, message, YES)  # a change of mind
        await team.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
        await team.discord.gateway.forget_session()  # an outage in the middle, whose events nobody will repeat
        await team.discord.react(team.cid, message, YES)
        await team.discord.until(lambda: title(message).startswith("✔️ Approved"))
        assert await asyncio.to_thread(asking.wait, 20) == 0
    told = await team.pulse("why", id_of(message), "--all")
    assert "vote approved it on Discord (bridge, by reaction): 2 of 2 needed approved (approved: bob and cid)" in told
    assert "by vote on Discord" in field(message, "Outcome")

    with team.asking("Delete the old shop?") as asking:
        message = await team.card("Delete the old shop?")
        for user, emoji in ((team.bob, YES), (team.ann, NO)):
            await team.discord.react(user, message, emoji)
        await team.discord.until(lambda: title(message).startswith("✖️ Dismissed"))
        assert await asyncio.to_thread(asking.wait, 20) == 1
    assert "vetoed by ann (approved: bob; dismissed: ann)" in await team.pulse("why", id_of(message), "--all")

    with team.asking("Write to everybody?") as asking:
        message = await team.card("Write to everybody?")
        await team.discord.react(team.bob, message, YES)
        elsewhere = asyncio.create_task(team.pulse("reject", id_of(message)))
        await team.discord.react(team.cid, message, YES)
        await elsewhere
        answer = await asyncio.to_thread(asking.wait, 20)
        await team.discord.until(lambda: title(message).startswith(("✖️ Dismissed", "✔️ Approved")))
    assert (answer == 0) == title(message).startswith("✔️")  # whichever came first: the same on both surfaces
    await team.stop()


async def test_a_killed_surface_finds_its_cards_and_votes_again(team: Team) -> None:
    team.start()
    with team.asking("Ship it?") as asking, team.asking("And this?"):
        message, other = await team.card("Ship it?"), await team.card("And this?")
        await team.discord.react(team.bob, message, YES)
        await team.stop(kill=True)
        await team.discord.react(team.cid, message, YES)
        await team.pulse("reject", id_of(other))
        team.start()
        await team.discord.until(lambda: title(message).startswith("✔️ Approved"))
        await team.discord.until(lambda: title(other).startswith("✖️ Dismissed"))
        assert await asyncio.to_thread(asking.wait, 20) == 0
    assert len([*team.of("Ship it?"), *team.of("And this?")]) == 2
    assert "discord/bridge: acted" in await team.pulse("why", id_of(message), "--all")


async def test_a_hub_that_stops_in_the_middle_loses_no_vote(team: Team) -> None:
    team.start()
    with team.asking("Still there?") as asking:
        message = await team.card("Still there?")
        await team.discord.react(team.bob, message, YES)
        await team.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
        await asyncio.to_thread(team.hub.stop)
        await team.discord.react(team.cid, message, YES)
        await team.discord.until(lambda: "Approve · 2" in str(message["embeds"]))
        await asyncio.to_thread(team.hub.start)
        await team.discord.until(lambda: title(message).startswith("✔️ Approved"))
        assert await asyncio.to_thread(asking.wait, 40) == 0
    assert len(team.of("Still there?")) == 1


async def test_commands_and_presses_reach_the_real_hub(team: Team) -> None:
    team.start(kind="first")
    await team.discord.until(lambda: bool(team.discord.world.commands), "the commands")

    async def use(name: str, **options: str) -> str:
        before = len(team.discord.rest.followups)
        await team.discord.command(team.ann, name, **options)
        await team.discord.until(lambda: len(team.discord.rest.followups) > before, name)
        return json.dumps(team.discord.rest.followups[-1], ensure_ascii=False)

    assert "Pulse is watching" in await use("status")
    assert "Asked." in await use("ask", question="Paint it blue?")
    message = await team.card("Paint it blue?")
    assert "Paint it blue" in await use("cards")
    await team.discord.press(team.bob, message, "reject")
    await team.discord.until(lambda: title(message).startswith("✖️ Dismissed"))
    await team.discord.until(lambda: "undo" in buttons(message))
    await team.discord.press(team.bob, message, "undo")
    await team.discord.until(lambda: len(team.of("Paint it blue?")) == 2)
    assert "Pulse is" in await use("pause", reason="lunch")
    assert "Pulse is" in await use("resume")
    assert "Stopped" in await use("kill")
    status = next(one for one in team.discord.bridge() if footer(one) == "Pulse status")
    await team.discord.until(lambda: title(status) == "🔮 Pulse is off")


async def test_work_that_was_approved_elsewhere_has_its_result_here(team: Team) -> None:
    team.start(kind="first")
    await team.discord.until(lambda: any(footer(one) == "Pulse status" for one in team.discord.bridge()), "the status")
    await team.pulse("trigger", "--force", "--hint", "Summarise the commits of today")
    await team.discord.until(lambda: bool(team.discord.open_cards()), "the suggestion, however unsure Pulse is of it")
    await team.pulse("approve", "latest")
    await team.discord.until(lambda: any(footer(one).startswith("run ") for one in team.discord.bridge()), "a result")
