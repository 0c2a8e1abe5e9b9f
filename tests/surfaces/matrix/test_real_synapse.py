"""Matrix with the real server: a card, the person's reaction, a stranger's, an edit in place, a reply."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hub.contract.words import Verb
from hub.kit.chat.heard import Sender
from surfaces.matrix.bot import bot_of
from surfaces.matrix.settings import TOKEN, Config
from tests.kit.chat.a_chat import ChatScene, a_question, asking, chatting, questions
from tests.surfaces.matrix.real_synapse import Account, quoted, synapse

LOOK_S, WAIT_S = 0.1, 30.0


async def until(true: Callable[[], Any]) -> Any:  # noqa: ANN401  whatever it found
    async with asyncio.timeout(WAIT_S):
        while not (found := await asyncio.to_thread(true)):  # noqa: ASYNC110  another process keeps the messages; no signal of it
            await asyncio.sleep(LOOK_S)
    return found


def cards_of(app: Account, room_id: str) -> list[dict[str, Any]]:
    """The bot's messages that are no change of another, oldest first."""
    return [
        one
        for one in app.messages(room_id)
        if one["type"] == "m.room.message"
        and one["content"].get("msgtype") == "m.text"
        and one["sender"] != app.user_id
        and one["content"].get("m.relates_to", {}).get("rel_type") != "m.replace"
    ]


def texts_of(app: Account, room_id: str) -> str:
    return "\n".join(one["content"].get("body", "") for one in app.messages(room_id) if one["type"] == "m.room.message")


@pytest.mark.slow
async def test_a_day_with_matrix(tmp_path: Path) -> None:
    scene, kept = ChatScene(), tmp_path / "kept"
    kept.mkdir()
    with synapse(tmp_path) as server:
        pulse, ana, eve = (server.account(name) for name in ("pulse", "ana", "eve"))
        made = Config(server=server.url, person=ana.user_id)
        async with bot_of(made, {TOKEN: pulse.token}) as bot:
            room_id = await bot.open_room(ana.user_id)
            assert not await bot.has_joined(room_id, ana.user_id)
            for account in (ana, eve):
                if account is eve:
                    ana.call("POST", f"/rooms/{quoted(room_id)}/invite", {"user_id": eve.user_id})
                await asyncio.to_thread(account.call, "POST", f"/join/{quoted(room_id)}", {})
            assert await bot.has_joined(room_id, ana.user_id)
        config = Config(server=server.url, person=ana.user_id, room_id=room_id)
        owner = Sender(room=room_id, person=ana.user_id)
        async with bot_of(config, {TOKEN: pulse.token}) as bot, chatting(scene, bot, kept, owner=owner):
            scene.show(asking())
            (card,) = await until(lambda: cards_of(ana, room_id))
            assert "Claude wants to delete build in shop" in card["content"]["body"]
            eve.react(room_id, card["event_id"], "❌")
            ana.react(room_id, card["event_id"], "✅")
            await until(lambda: scene.taken)
            assert [one.verb for one in scene.handed_in] == [Verb.APPROVE]
            await until(lambda: "Approved" in texts_of(ana, room_id))
            scene.show(questions(a_question("colour", "red", "blue"), a_question("size")))
            asked = (await until(lambda: cards_of(ana, room_id)[1:]))[0]
            ana.react(room_id, asked["event_id"], "2️⃣")
            await until(lambda: "2/2" in texts_of(ana, room_id))
            ana.write(room_id, "large", asked["event_id"])
            await until(lambda: len(scene.handed_in) == 2)
            answer = scene.handed_in[1].permission
            assert answer is not None
            assert answer.answers == {"colour": ("blue",), "size": ("large",)}
