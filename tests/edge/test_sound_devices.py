"""Speaker and the life of sound: what can be known without a sound card, and on a virtual one."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from edge.app import RunningError, only_one
from edge.audio.hearback import is_heard, tone
from edge.audio.samples import convert
from edge.audio.sound import HUSH_FADE_S, Speaker
from edge.engines.ear import RATE, Samples
from edge.link import Kept
from tests.edge.sound_card import sound_card
from tests.edge.worn_glasses import running
from tests.fakes.broker import plain_broker
from tests.house.source import ROOT

WAIT_S_MAX = 60


class Stream:
    """A stream whose device asks when the test does."""

    active, latency = True, 0.06

    def close(self, *, ignore_errors: bool) -> None:
        assert ignore_errors


def open_speaker() -> Speaker:
    speaker = Speaker(RATE)
    speaker._stream = Stream()  # noqa: SLF001  the device is the test
    return speaker


def played_on(speaker: Speaker, frames: int) -> Samples:
    block = np.full((frames, 1), 77, np.int16)
    speaker._give(block, frames, None, None)  # noqa: SLF001  called by PortAudio
    played: Samples = block[:, 0]
    return played


def test_a_hushed_speaker_fades_within_two_milliseconds_and_is_silent() -> None:
    speaker, fade = open_speaker(), int(HUSH_FADE_S * RATE)
    speaker.volume = 0.5
    speaker.play(np.full(1_000, 20_000, np.int16), RATE)
    assert played_on(speaker, 480).tolist() == [10_000] * 480
    speaker.hush()
    faded = played_on(speaker, 480)
    assert np.abs(np.diff(np.concatenate([[10_000], faded]))).max() <= 10_000 / (fade - 1) + 1
    assert not faded[fade:].any()
    assert speaker.left_s == 0
    speaker.hush()
    assert not played_on(speaker, 480).any()


def test_sounds_follow_each_other_and_then_there_is_silence() -> None:
    speaker = open_speaker()
    speaker.volume = 0.5
    speaker.play(np.full(3, 10, np.int16), RATE)
    speaker.play(np.full(2, 20, np.int16), RATE)
    assert played_on(speaker, 8).tolist() == [5, 5, 5, 10, 10, 0, 0, 0]


@pytest.mark.parametrize("rate", [8_000, 96_000])
def test_a_speaker_takes_any_rate_and_no_sound_at_all(rate: int) -> None:
    speaker = open_speaker()
    speaker.play(np.ones(rate, np.int16), rate)
    assert speaker.left_s == pytest.approx(1.06, abs=0.003)  # a filter keeps its last two milliseconds for what follows
    speaker.play(np.zeros(0, np.int16), rate)


def test_what_a_mouth_makes_in_parts_is_played_without_a_seam() -> None:
    speaker, mouth = open_speaker(), 22_050
    sound = (np.sin(np.arange(mouth) * 440 * 2 * np.pi / mouth) * 10_000).astype(np.int16)
    for at in range(0, mouth, 700):
        speaker.play(sound[at : at + 700], mouth)
    played = played_on(speaker, RATE - 100)
    assert np.abs(played.astype(np.int32) - convert(sound, mouth)[: len(played)]).max() <= 1


def test_a_speaker_that_is_not_there_holds_nothing() -> None:
    speaker = Speaker(RATE)
    speaker.play(np.ones(RATE, np.int16), RATE)
    assert (speaker.left_s, speaker.is_open) == (0.0, False)
    speaker.close()


def test_the_test_tone_is_told_from_noise_and_silence() -> None:
    chance = np.random.default_rng(3)
    noise = (chance.normal(size=RATE * 2) * 300).astype(np.int16)
    faint = noise.copy()
    faint[9_000 : 9_000 + len(tone())] += (tone() * 0.1).astype(np.int16)
    hum = (np.sin(np.arange(RATE) * 1_000 * 2 * np.pi / RATE) * 5_000).astype(np.int16)
    assert is_heard(faint)
    assert [is_heard(sound) for sound in (noise, hum, np.zeros(RATE, np.int16), tone()[:100])] == [False] * 4


def test_these_glasses_run_once(tmp_path: Path) -> None:
    with only_one(tmp_path), pytest.raises(RunningError), only_one(tmp_path):
        pytest.fail("ran twice")
    with only_one(tmp_path):
        pass


@pytest.mark.slow
@pytest.mark.needs_mosquitto
@pytest.mark.needs_pulseaudio
async def test_a_sound_server_that_is_missing_is_shown_and_waited_for(tmp_path: Path) -> None:
    """The sound server comes only after the glasses have started."""
    with sound_card() as card, plain_broker(tmp_path) as broker:
        card.stop()
        Kept(tmp_path / "edge").keep_login(broker.login)
        async with running(tmp_path, card, {}) as worn:
            while not (await worn.line()).startswith("no sound: "):
                pass
            await asyncio.to_thread(card.start)
            await worn.until("sound")
        assert "Traceback" not in worn.complaints()


@pytest.mark.slow
def test_a_missing_model_ends_the_glasses_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "edge.toml").write_text('ear = "vosk"\nvosk_model = "/nowhere"\n')
    (tmp_path / "login.json").write_text(
        '{"url":"mqtt://127.0.0.1:1","username":"u","password":"p","clientId":"c","user":"me",'
        '"surface":"glasses","device":"pi"}'
    )
    done = subprocess.run(
        [sys.executable, "-m", "edge", "--home", str(tmp_path), "run"],
        cwd=ROOT,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert done.returncode == 1
    assert "[no-ear]" in done.stderr
    assert "Traceback" not in done.stderr
