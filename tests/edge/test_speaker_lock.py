"""The speaker lock by itself: whose voice passes, what is vetoed, and what a template may be."""

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as some

from edge.engines.ear import RATE, Samples
from edge.enrolling import NotEnrolledError, template_of
from edge.phrase_files import phrasebook
from edge.settings import EdgeSettings
from edge.speaker.measures import Unfit, measure
from edge.speaker.template import Template, enrol
from edge.speaker.verification import SpeakerLock
from edge.speaker_files import BadTemplateError, background, forget_template, keep_template, lock_for, read_template
from edge.speech.commands import Command
from edge.speech.enrolment import LINES, enrolment_lines
from edge.speech.grammar import understand
from tests.bench.bench_speaker import Scores

SENTENCES = 8
WEARER, OTHER = (120.0, 1.0), (210.0, 1.22)
"""Pitch in hertz and size of the throat's resonances."""
VOWELS = ((730.0, 1_090.0, 2_440.0), (270.0, 2_290.0, 3_010.0), (300.0, 870.0, 2_240.0), (530.0, 1_840.0, 2_480.0))
"""Formants of four vowels in hertz (Peterson and Barney 1952)."""


def vowels(voice: tuple[float, float], seed: int, seconds: float = 1.2) -> Samples:
    """Let a throat of that pitch and size say vowels, a little differently with each seed."""
    chance = np.random.default_rng(seed)
    pitch_hz, size = voice[0] * chance.uniform(0.96, 1.04), voice[1]
    parts = []
    for at in chance.permutation(len(VOWELS)):
        count = int(seconds / len(VOWELS) * RATE)
        times = np.arange(count) / RATE
        harmonics = np.arange(1, int(7_000 / pitch_hz))
        peaks = np.array(VOWELS[at]) * size
        gains = sum(1 / (1 + ((harmonics * pitch_hz - peak) / 90) ** 2) for peak in peaks) / harmonics**0.5
        parts.append(np.sin(2 * np.pi * np.outer(times, harmonics * pitch_hz)) @ gains)
    sound = np.concatenate(parts)
    loud: Samples = (sound / np.abs(sound).max() * 9_000 + chance.normal(size=len(sound)) * 20).astype(np.int16)
    return loud


@pytest.fixture(scope="module")
def template() -> Template:
    return template_of([vowels(WEARER, seed) for seed in range(SENTENCES)])


@pytest.fixture(scope="module")
def lock(template: Template) -> SpeakerLock:
    return SpeakerLock(template, background())


@pytest.mark.slow
def test_the_wearer_is_recognised_and_another_is_not(lock: SpeakerLock) -> None:
    own = [lock.verdict(vowels(WEARER, seed)) for seed in range(100, 108)]
    others = [lock.verdict(vowels(OTHER, seed)) for seed in range(100, 108)]
    assert own.count("wearer") > len(own) / 2  # how many really are is for the benchmark to say
    assert set(others) == {"stranger"}


@pytest.mark.slow
def test_loudness_is_nobody(lock: SpeakerLock) -> None:
    assert lock.verdict((vowels(WEARER, 101) * 0.1).astype(np.int16)) == lock.verdict(vowels(WEARER, 101))


