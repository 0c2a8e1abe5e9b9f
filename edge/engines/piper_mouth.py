"""A mouth with a neural voice: the program `piper` with a voice that the person has fetched.

`piper --output-raw` reads text on standard input and writes 16-bit samples as it makes them. It loads its voice first,
which takes longer than anybody wants to wait; so the next process is started ahead, and waits with its voice loaded. A
hush ends the process that speaks.
"""

import contextlib
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from edge.audio.samples import RATES
from edge.engines.ear import Samples
from edge.engines.espeak_mouth import TEXT_CHARS_MAX, WORDS_PER_MINUTE
from edge.engines.mouth import NoMouthError

BLOCK_BYTES = 4_096
END_S_MAX = 5.0
SAMPLE_BYTES = 2
Process = subprocess.Popen[bytes]


class _Audio(msgspec.Struct):
    sample_rate: int


class _VoiceFile(msgspec.Struct):
    """What we need of the JSON beside a voice; further keys are let go."""

    audio: _Audio


class PiperMouth:
    """piper with one voice."""

    name = "piper"

    def __init__(self, voice: str, *, words_per_minute: int = WORDS_PER_MINUTE, program: str = "piper") -> None:
        """Find the program and the voice, and start loading it.

        Raises:
            NoMouthError: the program or the voice is missing, or the voice's description cannot be read.
        """
        found = shutil.which(program)
        if found is None:
            raise NoMouthError("The program piper is missing.", fix='pip install piper-tts, or mouth = "espeak-ng".')
        if not Path(voice).is_file():
            raise NoMouthError(f"There is no piper voice {voice!r}.", fix="Name the .onnx file of one as piper_voice.")
        self.rate = _rate_of(voice)
        slower = WORDS_PER_MINUTE / words_per_minute
        self._command = [found, "--model", voice, "--output-raw", "--length-scale", f"{slower:.2f}"]
        self._lock = threading.Lock()
        self._spare: Process | None = self._started()

    def speak(self, text: str) -> Iterator[Samples]:
        """Yield the sound of a text.

        Raises:
            NoMouthError: piper ended without having said it.
        """
        process = self._taken()
        try:
            yield from _sound(process, " ".join(text[:TEXT_CHARS_MAX].split()))
        finally:
            _end(process)

    def close(self) -> None:
        """End the process that waits."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is not None:
            _end(spare)

    def _taken(self) -> Process:
        """Return the process that has its voice loaded, and start the next."""
        with self._lock:
            spare, self._spare = self._spare, self._started()
        if spare is not None and spare.poll() is not None:  # it has ended by itself
            _end(spare)
            spare = None
        return spare or self._started()

    def _started(self) -> Process:
        return subprocess.Popen(  # noqa: S603  the program that the person installed, with our own words
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )


def _rate_of(voice: str) -> int:
    try:
        rate = msgspec.json.decode(Path(f"{voice}.json").read_bytes(), type=_VoiceFile).audio.sample_rate
    except (OSError, msgspec.DecodeError) as error:
        raise NoMouthError(f"{voice}.json cannot be read: {error}.", fix="Fetch it with its voice.") from error
    if rate not in RATES:
        raise NoMouthError(f"{voice}.json names {rate} Hz.", fix="Fetch the voice again.")
    return rate


def _sound(process: Process, text: str) -> Iterator[Samples]:
    if process.stdin is None or process.stdout is None:
        raise TypeError(process)
    try:
        with process.stdin as pipe:
            pipe.write(f"{text}\n".encode())
    except OSError as error:
        raise NoMouthError("piper has ended.", fix="Does `piper` work with this voice?") from error
    rest, count = b"", 0
    while chunk := process.stdout.read1(BLOCK_BYTES):  # type: ignore[attr-defined]  # a pipe is buffered and has it
        whole = rest + chunk
        cut = len(whole) // SAMPLE_BYTES * SAMPLE_BYTES
        rest, count = whole[cut:], count + cut
        yield np.frombuffer(whole[:cut], "<i2").astype(np.int16)
    if not count and text:
        raise NoMouthError("piper said nothing.", fix="Does `piper` work with this voice?")


def _end(process: Process) -> None:
    """End a process, by force where it does not end by itself."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.terminate()
    try:
        process.wait(END_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
