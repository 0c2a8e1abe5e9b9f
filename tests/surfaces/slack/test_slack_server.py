"""The bot against a server that behaves as Slack's published API: cards, words, new connections, pauses."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.contract.words import Verb
from hub.kit.chat.heard import Pressed, Sender, Wrote
from hub.kit.chat.pairing import paired_by
from hub.kit.chat.post import ChatPost, PostPart
from hub.kit.chat.service import Posted
from hub.kit.gateway.outcome import Gone, Misconfigured, RetryLater
from hub.kit.setup_faults import SetupWrongTokenError
from surfaces.slack import settings
from surfaces.slack.bot import SlackBot, bot_of, paired_with
from surfaces.slack.settings import Config, SlackTokenError
from tests.kit.chat.a_chat import ChatScene, a_question, asking, chatting, questions
from tests.surfaces.slack.slack_server import (
    APP_TOKEN,
    BOT_TOKEN,
    CHANNEL,
    PERSON,
    STRANGER,
    TEAM,
    SlackServer,
    slack_server,
    too_many,
)

SECRETS = {settings.BOT_TOKEN: BOT_TOKEN, settings.APP_TOKEN: APP_TOKEN}
OWNER = Sender(room=f"{TEAM}/{CHANNEL}", person=PERSON)
POST = ChatPost(parts=(PostPart(kind="text", text="hello"),))
WAIT_S = 30.0


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with slack_server() as server, asyncio.timeout(WAIT_S):
        yield server


@contextlib.asynccontextmanager
async def the_bot(slack: SlackServer, *, is_paired: bool = True) -> AsyncIterator[SlackBot]:
    config = Config(team_id=TEAM, channel_id=CHANNEL, person_id=PERSON, api=f"{slack.url}/api")
    async with bot_of(config, SECRETS, only=paired_with(config) if is_paired else None) as bot:
        yield bot


async def test_a_day_with_slack(slack: SlackServer, tmp_path: Path) -> None:
    scene = ChatScene()
    async with the_bot(slack) as bot, chatting(scene, bot, tmp_path, owner=OWNER):
        await slack.until(1, slack.opened)
        scene.show(asking())
        await slack.until(1, slack.messages)
        ts = next(iter(slack.messages))
        assert "🔮 Claude wants to delete build in shop" in slack.shown(ts)
        approve = slack.buttons(ts)["a"]
        assert approve["style"] == "primary"
        await slack.press(ts, approve, person=STRANGER)
        await slack.press(ts, approve)
        await slack.until_shown(ts, "Approved")
        assert [one.verb for one in scene.handed_in] == [Verb.APPROVE]
        assert "a" not in slack.buttons(ts)
        scene.show(questions(a_question("colour", "red", "blue")))
        await slack.until(2, slack.messages)
        asked = list(slack.messages)[1]
        await slack.press(asked, slack.buttons(asked)["w0"])
        await slack.until(3, slack.messages)
        prompt = list(slack.messages)[2]
        await slack.write("yellow", thread=prompt, person=STRANGER)
        await slack.write("green &amp; gold", thread=prompt)
        await scene.until(lambda: len(scene.handed_in) == 2)
        answer = scene.handed_in[1].permission
        assert answer is not None
        assert answer.answers == {"colour": ("green & gold",)}
        await slack.until(2, slack.whispers)
        (told,) = (one for one in slack.whispers if one["user"] == STRANGER)
        assert "isn't you" in told["text"], "a stranger is told once, and nothing of the work"
        (whisper,) = (one for one in slack.whispers if one["user"] != STRANGER)
        assert whisper["thread_ts"] == prompt


async def test_what_is_pressed_is_acknowledged_while_an_answer_is_being_told(
    slack: SlackServer, tmp_path: Path
) -> None:
    scene = ChatScene()
    slack.whispering.clear()
    async with the_bot(slack) as bot, chatting(scene, bot, tmp_path, owner=OWNER):
        await slack.until(1, slack.opened)
        await slack.write("hello")
        await slack.until(1, slack.whispers)
        await slack.write("again")
        assert len(slack.whispers) == 1
        slack.whispering.set()
        await slack.until(2, slack.whispers)


async def test_a_renewed_connection_loses_nothing_and_what_comes_twice_counts_once(slack: SlackServer) -> None:
    async with the_bot(slack, is_paired=False) as bot, contextlib.aclosing(bot.heard()) as heard:
        first = asyncio.ensure_future(anext(heard))
        await slack.until(1, slack.opened)
        said = {"type": "message", "channel_type": "im", "channel": CHANNEL, "user": PERSON, "text": "one"}
        payload = {"team_id": TEAM, "event": {**said, "ts": slack.now()}}
        await slack.deliver(payload)
        await slack.refresh()
        await slack.deliver(payload)
        await slack.deliver({**payload, "event": {**said, "ts": slack.now(), "text": "two"}}, place=0)
        assert await slack.close(0) == 1_000
        await slack.write("three")
        found = [await first, await anext(heard), await anext(heard)]
        assert [one.text for one in found if isinstance(one, Wrote)] == ["one", "two", "three"]


async def test_a_connection_that_breaks_is_opened_again(slack: SlackServer) -> None:
    async with the_bot(slack) as bot, contextlib.aclosing(bot.heard()) as heard:
        first = asyncio.ensure_future(anext(heard))
        await slack.until(1, slack.opened)
        await slack.close(0)
        await slack.until(2, slack.opened)
        await slack.press("1.2", {"action_id": "a", "value": "a|b.0"})
        found = await first
        assert isinstance(found, Pressed)
        assert (found.sender, found.choice, found.binding) == (OWNER, "a", "b.0")


async def test_a_pause_is_kept_and_a_message_that_is_gone_is_gone(slack: SlackServer) -> None:
    async with the_bot(slack) as bot:
        slack.refusals = [too_many(7)]
        assert await bot.post("k", POST) == RetryLater(why="Slack asks for a pause", after_s=7.0)
        posted = await bot.post("k", POST)
        assert isinstance(posted, Posted)
        slack.messages.clear()
        assert await bot.edit(posted.message_id, POST) == Gone()


async def test_whoever_sends_the_code_is_paired(slack: SlackServer) -> None:
    async with the_bot(slack, is_paired=False) as bot:
        assert await bot.name(SECRETS[settings.APP_TOKEN]) == ("pulse", "Home")
        pairing = asyncio.ensure_future(paired_by(bot.heard(), "ABCDEFGHJK"))
        await slack.until(1, slack.opened)
        await slack.write("ABCDEFGHJX", person=STRANGER)
        await slack.write(" abcdefghjk")
        sender, wrote = await pairing
        assert sender == OWNER
        await bot.tell(wrote, "Paired.")
        assert slack.whispers[0]["channel"] == CHANNEL


@pytest.mark.parametrize("bad", [settings.BOT_TOKEN, settings.APP_TOKEN])
async def test_a_bad_token_is_named_and_never_told(slack: SlackServer, bad: str) -> None:
    secrets = {**SECRETS, bad: "leaked"}
    async with bot_of(Config(api=f"{slack.url}/api"), secrets) as bot:
        with pytest.raises(SetupWrongTokenError) as refused:
            await bot.name(secrets[settings.APP_TOKEN])
        assert "leaked" not in refused.value.detail + refused.value.fix
        if bad == settings.APP_TOKEN:
            with pytest.raises(SlackTokenError):
                await anext(bot.heard())
        else:
            assert isinstance(await bot.post("k", POST), Misconfigured)
