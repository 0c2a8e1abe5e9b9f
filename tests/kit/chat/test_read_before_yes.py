"""Every chat: a yes is offered where all that it is about was shown, with the agent's own ways to say it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.contract.permission import PermissionAnswer, PermissionOption
from tests.kit.chat.a_chat import ChatScene, PaperChat, asking, chatting
from tests.kit.chat.test_chat import ids_of, text_of

EACH_PART = PermissionOption(
    id="offer0",
    label="Always allow Bash(npm run lint:*), Bash(npm test:*), Bash(rm:*), Bash(sudo:*), in all projects",
)


@pytest.fixture
async def paper() -> PaperChat:
    return PaperChat()


@pytest.fixture
async def scene(paper: PaperChat, tmp_path: Path) -> AsyncIterator[ChatScene]:
    made = ChatScene()
    paper.changed = made.changed
    async with chatting(made, paper, tmp_path):
        yield made


async def test_an_option_stands_whole_in_the_message_for_a_button_cuts_it(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(asking(options=(EACH_PART,)))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    (pressed,) = (one for one in post.choices if one.id == "o0")
    assert f"{pressed.sign} Yes: {EACH_PART.label}" in text_of(post).splitlines()
    paper.press(message_id, "o0")
    await scene.until(lambda: bool(scene.taken))
    assert scene.taken[0].permission == PermissionAnswer(option=EACH_PART.id)


async def test_options_without_room_are_taken_once_all_of_them_was_shown(scene: ChatScene, paper: PaperChat) -> None:
    options = tuple(PermissionOption(id=f"o{place}", label=f"Always allow {place}" + "x" * 170) for place in range(9))
    scene.show(asking(options=options))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert ids_of(post) == ["m", "r", "s", "y"]
    paper.press(message_id, "m")
    await scene.until(lambda: "o8" in ids_of(paper.messages[message_id]))
    beside = "\n".join(text_of(one) for place, one in paper.messages.items() if place != message_id)
    assert all(one.label in beside for one in options)
