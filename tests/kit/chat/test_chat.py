"""Every chat: a card is a message, a press the paired person's answer, and what is settled is settled in place."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.permission import Act, PermissionAnswer
from hub.contract.words import DeliveryState, HumanInput, Risk, Source, Verb
from hub.kit.chat.heard import Sender
from hub.kit.chat.post import ChatPost
from hub.kit.gateway.outcome import RetryLater, TooLarge, Undeliverable
from tests.kit.chat.a_chat import ALWAYS, NEVER, ChatScene, PaperChat, a_card, a_question, asking, chatting, questions
from tests.surfaces.shown import OPEN_VERBS

STRANGER = Sender(room="42", person="7")


def text_of(post: ChatPost) -> str:
    return "\n".join(part.text for part in post.parts)


def ids_of(post: ChatPost) -> list[str]:
    return [choice.id for choice in post.choices]


@pytest.fixture
async def paper() -> PaperChat:
    return PaperChat()


@pytest.fixture
async def scene(paper: PaperChat, tmp_path: Path) -> AsyncIterator[ChatScene]:
    made = ChatScene()
    paper.changed = made.changed
    async with chatting(made, paper, tmp_path):
        yield made


async def test_a_card_is_pressed_and_settled_in_place(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert ids_of(post) == ["a", "r", "s", "e"]
    paper.press(message_id, "a")
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ["u"])
    assert scene.taken[0].verb is Verb.APPROVE
    assert scene.taken[0].human_input is HumanInput.TAP
    assert "Approved" in text_of(paper.messages[message_id])
    await scene.until(lambda: scene.receipts["dlv_1"] is DeliveryState.ACTED)
    assert len(paper.messages) == 1


@pytest.mark.parametrize(("pressed", "verb"), [("l", Verb.LESS), ("n", Verb.NEVER)])
async def test_less_of_it_and_never_here_are_said_in_the_chat(
    scene: ChatScene, paper: PaperChat, pressed: str, verb: Verb
) -> None:
    scene.show(a_card(), verbs=(*OPEN_VERBS, Verb.LESS, Verb.NEVER))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert ids_of(post) == ["a", "r", "s", "e", "l", "n"]
    paper.press(message_id, pressed)
    await scene.until(lambda: bool(scene.taken))
    assert scene.taken[0].verb is verb


async def test_nobody_else_answers(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.press(message_id, "a", by=STRANGER)
    paper.press(message_id, "a", by=Sender(room="-1", person="42"))
    paper.write("yes", message_id, by=STRANGER)
    paper.press(message_id, "r")
    await scene.until(lambda: bool(scene.taken))
    assert [one.verb for one in scene.handed_in] == [Verb.REJECT]


async def test_each_stranger_is_told_once_why_nothing_was_done_and_nothing_else(
    scene: ChatScene, paper: PaperChat
) -> None:
    scene.show(a_card(prompt="sekrit"))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    for _ in range(3):
        paper.write("what is this?", by=STRANGER)
        paper.press(message_id, "a", by=Sender(room="-1", person="42"))
    paper.press(message_id, "r")
    await scene.until(lambda: bool(scene.taken) and len(paper.told) == 3)
    stranger, elsewhere = sorted(filter(None, paper.told), key=lambda said: "chat that" in said)
    assert "isn't you" in stranger
    assert "only accepts your answers in the chat it was set up with" in elsewhere
    assert all("nothing was done" in one and "pulse chat setup" in one for one in (stranger, elsewhere))
    assert "sekrit" not in stranger + elsewhere


async def test_an_answer_given_elsewhere_is_shown_at_once(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(asking())
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert "Claude wants to delete build in shop" in text_of(post)
    assert "⚠️ Check: rm -rf build" in text_of(post)
    scene.answer_elsewhere("card_1", Verb.REJECT)
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ["u"])
    assert "Dismissed on your phone" in text_of(paper.messages[message_id])


async def test_a_press_on_what_was_settled_or_reads_otherwise_now_does_nothing(
    scene: ChatScene, paper: PaperChat
) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    paper.press(message_id, "a", binding="another.0")
    await scene.until(lambda: len(paper.told) == 1)
    scene.answer_elsewhere("card_1", Verb.REJECT)
    paper.press(message_id, "a", binding=post.binding)
    await scene.until(lambda: len(paper.told) == 2)
    assert scene.handed_in == []
    assert all("newest message" in one for one in paper.told)


async def test_a_card_that_comes_back_is_a_message_of_its_own(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    first, _ = paper.last()
    paper.press(first, "r")
    await scene.until(lambda: bool(scene.taken))
    scene.give_back("card_1")
    await scene.until(lambda: len(paper.messages) == 2 and not paper.messages[first].choices)
    assert "Open again" in text_of(paper.messages[first])
    assert ids_of(paper.last()[1]) == ["a", "r", "s", "e"]


async def test_an_option_is_answered_as_what_it_is(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(asking(options=(ALWAYS, NEVER)))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    labels = {choice.id: choice.label for choice in post.choices}
    assert labels["o0"] == "Yes: Always in shop"
    assert labels["o1"] == "No: Not this session"
    paper.press(message_id, "o1")
    await scene.until(lambda: bool(scene.handed_in))
    decision = scene.handed_in[0]
    assert decision.verb is Verb.REJECT
    assert decision.permission is not None
    assert decision.permission.option == "never"


async def test_questions_are_answered_one_after_the_other(scene: ChatScene, paper: PaperChat) -> None:
    several = a_question("parts", "tests", "docs", "code", several=True)
    scene.show(questions(a_question("colour", "red", "blue"), several))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert "1/2 · Which colour?" in text_of(post)
    paper.press(message_id, "c0.1")
    await scene.until(lambda: "2/2" in text_of(paper.messages[message_id]))
    paper.press(message_id, "c0.0")
    await scene.until(lambda: bool(paper.told) and "newest" in paper.told[-1])
    paper.press(message_id, "c1.0")
    await scene.until(lambda: "g1" in ids_of(paper.messages[message_id]))
    paper.press(message_id, "c1.2")
    paper.press(message_id, "g1")
    await scene.until(lambda: bool(scene.handed_in))
    answer = scene.handed_in[0].permission
    assert answer is not None
    assert answer.answers == {"colour": ("blue",), "parts": ("tests", "code")}
    assert scene.handed_in[0].verb is Verb.APPROVE


async def test_own_words_answer_a_question(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(questions(a_question("colour", "red", "blue")))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.press(message_id, "w0")
    await scene.until(lambda: len(paper.messages) == 2)
    prompt_id, prompt = paper.last()
    assert prompt.takes_words
    paper.write("  a dark green ", prompt_id)
    await scene.until(lambda: bool(scene.handed_in))
    answer = scene.handed_in[0].permission
    assert answer is not None
    assert answer.answers == {"colour": ("a dark green",)}


@pytest.mark.parametrize(("said", "taken"), [("2", ("blue",)), ("7", ("7",)), ("both, please", ("both, please",))])
async def test_a_written_number_takes_a_choice(scene: ChatScene, paper: PaperChat, said: str, taken: object) -> None:
    scene.show(questions(a_question("colour", "red", "blue")))
    await scene.until(lambda: bool(paper.messages))
    paper.write(said)
    await scene.until(lambda: bool(scene.handed_in))
    answer = scene.handed_in[0].permission
    assert answer is not None
    assert answer.answers == {"colour": taken}


async def test_words_of_which_nobody_knows_what_they_answer_do_nothing(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(questions(a_question("colour")))
    scene.show(asking("card_2"))
    await scene.until(lambda: len(paper.messages) == 2)
    paper.write("green", paper.last()[0])
    await scene.until(lambda: len(paper.told) == 1)
    assert "Reply to the message you mean" in paper.told[0]
    assert scene.handed_in == []


async def test_it_is_changed_and_then_run_so(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(asking())
    await scene.until(lambda: bool(paper.messages))
    paper.press(paper.last()[0], "e")
    await scene.until(lambda: len(paper.messages) == 2)
    paper.write("rm -rf build/tmp")
    await scene.until(lambda: bool(scene.handed_in))
    assert (scene.handed_in[0].verb, scene.handed_in[0].prompt) == (Verb.EDIT, "rm -rf build/tmp")


async def test_what_somebody_else_wrote_answers_nothing_and_the_person_is_told_why(
    scene: ChatScene, paper: PaperChat
) -> None:
    scene.show(asking())
    await scene.until(lambda: bool(paper.messages))
    paper.press(paper.last()[0], "e")
    await scene.until(lambda: len(paper.messages) == 2)
    paper.relay()
    await scene.until(lambda: any("Nothing was done" in one and "yourself" in one for one in paper.told))
    assert (scene.handed_in, scene.tasks) == ([], {})
    paper.write("rm -rf build/tmp")
    await scene.until(lambda: bool(scene.handed_in))
    assert scene.handed_in[0].prompt == "rm -rf build/tmp"


@pytest.mark.parametrize("pressed", ["/start", "/start rm_-rf_src"])
async def test_a_start_button_writes_no_answer(scene: ChatScene, paper: PaperChat, pressed: str) -> None:
    scene.show(asking())
    await scene.until(lambda: bool(paper.messages))
    paper.press(paper.last()[0], "e")
    await scene.until(lambda: len(paper.messages) == 2)
    paper.write(pressed)
    await scene.until(lambda: any("Nothing was done" in one for one in paper.told))
    assert scene.handed_in == []


async def test_a_no_may_say_why(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(asking())
    await scene.until(lambda: bool(paper.messages))
    paper.press(paper.last()[0], "y")
    await scene.until(lambda: len(paper.messages) == 2)
    paper.write("x" * 501, paper.last()[0])
    await scene.until(lambda: any("too long" in one for one in paper.told))
    paper.write("Use the trash instead", paper.last()[0])
    await scene.until(lambda: bool(scene.handed_in))
    assert (scene.handed_in[0].verb, scene.handed_in[0].reason) == (Verb.REJECT, "Use the trash instead")


async def test_what_is_too_long_takes_no_yes_before_all_of_it_was_shown(scene: ChatScene, paper: PaperChat) -> None:
    text = "\n".join(f"+line {number}" for number in range(400))
    scene.show(asking(act=Act.EDIT, text=text, target="a.py", marks=(), options=(ALWAYS,)))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert ids_of(post) == ["m", "r", "s", "y"]
    paper.press(message_id, "a")
    await scene.until(lambda: bool(paper.told))
    paper.press(message_id, "m")
    await scene.until(lambda: "a" in ids_of(paper.messages[message_id]))
    parts = [one for place, one in paper.messages.items() if place != message_id]
    assert "".join(text_of(one) for one in parts) == f"{text}🅰️ Yes: {ALWAYS.label}"
    assert scene.handed_in == []
    paper.press(message_id, "a")
    await scene.until(lambda: bool(scene.handed_in))


async def test_what_is_hidden_is_shown_when_asked_for(scene: ChatScene, paper: PaperChat) -> None:
    scene.privacy = "title"
    scene.show(asking())
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert "rm" not in text_of(post)
    assert "a" not in ids_of(post)
    paper.press(message_id, "m")
    await scene.until(lambda: "a" in ids_of(paper.messages[message_id]))
    assert "rm -rf build" in text_of(paper.messages[message_id])


async def test_several_at_once_are_one_message_whose_numbers_bring_each_up(scene: ChatScene, paper: PaperChat) -> None:
    scene.show_together(a_card("one", "First"), a_card("two", "Second"))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    assert ids_of(post) == ["d0", "d1"]
    paper.press(message_id, "d1")
    await scene.until(lambda: len(paper.messages) == 2)
    own, card = paper.last()
    assert "Second" in text_of(card)
    paper.press(own, "a")
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ["d0"])
    assert "2. Second · Approved" in text_of(paper.messages[message_id])
    assert all(scene.receipts[one] in {DeliveryState.SHOWN, DeliveryState.ACTED} for one in ("dlv_1", "dlv_1_0"))


async def test_the_end_of_a_run_is_a_message_of_its_own(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    first, _ = paper.last()
    paper.press(first, "a")
    await scene.until(lambda: bool(scene.taken))
    scene.run("card_1")
    scene.break_down("card_1", "two tests failed")
    await scene.until(lambda: len(paper.messages) == 2)
    end, post = paper.last()
    assert "two tests failed" in text_of(post)
    assert ids_of(post) == ["t", "f", "i"]
    paper.press(end, "i")
    await scene.until(lambda: scene.handed_in[-1].verb is Verb.IGNORE)


async def test_without_the_hub_nothing_is_sent_and_that_is_said(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    scene.down = True
    paper.press(paper.last()[0], "a")
    await scene.until(lambda: bool(paper.told))
    assert "nothing was sent" in paper.told[0]


async def test_a_refusal_is_said_on_the_card(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    scene.refusal = "The budget is spent."
    paper.press(message_id, "a")
    await scene.until(lambda: "The budget is spent." in text_of(paper.messages[message_id]))
    assert ids_of(paper.messages[message_id]) == ["a", "r", "s", "e"]


async def test_a_post_that_fails_is_tried_again(scene: ChatScene, paper: PaperChat) -> None:
    paper.fails = [RetryLater(why="busy")]
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    assert scene.receipts == {"dlv_1": DeliveryState.SHOWN}


async def test_a_press_that_comes_before_the_word_that_the_message_is_there_counts(
    scene: ChatScene, paper: PaperChat
) -> None:
    paper.said_to_be_there.clear()
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    paper.press(paper.last()[0], "a")
    await asyncio.sleep(0)
    paper.said_to_be_there.set()
    await scene.until(lambda: bool(scene.taken))


async def test_a_message_that_the_person_deleted_is_posted_again_while_it_is_open(
    scene: ChatScene, paper: PaperChat
) -> None:
    scene.show(questions(a_question("colour", "red", several=True)))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    paper.press(message_id, "c0.0", binding=post.binding)
    del paper.messages[message_id]
    await scene.until(lambda: bool(paper.messages))
    assert "✓ red" in [choice.label for choice in paper.last()[1].choices]


async def test_after_a_restart_the_same_message_goes_on(tmp_path: Path) -> None:
    paper, before, after = PaperChat(), ChatScene(), ChatScene()
    paper.changed = before.changed
    async with chatting(before, paper, tmp_path):
        before.show(a_card("stays"))
        before.show(a_card("goes"))
        await before.until(lambda: len(paper.messages) == 2)
    after.cards_there = dict(before.cards_there)
    after.answer_elsewhere("goes", Verb.REJECT)
    paper.changed = after.changed
    async with chatting(after, paper, tmp_path):
        after.show_open()
        await after.until(lambda: not paper.messages["101"].choices)
        paper.press("100", "a")
        await after.until(lambda: bool(after.taken))
    assert len(paper.messages) == 2
    assert after.taken[0].card_id == "stays"
    assert "goes" in after.asked


async def test_what_is_of_high_risk_takes_a_second_press(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card(risk=Risk.HIGH))
    await scene.until(lambda: bool(paper.messages))
    message_id, post = paper.last()
    paper.press(message_id, "a")
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ["z", "k"])
    assert "This is risky; run it anyway?" in text_of(paper.messages[message_id])
    paper.press(message_id, "a")
    paper.press(message_id, "k")
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ids_of(post))
    assert scene.taken == []
    paper.press(message_id, "a")
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ["z", "k"])
    paper.press(message_id, "z")
    await scene.until(lambda: bool(scene.taken))
    assert [(one.verb, one.shown) for one in scene.taken] == [(Verb.APPROVE, "whole")]


async def test_lasting_leave_for_what_is_of_high_risk_takes_a_second_press(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(replace(asking(options=(ALWAYS, NEVER)), risk=Risk.HIGH))
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.press(message_id, "o0")
    await scene.until(lambda: ids_of(paper.messages[message_id]) == ["z", "k"])
    paper.press(message_id, "z")
    await scene.until(lambda: bool(scene.taken))
    assert scene.taken[0].permission == PermissionAnswer(option=ALWAYS.id)


async def test_what_the_chat_does_not_take_is_said_not_to_be_there_until_it_is(
    scene: ChatScene, paper: PaperChat
) -> None:
    paper.fails = [RetryLater(why="The bot is blocked", fix="Press Start.", after_s=60.0)]
    scene.show(a_card("c1"))
    scene.show(a_card("c2"))
    await scene.until(lambda: len(scene.whole_receipts) == 2)
    first = scene.whole_receipts["dlv_1"]
    assert (first.state, first.trouble, first.fix) == (DeliveryState.QUEUED, "The bot is blocked", "Press Start.")
    scene.show(a_card("c3"))
    assert scene.whole_receipts["dlv_3"].trouble == first.trouble, "what comes meanwhile is no better off"
    assert paper.health == [("The bot is blocked", "Press Start.")]
    paper.write("/start")  # long before the minute is over: who presses Start has let the bot in again
    await scene.until(lambda: {one.state for one in scene.whole_receipts.values()} == {DeliveryState.SHOWN})
    assert paper.health[1:] == [("", "")]


async def test_a_pause_of_moments_is_nobodys_concern(scene: ChatScene, paper: PaperChat) -> None:
    paper.fails = [RetryLater(why="The chat asks for a pause", after_s=0.01)]
    scene.show(a_card("c1"))
    await scene.until(lambda: scene.receipts.get("dlv_1") is DeliveryState.SHOWN)
    assert paper.health == []


@pytest.mark.parametrize("outcome", [Undeliverable(why="It cannot be parsed"), TooLarge()])
async def test_what_the_chat_never_takes_has_failed_and_says_why(
    scene: ChatScene, paper: PaperChat, outcome: Undeliverable | TooLarge
) -> None:
    paper.fails = [outcome]
    scene.show(a_card("c1"))
    await scene.until(lambda: "dlv_1" in scene.receipts)
    receipt = scene.whole_receipts["dlv_1"]
    assert receipt.state is DeliveryState.UNKNOWN
    assert receipt.trouble in {"It cannot be parsed", "The message is too long for the chat"}


@pytest.mark.parametrize(
    ("risk", "said"), [(Risk.LOW, "🔮 Question · deploy.sh"), (Risk.HIGH, "🔮 Question · deploy.sh")]
)
async def test_what_a_script_asks_is_a_question(scene: ChatScene, paper: PaperChat, risk: Risk, said: str) -> None:
    scene.show(a_card(prompt="Deploy now?", source=Source.ASK, target_agent="deploy.sh", risk=risk))
    await scene.until(lambda: bool(paper.messages))
    assert text_of(paper.last()[1]).startswith(said)


async def test_a_flood_of_strangers_is_not_answered_one_by_one(scene: ChatScene, paper: PaperChat) -> None:
    scene.show(a_card())
    await scene.until(lambda: bool(paper.messages))
    message_id, _ = paper.last()
    paper.tells = asyncio.Event()
    for number in range(200):
        paper.write("hello", by=Sender(room=f"{number}", person=f"{number}"))
    paper.press(message_id, "r")
    await scene.until(lambda: bool(scene.taken))
    assert paper.telling == 10
    paper.tells.set()
