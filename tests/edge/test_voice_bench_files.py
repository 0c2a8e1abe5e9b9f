"""What the benchmark of the ears reads: WAV of all PCM widths, and what it says of anything else."""

import wave
from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # it has no types
from msgspec.structs import replace

from edge.bench import measure
from edge.engines.ear import NEVER, RATE, NullEar, Samples
from edge.phrase_files import phrasebook
from edge.recordings import BadRecordingsError, Recording, read_labels, read_sound
from edge.speech.commands import Command, Doubtful, Refused, Word
from edge.speech.decision import Hearing
from edge.speech.phrasebook import Phrasebook
from edge.two_turns import Replies, converse
from tests.bench.confusion import section

TONE = np.sin(np.arange(RATE) * 440 * 2 * np.pi / RATE) * 0.5


def _write(path: Path, width: int, *, channels: int = 1, rate: int = RATE) -> Path:
    if width == 1:
        raw = (TONE * 127 + 128).astype(np.uint8)[:, None]
    else:
        whole = (TONE * (2 ** (8 * width - 1) - 1)).astype("<i4")
        raw = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, 4)[:, :width]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(np.repeat(raw[:, None, :], channels, axis=1).tobytes())
    return path


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("channels", [1, 2])
def test_every_width_of_pcm_is_the_same_sound(tmp_path: Path, width: int, channels: int) -> None:
    sound = read_sound(_write(tmp_path / "a.wav", width, channels=channels))
    assert len(sound) == RATE
    assert np.abs(sound / 32_767 - TONE).max() < (0.02 if width == 1 else 0.001)


def test_other_rates_are_converted(tmp_path: Path) -> None:
    assert len(read_sound(_write(tmp_path / "a.wav", 2, rate=8_000))) == 2 * RATE


@pytest.mark.parametrize(
    ("name", "kind", "near"), [("a.flac", "PCM_16", 0.001), ("a.ogg", "VORBIS", 0.1), ("a.wav", "FLOAT", 0.001)]
)
def test_flac_ogg_and_floats_are_read_as_well(tmp_path: Path, name: str, kind: str, near: float) -> None:
    soundfile.write(tmp_path / name, TONE, RATE, subtype=kind)
    sound = read_sound(tmp_path / name)
    assert len(sound) == RATE
    assert np.abs(sound / 32_767 - TONE).max() < near


def test_a_float_beyond_full_scale_or_none_at_all_is_cut(tmp_path: Path) -> None:
    wild = np.array([2.0, -2.0, np.nan, np.inf] * 400, np.float32)
    soundfile.write(tmp_path / "a.wav", wild, RATE, subtype="FLOAT")
    assert read_sound(tmp_path / "a.wav")[:4].tolist() == [32_767, -32_768, 0, 32_767]


def test_another_format_is_said_with_what_converts_it(tmp_path: Path) -> None:
    (tmp_path / "a.ogg").write_bytes(b"OggS")
    with pytest.raises(BadRecordingsError, match=r"WAV, FLAC and OGG are read; `ffmpeg -i a\.ogg"):
        read_sound(tmp_path / "a.ogg")
    soundfile.write(tmp_path / "b.aiff", TONE, RATE)
    with pytest.raises(BadRecordingsError, match=r"AIFF is not read\. .*ffmpeg -i b\.aiff"):
        read_sound(tmp_path / "b.aiff")


