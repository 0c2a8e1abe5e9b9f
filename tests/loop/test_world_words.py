"""What a session asks, in the reader's language, by the codes that come beside the hub's English."""

from datetime import timedelta

import pytest

from hub.contract.events import PredictionNew
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.phrasing import Phrasing
from hub.contract.words import Risk
from hub.contract.world import AgentStatus
from hub.domain.requests import Ask
from hub.kit.phrase_files import phrases
from hub.kit.wordings import asked_said, question_said, worded
from hub.loop.world_words import stays
from hub.verify.world_timeouts import TIMEOUTS, StatusTimeout
from tests.loop.asking_sessions import a_session, line, puts, question_of, read, stuck
from tests.loop.stage import DAY, HOUR, MINUTE, a_world, taken
from tests.loop.test_change import SECOND

SLOW = "It has not moved for two hours."


@pytest.mark.parametrize("about", ["answer", "needless", "done", "done-needless", "slow"])
async def test_a_question_is_told_in_the_readers_language_and_answered_in_the_hubs(about: str) -> None:
    world = await a_world()
    if about in {"answer", "needless"}:
        card = await stuck(world, need="solve captcha" if about == "answer" else "")
    else:
        need = "" if about == "done-needless" else "confirmation number"
        await read(world, line(AgentStatus.START, "abc123", "Book", need), line(AgentStatus.ACTIVE, text="booking"))
        await read(world, *[line(AgentStatus.FINISH, text="booked")] * (about != "slow"))
        card = await (puts(world, "slow", detail=SLOW) if about == "slow" else question_of(world))
    shown = world.told(PredictionNew)[-1]
    assert isinstance(shown, PredictionNew)
    assert asked_said(shown.prediction, phrases("en")) == card.prompt
    assert asked_said(shown.prediction, phrases("de")) not in {"", card.prompt}
    assert card.permission is not None
    question = card.permission.questions[0]
    assert question_said(question, phrases("en")) == question
    german = question_said(question, phrases("de"))
    assert {one.label for one in german.choices}.isdisjoint(one.label for one in question.choices)


async def test_an_agent_cannot_show_another_text_than_the_one_it_asks() -> None:
    world = await a_world()
    wording = Phrasing(code="session.give_up")
    choices = (QuestionChoice(label="Delete all", label_worded=wording),)
    question = AgentQuestion(id="q", text="Delete all?", choices=choices, text_worded=wording)
    asked = Permission(agent="claude-code", tool="Ask", act=Act.QUESTION, questions=(question,))
    made = Ask(key="k", asker="claude-code", question="?", details="", risk=Risk.LOW, timeout_s=600, permission=asked)
    shown = taken(await world.ask(made)).prediction.permission
    assert shown is not None
    assert shown.questions[0].text_worded is None
    assert shown.questions[0].choices[0].label_worded is None


@pytest.mark.parametrize("one", [one for one in TIMEOUTS if not one.answered and one.action != "give-up"])
@pytest.mark.parametrize(
    ("span", "said", "german"),
    [
        (61 * SECOND, "a minute", "einer Minute"),
        (20 * MINUTE, "20 minutes", "20 Minuten"),
        (61 * MINUTE, "an hour", "einer Stunde"),
        (3 * HOUR, "3 hours", "3 Stunden"),
        (3 * DAY, "3 days", "3 Tagen"),
    ],
)
def test_how_long_a_session_stays_is_told_in_the_readers_language(
    one: StatusTimeout, span: timedelta, said: str, german: str
) -> None:
    told = stays(one.status, one.why, span)
    assert told.text == f"{one.why} It has been like that for {said}."
    assert worded(told.wording, "", phrases("en")) == told.text
    assert f"seit {german}" in worded(told.wording, "", phrases("de"))


async def test_a_session_that_stays_where_it_is_asks_in_the_readers_language() -> None:
    world = await a_world()
    await a_session(world)
    detail = stays(AgentStatus.ACTIVE, "It has been working for a while and is not done.", 3 * HOUR)
    card = await puts(world, "slow", detail=detail)
    shown = world.told(PredictionNew)[-1]
    assert isinstance(shown, PredictionNew)
    assert asked_said(shown.prediction, phrases("en")) == card.prompt
    assert "arbeitet schon eine Weile" in asked_said(shown.prediction, phrases("de"))
