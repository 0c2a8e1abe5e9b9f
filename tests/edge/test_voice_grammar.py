"""A closed grammar: what is a command, and that everything else is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.phrase_files import LANGUAGES, phrasebook
from edge.speech.commands import GRANTING, Command, Refused, Word
from edge.speech.grammar import HEARD_CHARS_MAX, jsgf, understand, words_in
from edge.speech.phrasebook import KEYS, BadPhrasesError, expand, read_phrases, words_of

EN, DE = phrasebook("en"), phrasebook("de")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Approve.", Command(word=Word.APPROVE)),
        ("yes, approve it, please", Command(word=Word.APPROVE)),
        ("Yeah, go ahead", Command(word=Word.APPROVE)),
        ("approve falcon", Command(word=Word.APPROVE, check="falcon")),
        ("Skip this one", Command(word=Word.SKIP)),
        ("later", Command(word=Word.LATER)),
        ("in ten minutes", Command(word=Word.LATER, minutes=10)),
        ("remind me in an hour", Command(word=Word.LATER, minutes=60)),
        ("snooze for twenty five minutes", Command(word=Word.LATER, minutes=25)),
        ("ask me tonight", Command(word=Word.LATER, moment="tonight")),
        ("say that again", Command(word=Word.REPEAT)),
        ("tell me more", Command(word=Word.DETAILS)),
        ("change it to run tests/unit only", Command(word=Word.EDIT, text="run tests/unit only")),
        ("stop everything", Command(word=Word.STOP)),
        ("What's waiting?", Command(word=Word.WAITING)),
        ("what happened?", Command(word=Word.HAPPENED)),
        ("undo that", Command(word=Word.UNDO)),
    ],
)
def test_natural_forms(text: str, expected: Command) -> None:
    assert understand(text, EN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ja, genehmige das bitte", Command(word=Word.APPROVE)),
        ("überspringen", Command(word=Word.SKIP)),
        ("Frag mich in fünfzehn Minuten", Command(word=Word.LATER, minutes=15)),
        ("heute Abend", Command(word=Word.LATER, moment="tonight")),
        ("Ändere das zu nur die Unit-Tests", Command(word=Word.EDIT, text="nur die Unit-Tests")),
        ("Stopp alles", Command(word=Word.STOP)),
        ("Was ist passiert?", Command(word=Word.HAPPENED)),
    ],
)
def test_german_forms(text: str, expected: Command) -> None:
    assert understand(text, DE) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "silence"),
        ("don't approve", "negated"),
        ("do not approve it", "negated"),
        ("no, don't go ahead", "negated"),
        ("he said approve", "quoted"),
        ("if I say approve it runs", "quoted"),
        ("improve", "unknown"),
        ("approval", "unknown"),
        ("okay", "unknown"),
        ("approve approve", "unknown"),
        ("approve the budget", "unknown"),
        ("approve sausage", "unknown"),
        ("in zero minutes", "unknown"),
        ("in 99999 minutes", "unknown"),
        ("the board has to approve the budget of next year before it runs", "too-long"),
        ("a" * (HEARD_CHARS_MAX + 1), "too-long"),
    ],
)
def test_everything_else_is_refused_with_its_reason(text: str, why: str) -> None:
    assert understand(text, EN) == Refused(why=why)


def test_german_negation() -> None:
    assert understand("nicht genehmigen", DE) == Refused(why="negated")
    assert understand("er hat genehmigen gesagt", DE) == Refused(why="quoted")


granting = [form.tokens for form in EN.forms if form.key in GRANTING and "{check}" not in form.tokens]


@pytest.mark.slow
@given(
    st.sampled_from(granting),
    st.lists(st.sampled_from([*EN.negation, *EN.quotation, "the", "board", "maybe"]), min_size=1, max_size=4),
    st.booleans(),
)
def test_any_word_beside_an_approval_makes_it_none(form: tuple[str, ...], more: list[str], first: bool) -> None:  # noqa: FBT001  hypothesis draws it
    tokens = (*more, *form) if first else (*form, *more)
    understood = understand(" ".join(tokens), EN)
    assert isinstance(understood, Refused) or understood.word not in GRANTING


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    understood = understand(text, EN)
    assert isinstance(understood, Refused) or " ".join(words_of(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_means_what_it_says(language: str) -> None:
    book = phrasebook(language)
    number = " ".join(book.numbers[0][0])
    for form in book.forms:
        text = " ".join(form.tokens)
        for slot in ("{minutes}", "{hours}"):
            text = text.replace(slot, number)
        text = text.replace("{text}", "something else").replace("{check}", book.check_words[0])
        understood = understand(text, book)
        assert isinstance(understood, Command), text
        assert understood.word == form.key.partition("_")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_know_the_same_meanings(language: str) -> None:
    book = phrasebook(language)
    assert {form.key for form in book.forms} == KEYS
    assert not set(book.check_words) & {word for form in book.forms for word in form.tokens}


def test_the_engines_grammar_holds_every_word() -> None:
    grammar = jsgf(EN, KEYS)
    assert "{text}" not in grammar
    for word in words_in(EN):
        if word not in {"change", "make", "rather", "to"}:  # dictation is not in a grammar
            assert word in grammar


@pytest.mark.parametrize("pattern", ["(a", "a)", "[a]", "", "{what}", "a (b | [c]"])
def test_broken_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(BadPhrasesError):
        expand(pattern)


@pytest.mark.parametrize(
    ("found", "instead"),
    [
        ('later = ["later"', 'later = ["approve"'),
        ("[forms]", "[forms]\ndance = ['dance']"),
        ("a = 1\n", "a = 0\n"),
        ('language = "en"', "language = 3"),
    ],
)
def test_broken_files_are_refused(found: str, instead: str) -> None:
    text = (
        'language = "en"\n[forms]\napprove = ["approve"]\nlater = ["later"]\n'
        '[words]\npolite = []\nnegation = []\nquotation = []\n[numbers]\na = 1\n[check]\nwords = ["x"]\n'
    )
    read_phrases(text)
    assert found in text
    with pytest.raises(BadPhrasesError):
        read_phrases(text.replace(found, instead))
