"""`pulse approve ID --choice`: a question is answered by the numbers that were shown, or in words of one's own."""

import msgspec
import pytest

from hub.contract.api import AnswerReply, AnswerRequest
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.cli.test_cli_granting import sent
from tests.surfaces.terminal.scenes import prediction


def asks(name: str, *labels: str, several: bool = False, own_words: bool = True) -> AgentQuestion:
    choices = tuple(QuestionChoice(label=one, description=f"the {one} one") for one in labels)
    return AgentQuestion(id=name, text=f"Which {name}?", choices=choices, several=several, own_words=own_words)


PLAN = asks("plan", "free", "paid", own_words=False)
TAGS = asks("tags", "a", "b", "c", several=True)
SEATS = asks("seats")


def there(hub: SmallHub, *questions: AgentQuestion) -> None:
    asked = Permission(agent="claude-code", tool="AskUserQuestion", act=Act.QUESTION, questions=questions)
    card = msgspec.structs.replace(prediction("one"), permission=asked)
    hub.answer("GET /api/v1/predictions/pred_one", card)
    hub.answer("POST /api/v1/predictions/pred_one/confirm", AnswerReply(prediction=card, message="Answered."))


@pytest.mark.parametrize(
    ("questions", "said", "answers"),
    [
        ((PLAN,), ("2",), {"plan": ("paid",)}),
        ((PLAN,), ("free",), {"plan": ("free",)}),
        ((TAGS,), ("3, 1,3",), {"tags": ("c", "a")}),
        ((TAGS,), ("none of them",), {"tags": ("none of them",)}),
        ((SEATS,), ("2",), {"seats": ("2",)}),
        ((PLAN, SEATS), ("1", "two of us"), {"plan": ("free",), "seats": ("two of us",)}),
    ],
)
def test_each_question_is_answered_in_its_place(
    pulse: Pulse,
    hub: SmallHub,
    questions: tuple[AgentQuestion, ...],
    said: tuple[str, ...],
    answers: dict[str, tuple[str, ...]],
) -> None:
    there(hub, *questions)
    words = [word for one in said for word in ("--choice", one)]
    assert pulse("approve", "pred_one", *words).code == 0
    (given,) = (msgspec.json.decode(body, type=AnswerRequest).permission for body in sent(hub, "/confirm"))
    assert given is not None
    assert given.answers == answers


@pytest.mark.parametrize(
    ("question", "said"),
    [(PLAN, "3"), (PLAN, "0"), (PLAN, "1,2"), (PLAN, "another"), (PLAN, " "), (TAGS, "1,4"), (SEATS, " ")],
)
def test_what_is_no_answer_is_not_sent(pulse: Pulse, hub: SmallHub, question: AgentQuestion, said: str) -> None:
    there(hub, question)
    told = pulse("approve", "pred_one", "--choice", said)
    assert (told.code, "[questions-open]" in told.err, sent(hub, "/confirm")) == (1, True, [])


def test_without_a_choice_all_that_can_be_said_is_shown(pulse: Pulse, hub: SmallHub) -> None:
    there(hub, PLAN, TAGS)
    told = pulse("approve", "pred_one")
    shown = ("Which plan?", " 2  paid  the paid one", "Which tags?", "several: 1,3", "in your own words")
    assert [one for one in shown if one not in told.out] == []
    assert "pulse approve pred_one --choice 1 --choice 1" in told.err
    assert (told.code, sent(hub, "/confirm")) == (1, [])
    quiet = pulse("approve", "pred_one", "--json")
    assert msgspec.json.decode(quiet.out)["code"] == "questions-open", "nothing else is printed"


def test_what_asks_nothing_takes_no_choice(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/predictions/pred_one", prediction("one"))
    assert pulse("approve", "pred_one", "--choice", "1").code == 2
    assert sent(hub, "/confirm") == []
