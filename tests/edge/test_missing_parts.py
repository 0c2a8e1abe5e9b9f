"""A device that another program has, a sound server that is full, parts of the ear that are damaged: said or shown."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from edge.audio.sound import Microphone, NoSoundError, Speaker, choose, devices
from edge.engines.ear import RATE
from edge.link import Kept
from hub.contract.envelope import decode
from hub.contract.surface import Decision
from hub.contract.words import Verb
from tests.edge.cards import delivery
from tests.edge.sound_card import SoundCard, read, sound_card
from tests.edge.test_edge_link import Heard, has
from tests.edge.test_glasses_sound import handed
from tests.edge.worn_glasses import YES, Glasses, running
from tests.fakes.broker import hub_side, plain_broker
from tests.house.source import ROOT

pytestmark = pytest.mark.slow
CLIENTS_MAX = 64
"""So many programs PulseAudio serves at once."""
AUDIBLE, SPOKEN_S_MIN = 300, 1.0
WAIT_S_MAX = 60
LOGIN = (
    '{"url":"mqtt://127.0.0.1:1","username":"u","password":"p","clientId":"c","user":"me",'
    '"surface":"glasses","device":"pi"}'
)


@pytest.mark.needs_mosquitto
@pytest.mark.needs_pulseaudio
async def test_a_microphone_that_another_program_has_is_said_and_shown_and_waited_for(tmp_path: Path) -> None:
    heard = Heard()
    with sound_card() as card, plain_broker(tmp_path) as broker, hub_side(broker, heard) as hub:
        Kept(tmp_path / "edge").keep_login(broker.login)
        card.ask("suspend-source", "virtmic", "1")  # as pasuspender does for a program that wants it alone
        with card.recording(tmp_path / "said.wav"):
            async with running(tmp_path, card, {}) as worn:
                await heard.until(has(online=False))
                hub.publish(*handed(delivery()), qos=1)
                assert "brings no sound. Is another program using it?" in await no_sound(worn)
                await worn.said(1)
                assert not any("listening" in line for line in worn.seen)
                card.ask("suspend-source", "virtmic", "0")
                await worn.until("sound")
                await heard.until(has(online=True))
                await worn.answered(YES)  # the card that came meanwhile
                message = await heard.until(lambda message: "/decision/" in message.topic)
        assert "Traceback" not in worn.complaints()
    assert decode(bytes(message.payload), Decision).data.verb is Verb.APPROVE
    loud = np.abs(read(tmp_path / "said.wav").astype(np.int32)) > AUDIBLE
    assert loud.sum() > SPOKEN_S_MIN * RATE


async def no_sound(worn: Glasses) -> str:
    """Return why there is no sound, as it is shown."""
    while not (line := await worn.line()).startswith("no sound: "):
        pass
    return line


@contextlib.contextmanager
def full(card: SoundCard) -> Iterator[None]:
    """Let other programs take all places of the sound server while the block lasts."""
    with contextlib.ExitStack() as taken:
        for _ in range(CLIENTS_MAX):
            place = taken.enter_context(socket.socket(socket.AF_UNIX))
            place.connect(card.own_environment["PULSE_SERVER"].removeprefix("unix:"))
        yield


@pytest.mark.needs_mosquitto
@pytest.mark.needs_pulseaudio
async def test_a_sound_server_that_takes_nobody_else_is_shown_and_waited_for(tmp_path: Path) -> None:
    with sound_card() as card, plain_broker(tmp_path) as broker, contextlib.ExitStack() as others:
        Kept(tmp_path / "edge").keep_login(broker.login)
        others.enter_context(full(card))
        async with running(tmp_path, card, {}) as worn:
            assert "speaker" in await no_sound(worn)
            others.close()
            await worn.until("sound")
        assert "Traceback" not in worn.complaints()


@pytest.mark.needs_pulseaudio
async def test_a_device_that_refuses_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with sound_card() as card:
        for name, value in card.own_environment.items():
            monkeypatch.setenv(name, value)
        seen = devices(anew=True)
        microphone, speaker = choose(seen, "virtmic", is_input=True), choose(seen, "speaker", is_input=False)
        with full(card):
            with pytest.raises(NoSoundError, match="microphone virtmic cannot be opened") as refused:
                Microphone(microphone, asyncio.get_running_loop())
            with pytest.raises(NoSoundError, match="speaker speaker cannot be opened"):
                Speaker(RATE).open(speaker)
        assert refused.value.fix == "Is another program using it?"


def missing(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def no_numbers(path: Path) -> None:
    path.write_text(path.read_text().replace("0.", "nan # 0.", 1))


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("phone_net.npz", missing),
        ("phone_net.npz", empty),
        ("phone_net.npz", cut_off),
        ("belief_en.toml", missing),
        ("belief_en.toml", empty),
        ("belief_en.toml", cut_off),
        ("belief_en.toml", no_numbers),
        ("rivals_en.toml", missing),
        ("rivals_en.toml", empty),
        ("decoys_en.txt", empty),
    ],
)
def test_a_damaged_part_of_the_ear_ends_the_glasses_with_what_to_do(
    tmp_path: Path, name: str, spoil: Callable[[Path], None]
) -> None:
    (tmp_path / "login.json").write_text(LOGIN)
    shutil.copytree(ROOT / "edge", tmp_path / "here" / "edge", ignore=shutil.ignore_patterns("__pycache__"))
    spoil(tmp_path / "here" / "edge" / "engines" / name)
    done = subprocess.run(
        [sys.executable, "-m", "edge", "--home", str(tmp_path), "run"],
        cwd=tmp_path / "here",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert done.returncode == 1
    assert name in done.stderr
    assert "[no-ear]" in done.stderr
    assert "Install Pulse and pocketsphinx again" in done.stderr
    assert "Traceback" not in done.stderr
