"""The simulator: a conversation typed, or heard from recordings."""

import io
import os
import pty
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest

from edge import sim
from edge.engines.espeak_mouth import EspeakMouth
from edge.settings import EdgeSettings
from tests.house.source import ROOT

AUDIBLE = 500
"""Samples below this are taken for silence."""
END_OF_INPUT = b"\x04"
WAIT_S_MAX = 60


def test_the_simulator_holds_a_conversation() -> None:
    shown = io.StringIO()
    typed = io.StringIO("improve\napprove\nconfirm\n")
    sim.run(EdgeSettings(), "Run the tests", "medium", wavs=(), typed=typed, shown=shown)
    text = shown.getvalue()
    assert "I did not understand. Say 'approve it' or 'skip'." in text
    assert text.index("You said approve: Run the tests.") < text.index("answers: approve")


def test_typed_as_worn_a_lone_approval_is_asked_about() -> None:
    shown = io.StringIO()
    sim.run(EdgeSettings(), "Run", "low", wavs=(), typed=io.StringIO("approve\napprove it\nyes\n"), shown=shown)
    text = shown.getvalue()
    assert text.index("says: Approve?") < text.index("Say 'yes' or 'no'.") < text.index("answers: approve")


def test_it_ends_with_the_conversation() -> None:
    typed, shown = io.StringIO("skip\nis anybody there?\n"), io.StringIO()
    sim.run(EdgeSettings(), "Run", "low", wavs=(), typed=typed, shown=shown)
    assert shown.getvalue().endswith("[speaking → idle]\n"), shown.getvalue()
    assert typed.read() == "is anybody there?\n", "nobody is asked to go on"


@pytest.mark.slow
def test_the_simulator_hears_recordings_that_end_with_their_last_word(tmp_path: Path) -> None:
    shown = io.StringIO()
    said = [spoken(text, tmp_path / f"{text}.wav") for text in ("approve it", "confirm it")]
    sim.run(EdgeSettings(), "Run the tests", "medium", wavs=said, typed=io.StringIO(), shown=shown)
    lines = shown.getvalue().splitlines()
    heard = [line for line in lines if line.startswith(("hears: approve", "hears: confirm", "answers: "))]
    assert heard == ["hears: approve", "hears: confirm", "answers: approve"], shown.getvalue()


def spoken(text: str, path: Path) -> Path:
    """Write a text as the glasses' own voice says it, without the silence around it."""
    mouth = EspeakMouth("en")
    sound = np.concatenate(list(mouth.speak(text)))
    [loud] = np.nonzero(np.abs(sound) > AUDIBLE)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, mouth.rate, 0, "NONE", ""))
        file.writeframes(sound[loud[0] : loud[-1]].tobytes())
    return path


@pytest.mark.slow
def test_a_person_at_a_terminal_is_told_how() -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"approve it\n" + END_OF_INPUT)
    program = [sys.executable, "-m", "edge", "sim"]
    done = subprocess.run(
        program, cwd=ROOT, stdin=theirs, capture_output=True, text=True, timeout=WAIT_S_MAX, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert done.stdout.startswith("Type what you would say"), done.stderr
    assert "you:  answers: approve" in done.stdout
