"""What the benchmark of the ears reads: WAV of all PCM widths, and what it says of anything else."""

import wave
from pathlib import Path

import numpy as np
import pytest

from edge.bench import BadRecordingsError, measure, read_labels, read_sound
from edge.engines.ear import RATE, NullEar
from edge.phrase_files import phrasebook
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


def test_another_format_is_said_with_what_converts_it(tmp_path: Path) -> None:
    (tmp_path / "a.ogg").write_bytes(b"OggS")
    with pytest.raises(BadRecordingsError, match=r"only WAV is read.*ffmpeg -i a\.ogg"):
        read_sound(tmp_path / "a.ogg")
    (tmp_path / "b.wav").write_bytes(b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x03\0\x01\0" + b"\0" * 20)
    with pytest.raises(BadRecordingsError, match=r"unknown format.*ffmpeg -i b\.wav"):
        read_sound(tmp_path / "b.wav")


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
