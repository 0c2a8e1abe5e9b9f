"""Each verb and each outcome has one entry in the phrasebook, in every language, with the same slots."""

import re
from typing import get_args

import pytest
from msgspec.structs import replace

from hub.contract.events import ExecutionFailed
from hub.contract.phrasing import Phrasing
from hub.contract.words import Autonomy, Status, Verb
from hub.kit.phrase_files import all_phrases, phrases, sentences
from hub.kit.phrasebook import Phrase, read_phrases, sentence_code
from hub.kit.wordings import worded

PHRASES = all_phrases()
KINDS = get_args(ExecutionFailed.__annotations__["kind"])
SLOT = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("language", PHRASES)
@pytest.mark.parametrize("verb", Verb)
def test_each_verb_has_what_is_pressed_what_was_done_and_where(verb: Verb, language: str) -> None:
    words = PHRASES[language]
    assert words.say(verb.value)
    assert words.say(f"{verb.value}.there", where="there").startswith(words.say(f"{verb.value}.done"))


@pytest.mark.parametrize("language", PHRASES)
@pytest.mark.parametrize("outcome", [*(status.value for status in Status), *KINDS, "started", "returned"])
def test_each_outcome_has_an_entry(outcome: str, language: str) -> None:
    assert KINDS
    assert PHRASES[language].say(outcome)


def test_every_language_has_every_phrase_with_the_same_slots() -> None:
    assert {"en", "de"} <= set(PHRASES)
    english = {name: set(SLOT.findall(text)) for name, text in phrases().texts.items()}
    for words in PHRASES.values():
        added = {sentence_code(one) for one in sentences(words.language)}
        slots = {name: set(SLOT.findall(text)) for name, text in words.texts.items() if name not in added}
        assert slots == english


def test_a_sentence_of_the_hubs_is_found_by_its_english() -> None:
    said = phrases("de")
    place = Phrasing(code=sentence_code(" of {name}"), values={"name": "shop"})
    tests = Phrasing(code=sentence_code("See why the tests{of} fail"), values={"of": ""})
    assert worded(tests, "See why the tests fail", said) == "Nachsehen, warum die Tests fehlschlagen"
    of_shop = replace(tests, values={}, parts={"of": place})
    assert worded(of_shop, "See why …", said) == "Nachsehen, warum die Tests von shop fehlschlagen"
    assert worded(of_shop, "See why …", phrases("en")) == "See why …", "English stands in the code"
    later = replace(tests, values={}, parts={"of": Phrasing(code="say.of_later")})
    assert worded(later, "See why …", said) == "See why …", "half a sentence is none"
    assert worded(replace(tests, values={}), "See why …", said) == "See why …"


@pytest.mark.parametrize("language", PHRASES)
def test_one_word_means_one_verb(language: str) -> None:
    words = [PHRASES[language].say(f"{verb.value}{form}") for verb in Verb for form in ("", ".done")]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("language", all_phrases())
def test_every_state_and_every_budget_has_its_words(language: str) -> None:
    said = all_phrases()[language]
    assert len({said.say("acts.title", state=said.say(f"acts.{state.value}")) for state in Autonomy}) == len(Autonomy)
    for window in ("hour", "day", "month"):
        assert said.say(f"span.{window}")
        assert said.say(f"cost.{window}")
    spent = said.say("cost.of_day", spent=1.5, cap=20.0)
    assert ("1.50" if language == "en" else "1,50") in spent


@pytest.mark.parametrize(("tag", "language"), [("de", "de"), ("de-AT", "de"), ("DE", "de"), ("fr", "en"), ("", "en")])
def test_a_language_that_we_do_not_speak_is_english(tag: str, language: str) -> None:
    assert phrases(tag).language == language


def test_phrases_take_each_other_and_values_in() -> None:
    table = {
        "patterns": {"there": "{done} on {where}"},
        "decimal": {"word": ","},
        "reject": {"word": "dismiss", "done": "dismissed"},
        "rejected": {"word": "{=reject.done}"},
        "cost": {"word": "{usd} spent"},
    }
    words = read_phrases("xx", table)
    assert words.title("reject.there", where="a {where} b") == "Dismissed on a {where} b"
    assert words.say("rejected") == "dismissed"
    assert words.put(Phrase(name="cost", values={"usd": 1234.5})) == "1234,50 spent"
    assert words.fill("{=Reject} it: {=reject.done}, {kept}") == "Dismiss it: dismissed, {kept}"
    with pytest.raises(KeyError):
        words.fill("{=nothing}")
    with pytest.raises(KeyError):
        read_phrases("xx", {"a": {"word": "{=b}"}})
