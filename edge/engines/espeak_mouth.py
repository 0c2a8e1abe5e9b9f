"""The default mouth: espeak-ng through pyttsx3's driver, streaming, without a desktop.

pyttsx3's own loop writes a file and starts a player; here its binding is asked for the sound itself. espeak-ng keeps
one state for the whole process, so one lock guards it, and it makes its sound in a thread of its own.
"""

import ctypes
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from edge.engines.ear import Samples
from edge.engines.mouth import NoMouthError
from edge.parts import SYSTEM_FIX

BLOCK_MS = 60
BLOCKS_AHEAD_MAX = 8
"""So much is made before it is played; a hush throws away no more than this."""
WORDS_PER_MINUTE = 165
VOICES = {"en": "en-us", "de": "de"}
TEXT_CHARS_MAX = 4_000
GO_ON, ABORT = 0, 1
DONT_EXIT = 0x8000
"""To espeak_Initialize: return where the voices are missing, instead of ending the whole process."""
PUT_S = 0.05

_ONE_STATE = threading.Lock()


class EspeakMouth:
    """espeak-ng with one voice."""

    name = "espeak-ng"

    def __init__(self, language: str, *, voice: str = "", words_per_minute: int = WORDS_PER_MINUTE) -> None:
        """Load espeak-ng.

        Raises:
            NoMouthError: pyttsx3 or espeak-ng is missing, or it has no such voice.
        """
        self._espeak, self.rate = _loaded()
        self._voice = (voice or VOICES.get(language, language)).encode()
        self._speed = words_per_minute
        with _ONE_STATE:
            if self._espeak.SetVoiceByName(self._voice) != 0:
                raise NoMouthError(f"espeak-ng has no voice {self._voice.decode()!r}.", fix="`espeak-ng --voices`")

    def speak(self, text: str) -> Iterator[Samples]:
        """Yield the sound of a text."""
        blocks: queue.Queue[Samples | None] = queue.Queue(BLOCKS_AHEAD_MAX)
        hushed = threading.Event()
        maker = threading.Thread(target=self._make, args=(text[:TEXT_CHARS_MAX], blocks, hushed), daemon=True)
        maker.start()
        try:
            while (block := blocks.get()) is not None:
                yield block
        finally:
            hushed.set()
            maker.join()

    def close(self) -> None:
        """Nothing is held ready."""

    def _make(self, text: str, blocks: "queue.Queue[Samples | None]", hushed: threading.Event) -> None:
        """Synthesize into the queue until the end or a hush."""

        def take(wave: Any, count: int, _events: Any) -> int:  # noqa: ANN401  pointers of the C library
            if count > 0:
                sound = np.frombuffer(ctypes.string_at(wave, count * 2), np.int16).copy()
                while not hushed.is_set():
                    try:
                        blocks.put(sound, timeout=PUT_S)
                    except queue.Full:
                        continue
                    return GO_ON
            return ABORT if hushed.is_set() else GO_ON

        with _ONE_STATE:
            self._espeak.SetVoiceByName(self._voice)
            self._espeak.SetParameter(self._espeak.RATE, self._speed, 0)
            self._espeak.SetSynthCallback(take)
            self._espeak.Synth(text.encode(), flags=self._espeak.ENDPAUSE | self._espeak.CHARS_UTF8)
            self._espeak.SetSynthCallback(_nothing)
        while not hushed.is_set():
            try:
                blocks.put(None, timeout=PUT_S)
            except queue.Full:
                continue
            return


def _nothing(_wave: object, _count: int, _events: object) -> int:
    return GO_ON


_loaded_once: tuple[Any, int] | None = None


def _loaded() -> tuple[Any, int]:
    """Return pyttsx3's binding (it has no types) and the rate of its sound; espeak-ng can be started only once."""
    global _loaded_once  # noqa: PLW0603  the C library's state is one for the process
    with _ONE_STATE:
        if _loaded_once is None:
            try:
                from pyttsx3.drivers import _espeak  # type: ignore[import-untyped]  # it has no types  # noqa: PLC0415  loads a C library: only when this mouth is used
            except ImportError as error:
                fix = f"{sys.executable} -m pip install pyttsx3"
                raise NoMouthError("The package pyttsx3 is missing.", fix=fix) from error
            except (OSError, RuntimeError) as error:
                raise NoMouthError("espeak-ng, the system's voice, is missing.", fix=SYSTEM_FIX) from error
            rate = _espeak.Initialize(_espeak.AUDIO_OUTPUT_SYNCHRONOUS, BLOCK_MS, None, DONT_EXIT)
            if rate <= 0:
                raise NoMouthError("espeak-ng does not start: its voices are missing.", fix=SYSTEM_FIX)
            _loaded_once = (_espeak, rate)
        return _loaded_once
