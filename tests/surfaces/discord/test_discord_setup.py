"""`pulse discord setup` against the stand-in: what is missing is made or explained, and no more is asked for."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from hub.kit.setup_faults import SetupNoNetworkError, SetupWrongTokenError
from surfaces.discord.discovery import WAIT_S_MAX, NoServerError, discover
from surfaces.discord.permissions import invite, needed, number
from surfaces.discord.settings import Config, VoterRule, mistakes
from surfaces.discord.setup import UNFINISHED, setup
from tests.house.source import ROOT
from tests.surfaces.discord.standin.server import TOKEN, Standin, standing_in

ANN = VoterRule(name="ann", id="900000000000000001")


@pytest.fixture
async def standin() -> AsyncIterator[Standin]:
    async with standing_in() as made:
        yield made
        assert made.rest.complaints == []


def say_nothing(_line: str) -> None:
    """Nobody reads it."""


def config(standin: Standin, **more: object) -> Config:
    return Config(guild_id=standin.world.guild_id, owner="ann", voters=(ANN,), **more)  # type: ignore[arg-type]  # settings


async def test_everything_is_there(standin: Standin) -> None:
    said: list[str] = []
    assert await setup(TOKEN, config(standin), said.append) == 0
    assert said[0] == "The token is good: the bot is pulse."
    assert "#bridge exists." in said
    assert "The /pulse commands are added." in said
    assert said[-1] == "A test card is in #bridge."
    (card,) = standin.bridge()
    assert set(standin.world.reactions[card["id"]]) == {"✅", "❌", "⏰", "👀"}
    assert await setup(TOKEN, config(standin), said.append) == 0
    assert len(standin.bridge()) == 1
    assert "The /pulse commands exist." in said


async def test_channels_that_are_not_there_are_made(standin: Standin) -> None:
    said: list[str] = []
    assert await setup(TOKEN, config(standin, status="state", log="diary"), said.append) == 0
    assert {one["name"] for one in standin.world.channels.values()} == {"bridge", "state", "diary"}
    assert "#diary was created." in said


async def test_each_missing_permission_is_explained(standin: Standin) -> None:
    standin.world.permissions &= ~((1 << 6) | (1 << 16) | (1 << 4))
    said: list[str] = []
    assert await setup(TOKEN, config(standin, log="diary"), said.append) == UNFINISHED
    assert any(line.startswith("#diary does not exist, and the bot may not create it") for line in said)
    assert any("may not add reactions: it needs that to add the reactions for voting" in line for line in said)
    assert any("may not read message history: it needs that to find its own cards" in line for line in said)


@pytest.mark.usefixtures("standin")
async def test_a_bot_that_is_not_invited_gets_its_link() -> None:
    said: list[str] = []
    elsewhere = Config(guild_id="900000000000000777", owner="ann", voters=(ANN,))
    assert await setup(TOKEN, elsewhere, said.append) == UNFINISHED
    query = parse_qs(urlsplit(said[-1]).query)
    assert query["guild_id"] == ["900000000000000777"]
    assert query["scope"] == ["bot applications.commands"]


async def test_a_wrong_token_and_a_discord_that_is_away(standin: Standin) -> None:
    with pytest.raises(SetupWrongTokenError):
        await setup("wrong", config(standin), say_nothing)
    standin.fail(r"GET /users/@me", 9, 503)
    with pytest.raises(SetupNoNetworkError):
        await setup(TOKEN, config(standin), say_nothing)


def test_exactly_the_permissions_that_are_needed() -> None:
    all_on = Config(guild_id="900000000000000777", owner="ann", voters=(ANN,))
    least = Config(guild_id="900000000000000777", owner="ann", voters=(ANN,), threads=False, remove_strangers=False)
    assert number(needed(all_on)) == 0x4800_01EC40
    assert number(needed(least)) == 0x1CC40
    assert not discord.Permissions(number(needed(all_on, channels_missing=True))).administrator
    assert f"permissions={0x1CC40}" in invite(1, least)


OWNED = '{"guild_id": "900000000000000777", "owner": "a", "voters": [{"name": "a", "id": "900000000000000001"}]}'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "says"),
    [({}, "[bad-discord-config]"), ({"PULSE_DISCORD_CONFIG": OWNED}, "[discord-token]")],
)
def test_the_program_says_what_is_missing(told: dict[str, str], says: str) -> None:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PULSE_")}
    ended = subprocess.run(
        [sys.executable, "-m", "surfaces.discord", "setup"],
        cwd=ROOT,
        env=clean | told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_the_server_and_whose_the_bot_is_are_found(standin: Standin) -> None:
    said: list[str] = []
    found = await discover(TOKEN, "", said.append)
    assert (found.guild_id, found.owner) == (standin.world.guild_id, "founder")
    assert said == ["The server is Home. Who answers there is founder, who made the bot."]
    told = Config(guild_id=found.guild_id, owner=found.owner, voters=found.voters)
    assert list(mistakes(told)) == []
    assert await setup(TOKEN, told, said.append) == 0


async def test_it_waits_until_the_bot_was_let_in(standin: Standin) -> None:
    said: list[str] = []
    standin.world.guilds, standin.world.invited = {}, {standin.world.guild_id: "Home"}

    async def no_time(_seconds: float) -> None:
        assert urlsplit(said[-1]).path == "/oauth2/authorize"
        assert "guild_id" not in parse_qs(urlsplit(said[-1]).query)

    assert (await discover(TOKEN, "", said.append, sleep=no_time)).guild_id == standin.world.guild_id


async def test_of_several_servers_one_has_to_be_named(standin: Standin) -> None:
    standin.world.guilds["900000000000000777"] = "Work"
    with pytest.raises(NoServerError, match="Work \\(900000000000000777\\)"):
        await discover(TOKEN, "", lambda _: None)
    assert (await discover(TOKEN, "Home", lambda _: None)).guild_id == standin.world.guild_id
    assert (await discover(TOKEN, "900000000000000777", lambda _: None)).guild_id == "900000000000000777"


@pytest.mark.slow
async def test_a_bot_that_nobody_lets_in_is_not_waited_for_for_ever(standin: Standin) -> None:
    standin.world.guilds = {}
    waited = []

    async def no_time(seconds: float) -> None:
        waited.append(seconds)

    with pytest.raises(NoServerError, match="not added to a server"):
        await discover(TOKEN, "", lambda _: None, sleep=no_time)
    assert sum(waited) == WAIT_S_MAX
