"""An agent's question is read out, and answered by a choice's number, by its own word, or in a sentence."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from edge.audio.samples import convert
from edge.engines.espeak_mouth import EspeakMouth
from edge.engines.sphinx_ear import SphinxEar
from edge.engines.vosk_ear import Recognizers, is_sentence
from edge.hearing import stretches
from edge.phrase_files import phrasebook, sentences
from edge.speech.choices import book_for
from edge.speech.commands import ANSWERING, Command, Word
from edge.speech.decision import judge
from edge.speech.grammar import understand
from edge.speech.phrasebook import CHOICES_MAX, Phrasebook
from edge.speech.questions import listened_for
from edge.speech.turn import Answer, CardCame, HalfHeard, Judged, Manner, Passed, Speak
from hub.contract.permission import AgentQuestion
from hub.contract.surface import CardDelivery
from hub.contract.words import Risk, Verb
from tests.edge.cards import QUESTION, choices, manner, question
from tests.edge.test_voice_turns import Talk

EN = phrasebook("en")


def book(*labels: str, language: str = "en", **fields: object) -> Phrasebook:
    asking = AgentQuestion(id="q", text="Which?", choices=choices(*labels), **fields)  # type: ignore[arg-type]  # its fields
    return book_for(asking, phrasebook(language), sentences(language))


def chosen(text: str, words: Phrasebook) -> int:
    """Return the place of the choice that a text names; 0 for none."""
    understood = understand(text, words)
    return understood.place if isinstance(understood, Command) and understood.word is Word.CHOOSE else 0


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("one", 1),
        ("number two", 2),
        ("two please", 2),
        ("the first", 1),
        ("the second one", 2),
        ("option three", 3),
        ("Postgres", 1),
        ("postgres sixteen", 1),
        ("SQLite", 2),
        ("file", 2),
        ("in memory", 3),
        ("four", 0),
        ("the fourth", 0),
        ("not postgres", 0),
        ("don't", 0),
        ("he said postgres", 0),
        ("postgres or memory", 0),
        ("approve", 0),
    ],
)
def test_a_choice_is_named_by_its_number_or_by_a_word_that_is_its_own(said: str, place: int) -> None:
    assert chosen(said, book("Postgres 16", "SQLite (in a file)", "In memory")) == place


@pytest.mark.parametrize(
    ("said", "place"), [("eins", 1), ("nummer zwei", 2), ("die zweite", 2), ("blau", 2), ("drei", 0), ("nicht rot", 0)]
)
def test_the_same_in_german(said: str, place: int) -> None:
    assert chosen(said, book("Rot", "Blau", language="de")) == place


def test_what_could_be_two_choices_is_none_of_them() -> None:
    colours = book("Red", "Dark red", "Dark blue")
    found = [chosen(said, colours) for said in ("red", "dark", "blue", "dark red", "number one")]
    assert found == [0, 0, 3, 2, 1]
    counts = book("Two", "One")
    assert [chosen(said, counts) for said in ("one", "two", "number one", "the second")] == [0, 0, 1, 2]


def test_no_choice_takes_the_words_of_a_command_but_a_bare_yes_and_no() -> None:
    words = book("Yes", "No", "Stop", "Later")
    assert [chosen(said, words) for said in ("yes", "no", "stop", "later", "number three")] == [1, 2, 0, 0, 3]
    assert understand("stop", words) == Command(word=Word.STOP)
    assert understand("later", words) == Command(word=Word.LATER)


def test_while_nothing_is_asked_no_number_is_an_answer() -> None:
    for said in ("one", "the first", "my answer is yes", "that's all"):
        assert getattr(understand(said, EN), "word", None) not in ANSWERING


labels = st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=20, unique=True)


@pytest.mark.slow
@given(found=labels, language=st.sampled_from(["en", "de"]), own=st.booleans(), several=st.booleans())
def test_whatever_the_labels_each_form_means_one_thing_and_each_number_is_sure(
    found: list[str], language: str, *, own: bool, several: bool
) -> None:
    words = book(*found, language=language, own_words=own, several=several)
    forms = [form for form in words.forms if form.key == "choose"]
    assert len({form.tokens for form in forms}) == len(forms)
    assert all(1 <= form.place <= min(len(found), CHOICES_MAX) for form in forms)
    for form in forms:
        assert chosen(" ".join(form.tokens), words) == form.place


def talk(*asked: AgentQuestion, how: Manner | None = None, **more: Any) -> Talk:  # noqa: ANN401  as of the card
    """Some questions were read to their end, and we listen."""
    begun = Talk(how or manner())
    begun.tell(CardCame(delivery=question(*asked, **more)))
    begun.finish()
    return begun


def given_answers(one: Talk) -> dict[str, tuple[str, ...]] | None:
    """Return what was handed in; None where nothing was."""
    sent = [act for act in one.done if isinstance(act, Answer) and act.verb is Verb.APPROVE]
    assert all(act.permission is not None for act in sent), "a plain yes answers no question"
    return dict(sent[-1].permission.answers) if sent and sent[-1].permission is not None else None


def test_a_question_is_read_with_its_choices_and_answered_by_number() -> None:
    one = talk(QUESTION)
    assert one.said.startswith("Claude asks: Which database? First: Postgres sixteen. Second: ")
    assert one.said.endswith("Say which, such as 'the first one', or 'my answer is' and your own words.")
    assert listened_for(one.turn, one.how) == QUESTION
    acts = one.hear(Word.CHOOSE, place=2)
    assert given_answers(one) == {"q1": ("SQLite in a file",)}
    assert [act.said for act in acts if isinstance(act, Answer)] == ["SQLite in a file"]
    assert listened_for(one.turn, one.how) is None


def test_choices_are_read_out_in_german_as_they_are_understood() -> None:
    german = replace(manner(), sentences=sentences("de"), ordinals=phrasebook("de").questions.ordinals)
    one = talk(QUESTION, how=german)
    assert "Die erste: Postgres sechzehn. Die zweite: " in one.said


def test_a_sentence_is_read_back_and_counts_only_when_it_is_confirmed() -> None:
    one = talk(QUESTION)
    one.hear(Word.ANSWER, text="use the one we have")
    assert one.said == "Your answer: use the one we have. Say 'confirm' or 'cancel'."
    one.finish()
    assert (given_answers(one), listened_for(one.turn, one.how)) == (None, None)
    one.hear(Word.CONFIRM)
    assert given_answers(one) == {"q1": ("use the one we have",)}


@pytest.mark.parametrize("confirming", ["word", "window"])
def test_a_sentence_that_nobody_confirms_does_not_count(confirming: str) -> None:
    one = talk(QUESTION, how=manner(confirming=confirming))
    one.hear(Word.ANSWER, text="anything")
    one.finish()
    one.tell(Passed(seconds=60))
    assert given_answers(one) is None


def test_a_sentence_that_was_misheard_can_be_said_again() -> None:
    one = talk(QUESTION)
    one.hear(Word.ANSWER, text="use the gun we have")
    one.finish()
    one.hear(Word.CANCEL)
    assert one.said.startswith("Not sent. Say which, such as")
    one.finish()
    one.hear(Word.CHOOSE, place=1)
    assert given_answers(one) == {"q1": ("Postgres 16",)}


def test_several_questions_come_one_after_the_other_and_are_sent_together() -> None:
    second = AgentQuestion(id="q2", text="Which tests?", choices=choices("All", "Fast"), several=True, own_words=False)
    one = talk(QUESTION, second)
    one.hear(Word.CHOOSE, place=1)
    assert (given_answers(one), one.said[:21]) == (None, "Next: Which tests? Fi")
    one.finish()
    one.hear(Word.ENOUGH)
    assert one.said == "Say each that you want, such as 'the first one', then 'that's all'."
    one.finish()
    for place in (2, 1, 2):
        one.hear(Word.CHOOSE, place=place)
        one.finish()
    assert (given_answers(one), one.said) == (None, "All. Another one, or 'that's all'?")
    one.hear(Word.ENOUGH)
    assert given_answers(one) == {"q1": ("Postgres 16",), "q2": ("All",)}


def test_a_choice_said_into_our_reading_or_of_some_risk_is_read_back() -> None:
    interrupted = Talk(manner())
    interrupted.tell(CardCame(delivery=question(QUESTION)))
    risky = talk(QUESTION, risk=Risk.MEDIUM)
    for one in (interrupted, risky):
        one.hear(Word.CHOOSE, place=1)
        assert one.said == "Your answer: Postgres 16. Say 'confirm' or 'cancel'."
        one.finish()
        assert given_answers(one) is None
        one.hear(Word.CONFIRM)
        assert given_answers(one) == {"q1": ("Postgres 16",)}


@pytest.mark.parametrize(
    ("said", "is_brief"),
    [("two", True), ("number two", True), ("sqlite", True), ("the second one", False), ("sqlite in a file", False)],
)
def test_a_choice_named_in_a_word_or_two_is_read_back(said: str, *, is_brief: bool) -> None:
    asked = book_for(QUESTION, EN, sentences("en"))
    understood = understand(said, asked)
    assert understood == Command(word=Word.CHOOSE, place=2, is_brief=is_brief)
    one = talk(QUESTION)
    one.hear(Word.CHOOSE, place=2, is_brief=is_brief)
    assert (given_answers(one) is None) is is_brief
    one.finish()
    one.hear(Word.CONFIRM)
    assert given_answers(one) == {"q1": ("SQLite in a file",)}


def test_a_plain_yes_answers_no_question() -> None:
    one = talk(QUESTION)
    for word in (Word.APPROVE, Word.YES):
        one.hear(word)
        assert "Say which, such as" in one.said
        one.finish()
    one.tell(HalfHeard(command=Command(word=Word.APPROVE), or_yes=True))
    assert given_answers(one) is None


@pytest.mark.parametrize(
    ("asked", "ear", "offered"),
    [
        (QUESTION, "none", True),
        (AgentQuestion(id="q", text="Why?"), "choices", True),
        (replace(QUESTION, choices=choices(*"abcdefghijk")), "words", True),
        (QUESTION, "words", False),
    ],
)
def test_what_cannot_be_answered_here_says_where_it_is_answered(
    asked: AgentQuestion, ear: str, *, offered: bool
) -> None:
    verbs = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE) if offered else (Verb.REJECT, Verb.SNOOZE)
    one = talk(asked, how=manner(answers=ear), verbs=verbs)
    assert one.said.endswith("Answer it on the page or in your terminal. Or say 'skip' or 'later'.")
    assert listened_for(one.turn, one.how) is None
    for command in ({"word": Word.CHOOSE, "place": 1}, {"word": Word.ANSWER, "text": "x"}, {"word": Word.ENOUGH}):
        one.hear(**command)
        one.finish()
    assert given_answers(one) is None
    one.hear(Word.SKIP)
    assert one.answers == [Verb.REJECT]


def test_a_question_too_long_to_hear_is_answered_by_nobody_who_did_not_hear_it() -> None:
    one = talk(replace(QUESTION, text="Which? " * 300))
    assert "too long to read out" in one.said
    one.hear(Word.CHOOSE, place=1)
    assert given_answers(one) is None


def test_an_answer_that_is_refused_leaves_the_question_to_be_asked_anew() -> None:
    one = talk(QUESTION)
    one.hear(Word.CHOOSE, place=1)
    one.tell(Judged(decision=1, accepted=False, text="That did not count."))
    one.finish()
    one.tell(CardCame(delivery=question(QUESTION)))
    assert one.said.startswith("Claude asks: Which database?")


class OneText:
    """Stands in for vosk: hears what it was told to."""

    def __init__(self, text: str) -> None:
        self._text = text

    def SetWords(self, on: bool) -> None:  # noqa: N802, FBT001  vosk's names
        assert on

    def Reset(self) -> None:  # noqa: N802  vosk's name
        return

    def AcceptWaveform(self, data: bytes) -> None:  # noqa: N802  vosk's name
        assert data

    def FinalResult(self) -> str:  # noqa: N802  vosk's name
        words = [{"word": word, "start": at, "end": at + 1, "conf": 1} for at, word in enumerate(self._text.split())]
        return json.dumps({"text": self._text, "result": words})


@pytest.mark.parametrize(
    ("by_grammar", "by_all", "heard"),
    [
        ("the second", "never asked", "the second"),
        ("my answer is [unk] [unk]", "my answer is use sqlite", "my answer is use sqlite"),
        ("my answer is [unk]", "mine is a canary", ""),
        ("[unk] [unk]", "my answer is yes", "[unk] [unk]"),
    ],
)
def test_vosk_hears_a_sentence_with_all_its_words_where_the_grammar_heard_one_begin(
    by_grammar: str, by_all: str, heard: str
) -> None:
    made: list[tuple[str, ...]] = []

    def make(*grammars: str) -> OneText:
        made.append(grammars)
        return OneText(by_grammar if grammars else by_all)

    asked = book("Postgres", "SQLite")
    ear = Recognizers(make, EN, lambda _: True)
    ear.prepare(asked)
    assert ear.hear(np.ones(100, np.int16), 1.0, asked).text == heard
    assert "postgres" in json.loads(made[1][0])
    assert "postgres" not in json.loads(made[0][0])
    assert (() in made) is is_sentence(by_grammar, asked)


@pytest.fixture(scope="module")
def sphinx() -> SphinxEar:
    return SphinxEar(EN)


@pytest.mark.slow
@pytest.mark.parametrize("voice", ["en-us", "en-gb-x-rp"])
@pytest.mark.parametrize(("text", "place"), [("the second one", 2), ("the third one", 3), ("a file", 2)])
def test_a_choice_is_understood_by_the_ear_that_needs_no_download(
    sphinx: SphinxEar, text: str, place: int, voice: str
) -> None:
    asked = book("Postgres", "A file", "Memory", "Qwzx")
    sphinx.prepare(asked)
    mouth = EspeakMouth("en", voice=voice, words_per_minute=150)
    sound = convert(np.concatenate(list(mouth.speak(text))).astype(np.int16), mouth.rate)
    (stretch,) = stretches(sound)
    assert judge(sphinx.hear(stretch, asked), asked, sphinx.bars) == Command(
        word=Word.CHOOSE, place=place, is_brief=len(text.split()) < 3
    )
    assert getattr(judge(sphinx.hear(stretch), EN, sphinx.bars), "word", None) not in ANSWERING


def test_the_deliveries_of_the_tests_are_as_the_hub_hands_them() -> None:
    assert isinstance(question(QUESTION), CardDelivery)
    assert not [act for act in talk(QUESTION).done if isinstance(act, Speak) and not act.text]
