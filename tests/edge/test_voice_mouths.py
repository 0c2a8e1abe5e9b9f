"""One suite for every mouth; piper is stood in for by a program that behaves like it."""

import json
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from edge.engines.choice import make_mouth
from edge.engines.espeak_mouth import EspeakMouth
from edge.engines.mouth import Mouth, NoMouthError
from edge.engines.piper_mouth import PiperMouth
from edge.settings import EdgeSettings

PIPER = """#!{python}
import sys
import time
arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert "--output-raw" in sys.argv and "--model" in sys.argv, sys.argv
if "broken" in arguments["--model"]:
    sys.exit("this voice is broken")
for line in sys.stdin:
    for _word in line.split():
        # a third of a second of a tone for each word, in a chunk of odd length
        levels = (8_000 if at // 50 % 2 else -8_000 for at in range(7350))
        block = b"".join(level.to_bytes(2, "little", signed=True) for level in levels)
        sys.stdout.buffer.write(block[:-1])
        sys.stdout.buffer.flush()
        sys.stdout.buffer.write(block[-1:])
        sys.stdout.buffer.flush()
"""
LONG = "word " * 500


@pytest.fixture
def voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Put a piper on PATH; return what makes a voice for it."""
    program = tmp_path / "bin" / "piper"
    program.parent.mkdir()
    program.write_text(PIPER.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent))

    def made(name: str) -> str:
        path = tmp_path / f"{name}.onnx"
        path.write_bytes(b"weights")
        path.with_suffix(".onnx.json").write_text(json.dumps({"audio": {"sample_rate": 22_050, "quality": "low"}}))
        return str(path)

    return made


@pytest.fixture(params=["espeak-ng", "espeak-ng in German", "piper"])
def mouth(request: pytest.FixtureRequest, voice: Callable[[str], str]) -> Iterator[Mouth]:
    if request.param == "piper":
        made = make_mouth(EdgeSettings(mouth="piper", piper_voice=voice("amy")))
        assert isinstance(made, PiperMouth)
        yield made
        made.close()
    else:
        yield EspeakMouth("de" if "German" in request.param else "en")


def test_a_mouth_streams(mouth: Mouth) -> None:
    blocks = list(mouth.speak("Cross-pollination. Running the tests."))
    assert len(blocks) > 1
    assert {block.dtype for block in blocks} == {np.dtype(np.int16)}
    sound = np.concatenate(blocks)
    assert len(sound) > mouth.rate
    assert np.abs(sound).max() > 1_000


def test_a_mouth_can_be_hushed_and_speaks_again(mouth: Mouth) -> None:
    for _ in range(3):
        hushed = mouth.speak(LONG)
        assert len(next(hushed)) < mouth.rate  # the first block long before the last is made
        hushed.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(np.concatenate(list(mouth.speak("Again.")))) > 0


def test_a_mouth_leaves_no_thread_and_no_process_behind(mouth: Mouth) -> None:
    before = threading.active_count()
    next(mouth.speak(LONG))
    list(mouth.speak("Again."))
    assert threading.active_count() <= before + 1  # the abandoned one may be ending


@pytest.mark.parametrize("text", ["", " ", "\n", "12%", "日本語", "a\nb"])
def test_no_text_breaks_a_mouth(mouth: Mouth, text: str) -> None:
    list(mouth.speak(text))
    assert len(np.concatenate(list(mouth.speak("Fine.")))) > 0


def test_a_card_of_ten_thousand_characters_is_cut(mouth: Mouth) -> None:
    blocks = mouth.speak("x" * 10_000)
    next(blocks)
    blocks.close()  # type: ignore[attr-defined]  # it is a generator


def test_what_piper_lacks_is_said(tmp_path: Path, voice: Callable[[str], str]) -> None:
    with pytest.raises(NoMouthError, match="There is no piper voice"):
        PiperMouth(str(tmp_path / "gone.onnx"))
    with pytest.raises(NoMouthError, match="program piper is missing"):
        PiperMouth(voice("amy"), program="no-such-piper")
    plain = voice("plain")
    Path(f"{plain}.json").write_text('{"audio": {"sample_rate": 5}}')
    with pytest.raises(NoMouthError, match="5 Hz"):
        PiperMouth(plain)
    Path(f"{plain}.json").write_text("no json")
    with pytest.raises(NoMouthError, match="cannot be read"):
        PiperMouth(plain)


def test_a_piper_that_ends_by_itself_is_said(voice: Callable[[str], str]) -> None:
    mouth = PiperMouth(voice("broken"))
    with pytest.raises(NoMouthError):
        list(mouth.speak("Hello."))
    mouth.close()
