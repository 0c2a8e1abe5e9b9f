"""The bot against a server for Telegram's API that is not ours: cards, buttons, edits, words, pairing."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.contract.words import Verb
from hub.kit.chat.heard import Sender
from hub.kit.chat.pairing import paired_by
from surfaces.telegram.bot import bot_of
from surfaces.telegram.settings import TOKEN as SECRET
from surfaces.telegram.settings import Config
from tests.kit.chat.a_chat import ChatScene, a_question, asking, chatting, questions
from tests.surfaces.telegram.real_telegram import TOKEN, TelegramApp, telegram_server

PERSON, STRANGER = 4242, 7
OWNER = Sender(room=str(PERSON), person=str(PERSON))
LOOK_S, WAIT_S = 0.05, 20.0


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not await asyncio.to_thread(true):  # noqa: ASYNC110  another process keeps the messages; no signal of it
            await asyncio.sleep(LOOK_S)


def buttons_of(app: TelegramApp, place: int) -> dict[str, str]:
    markup = app.messages()[place]["message"].get("reply_markup", {})
    return {
        one["callback_data"].partition("|")[0]: one["callback_data"] for row in markup["inline_keyboard"] for one in row
    }


@pytest.mark.slow
async def test_a_day_with_telegram(tmp_path: Path) -> None:
    scene = ChatScene()
    with telegram_server(PERSON) as app:
        config = Config(person_id=str(PERSON), api=app.url)
        async with bot_of(config, {SECRET: TOKEN}) as bot, chatting(scene, bot, tmp_path, owner=OWNER):
            scene.show(asking())
            await until(lambda: len(app.messages()) == 1)
            card = app.messages()[0]
            assert "<b>🔮 Claude wants to delete build in shop</b>" in card["message"]["text"]
            data = buttons_of(app, 0)
            app.press(card, data["a"], person=STRANGER)
            app.press(card, data["a"])
            await scene.until(lambda: bool(scene.taken))
            await until(lambda: "Approved" in app.messages()[0]["message"]["text"])
            assert "a" not in buttons_of(app, 0)
            assert [one.verb for one in scene.handed_in] == [Verb.APPROVE]
            scene.show(questions(a_question("colour", "red", "blue")))
            await until(lambda: len(app.messages()) == 2)
            app.press(app.messages()[1], buttons_of(app, 1)["w0"])
            await until(lambda: len(app.messages()) == 3)
            assert app.messages()[2]["message"]["reply_markup"]["force_reply"] is True
            prompt = app.messages()[2]["messageId"]
            app.write("green", date=time.time(), person=STRANGER, reply_to=prompt)
            app.write("green", date=time.time(), reply_to=prompt)
            await scene.until(lambda: len(scene.handed_in) == 2)
            answer = scene.handed_in[1].permission
            assert answer is not None
            assert answer.answers == {"colour": ("green",)}


@pytest.mark.slow
async def test_whoever_sends_the_code_is_paired() -> None:
    with telegram_server(PERSON) as app:
        async with bot_of(Config(api=app.url), {SECRET: TOKEN}) as bot:
            app.write("/start ABCDEFGHJX", person=STRANGER, date=time.time())
            app.write("/start abcdefghjk", date=time.time())
            sender, _ = await paired_by(bot.heard(), "ABCDEFGHJK")
            assert sender == OWNER