def test_a_recording_of_more_than_ten_minutes_is_not_read(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.flac", np.zeros(601 * 8_000, np.int16), 8_000)
    with pytest.raises(BadRecordingsError, match="601 s"):
        read_sound(tmp_path / "a.flac")


@pytest.mark.parametrize("content", [b"", b"RIFF", b"nothing of a sound"])
def test_what_is_no_recording_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.wav").write_bytes(content)
    with pytest.raises(BadRecordingsError, match=r"a\.wav"):
        read_sound(tmp_path / "a.wav")


def test_a_recording_of_nothing_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
    assert len(read_sound(path)) == 0


@pytest.mark.parametrize("labels", ["", "{}", '[{"file": "a.wav"}]', '[{"file": "a.wav", "label": "maybe"}]'])
def test_labels_that_are_none_are_said(tmp_path: Path, labels: str) -> None:
    (tmp_path / "labels.json").write_text(labels)
    with pytest.raises(BadRecordingsError, match="labels"):
        read_labels(tmp_path)


def test_what_was_understood_of_what_is_a_table_for_each_engine(tmp_path: Path) -> None:
    _write(tmp_path / "a.wav", 2)
    (tmp_path / "labels.json").write_text(
        '[{"file":"a.wav","label":"approve"},{"file":"a.wav","label":"none"},{"file":"a.wav","label":"none"}]'
    )
    result, _ = measure(NullEar(), phrasebook("en"), tmp_path, read_labels(tmp_path), "clean")
    lines = section([result]).splitlines()
    assert "| null, clean | approve | skip | later | repeat | details | stop | none | right |" in lines
    assert "| approve | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0% |" in lines
    assert "| none | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 100% |" in lines
    assert not any(line.startswith("| skip") for line in lines)


def test_a_conversation_of_two_turns() -> None:
    book = phrasebook("en")
    approve, yes = Command(word=Word.APPROVE), Command(word=Word.YES)
    doubtful, unknown = Doubtful(command=approve), Refused(why="unknown")
    assert converse([approve], list, book) == (True, 1, False)
    assert converse([doubtful], lambda: [yes], book) == (True, 2, True)
    assert converse([doubtful], lambda: [unknown, yes], book) == (False, 2, True)  # the second is said into our voice
    assert converse([doubtful, yes], list, book) == (False, 2, True)
    assert converse([unknown], lambda: [yes], book) == (False, 1, False)
    assert converse([], lambda: [yes], book) == (False, 1, False)


class Doubting(NullEar):
    """An ear that hears by how long a sound is: an approval half heard, a yes, or nothing."""

    name = "doubting"
    bars = replace(NEVER, second_min=0.5, coverage_min=0.0, fit_min=-9.0, asking_min=0.5)

    def hear(self, samples: Samples, _book: Phrasebook | None = None) -> Hearing:
        if len(samples) > RATE:
            return Hearing(text="a prune", second=0.0, maybe="approve", maybe_second=0.9)
        return Hearing(text="yes", second=0.9)


def _tone(path: Path, seconds: float) -> None:
    soundfile.write(path, np.resize(TONE, int(RATE * seconds)), RATE)


def test_a_half_heard_approval_counts_with_a_yes_of_the_same_kind(tmp_path: Path) -> None:
    for name, seconds in (("a", 1.5), ("b", 1.5), ("c", 0.6)):
        _tone(tmp_path / f"{name}.flac", seconds)
    labels = [
        {"file": "a.flac", "label": "approve", "kind": "kettle"},
        {"file": "b.flac", "label": "none", "kind": "kettle", "text": "a prune"},
        {"file": "c.flac", "label": "none", "kind": "kettle", "text": "Yes."},
    ]
    (tmp_path / "labels.json").write_bytes(msgspec.json.encode(labels))
    result, _ = measure(Doubting(), phrasebook("en"), tmp_path, read_labels(tmp_path), "clean")
    told = msgspec.to_builtins(result)
    assert told["approveWithinTwoTurns"] == 1.0
    assert told["approveAtOnce"] == 0.0
    assert told["accuracy"] == 1.0
    assert told["askedNeedlesslyByKind"] == {"kettle": 0.5}
    assert told["falseApproveWithinTwoTurnsByKind"] == {"kettle": 0.0}
    assert told["falseApproveByKind"] == {"kettle": 0.0}


@pytest.mark.slow
@pytest.mark.needs_flite
def test_where_the_folder_has_no_yes_a_synthesizer_says_it(tmp_path: Path) -> None:
    book = phrasebook("en")
    one = Recording(file="a.flac", label="approve", kind="flite")
    replies = Replies(tmp_path, [one], book)
    said = replies.to(one)
    assert said is not None
    assert RATE / 10 < len(said) < RATE * 3
