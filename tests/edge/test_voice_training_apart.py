"""What trains the ear, what calibrates it and what judges it have no voice and no text in common."""

from itertools import combinations
from pathlib import Path

import pytest
from pocketsphinx import get_model_path  # type: ignore[import-untyped]  # it has no types

from tests.bench.ear_training.record import held_texts
from tests.bench.ear_training.texts import SHARES, SHARES_OF, Texts, is_kept_apart, read_pronunciations
from tests.bench.ear_training.voices import FESTIVAL, FLITE, FLITE_OF, VARIANTS
from tests.bench.speaker_training.people import FESTIVAL_HELD, FESTIVAL_TRAIN

EVERY_KIND = {kind: 1.0 for shares in (SHARES, *SHARES_OF.values()) for kind in shares}
"""Every source of texts that any part draws from, each as often."""

PART_OF_THE_DICTIONARY = 40
"""So many words of it take the place of one: the fewer others there are, the more often a held word could be drawn."""


def test_no_variant_has_two_parts() -> None:
    for one, other in combinations(("train", "calibrate", "held"), 2):
        assert not set(VARIANTS[one]) & set(VARIANTS[other])
    assert set(VARIANTS["hard"]) == set(VARIANTS["train"])
    assert set(VARIANTS["answers"]) == set(VARIANTS["calibrate"])


def test_festival_and_flite_calibrate_and_judge_with_voices_of_their_own() -> None:
    assert not set(FESTIVAL["train"]) & set(FESTIVAL["calibrate"])
    assert not FESTIVAL["held"]
    assert not set(FLITE_OF["answers"]) & set(FLITE_OF["held"])
    assert set(FLITE_OF["held"]) <= set(FLITE)
    assert not set(FLITE) & {name for names in FESTIVAL.values() for name in names}


def test_the_speakers_that_judge_the_lock_made_nothing_of_it() -> None:
    assert not set(FESTIVAL_TRAIN) & set(FESTIVAL_HELD)
    assert not any(
        name in voice for name in FLITE for voice in FESTIVAL_TRAIN
    )  # the same people, in another synthesizer


@pytest.mark.slow
def test_no_held_text_is_ever_trained_on() -> None:
    held = held_texts()
    assert {"improved", "please approve", "don't approve it"} <= held
    every = read_pronunciations(Path(get_model_path("en-us/cmudict-en-us.dict")))
    wanted = {"spruce", *(word for text in held for word in text.split())}
    known = {
        word: phones
        for place, (word, phones) in enumerate(every.items())
        if word in wanted or place % PART_OF_THE_DICTIONARY == 0
    }
    texts = Texts(known, held, 9, EVERY_KIND)
    drawn = {texts.draw() for _ in range(3_000)}
    assert not drawn & held
    assert is_kept_apart("spruce")
    assert "spruce" not in drawn
