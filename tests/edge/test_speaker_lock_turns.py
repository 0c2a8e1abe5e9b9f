"""What follows when a voice was not recognised, as playbooks; and that only what may let something run is checked."""

import asyncio

import msgspec
import numpy as np
import pytest

from edge.engines.ear import RATE, NullEar, Samples
from edge.hearing import Hearer
from edge.phrase_files import phrasebook, sentences
from edge.speaker.verification import CHECKED, SpeakerLock
from edge.speaker_files import background
from edge.speech.choices import book_for
from edge.speech.commands import ANSWERING, Command, Word
from edge.speech.decision import Bars, Hearing
from edge.speech.phrasebook import Phrasebook
from edge.speech.turn import AnyAct, AnyHappened, Heard, Passed, Speak, Turn, Unrecognised, VoiceBegan
from hub.contract.words import Risk, Verb
from tests.edge.cards import QUESTION, manner
from tests.edge.test_voice_turns import Talk, asked

BOOK = phrasebook("en")
SURE = Bars(
    coverage_min=0.0,
    fit_min=-9.0,
    second_min=0.0,
    granting_coverage_min=0.0,
    granting_fit_min=-9.0,
    granting_second_min=0.0,
)
SPOKEN = {
    Word.APPROVE: "approve",
    Word.CONFIRM: "confirm",
    Word.EDIT: "change it to run less",
    Word.LESS: "less of this",
    Word.NEVER: "never again",
    Word.RETRY: "try again",
    Word.FIX: "fix it",
    Word.IGNORE: "ignore it",
    Word.NEXT: "next one",
    Word.SKIP: "skip",
    Word.LATER: "later",
    Word.STOP: "stop everything",
    Word.CANCEL: "cancel",
    Word.YES: "yes",
    Word.UNDO: "undo",
    Word.PAUSE: "pause",
    Word.RESUME: "resume",
    Word.REPEAT: "repeat",
    Word.DETAILS: "details",
    Word.WAITING: "what is waiting",
    Word.HAPPENED: "what happened",
    Word.CHOOSE: "the second one",
    Word.ANSWER: "my answer is neither of them",
    Word.ENOUGH: "that's all",
}
ASKED = book_for(msgspec.structs.replace(QUESTION, several=True), BOOK, sentences("en"))


class Certain(NullEar):
    """An ear that hears one text in everything."""

    bars = SURE

    def __init__(self, text: str) -> None:
        self._text = text

    def hear(self, samples: Samples, _book: Phrasebook | None = None) -> Hearing:
        return Hearing(text=self._text, second=1.0, seconds=len(samples) / RATE)


async def happened(text: str, lock: SpeakerLock | None, asked: Phrasebook | None = None) -> list[AnyHappened]:
    """Return what happens when somebody says a text."""
    events: list[AnyHappened] = []
    hearer = Hearer(Certain(text), BOOK, events.append, lock=lock)
    hearer.listen(on=True, asked=asked)
    noise = np.random.default_rng(1).normal(size=RATE) * 3_000
    hearer.hear(np.concatenate([np.zeros(RATE // 2), noise, np.zeros(RATE)]).astype(np.int16))
    await hearer.settled()
    return [event for event in events if not isinstance(event, Passed | VoiceBegan)]


@pytest.mark.parametrize("word", Word)
async def test_a_lock_that_knows_nobody_vetoes_what_may_run_and_nothing_else(word: Word) -> None:
    book = ASKED if word in ANSWERING else None
    open_to_all, locked = await asyncio.gather(
        happened(SPOKEN[word], None, book), happened(SPOKEN[word], SpeakerLock(None, background()), book)
    )
    [heard] = open_to_all
    assert isinstance(heard, Heard)
    assert heard.command.word is word
    assert locked == ([Unrecognised(why="not-ready")] if word in CHECKED else open_to_all)


async def test_a_lock_makes_no_command_of_what_is_none() -> None:
    for text in ("", "nonsense", "don't approve"):
        assert await happened(text, SpeakerLock(None, background())) == await happened(text, None)


def vetoed(talk: Talk, why: str = "stranger") -> tuple[AnyAct, ...]:
    return talk.tell(Unrecognised(why=why))


def test_it_is_said_asked_once_more_and_then_left_open() -> None:
    talk = asked()
    vetoed(talk)
    assert talk.said == "I did not recognise your voice. Approve on your phone, or say it again."
    talk.finish()
    assert talk.turn.phase == "listening"
    vetoed(talk, "unfit")
    assert talk.said == "I did not recognise your voice. I leave it open."
    talk.finish()
    assert (talk.turn.phase, talk.answers) == ("idle", [])


def test_after_a_veto_the_wearer_still_approves_and_anybody_skips() -> None:
    for word, verb in ((Word.APPROVE, Verb.APPROVE), (Word.SKIP, Verb.REJECT)):
        talk = asked()
        vetoed(talk)
        talk.finish()
        talk.hear(word)
        assert talk.answers == [verb]


@pytest.mark.parametrize("confirming", ["word", "window"])
def test_a_confirmation_in_another_voice_voids_the_answer(confirming: str) -> None:
    talk = asked(Risk.MEDIUM, manner(confirming=confirming))
    talk.hear(Word.APPROVE)
    talk.finish()
    assert talk.turn.pending == Command(word=Word.APPROVE)
    vetoed(talk)
    assert talk.turn.pending is None
    talk.finish()
    talk.tell(Passed(seconds=60))
    talk.hear(Word.CONFIRM)
    assert talk.answers == []


def test_a_lock_that_is_not_ready_says_so() -> None:
    talk = asked()
    vetoed(talk, "not-ready")
    assert talk.said == "I cannot check your voice. Approve on your phone."


def test_while_the_glasses_speak_or_nothing_is_asked_a_veto_changes_nothing() -> None:
    talk = Talk()
    assert vetoed(talk) == ()
    assert talk.turn == Turn()
    talk = asked(Risk.MEDIUM)
    talk.hear(Word.APPROVE)
    before = talk.turn
    assert isinstance(talk.done[-1], Speak)
    assert vetoed(talk) == ()
    assert talk.turn == before


def test_in_german_too() -> None:
    talk = asked(how=msgspec.structs.replace(manner(), sentences=sentences("de")))
    vetoed(talk)
    assert talk.said.startswith("Ich habe deine Stimme nicht erkannt.")
