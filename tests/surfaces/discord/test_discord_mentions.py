"""The owner is mentioned: that is told until they write there, react, or a day has passed; off unless asked for."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import discord
import pytest

from hub.app.surfaces import hears_mentions, settings_at
from hub.contract.mentions import MENTION_LASTS, MENTIONS_MAX, MentionsSeen
from surfaces.discord.mentions import Mentions
from surfaces.discord.settings import DISCORD, Config, VoterRule
from tests.surfaces.discord.conftest import Stage
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.world import Json

GUILD, ANN, BOB = "200000000000000001", "300000000000000001", "300000000000000002"
TEAM = "400000000000000001"
NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
PRIVILEGED = discord.Intents(members=True, presences=True, message_content=True).value


def counts(seen: MentionsSeen) -> dict[str, int]:
    return {each.channel: each.count for each in seen.body.channels}


async def write(stage: Stage, author: Json, channel: str, *mentioned: Json, guild: str = "") -> Json:
    """Write as a person does; without the privileged intent the bot is not told the words, but whom they mention."""
    message = stage.discord.world.post(channel, author, {}, [])
    people = [_with_member(stage, one) for one in mentioned]
    message["mentions"] = people
    guild_id = guild or stage.discord.world.guild_id
    await stage.discord.gateway.dispatch("MESSAGE_CREATE", {**message, "guild_id": guild_id})
    message["mentions"] = []
    return message


def _with_member(stage: Stage, user: Json) -> Json:
    member = {part: value for part, value in stage.discord.world.member(user["id"]).items() if part != "user"}
    return {**user, "member": member}


async def told(stage: Stage, wanted: dict[str, int]) -> None:
    await stage.discord.until(
        lambda: stage.hub.mentions_seen and counts(stage.hub.mentions_seen[-1]) == wanted, f"mentions {wanted}"
    )


async def a_stage(stage: Stage) -> tuple[str, str]:
    """Start with the setting on; return two channels beside the bridge."""
    stage.more = {"mentions": True}
    team, other = stage.discord.world.channel("team"), stage.discord.world.channel("help")
    await stage.start()
    await told(stage, {})
    return team, other


@pytest.mark.slow
async def test_it_is_told_where_until_the_owner_writes_there_without_any_privileged_intent(stage: Stage) -> None:
    team, other = await a_stage(stage)
    await write(stage, stage.bob, team, stage.ann)
    await write(stage, stage.eve, team, stage.cid, stage.ann)
    await write(stage, stage.bob, other, stage.ann)
    await told(stage, {team: 2, other: 1})
    await write(stage, stage.ann, team)
    await told(stage, {other: 1})
    assert stage.discord.gateway.intents & PRIVILEGED == 0


@pytest.mark.slow
async def test_the_owners_reaction_answers_that_message_and_a_deleted_one_is_gone(stage: Stage) -> None:
    team, _ = await a_stage(stage)
    first, second = [await write(stage, stage.bob, team, stage.ann) for _ in range(2)]
    third = await write(stage, stage.bob, team, stage.ann)
    await told(stage, {team: 3})
    await stage.discord.react(stage.eve, first, "👍")
    await stage.discord.react(stage.ann, second, "👍")
    await told(stage, {team: 2})
    await stage.discord.rest.delete(third["id"])
    await told(stage, {team: 1})


@pytest.mark.slow
async def test_bots_others_the_owners_own_words_and_other_servers_are_no_mentions(stage: Stage) -> None:
    team, other = await a_stage(stage)
    robot = stage.discord.world.user("robot", bot=True)
    await write(stage, robot, team, stage.ann)
    await write(stage, stage.discord.world.bot, team, stage.ann)
    await write(stage, stage.ann, team, stage.ann)
    await write(stage, stage.bob, team, stage.cid)
    await write(stage, stage.bob, team)
    await write(stage, stage.bob, team, stage.ann, guild="999999999999999999")
    await write(stage, stage.bob, other, stage.ann)
    await told(stage, {other: 1})
    assert all(team not in counts(one) for one in stage.hub.mentions_seen)


@pytest.mark.slow
async def test_it_goes_on_after_a_resume_and_begins_anew_where_nobody_knows_what_was_answered(stage: Stage) -> None:
    team, other = await a_stage(stage)
    await write(stage, stage.bob, team, stage.ann)
    await told(stage, {team: 1})
    await stage.discord.gateway.drop()
    await write(stage, stage.bob, other, stage.ann)
    await told(stage, {team: 1, other: 1})
    await stage.discord.gateway.forget_session()
    await told(stage, {})
    await stage.caught_up()
    await write(stage, stage.bob, other, stage.ann)
    await told(stage, {other: 1})


@pytest.mark.slow
async def test_a_broker_that_was_away_is_told_again(stage: Stage) -> None:
    team, _ = await a_stage(stage)
    await write(stage, stage.bob, team, stage.ann)
    await told(stage, {team: 1})
    stage.hub.go_down()
    stage.hub.mentions_seen.clear()
    stage.hub.come_up()
    await told(stage, {team: 1})


@pytest.mark.slow
async def test_without_the_setting_nothing_is_looked_at_and_nothing_is_told(stage: Stage) -> None:
    await stage.start()
    await write(stage, stage.bob, stage.discord.world.bridge, stage.ann)
    stage.hub.show(a_card("c1"))  # what comes later is there, so the message was seen and let go
    await stage.shown("c1")
    assert stage.hub.mentions_seen == []


def a_config(**more: object) -> Config:
    people = (VoterRule(name="ann", id=ANN), VoterRule(name="bob", id=BOB))
    return Config(guild_id=GUILD, owner="ann", voters=people, mentions=True, **more)  # type: ignore[arg-type]  # by name


def a_message(number: int, author: str = BOB, channel: str = TEAM) -> discord.Message:
    return cast(
        "discord.Message",
        SimpleNamespace(
            id=500_000_000_000_000_000 + number,
            author=SimpleNamespace(id=int(author), bot=False),
            channel=SimpleNamespace(id=int(channel)),
        ),
    )


async def test_fifty_are_remembered_the_oldest_goes_first_and_each_lasts_a_day() -> None:
    sent: list[MentionsSeen] = []
    now = [NOON]
    mentions = Mentions(a_config(), sent.append, lambda: now[0])
    mentions.begin(anew=True)
    for number in range(MENTIONS_MAX + 10):
        now[0] += timedelta(minutes=1)
        mentions.hear(a_message(number, channel=str(int(TEAM) + number)))
    channels = counts(sent[-1])
    assert len(channels) == MENTIONS_MAX
    assert str(int(TEAM) + 9) not in channels
    assert str(int(TEAM) + 10) in channels
    now[0] += MENTION_LASTS - timedelta(minutes=9, seconds=30)
    mentions.tell()
    assert len(counts(sent[-1])) == 10
    mentions.stop()


async def test_while_nothing_is_heard_from_discord_nothing_is_said() -> None:
    sent: list[MentionsSeen] = []
    mentions = Mentions(a_config(), sent.append, lambda: NOON)
    mentions.tell()
    assert sent == []
    mentions.begin(anew=True)
    mentions.stop()
    mentions.tell()
    await asyncio.sleep(0)
    assert [counts(one) for one in sent] == [{}]


def test_the_setting_needs_an_owner() -> None:
    config = Config(guild_id=GUILD, mentions=True)
    assert any(line.startswith("`discord.mentions`") for line in DISCORD.lines(config))
    assert DISCORD.lines(a_config()) == ()


def test_the_hub_listens_where_the_settings_ask_for_it(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    assert not hears_mentions(settings_at(path))
    table = f'[discord]\nguild_id = "{GUILD}"\nowner = "ann"\nvoters = [{{ name = "ann", id = "{ANN}" }}]\n'
    path.write_text(table, "utf-8")
    assert not hears_mentions(settings_at(path))
    path.write_text(f"{table}mentions = true\n", "utf-8")
    assert hears_mentions(settings_at(path))
