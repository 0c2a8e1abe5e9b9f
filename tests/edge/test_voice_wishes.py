"""Less, never, what failed, and the next card, as playbooks."""

import pytest

from edge.deliveries import happenings
from edge.phrase_files import phrasebook, sentences
from edge.speech.commands import Command, Word
from edge.speech.grammar import understand
from edge.speech.turn import CardCame, Ended, Outcome, Passed
from hub.contract.events import ExecutionFailed
from hub.contract.surface import CardDelivery
from hub.contract.words import Risk, Verb
from hub.kit.cards import CardProjection
from tests.edge.cards import NOW, OPEN_VERBS, delivery, prediction
from tests.edge.test_voice_turns import Talk

WISHES = (*OPEN_VERBS, Verb.LESS, Verb.NEVER)
MENDING = (Verb.RETRY, Verb.FIX, Verb.IGNORE)
CARD = prediction(risk=Risk.MEDIUM)


def failed(*verbs: Verb, leave: str = "leave") -> CardDelivery:
    event = ExecutionFailed(card_id="one", execution_id="e", kind="failed", error="3 tests failed", prediction=CARD)
    return CardDelivery(
        delivery_id="d-failed", event=event, loudness="notify", verbs=verbs, token=leave, expires_at=NOW
    )


def asked(given: CardDelivery) -> Talk:
    talk = Talk()
    talk.tell(CardCame(delivery=given))
    talk.finish()
    return talk


def test_less_counts_at_once_and_never_is_read_back() -> None:
    talk = asked(delivery(verbs=WISHES))
    talk.hear(Word.LESS)
    assert talk.answers == [Verb.LESS]
    talk = asked(delivery(verbs=WISHES))
    talk.hear(Word.NEVER)
    assert talk.answers == []
    assert talk.said.startswith("Never suggest this here again: Run tests")
    talk.finish()
    talk.hear(Word.CONFIRM)
    assert talk.answers == [Verb.NEVER]


@pytest.mark.parametrize("word", [Word.YES, Word.APPROVE, Word.CANCEL, Word.NEVER])
def test_only_confirm_makes_it_never(word: Word) -> None:
    talk = asked(delivery(verbs=WISHES))
    talk.hear(Word.NEVER)
    talk.finish()
    talk.hear(word)
    assert talk.answers == []


@pytest.mark.parametrize("word", [Word.LESS, Word.NEVER, Word.FIX, Word.IGNORE, Word.RETRY])
def test_what_the_hub_does_not_offer_cannot_be_said(word: Word) -> None:
    talk = asked(delivery(verbs=OPEN_VERBS))
    talk.hear(word)
    assert (talk.answers, talk.said) == ([], "That cannot be done here.")


def test_a_failure_with_something_to_do_about_it_is_asked_about() -> None:
    card = CardProjection(prediction=CARD, opened_at=NOW, run_end="failed", phase="settled", result="3 tests failed")
    given = failed(*MENDING)
    assert happenings(given, card, sentences("en")) == (Ended(card_id="one"), CardCame(delivery=given))
    for plain in (failed(), failed(*MENDING, leave="")):
        assert any(isinstance(one, Outcome) for one in happenings(plain, card, sentences("en")))


@pytest.mark.parametrize(("word", "verb"), [(Word.FIX, Verb.FIX), (Word.IGNORE, Verb.IGNORE)])
def test_what_failed_is_told_with_its_words(word: Word, verb: Verb) -> None:
    talk = asked(failed(*MENDING))
    assert "three tests failed. Say 'try again', 'fix it' or 'ignore'." in talk.said
    talk.hear(word)
    assert talk.answers == [verb]
    assert asked(failed(Verb.IGNORE)).said.endswith("Say 'ignore'.")


def test_trying_again_is_read_back_with_what_it_runs_and_confirmed() -> None:
    talk = asked(failed(*MENDING))
    talk.hear(Word.RETRY)
    assert (talk.answers, talk.said.startswith("Try again: Run tests")) == ([], True)
    talk.finish()
    talk.hear(Word.CONFIRM)
    assert talk.answers == [Verb.RETRY]


def test_a_failure_is_approved_by_nobody_and_silence_about_it_ends_it() -> None:
    talk = asked(failed(*MENDING))
    talk.hear(Word.APPROVE)
    assert (talk.answers, talk.said) == ([], "That cannot be done here.")
    talk = asked(failed(*MENDING))
    talk.tell(Passed(seconds=60))
    assert (talk.answers, talk.said) == ([], "I leave it open.")


def test_next_leaves_a_card_open_and_goes_on() -> None:
    talk = asked(delivery("one"))
    talk.tell(CardCame(delivery=delivery("two", loudness="silent")))
    talk.hear(Word.NEXT)
    talk.finish()
    assert talk.turn.card == delivery("two")
    talk.finish()
    talk.hear(Word.NEXT)
    talk.finish()
    assert talk.turn.card == delivery("one")
    assert talk.answers == []


def test_next_of_the_only_card_leaves_it_for_whoever_asks() -> None:
    talk = asked(delivery())
    talk.hear(Word.NEXT)
    assert talk.said == "I leave it open. Nothing else is waiting."
    talk.finish()
    assert (talk.turn.phase, talk.turn.card) == ("idle", None)
    talk.hear(Word.WAITING)
    talk.finish()
    assert talk.turn.card == delivery()


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("en", "less of this", Word.LESS),
        ("en", "show this less often", Word.LESS),
        ("en", "never suggest this again", Word.NEVER),
        ("en", "try again", Word.RETRY),
        ("en", "let the agent fix it", Word.FIX),
        ("en", "please ignore it", Word.IGNORE),
        ("en", "next one", Word.NEXT),
        ("en", "read them all", Word.WAITING),
        ("de", "weniger davon", Word.LESS),
        ("de", "seltener zeigen", Word.LESS),
        ("de", "hier nie wieder", Word.NEVER),
        ("de", "noch einmal versuchen", Word.RETRY),
        ("de", "bitte beheben", Word.FIX),
        ("de", "ignoriere das", Word.IGNORE),
        ("de", "der nächste", Word.NEXT),
        ("de", "lies alle vor", Word.WAITING),
    ],
)
def test_every_language_has_the_words(language: str, text: str, word: Word) -> None:
    assert understand(text, phrasebook(language)) == Command(word=word)


@pytest.mark.parametrize("text", ["less", "next", "never", "never approve", "do not fix it", "never mind that", "all"])
def test_what_is_too_near_to_something_else_is_no_wish(text: str) -> None:
    assert not isinstance(understand(text, phrasebook("en")), Command)
