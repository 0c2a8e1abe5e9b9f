"""What trains the ear, what calibrates it and what judges it have no voice and no text in common."""

from itertools import combinations
from pathlib import Path

import pytest
from pocketsphinx import get_model_path  # type: ignore[import-untyped]  # it has no types

from tests.bench.ear_training.record import held_texts
from tests.bench.ear_training.texts import Texts, is_kept_apart, read_pronunciations
from tests.bench.ear_training.voices import FESTIVAL, FLITE, VARIANTS
from tests.bench.speaker_training.people import FESTIVAL_HELD, FESTIVAL_TRAIN


def test_no_variant_has_two_parts() -> None:
    for one, other in combinations(("train", "calibrate", "held"), 2):
        assert not set(VARIANTS[one]) & set(VARIANTS[other])
    assert set(VARIANTS["hard"]) == set(VARIANTS["train"])


def test_festival_calibrates_with_a_voice_of_its_own_and_flite_only_judges() -> None:
    assert not set(FESTIVAL["train"]) & set(FESTIVAL["calibrate"])
    assert not FESTIVAL["held"]
    assert not set(FLITE) & {name for names in FESTIVAL.values() for name in names}


def test_the_speakers_that_judge_the_lock_made_nothing_of_it() -> None:
    assert not set(FESTIVAL_TRAIN) & set(FESTIVAL_HELD)
    assert not any(
        name in voice for name in FLITE for voice in FESTIVAL_TRAIN
    )  # the same people, in another synthesizer


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
def test_no_held_text_is_ever_trained_on(hard: bool) -> None:  # noqa: FBT001  a parameter of the test
    held = held_texts()
    assert {"improved", "please approve", "don't approve it"} <= held
    texts = Texts(read_pronunciations(Path(get_model_path("en-us/cmudict-en-us.dict"))), held, 9, hard=hard)
    drawn = {texts.draw() for _ in range(3_000)}
    assert not drawn & held
    assert is_kept_apart("spruce")
    assert "spruce" not in drawn
