"""Half-heard approvals, as playbooks: "Approve?" is asked, and only a clear answer counts."""

import pytest
from msgspec.structs import replace

from edge.phrase_files import phrasebook
from edge.speech import saying
from edge.speech.commands import Command, Doubtful, Refused, Word
from edge.speech.decision import Bars, Hearing, judge
from edge.speech.turn import AnyHappened, CardCame, HalfHeard, Heard, Passed, Unclear, Unrecognised
from hub.contract.runs import PlannedRun
from hub.contract.words import Risk, Verb
from tests.edge.cards import delivery, prediction
from tests.edge.test_voice_turns import LONG, MANNER, Talk, asked

BOOK = phrasebook("en")
APPROVE = Command(word=Word.APPROVE)
HALF = HalfHeard(command=APPROVE)
BARS = Bars(
    coverage_min=0.0,
    fit_min=-9.0,
    second_min=0.5,
    granting_coverage_min=0.0,
    granting_fit_min=-9.0,
    granting_second_min=0.9,
    asking_min=0.3,
)


def doubted(risk: Risk = Risk.LOW) -> Talk:
    """An approval was half heard, and what is said then has ended."""
    talk = asked(risk)
    talk.tell(HALF)
    talk.finish()
    return talk


def test_half_sure_is_asked_and_a_yes_lets_it_count() -> None:
    talk = asked()
    talk.tell(HALF)
    assert talk.said == "Approve?"
    assert talk.answers == []
    talk.finish()
    assert talk.turn.phase == "asking"
    talk.hear(Word.YES)
    assert talk.answers == [Verb.APPROVE]


@pytest.mark.parametrize("word", [Word.YES, Word.APPROVE, Word.CONFIRM])
def test_what_is_said_into_the_question_does_not_count(word: Word) -> None:
    talk = asked()
    talk.tell(HALF)
    assert talk.hear(word) == ()
    assert talk.answers == []
    assert talk.turn.phase == "speaking"


def test_nothing_but_agreement_lets_it_count() -> None:
    others: tuple[AnyHappened, ...] = (
        HALF,
        Unclear(why="unknown"),
        Passed(seconds=60),
        Unrecognised(why="stranger"),
        *(Heard(command=Command(word=one)) for one in Word if one not in {Word.YES, Word.CONFIRM}),
    )
    for event in others:
        talk = doubted()
        talk.tell(event)
        talk.finish()
        talk.hear(Word.YES) if talk.turn.phase != "asking" else None
        assert Verb.APPROVE not in talk.answers, event


def test_an_approval_however_sure_is_no_answer_to_whether_it_was_one() -> None:
    talk = doubted()
    talk.hear(Word.APPROVE)
    assert (talk.said, talk.answers) == ("I did not understand. Approve? Say 'yes' or 'no'.", [])
    talk.finish()
    again = replace(talk.turn)
    talk.hear(Word.YES)
    assert talk.answers == [Verb.APPROVE]
    talk.turn, talk.done = again, []
    talk.hear(Word.APPROVE)
    assert (talk.said, talk.answers) == ("I leave it open.", [])


def test_it_is_asked_twice_at_most_and_silence_leaves_it_open() -> None:
    talk = doubted()
    talk.tell(Unclear(why="unknown"))
    assert talk.said == "I did not understand. Approve? Say 'yes' or 'no'."
    talk.finish()
    talk.tell(HALF)
    assert talk.said == "I leave it open."
    talk = doubted()
    talk.tell(Passed(seconds=60))
    assert talk.said == "I leave it open."


def test_a_no_approves_nothing_and_the_card_can_be_answered_otherwise() -> None:
    talk = doubted()
    talk.hear(Word.CANCEL)
    assert talk.said == "Nothing was approved. Say 'approve it' or 'skip'."
    talk.finish()
    talk.hear(Word.SKIP)
    assert talk.answers == [Verb.REJECT]


def test_no_conversation_of_half_heard_words_goes_on_for_ever() -> None:
    talk = doubted()
    said = 0
    while talk.turn.card is not None and said < 10:
        said += 1
        talk.tell(Heard(command=Command(word=Word.CANCEL)) if talk.turn.phase == "asking" else HALF)
        talk.finish()
    assert said < 5
    assert talk.answers == []


def test_medium_risk_is_read_back_with_what_it_runs_and_a_yes_is_not_enough() -> None:
    talk = Talk()
    planned = PlannedRun(summary="git push origin main in shop", folder="/home/you/shop")
    card = delivery(risk=Risk.MEDIUM)
    event = replace(card.event, prediction=replace(prediction(risk=Risk.MEDIUM), runs=planned))
    talk.tell(CardCame(delivery=replace(card, event=event)))
    assert talk.said.startswith("A suggestion for shop: ")
    talk.finish()
    talk.tell(HALF)
    assert "It runs: git push origin main in shop. Say 'confirm' or 'cancel'." in talk.said
    talk.finish()
    talk.hear(Word.YES)
    assert talk.answers == []
    assert talk.said == "Not sent."


def test_a_risky_card_is_never_asked_about_and_a_long_one_is_read_out_first() -> None:
    talk = asked(Risk.HIGH)
    talk.tell(HALF)
    assert talk.said.startswith("I did not understand.")
    talk = Talk()
    talk.tell(CardCame(delivery=delivery(prompt=LONG)))
    talk.finish()
    talk.tell(HALF)
    assert len(talk.said) > 300
    assert talk.answers == []


