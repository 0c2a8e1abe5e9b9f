"""One suite for every ear and every mouth; what is not installed or has no model is skipped and says so."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from edge.audio.samples import EARCONS, convert, earcon, from_floats, level_db
from edge.engines.ear import RATE, Ear, NoEarError, NullEar, Samples, missing_words
from edge.engines.espeak_mouth import EspeakMouth
from edge.engines.mouth import NoMouthError
from edge.engines.pronunciation import Phones, agreement, distance, preferred
from edge.engines.sphinx_ear import SphinxEar
from edge.engines.vosk_ear import BARS as VOSK_BARS
from edge.engines.vosk_ear import UNKNOWN, VoskEar, as_hearing, bars_without, grammar, missing_in
from edge.hearing import stretches
from edge.phrase_files import phrasebook
from edge.speech.commands import GRANTING, Command, Doubtful, Refused, Word
from edge.speech.decision import Hearing, judge
from edge.speech.grammar import understand, words_in

BOOK = phrasebook("en")
CHANCE = np.random.default_rng(5)
SECOND = np.arange(RATE)
AUDIBLE = 200
BAD_SOUND: dict[str, Samples] = {
    "nothing": np.zeros(0, np.int16),
    "one sample": np.ones(1, np.int16),
    "silence": np.zeros(RATE, np.int16),
    "white noise": (CHANCE.normal(size=RATE) * 3_000).astype(np.int16),
    "a loud tone": (np.sin(SECOND * 440 * 2 * np.pi / RATE) * 32_767).astype(np.int16),
    "music": sum((np.sin(SECOND * hertz * 2 * np.pi / RATE) * 5_000).astype(np.int16) for hertz in (262, 330, 392)),  # type: ignore[dict-item]  # a sum of arrays is one
    "clipping": np.where(CHANCE.normal(size=RATE) > 0, 32_767, -32_768).astype(np.int16),
    "two channels": np.zeros((RATE, 2), np.int16),
}


@pytest.fixture(params=["pocketsphinx", "vosk", "null"], scope="module")
def ear(request: pytest.FixtureRequest) -> Iterator[Ear]:
    if request.param == "pocketsphinx":
        yield SphinxEar(BOOK)
    elif request.param == "vosk":
        model = os.environ.get("PULSE_VOSK_MODEL", "")
        if not model:
            pytest.skip("PULSE_VOSK_MODEL names no model")
        yield VoskEar(BOOK, model)
    else:
        yield NullEar()


@pytest.mark.slow
@pytest.mark.parametrize("sound", BAD_SOUND)
def test_no_sound_breaks_an_ear_or_approves(ear: Ear, sound: str) -> None:
    hearing = ear.hear(BAD_SOUND[sound])
    understood = judge(hearing, BOOK, ear.bars)
    assert not (isinstance(understood, Command) and understood.word in GRANTING)


@pytest.mark.slow
def test_an_ear_forgets_what_it_heard_before(ear: Ear) -> None:
    sound = BAD_SOUND["white noise"]
    assert ear.hear(sound) == ear.hear(sound)


def test_an_ear_has_a_name_and_asks_more_of_an_approval(ear: Ear) -> None:
    assert ear.name
    assert ear.bars.granting_coverage_min >= ear.bars.coverage_min
    assert ear.bars.granting_second_min >= ear.bars.second_min


@pytest.mark.slow
def test_pocketsphinx_hears_nothing_in_silence() -> None:
    assert SphinxEar(BOOK).hear(BAD_SOUND["silence"]).text == ""


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 7.0])
def test_what_is_no_sound_is_nothing_heard_or_refused(ear: Ear, value: float) -> None:
    understood = judge(ear.hear(from_floats(np.full(RATE, value))), BOOK, ear.bars)
    assert isinstance(understood, Refused)


def test_there_is_no_german_in_pocketsphinx() -> None:
    with pytest.raises(NoEarError, match="no model for 'de'"):
        SphinxEar(phrasebook("de"))


def test_a_missing_vosk_model_is_said(tmp_path: Path) -> None:
    for model in ("", str(tmp_path / "gone")):
        with pytest.raises(NoEarError, match="no vosk model"):
            VoskEar(BOOK, model)


def test_vosk_results_become_evidence() -> None:
    document = '{"text": "approve it", "result": [{"word": "approve", "start": 0.1, "end": 0.6, "conf": 0.9},'
    document += '{"word": "it", "start": 0.6, "end": 0.8, "conf": 0.7}]}'
    heard = as_hearing(document, 1.0)
    assert heard == Hearing(
        text="approve it", coverage=1.0, second=0.7, seconds=1.0, maybe="approve it", maybe_second=0.7
    )
    assert judge(heard, BOOK, VOSK_BARS) == Doubtful(command=Command(word=Word.APPROVE))
    assert judge(as_hearing(document.replace("0.7", "0.59"), 1.0), BOOK, VOSK_BARS) == Refused(why="unsure")
    assert judge(as_hearing(document.replace("0.7", "0.95"), 1.0), BOOK, VOSK_BARS) == Command(word=Word.APPROVE)
    assert as_hearing('{"text": ""}', 1.0).text == ""


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_vosk_may_hear_beside_the_words_is_no_command(language: str) -> None:
    book = phrasebook(language)
    words = msgspec.json.decode(grammar(book, lambda _: True), type=list[str])
    decoys = set(words) - set(words_in(book)) - book.negation - book.quotation
    assert book.negation | book.quotation < set(words)
    assert {UNKNOWN} < decoys
    assert set(words_in(book)) < set(words)
    assert all(isinstance(understand(word, book), Refused) for word in decoys)


@pytest.mark.parametrize("word", ["not", "said", UNKNOWN])
def test_a_model_that_lacks_a_word_that_forbids_has_every_approval_asked_back(word: str) -> None:
    missing = missing_in(BOOK, lambda each: each != word)
    assert missing == (word,)
    bars = bars_without(missing, BOOK)
    sure = Hearing(text="approve it", second=1.0, maybe="approve it", maybe_second=1.0)
    assert judge(sure, BOOK, bars) == Doubtful(command=Command(word=Word.APPROVE))
    assert judge(sure, BOOK, bars_without((), BOOK)) == Command(word=Word.APPROVE)
    assert judge(Hearing(text="yes", second=1.0), BOOK, bars) == Command(word=Word.YES)
    assert word not in msgspec.json.decode(grammar(BOOK, lambda each: each != word), type=list[str])
    assert word in missing_words(missing)


def test_a_missing_word_that_forbids_nothing_changes_no_bar() -> None:
    assert bars_without(("falcon",), BOOK) == VOSK_BARS


def test_the_second_opinion_prefers_what_sounds_like_it() -> None:
    dictionary: dict[str, list[Phones]] = {"approve": [("AH", "P", "R", "UW", "V")], "prune": [("P", "R", "UW", "N")]}
    approve, prune = dictionary["approve"][0], dictionary["prune"][0]
    assert agreement(approve, ("approve",), dictionary) == 1.0
    assert agreement((), ("approve",), dictionary) == 0.0
    assert distance(("P",), ("B",)) < distance(("P",), ("S",))
    rivals = {"approve": ["prune"]}
    assert preferred(approve, ("approve",), rivals, dictionary) == 1.0
    assert preferred(prune, ("approve",), rivals, dictionary) < agreement(prune, ("approve",), dictionary)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_mouth_streams_and_can_be_hushed(language: str) -> None:
    mouth = EspeakMouth(language)
    sound = np.concatenate(list(mouth.speak("Cross-pollination. Running.")))
    assert len(sound) > mouth.rate
    assert np.abs(sound).max() > 1_000
    hushed = mouth.speak("word " * 500)
    assert len(next(hushed)) < mouth.rate
    hushed.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(np.concatenate(list(mouth.speak("Again.")))) > 0


@pytest.mark.parametrize("name", EARCONS)
def test_an_earcon_is_no_louder_than_the_voice_and_not_much_quieter(name: str) -> None:
    mouth = EspeakMouth("en")
    voice, tones = np.concatenate(list(mouth.speak("Say approve or skip."))), earcon(name, mouth.rate)
    levels = [level_db(sound[np.abs(sound) > AUDIBLE]) for sound in (voice, tones)]
    assert levels[0] - 5 < levels[1] < levels[0]


def test_an_unknown_voice_is_said() -> None:
    with pytest.raises(NoMouthError, match="no voice"):
        EspeakMouth("en", voice="nobody")


SPEAKERS = ("en-us", "en-gb-x-rp", "en-gb-scotland")
NOT_APPROVING = (
    "improve",
    "don't approve",
    "do not approve it",
    "approval",
    "improve please",
    "a groove please",
    "he would approve of the hat you bought",
    "",
)


@pytest.fixture(scope="module")
def sphinx() -> SphinxEar:
    return SphinxEar(BOOK)


def _understood(ear: SphinxEar, text: str, voice: str = "en-us") -> set[str]:
    """Return the commands that an ear is sure of in a text spoken by espeak-ng."""
    return {one.word.value for one in _judged(ear, text, voice) if isinstance(one, Command)}


def _judged(ear: SphinxEar, text: str, voice: str) -> list[Command | Doubtful | Refused]:
    """Return what an ear makes of a text spoken by espeak-ng, as the loop would cut it."""
    mouth = EspeakMouth("en", voice=voice, words_per_minute=150)
    sound = np.concatenate([np.zeros(0, np.int16), *mouth.speak(text)]).astype(np.int16)
    return [judge(ear.hear(stretch), BOOK, ear.bars) for stretch in stretches(convert(sound, mouth.rate))]


@pytest.mark.slow
@pytest.mark.parametrize("voice", SPEAKERS)
@pytest.mark.parametrize(
    ("text", "meant"), [("approve it", "approve"), ("skip it", "skip"), ("tell me more", "details")]
)
def test_the_mouth_is_understood_by_the_ear(sphinx: SphinxEar, text: str, meant: str, voice: str) -> None:
    assert _understood(sphinx, text, voice) == {meant}


@pytest.mark.slow
@pytest.mark.parametrize("voice", SPEAKERS)
def test_an_approval_of_one_word_is_asked_about(sphinx: SphinxEar, voice: str) -> None:
    (heard,) = _judged(sphinx, "approve", voice)
    assert isinstance(heard, Doubtful)
    assert heard.command.word is Word.APPROVE


@pytest.mark.slow
@pytest.mark.parametrize("voice", SPEAKERS)
@pytest.mark.parametrize("text", NOT_APPROVING)
def test_what_only_sounds_like_an_approval_is_none(sphinx: SphinxEar, text: str, voice: str) -> None:
    assert not _understood(sphinx, text, voice) & {"approve", "confirm"}


@pytest.mark.slow
def test_a_number_of_minutes_is_heard(sphinx: SphinxEar) -> None:
    mouth = EspeakMouth("en", words_per_minute=150)
    sound = convert(np.concatenate(list(mouth.speak("in ten minutes"))).astype(np.int16), mouth.rate)
    understood = judge(sphinx.hear(stretches(sound)[0]), BOOK, sphinx.bars)
    assert understood == Command(word=Word.LATER, minutes=10)


@pytest.mark.slow
def test_somebody_talking_for_long_is_not_decoded(sphinx: SphinxEar) -> None:
    long = np.tile(BAD_SOUND["white noise"], int(sphinx.bars.seconds_max) + 1)
    understood = judge(sphinx.hear(long), BOOK, sphinx.bars)
    assert isinstance(understood, Refused)
    assert understood.why == "unknown"
