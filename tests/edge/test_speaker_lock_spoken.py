"""Spoken through the loop: enrolled from recordings, then a card is answered by the wearer and by somebody else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from edge.phrase_files import phrasebook
from edge.speaker_files import FILE, read_template
from edge.speech.enrolment import enrolment_lines
from tests.edge.sound_card import person, sound_card
from tests.edge.worn_glasses import SOUND
from tests.house.source import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.needs_flite]
WEARER, STRANGER = "rms", "slt"
VETO = "says: I did not recognise your voice. Approve on your phone, or say it again."


def edge(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of the glasses."""
    program = [sys.executable, "-m", "edge", "--home", str(home), *arguments]
    return subprocess.run(program, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose wearer is enrolled."""
    folder = tmp_path_factory.mktemp("glasses")
    lines = enrolment_lines(phrasebook("en"))
    waves = [person(line, folder / f"{number}.wav", WEARER) for number, line in enumerate(lines)]
    done = edge(folder, "enrol", *(word for wave in waves for word in ("--wav", str(wave))))
    assert "Your voice is known now" in done.stdout, done.stderr
    assert "It is a weak lock" in done.stdout
    return folder


@pytest.mark.needs_pulseaudio
def test_the_microphone_enrols_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "edge.toml").write_text(SOUND)
    program = [sys.executable, "-m", "edge", "--home", str(tmp_path), "enrol"]
    told: list[str] = []
    with sound_card() as card:
        environment = {**os.environ, **card.own_environment}
        with subprocess.Popen(program, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                told.append(line.strip())
                if line.startswith("Say: "):
                    card.speak(person(line.removeprefix("Say: ").strip(), tmp_path / "line.wav", WEARER))
    assert process.returncode == 0, told
    assert {f"Say: {line}" for line in enrolment_lines(phrasebook("en"))} <= {*told}
    assert read_template(tmp_path).bar < 1
    assert not [path for path in tmp_path.iterdir() if path.name not in {"edge.toml", "line.wav", "running", FILE}]


def answered(home: Path, text: str, voice: str, *, on: bool = True, risk: str = "low") -> str:
    """Return what a simulated conversation shows when a voice says something to it."""
    (home / "edge.toml").write_text(f"speaker_lock = {str(on).lower()}\n")
    done = edge(home, "sim", "--risk", risk, "--wav", str(person(text, home / "said.wav", voice)))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wearer_approves_and_somebody_else_does_not(home: Path) -> None:
    assert "answers: approve" in answered(home, "yes, approve it", WEARER)
    vetoed = answered(home, "yes, approve it", STRANGER)
    assert "hears: an approval in a voice that is not surely the wearer's (stranger)" in vetoed
    assert VETO in vetoed
    assert "answers:" not in vetoed


def test_anybody_skips_and_without_the_lock_anybody_approves(home: Path) -> None:
    assert "answers: reject" in answered(home, "skip this one", STRANGER)
    assert "answers: approve" in answered(home, "yes, approve it", STRANGER, on=False)


def test_with_a_damaged_template_nobody_approves_and_everybody_skips(home: Path) -> None:
    path = home / "voice.json"
    whole = path.read_bytes()
    try:
        path.write_bytes(whole[: len(whole) // 2])
        vetoed = answered(home, "yes, approve it", WEARER)
        assert "says: I cannot check your voice. Approve on your phone." in vetoed
        assert "answers:" not in vetoed
        assert "answers: reject" in answered(home, "skip this one", WEARER)
    finally:
        path.write_bytes(whole)