@pytest.mark.parametrize(
    ("sound", "why"),
    [
        (np.zeros(0, np.int16), "no-sound"),
        (np.zeros(RATE, np.int16), "no-sound"),
        (np.full(RATE, math.nan), "no-sound"),
        (np.full(RATE, math.inf), "no-sound"),
        (np.ones((RATE, 2), np.int16), "no-sound"),
        (vowels(WEARER, 1)[: RATE // 50], "too-short"),
        (vowels(WEARER, 1)[: RATE // 5], "too-short"),
        (np.clip(vowels(WEARER, 1).astype(np.int32) * 50, -32_768, 32_767).astype(np.int16), "clipped"),
    ],
)
def test_what_nobody_can_be_recognised_by_is_vetoed(lock: SpeakerLock, sound: Samples, why: str) -> None:
    assert measure(sound) == Unfit(why)
    assert lock.verdict(sound) == "unfit"


@pytest.mark.slow
@given(some.arrays(np.int16, st.integers(0, RATE)))
@settings(max_examples=60, deadline=None)
def test_any_sound_has_a_verdict_and_noise_is_not_the_wearer(lock: SpeakerLock, sound: Samples) -> None:
    assert lock.verdict(sound) in {"stranger", "unfit"}


@pytest.mark.slow
def test_a_lock_without_a_template_of_its_own_knows_nobody(template: Template) -> None:
    strange = (
        None,
        msgspec.structs.replace(template, version=2),
        msgspec.structs.replace(template, background="another"),
        msgspec.structs.replace(template, direction=template.direction[1:]),
        msgspec.structs.replace(template, direction=(math.nan, *template.direction[1:])),
        msgspec.structs.replace(template, direction=tuple(9 * one for one in template.direction)),
        msgspec.structs.replace(template, bar=-1.0),
        msgspec.structs.replace(template, bar=math.nan),
    )
    for one in strange:
        assert SpeakerLock(one, background()).verdict(vowels(WEARER, 0)) == "not-ready"


@pytest.mark.slow
def test_too_few_or_unfit_sentences_enrol_nobody() -> None:
    spoken = [vowels(WEARER, seed) for seed in range(SENTENCES)]
    assert enrol(spoken[:3], background()) == Unfit("too-few")
    with pytest.raises(NotEnrolledError, match="too short"):
        template_of([*spoken, spoken[0][:1_000]])
    with pytest.raises(NotEnrolledError, match="no speech"):
        template_of([*spoken, np.zeros(RATE, np.int16)])


def test_a_template_is_kept_for_its_owner_alone_and_read_back(tmp_path: Path, template: Template) -> None:
    path = keep_template(tmp_path / "new", template)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert read_template(path.parent) == template
    assert len(path.read_bytes()) < 4_000  # numbers, no sound
    forget_template(path.parent)
    with pytest.raises(BadTemplateError, match="do not know your voice"):
        read_template(path.parent)


@pytest.mark.slow
def test_a_template_that_is_damaged_foreign_or_open_is_an_error_and_vetoes(tmp_path: Path, template: Template) -> None:
    path = keep_template(tmp_path, template)
    whole = path.read_bytes()
    foreign = msgspec.json.encode(msgspec.structs.replace(template, background="another"))
    for content, mode in ((b"", 0o600), (whole[:-9], 0o600), (b"[]", 0o600), (foreign, 0o600), (whole, 0o644)):
        path.write_bytes(content)
        path.chmod(mode)
        with pytest.raises(BadTemplateError) as caught:
            read_template(tmp_path)
        assert "pulse edge enrol" in caught.value.fix
        warned: list[str] = []
        lock = lock_for(EdgeSettings(speaker_lock=True), tmp_path, warned.append)
        assert lock is not None
        assert lock.verdict(vowels(WEARER, 0)) == "not-ready"
        assert "[bad-voice-template] Nothing can be approved by voice." in warned[0]


def test_the_benchmark_counts_both_errors() -> None:
    found = Scores(own=np.array([-0.1, 0.1, 0.2, 0.3]), others=np.array([-0.4, -0.3, -0.2, 0.15]), enrolled=2)
    assert (found.false_reject(), found.false_accept(), found.equal_error()) == (0.25, 0.25, 0.25)


def test_off_there_is_no_lock_whatever_lies_there(tmp_path: Path) -> None:
    (tmp_path / "voice.json").write_bytes(b"damaged")
    assert lock_for(EdgeSettings(), tmp_path, pytest.fail) is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_said_to_enrol_are_commands_that_are_checked(language: str) -> None:
    book = phrasebook(language)
    lines = enrolment_lines(book)
    assert len(set(lines)) == LINES
    meanings = [understand(line, book) for line in lines]
    assert {one.word if isinstance(one, Command) else None for one in meanings} == {"approve", "confirm"}
