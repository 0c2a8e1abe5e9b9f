"""The talker: what was heard to its end, what was hushed, and what our own words are."""

import asyncio
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from edge.engines.ear import Samples
from edge.engines.mouth import NoMouthError
from edge.phrase_files import phrasebook, sentences
from edge.speech.commands import Word
from edge.speech.own_words import WORDS_READ_MAX, own_words
from edge.talking import Talker

BOOK = phrasebook("en")
RATE = 16_000
WAIT_S_MAX = 60.0


class Paper:
    """A speaker on paper: what it is given is heard as soon as somebody asks, or never."""

    rate = RATE

    def __init__(self) -> None:
        self.is_open = True
        self.is_stuck = False
        self.held_s = 0.0
        self.hushed = 0

    def play(self, samples: Samples, rate: int) -> None:
        self.held_s += len(samples) / rate

    def hush(self) -> None:
        self.held_s, self.hushed = 0.0, self.hushed + 1

    @property
    def left_s(self) -> float:
        if not self.is_stuck:
            self.held_s = 0.0
        return self.held_s


class Tones:
    """A mouth that makes a second of sound for each sentence, slowly where it is held."""

    name, rate = "tones", RATE

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()
        self.entered, self.closed = threading.Event(), threading.Event()
        self.breaks = False

    def close(self) -> None:
        """Nothing is held ready."""

    def speak(self, text: str) -> Iterator[Samples]:
        try:
            for _ in range(10):
                self.entered.set()
                assert self.go.wait(WAIT_S_MAX)
                if self.breaks:
                    raise NoMouthError(text)
                yield np.ones(RATE // 10, np.int16)
        finally:
            self.closed.set()


class Told:
    """What the talker told."""

    def __init__(self) -> None:
        self.ended: list[int] = []
        self.failed: list[BaseException] = []
        self.speaking: list[bool] = []
        self.news = asyncio.Event()

    def __call__(self, number: int) -> None:
        self.ended.append(number)
        self.news.set()

    def fail(self, error: BaseException) -> None:
        self.failed.append(error)
        self.news.set()

    async def wait(self) -> None:
        await asyncio.wait_for(self.news.wait(), WAIT_S_MAX)


def talker(mouth: Tones, speaker: Paper) -> tuple[Talker, Told]:
    told = Told()
    return Talker(mouth, speaker, told, told.fail, told.speaking.append), told


async def test_what_was_heard_to_its_end_is_told() -> None:
    speaks, told = talker(Tones(), Paper())
    speaks.say(7, "One. Two.")
    await told.wait()
    assert (told.ended, told.failed) == ([7], [])


async def test_what_is_hushed_while_it_is_made_is_let_go_and_the_next_is_said() -> None:
    mouth, speaker = Tones(), Paper()
    mouth.go.clear()
    speaks, told = talker(mouth, speaker)
    speaks.say(1, "One.")
    assert await asyncio.to_thread(mouth.entered.wait, WAIT_S_MAX)
    speaks.hush()
    mouth.go.set()
    assert await asyncio.to_thread(mouth.closed.wait, WAIT_S_MAX)
    speaks.say(2, "Two.")
    await told.wait()
    assert (told.ended, told.failed, speaker.hushed) == ([2], [], 1)


async def test_what_nobody_could_hear_was_not_said() -> None:
    mouth, speaker = Tones(), Paper()
    speaker.is_stuck = True
    speaks, told = talker(mouth, speaker)
    speaks.say(1, "One.")
    assert await asyncio.to_thread(mouth.entered.wait, WAIT_S_MAX)
    speaker.is_open = False
    assert await asyncio.to_thread(mouth.closed.wait, WAIT_S_MAX)
    speaker.is_open, speaker.is_stuck = True, False
    speaks.say(2, "Two.")
    await told.wait()
    assert told.ended == [2]


async def test_a_mouth_that_breaks_is_told() -> None:
    mouth = Tones()
    mouth.breaks = True
    speaks, told = talker(mouth, Paper())
    speaks.say(1, "One.")
    await told.wait()
    assert [type(error) for error in told.failed] == [NoMouthError]
    assert told.ended == []


async def test_which_sentence_is_being_heard_is_known() -> None:
    mouth, speaker = Tones(), Paper()
    speaker.is_stuck = True
    speaks, told = talker(mouth, speaker)
    speaks.say(1, "Run the tests. Say 'approve' or 'skip'.")
    assert await asyncio.to_thread(mouth.entered.wait, WAIT_S_MAX)
    assert speaks.heard_lately(3.0) in {"", "Run the tests."}
    speaker.is_stuck = False
    await told.wait()
    assert speaks.heard_lately(0.5) == "Say 'approve' or 'skip'."
    assert speaks.heard_lately(9.0) == "Run the tests. Say 'approve' or 'skip'."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Say 'approve' or 'skip'.", {Word.APPROVE, Word.SKIP}),
        ("A suggestion: run the tests.", set()),
        ("You said approve: go ahead and deploy.", {Word.APPROVE}),
        ("Confidence seventy-two percent.", set()),
        ("word " * (WORDS_READ_MAX + 1), set(Word)),
        ("", set()),
    ],
)
def test_our_own_words(text: str, words: set[Word]) -> None:
    assert own_words(text, BOOK) == words


def test_every_sentence_that_offers_a_word_owns_it() -> None:
    said = sentences("en")
    assert Word.CONFIRM in own_words(said.say("say_confirm"), BOOK)
    assert Word.STOP in own_words(said.say("say_stop"), BOOK)
    assert {Word.APPROVE, Word.SKIP} <= own_words(said.say("options"), BOOK)
