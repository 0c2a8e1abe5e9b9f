"""What is said, word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from edge.phrase_files import phrasebook, sentences
from edge.speech import saying
from edge.speech.aloud import aloud, is_readable
from edge.speech.numbers import in_words
from edge.speech.sentences import SLOTS_OF
from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.contract.words import Risk, Source, Verb
from tests.edge.cards import OPEN_VERBS, PROMPT, prediction

EN, DE = sentences("en"), sentences("de")


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("72%", "seventy-two percent"),
        ("72.5% for $2.50", "seventy-two point five percent for two dollars"),
        (
            "Run `npm test -- --watch=false` in tests/unit/test_api_v2.py",
            "Run npm test flag watch false in tests slash unit slash test api v two dot py",
        ),
        ("Push to https://example.com/a?b=1", "Push to a link to example dot com"),
        ("README.md, then v1.2", "README dot md, then v one dot two"),
        ("pulse-gateway-api — 2 files", "pulse-gateway-api, two files"),
        ("3.14 and 0071", "three point one four and zero zero seven one"),
        ("hidden\u202etext\x07", "hidden text"),
    ],
)
def test_code_and_numbers_are_spoken_naturally(text: str, spoken: str) -> None:
    assert aloud(text, EN) == spoken


def test_numbers() -> None:
    assert [in_words(number, "en") for number in (0, 21, 115, 1000)] == [
        "zero",
        "twenty-one",
        "one hundred fifteen",
        "one thousand",
    ]
    assert [in_words(number, "de") for number in (1, 21, 101, 21_021)] == [
        "eins",
        "einundzwanzig",
        "einhunderteins",
        "einundzwanzigtausendeinundzwanzig",
    ]


@pytest.mark.slow
@given(st.integers(-10_000_000, 10_000_000), st.sampled_from(["en", "de"]))
def test_numbers_are_words(number: int, language: str) -> None:
    assert not any(char.isdigit() for char in in_words(number, language))


@pytest.mark.slow
@given(st.text(max_size=400), st.sampled_from([EN, DE]))
def test_no_text_breaks_it_and_no_ascii_digit_is_left(text: str, script: object) -> None:
    spoken = aloud(text, script)  # type: ignore[arg-type]  # one of the two
    assert not any(char in "0123456789" for char in spoken)
    assert spoken == " ".join(spoken.split())


def test_terse_brief_and_full() -> None:
    card = prediction()
    terse, brief, full = (saying.card(card, OPEN_VERBS, EN, how).text for how in ("terse", "brief", "full"))
    assert terse == "A suggestion: Run tests on recently changed modules."
    assert brief == f"{terse} Confidence seventy-two percent. Say 'approve it' or 'skip'."
    assert "Because: two test files changed. It would cost about fifteen cents." in full


def test_german() -> None:
    said = saying.card(prediction(), OPEN_VERBS, DE, "brief").text
    assert said.endswith("Sicherheit zweiundsiebzig Prozent. Sag „genehmigen“ oder „überspringen“.")


def test_a_question_is_a_question() -> None:
    asked = prediction(prompt="Deploy now?", source=Source.ASK)
    assert saying.card(asked, OPEN_VERBS, EN, "terse").text == "Question: Deploy now?"


def test_a_long_card_is_cut_where_a_sentence_ends_and_says_so() -> None:
    said = saying.card(prediction(prompt="Run all of the tests. " * 20), OPEN_VERBS, EN, "brief")
    assert not said.whole
    assert "There is more. Say 'details'." in said.text
    assert not saying.details(prediction(prompt="word " * 2_000), OPEN_VERBS, EN).whole


def test_what_cannot_be_read_is_said_to_be_elsewhere() -> None:
    for prompt in ("Запустить", "运行", "🔮🔮"):
        assert not is_readable(prompt)
        assert "another device" in saying.card(prediction(prompt=prompt), OPEN_VERBS, EN, "brief").text
    assert is_readable("Überprüfe die Größe")


def test_risk_decides_the_options() -> None:
    high = prediction(risk=Risk.HIGH)
    words = phrasebook("en").check_words
    check = saying.check_word(high.card_hash, words)
    assert check in words
    assert f"say 'approve {check}'" in saying.card(high, OPEN_VERBS, EN, "terse", check).text
    assert "another device" in saying.card(high, OPEN_VERBS, EN, "terse").text
    assert "another device" in saying.card(prediction(), (Verb.REJECT,), EN, "brief").text


def test_where_a_yes_has_to_be_the_persons_own_it_is_not_asked_for() -> None:
    own = replace(prediction(risk=Risk.HIGH), in_person=True)
    said = saying.card(own, (Verb.REJECT, Verb.SNOOZE), EN, "brief").text
    assert "It needs your yes on the page or in your terminal. Say 'skip' or 'later'." in said


def test_check_words_are_spread() -> None:
    words = phrasebook("en").check_words
    assert {saying.check_word(f"hash{number}", words) for number in range(400)} == set(words)


def test_an_outcome_is_short_even_if_the_result_is_not() -> None:
    said = saying.outcome("done", "result", "24 tests passed. " * 100, EN)
    assert said.startswith("Done: twenty-four tests passed")
    assert len(said) < 300


@pytest.mark.parametrize("script", [EN, DE])
def test_every_sentence_can_be_said(script: object) -> None:
    for key, slots in SLOTS_OF.items():
        assert script.say(key, **dict.fromkeys(slots, "x"))  # type: ignore[attr-defined]  # one of the two


def test_the_prompt_is_what_the_card_says() -> None:
    assert PROMPT in saying.read_back(prediction(), Verb.APPROVE, EN)
    assert PROMPT in saying.details(replace(prediction(), reasoning=""), OPEN_VERBS, EN).text


def test_each_of_many_things_that_a_command_deletes_is_spoken() -> None:
    names = " ".join(f"build{number}" for number in range(20)) + " photos"
    permission = Permission(
        agent="claude-code",
        tool="Bash",
        act=Act.COMMAND,
        text=f"rm -rf {names}",
        target=names,
        folder="/home/anna/shop",
        effects=(Effect.DELETES,),
    )
    asked = replace(prediction(prompt=permission.text, source=Source.ASK), permission=permission)
    said = saying.card(asked, OPEN_VERBS, EN, "full")
    assert "photos" in said.text or not said.whole


def test_what_an_agent_asks_is_spoken_as_a_sentence() -> None:
    deletes = Permission(
        agent="claude-code",
        tool="Bash",
        act=Act.COMMAND,
        text="rm -rf build",
        target="build",
        folder="/home/anna/shop",
        effects=(Effect.DELETES,),
    )
    asked = replace(prediction(prompt="rm -rf build", source=Source.ASK), permission=deletes)
    assert saying.card(asked, OPEN_VERBS, EN, "terse").text == "Claude wants to delete build in shop."
    assert saying.card(asked, OPEN_VERBS, DE, "terse").text == "Claude möchte build in shop löschen."
    pushes = replace(deletes, text="git push", target="", effects=(Effect.LEAVES_THE_MACHINE,))
    other = replace(prediction(prompt="git push", source=Source.ASK), permission=pushes)
    said = "Claude wants to run a command in shop. git push. sends data to another machine."
    assert saying.card(other, OPEN_VERBS, EN, "terse").text == said
