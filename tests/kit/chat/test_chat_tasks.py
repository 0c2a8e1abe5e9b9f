"""A sentence in a chat becomes a task of the paired person, says how it was understood, and can be taken back."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from hub.kit.chat.heard import Sender
from tests.kit.chat.a_chat import ChatScene, PaperChat, a_question, a_task, chatting, now, questions
from tests.kit.chat.test_chat import ids_of, text_of

STRANGER = Sender(room="42", person="7")


@pytest.fixture
async def paper() -> PaperChat:
    return PaperChat()


@pytest.fixture
async def scene(paper: PaperChat, tmp_path: Path) -> AsyncIterator[ChatScene]:
    made = ChatScene()
    paper.changed = made.changed
    async with chatting(made, paper, tmp_path):
        yield made


async def test_a_sentence_is_kept_and_says_how_it_was_understood(scene: ChatScene, paper: PaperChat) -> None:
    at = (now() + timedelta(days=1)).replace(hour=10, minute=0)
    scene.read_as = lambda sentence: a_task(sentence.removesuffix(" tomorrow at 10"), deadline=at)
    paper.write("Call the bank tomorrow at 10")
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert text_of(post) == f"Call the bank\nTomorrow, {at:%A} {at.day} {at:%B}, 10:00."
    assert ids_of(post) == ["u"]
    paper.press(message_id, "u")
    await scene.until(lambda: not scene.tasks and ids_of(paper.messages[message_id]) == [])
    assert text_of(paper.messages[message_id]) == "Undone: the task was removed."


async def test_what_is_not_sure_is_said(scene: ChatScene, paper: PaperChat) -> None:
    at = (now() + timedelta(days=3)).replace(hour=15, minute=0)
    scene.read_as = lambda sentence: a_task(sentence, deadline=at, doubt="hour")
    paper.write("Call the bank in three days at 3")
    await scene.until(lambda: bool(paper.messages))
    assert "Not sure about the hour: if you meant 03:00" in text_of(paper.last()[1])


async def test_a_stranger_keeps_nothing(scene: ChatScene, paper: PaperChat) -> None:
    paper.write("Call the bank tomorrow at 10", by=STRANGER)
    paper.write("Water the plants")
    await scene.until(lambda: bool(paper.messages))
    assert [one.title for one in scene.tasks.values()] == ["Water the plants"]


@pytest.mark.parametrize("said", ["yes", "thanks mate", "/start"])
async def test_a_word_or_two_are_no_task_and_the_answer_says_how_to_write_one(
    scene: ChatScene, paper: PaperChat, said: str
) -> None:
    paper.write(said)
    await scene.until(lambda: len(paper.told) == 1)
    assert "start with “task:”" in paper.told[0]
    assert scene.tasks == {}


@pytest.mark.parametrize("said", ["Call tomorrow", "Anrufen morgen", "Ship today at 0:01"])
async def test_a_word_with_a_moment_is_a_task(scene: ChatScene, paper: PaperChat, said: str) -> None:
    paper.write(said)
    await scene.until(lambda: bool(scene.tasks))
    assert scene.tasks["task_1"].title == said


async def test_a_question_that_waits_takes_the_words(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(questions(a_question("colour")))
    await scene.until(lambda: bool(paper.messages))
    paper.write("a dark green")
    await scene.until(lambda: bool(scene.handed_in))
    assert scene.tasks == {}


@pytest.mark.parametrize("said", ["remind me to call Anna", "/task call Anna", "Aufgabe: call Anna"])
async def test_a_task_said_to_be_one_is_one_whatever_waits(scene: ChatScene, paper: PaperChat, said: str) -> None:
    scene.show(questions(a_question("colour")))
    await scene.until(lambda: bool(paper.messages))
    paper.write(said)
    await scene.until(lambda: bool(scene.tasks))
    assert scene.tasks["task_1"].title == "call Anna"
    await scene.until(lambda: len(paper.messages) == 2)
    assert "To answer a card, reply to its message." in text_of(paper.last()[1])


async def test_a_question_without_own_words_leaves_a_sentence_alone(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(questions(a_question("due", "Done", "In an hour", own_words=False)))
    await scene.until(lambda: bool(paper.messages))
    paper.write("Water the plants")
    await scene.until(lambda: bool(scene.tasks))
    paper.write("1")
    await scene.until(lambda: bool(scene.handed_in))
    assert len(scene.tasks) == 1


async def test_a_hub_that_is_away_and_a_text_that_is_too_long_say_so(scene: ChatScene, paper: PaperChat) -> None:
    scene.down = True
    paper.write("Water the plants")
    await scene.until(lambda: len(paper.told) == 1)
    assert "nothing was sent" in paper.told[0]
    paper.write("plants " * 100)
    await scene.until(lambda: len(paper.told) == 2)
    assert "500 characters" in paper.told[1]
    assert scene.tasks == {}
