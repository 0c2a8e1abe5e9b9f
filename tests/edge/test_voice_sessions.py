"""Sessions of the world log on the glasses: who is stuck asks, what is said is read back, what is verified sounds."""

from datetime import timedelta

import numpy as np
import pytest
from msgspec.structs import replace

from edge.audio.samples import EARCONS, earcon
from edge.deliveries import is_verified_anew
from edge.phrase_files import phrasebook, sentences
from edge.speech.choices import book_for
from edge.speech.commands import Command, Word
from edge.speech.grammar import understand
from edge.speech.turn import Answer, CardCame, OtherSound, Passed, Play, Verified, Worn
from hub.contract.events import PredictionNew
from hub.contract.permission import AgentQuestion, QuestionChoice
from hub.contract.phrasing import Phrasing
from hub.contract.surface import CardDelivery
from hub.contract.world_api import WorldStatus
from tests.edge.cards import NOW, manner, question
from tests.edge.test_voice_turns import Talk
from tests.surfaces.shown import status

NAMED = {"name": "abc123 (Book)", "said": "captcha required"}
STUCK = AgentQuestion(
    id="session",
    text="abc123 (Book) is stuck: captcha required. It needs: solve captcha.",
    text_worded=Phrasing(code="session.stuck", values={**NAMED, "asks": "solve captcha"}),
)
SLOW = AgentQuestion(
    id="session",
    text="abc123 (Book) is taking a long time: it waits. It last said: captcha required.",
    text_worded=Phrasing(code="session.slow", values={**NAMED, "detail": "it waits."}),
    choices=(
        QuestionChoice(label="Keep waiting", label_worded=Phrasing(code="session.keep_waiting")),
        QuestionChoice(label="Give up", label_worded=Phrasing(code="session.give_up")),
    ),
)


def asked(one: AgentQuestion) -> CardDelivery:
    """The card by which the hub asks about a session."""
    card = question(one)
    assert isinstance(card.event, PredictionNew)
    shown = replace(card.event.prediction, target_channel="world", target_agent="pulse")
    return replace(card, event=PredictionNew(prediction=shown))


def talk(one: AgentQuestion, *, language: str = "en", confirming: str = "word") -> Talk:
    talking = Talk(replace(manner(confirming=confirming), sentences=sentences(language)))
    talking.tell(CardCame(delivery=asked(one)))
    talking.finish()
    return talking


def sent(talking: Talk) -> dict[str, tuple[str, ...]] | None:
    given = [act.permission for act in talking.done if isinstance(act, Answer)]
    return dict(given[-1].answers) if given and given[-1] is not None else None


def chimes(talking: Talk) -> list[str]:
    return [act.chime for act in talking.done if isinstance(act, Play)]


@pytest.mark.parametrize("confirming", ["word", "window"])
def test_a_dictated_answer_is_read_back_and_sent_only_once_it_is_confirmed(confirming: str) -> None:
    one = talk(STUCK, confirming=confirming)
    one.hear(Word.ANSWER, text="the text is X K C D")
    assert one.said == "Your answer: the text is X K C D. Say 'confirm' or 'cancel'."
    one.finish()
    assert sent(one) is None
    one.hear(Word.CONFIRM)
    assert sent(one) == {"session": ("the text is X K C D",)}


@pytest.mark.parametrize("how", ["silence", "cancel"])
def test_a_dictated_answer_that_nobody_confirms_is_not_sent(how: str) -> None:
    one = talk(STUCK, confirming="window")
    one.hear(Word.ANSWER, text="the text is X K C D")
    one.finish()
    if how == "cancel":
        one.hear(Word.CANCEL)
    else:
        one.tell(Passed(seconds=60))
    assert sent(one) is None


def test_the_hubs_own_question_is_read_and_answered_in_the_wearers_language() -> None:
    one = talk(SLOW, language="de")
    read_out = one.said
    assert "braucht lange" in read_out
    assert "Weiter warten" in read_out
    book = book_for(SLOW, phrasebook("de"), sentences("de"))
    assert understand("aufgeben", book) == Command(word=Word.CHOOSE, place=2, is_brief=True)
    one.hear(Word.CHOOSE, place=2, is_brief=True)
    assert "Aufgeben" in one.said
    one.finish()
    one.hear(Word.CONFIRM)
    assert sent(one) == {"session": ("Give up",)}
    assert [act.said for act in one.done if isinstance(act, Answer)] == ["Aufgeben"]


def test_a_session_that_is_stuck_has_a_sound_of_its_own() -> None:
    assert chimes(talk(STUCK))[0] == "help"
    sounds = [earcon(name, 16_000) for name in EARCONS]
    assert all(
        len(one) != len(other) or not np.array_equal(one, other)
        for place, one in enumerate(sounds)
        for other in sounds[:place]
    )


def test_what_is_verified_sounds_where_nothing_else_is_heard() -> None:
    idle = Talk(manner())
    idle.tell(Verified())
    assert chimes(idle) == ["verified"]
    for happened in (OtherSound(on=True), Worn(on=False)):
        other = Talk(manner())
        other.tell(happened)
        other.tell(Verified())
        assert chimes(other) == []
    listening = talk(STUCK)
    before = chimes(listening)
    listening.tell(Verified())
    assert chimes(listening) == before


@pytest.mark.parametrize(
    ("changes", "is_heard"),
    [
        ({}, True),
        ({"quiet": True}, False),
        ({"dnd_until": NOW + timedelta(hours=1)}, False),
        ({"world": WorldStatus(active=0, pending=0, failed=0, verified_at=NOW - timedelta(hours=1))}, False),
        ({"world": None}, False),
    ],
)
def test_only_what_was_verified_since_is_heard_and_not_while_the_person_wants_quiet(
    changes: dict[str, object], *, is_heard: bool
) -> None:
    before = status(world=WorldStatus(active=1, pending=0, failed=0, verified_at=NOW - timedelta(hours=1)))
    now = status(**{"world": WorldStatus(active=0, pending=0, failed=0, verified_at=NOW), **changes})
    assert is_verified_anew(before, now) is is_heard
