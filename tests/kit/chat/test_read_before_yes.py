"""Every chat: a yes is offered where all that it is about was shown, with the agent's own ways to say it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.contract.permission import AgentQuestion, PermissionAnswer, PermissionOption, QuestionChoice
from hub.contract.words import Source
from hub.kit.chat.post import ChatPost
from hub.kit.chat.service import Posted
from hub.kit.gateway.outcome import Outcome, TooLarge, Undeliverable
from tests.kit.chat.a_chat import ChatScene, PaperChat, a_card, a_question, asking, chatting, questions
from tests.kit.chat.test_chat import ids_of, text_of

EACH_PART = PermissionOption(
    id="offer0",
    label="Always allow Bash(npm run lint:*), Bash(npm test:*), Bash(rm:*), Bash(sudo:*), in all projects",
)
CONSEQUENCE = "and drop the database"


def tidying(words: int) -> AgentQuestion:
    choice = QuestionChoice(label="Yes", description=f"{'fine ' * 60}{CONSEQUENCE}")
    text = f"May I tidy up? {'lorem ' * words}{CONSEQUENCE}"
    return AgentQuestion(id="tidy", text=text, choices=(choice, QuestionChoice(label="No")))


HARM = "rm -rf /home/anna/photos"
LONG = "\n".join((*(f"echo {number} and some padding" for number in range(150)), HARM))


class FilteringChat(PaperChat):
    """A chat that refuses the message in which the harm stands."""

    refused: Outcome | None = None

    async def post(self, key: str, post: ChatPost) -> Posted | Outcome:
        if self.refused is not None and HARM in text_of(post):
            return self.refused
        return await super().post(key, post)


@pytest.fixture
async def paper() -> FilteringChat:
    return FilteringChat()


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


@pytest.mark.parametrize("refused", [Undeliverable(why="It cannot be parsed"), TooLarge()])
async def test_what_the_chat_refused_to_show_takes_no_yes(
    scene: ChatScene, paper: FilteringChat, refused: Undeliverable | TooLarge
) -> None:
    paper.refused = refused
    scene.show(asking(text=LONG, target="", marks=(), effects=()))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.press(message_id, "m")
    await scene.until(lambda: "could not be shown here" in text_of(paper.messages[message_id]))
    assert ids_of(paper.messages[message_id]) == ["m", "r", "s", "y"]
    paper.refused = None
    paper.press(message_id, "m")
    await scene.until(lambda: "a" in ids_of(paper.messages[message_id]))
    assert "could not be shown here" not in text_of(paper.messages[message_id])
    beside = [text_of(one) for place, one in paper.messages.items() if place != message_id]
    assert "".join(sorted(beside, key=LONG.find)) == LONG


async def test_a_text_of_too_many_messages_is_read_elsewhere(scene: ChatScene, paper: FilteringChat) -> None:
    scene.show(asking(text="\u202e" * 16_384, target="", marks=(), effects=()))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.press(message_id, "m")
    await scene.until(lambda: "could not be shown here" in text_of(paper.messages[message_id]))
    assert len(paper.messages) == 1


async def test_no_sign_is_a_yes_while_the_messages_are_on_their_way(scene: ChatScene, paper: FilteringChat) -> None:
    scene.show(asking(text=LONG, target="", marks=(), effects=()))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.said_to_be_there.clear()
    paper.press(message_id, "m")
    await scene.until(lambda: len(paper.messages) == 2)
    paper.press(message_id, "a")
    paper.said_to_be_there.set()
    await scene.until(lambda: "a" in ids_of(paper.messages[message_id]))
    await scene.until(lambda: bool(paper.told))
    assert scene.handed_in == []


async def test_a_question_and_its_choices_stand_whole_in_the_message(scene: ChatScene, paper: PaperChat) -> None:
    asked = tidying(150)
    scene.show(questions(asked))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert asked.text in text_of(post)
    assert f"1. Yes: {asked.choices[0].description}" in text_of(post).splitlines()
    paper.press(message_id, "c0.0")
    await scene.until(lambda: bool(scene.taken))
    assert scene.taken[0].permission == PermissionAnswer(answers={"tidy": ("Yes",)})


async def test_what_a_script_says_beside_its_question_is_read_to_its_end(scene: ChatScene, paper: PaperChat) -> None:
    short, long = f"{'lorem ' * 100}{CONSEQUENCE}", f"{'lorem ' * 400}{CONSEQUENCE}"
    scene.show(a_card(prompt="Deploy?", source=Source.ASK, reasoning=short))
    await scene.until(lambda: bool(paper.messages))
    assert short in text_of(paper.last()[1])
    scene.show(a_card("card_2", prompt="Deploy?", source=Source.ASK, reasoning=long))
    await scene.until(lambda: len(paper.messages) == 2)
    message_id, post = paper.last()
    assert ids_of(post)[0] == "m"
    assert "a" not in ids_of(post)
    paper.press(message_id, "m")
    await scene.until(lambda: "a" in ids_of(paper.messages[message_id]))
    assert any(CONSEQUENCE in text_of(one) for place, one in paper.messages.items() if int(place) > int(message_id))


@pytest.mark.parametrize("said", ["1", "yes, please"])
async def test_a_question_without_room_is_answered_once_all_of_it_was_shown(
    scene: ChatScene, paper: PaperChat, said: str
) -> None:
    asked = tidying(250)
    scene.show(questions(a_question("colour", "red", "blue"), asked))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.press(message_id, "c0.0")
    await scene.until(lambda: "m" in ids_of(paper.messages[message_id]))
    assert ids_of(paper.messages[message_id]) == ["m", "r", "s", "y"]
    paper.write(said, message_id)
    await scene.until(lambda: bool(paper.told) and "only part of it" in paper.told[-1])
    paper.press(message_id, "m")
    await scene.until(lambda: "c1.0" in ids_of(paper.messages[message_id]))
    beside = "\n".join(text_of(one) for place, one in paper.messages.items() if place != message_id)
    assert beside.count(CONSEQUENCE) == 2
    assert len(paper.messages) == 3, "a choice is no message of its own"
    assert scene.handed_in == []
    paper.write(said, message_id)
    await scene.until(lambda: bool(scene.taken))
    assert scene.taken[0].shown == "whole"


NOTES = tuple(f"Note {place} of what is unusual here." for place in range(1, 7))


async def test_all_that_is_unusual_about_a_request_stands_beside_the_yes(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(asking(unusual=NOTES))
    await scene.until(lambda: bool(paper.messages))
    _, post = paper.last()
    assert all(note in text_of(post) for note in NOTES)
    assert "a" in ids_of(post)


async def test_where_it_has_no_room_there_is_no_yes_but_all_of_it_can_be_shown(
    scene: ChatScene, paper: PaperChat
) -> None:
    scene.show(asking(unusual=(*(f"{note} {'and more ' * 200}" for note in NOTES), CONSEQUENCE)))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert CONSEQUENCE not in text_of(post)
    assert "a" not in ids_of(post)
    assert "m" in ids_of(post)
    paper.press(message_id, "m")
    await scene.until(lambda: any(CONSEQUENCE in text_of(one) for one in paper.messages.values()))