def test_where_nothing_may_be_approved_nothing_is_asked() -> None:
    talk = Talk()
    talk.tell(CardCame(delivery=delivery(verbs=(Verb.REJECT,))))
    talk.finish()
    talk.tell(HALF)
    assert "Approve?" not in talk.said


def test_what_is_an_approval_or_a_yes_asks_and_answers() -> None:
    talk = asked()
    talk.tell(HalfHeard(command=APPROVE, or_yes=True))
    assert (talk.said, talk.answers) == ("Approve?", [])
    talk.finish()
    talk.tell(HalfHeard(command=APPROVE, or_yes=True))
    assert talk.answers == [Verb.APPROVE]


def test_what_is_an_approval_or_a_yes_confirms_nothing() -> None:
    talk = asked(Risk.MEDIUM)
    talk.hear(Word.APPROVE)
    talk.finish()
    talk.tell(HalfHeard(command=APPROVE, or_yes=True))
    assert (talk.said, talk.answers) == ("I did not understand. Say 'confirm' or 'cancel'.", [])


def test_what_is_unclear_about_an_answer_read_back_is_asked_about_once() -> None:
    for unclear in (Unclear(why="unsure"), Unclear(why="unknown"), HalfHeard(command=Command(word=Word.APPROVE))):
        talk = asked(Risk.MEDIUM)
        talk.hear(Word.APPROVE)
        talk.finish()
        talk.tell(unclear)
        assert (talk.said, talk.turn.phase) == ("I did not understand. Say 'confirm' or 'cancel'.", "speaking")
        talk.finish()
        again = replace(talk.turn)
        talk.hear(Word.CONFIRM)
        assert talk.answers == [Verb.APPROVE]
        talk.turn, talk.done = again, []
        talk.tell(unclear)
        assert (talk.said, talk.answers, talk.turn.pending) == ("Not sent.", [], None)


def test_what_is_said_against_an_answer_makes_it_void_at_once() -> None:
    talk = asked(Risk.MEDIUM)
    talk.hear(Word.APPROVE)
    talk.finish()
    talk.tell(Unclear(why="negated"))
    assert (talk.said, talk.turn.pending) == ("Not sent.", None)


def test_a_bare_yes_answers_nothing_that_was_not_asked() -> None:
    for talk in (Talk(), asked(), asked(Risk.MEDIUM)):
        talk.hear(Word.YES)
        talk.finish()
        talk.hear(Word.YES)
        assert talk.answers == []


@pytest.mark.parametrize(
    ("hearing", "expected"),
    [
        (Hearing(text="approve", second=0.95, maybe="approve", maybe_second=0.95), APPROVE),
        (Hearing(text="approve", second=0.5, maybe="approve", maybe_second=0.5), Doubtful(command=APPROVE)),
        (Hearing(text="a prune", maybe="approve it", maybe_second=0.3), Doubtful(command=APPROVE)),
        (Hearing(text="a prune", maybe="approve", maybe_second=0.29), Refused(why="unknown")),
        (Hearing(text="don't approve", maybe="approve", maybe_second=0.9), Refused(why="negated")),
        (Hearing(text="a prune", maybe="approve amber", maybe_second=0.9), Refused(why="unknown")),
        (Hearing(text="a prune", maybe="confirm", maybe_second=0.9), Refused(why="unknown")),
        (Hearing(text="a prune", maybe="approve", maybe_second=0.9, seconds=3.0), Refused(why="unknown")),
        (Hearing(text="skip", second=0.6, maybe="approve", maybe_second=0.9), Command(word=Word.SKIP)),
        (Hearing(text="a prune", maybe="approve", maybe_second=float("nan")), Refused(why="unknown")),
        (Hearing(text="yes", second=0.9, maybe="approve", maybe_second=0.3), Doubtful(command=APPROVE, or_yes=True)),
        (Hearing(text="yes", second=0.4, maybe="approve", maybe_second=0.3), Doubtful(command=APPROVE)),
        (Hearing(text="yes", second=0.9, maybe="approve", maybe_second=0.29), Command(word=Word.YES)),
    ],
)
def test_sure_half_sure_or_not_at_all(hearing: Hearing, expected: Command | Doubtful | Refused) -> None:
    assert judge(hearing, BOOK, BARS) == expected


def test_an_ear_without_such_a_measure_never_asks() -> None:
    bars = replace(BARS, asking_min=Bars.__struct_defaults__[2])
    assert judge(Hearing(text="", maybe="approve", maybe_second=1.0), BOOK, bars) == Refused(why="silence")


def test_the_folder_is_named_where_the_words_do_not() -> None:
    card = replace(prediction(), runs=PlannedRun(summary="pytest in shop", folder="/home/you/shop/"))
    assert saying.card(card, (), MANNER.sentences, "terse").text.startswith("A suggestion for shop: Run tests")
    named = replace(card, prompt="Run the tests in Shop")
    assert saying.card(named, (), MANNER.sentences, "terse").text == "A suggestion: Run the tests in Shop."


def test_where_the_hub_offers_no_approve_there_is_none() -> None:
    talk = Talk()
    talk.tell(CardCame(delivery=delivery(verbs=(Verb.REJECT, Verb.SNOOZE))))
    assert "another device" in talk.said
    talk.finish()
    talk.hear(Word.APPROVE)
    assert talk.answers == []
