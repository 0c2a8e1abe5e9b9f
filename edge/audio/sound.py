"""Streams of real sound on PortAudio: a microphone and a speaker, chosen by name, that may come and go.

PortAudio calls from a thread of its own and must not wait: the callbacks only copy. What the microphone brings goes
to the loop through one bounded queue, oldest first; what is to be heard waits in a list that a hush empties at once.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy as np

from edge.audio.samples import RATES, Converter, from_floats
from edge.engines.ear import RATE, Samples
from edge.parts import SYSTEM_FIX
from hub.contract.base import Value
from hub.contract.errors import WorldError

BLOCK_S = 0.03
SILENT_DEVICE_S = 5.0
"""A microphone that brings no block for so long has vanished, whatever the system says."""
QUEUED_BLOCKS_MAX = 200
"""Six seconds of sound; a loop that is further behind has lost its present and drops the oldest."""
RATES_TRIED = (16_000, 48_000, 44_100, 22_050, 96_000, 8_000)
OUTPUT_DELAY_S = 0.07
"""What the speaker holds: short enough to be hushed at once, long enough not to stutter on a small machine."""
HUSH_FADE_S = 0.002
"""What is hushed fades for so long: cut off, it would click."""
QUIET = 0
PLAYED_SAMPLES_MAX = 96_000 * 300


class NoSoundError(WorldError):
    """A microphone or speaker is missing, busy, or supports no usable sample rate. The message says which."""

    code = "no-sound"


class DeviceSeen(Value):
    """One sound device as PortAudio names it."""

    index: int
    name: str
    inputs: int
    outputs: int
    rate: int


def portaudio() -> Any:  # noqa: ANN401  sounddevice has no types
    """Return the sounddevice module.

    Raises:
        NoSoundError: PortAudio, which pip does not bring along, is not installed.
    """
    try:
        import sounddevice  # type: ignore[import-untyped]  # it has no types  # noqa: PLC0415  loads a C library: only where there is sound
    except OSError as error:
        raise NoSoundError("PortAudio, the system's library for sound, is missing.", fix=SYSTEM_FIX) from error
    return sounddevice


def devices(*, anew: bool = False) -> tuple[DeviceSeen, ...]:
    """Return the sound devices; `anew` looks for new ones, which ends every open stream first."""
    library = portaudio()
    if anew:
        library._terminate()  # noqa: SLF001  PortAudio lists devices once; this is the only way to look again
        library._initialize()  # noqa: SLF001  PortAudio lists devices when it begins
    return tuple(
        DeviceSeen(
            index=index,
            name=str(one["name"]),
            inputs=int(one["max_input_channels"]),
            outputs=int(one["max_output_channels"]),
            rate=int(one["default_samplerate"]),
        )
        for index, one in enumerate(library.query_devices())
    )


def choose(seen: tuple[DeviceSeen, ...], wanted: str, *, is_input: bool) -> DeviceSeen:
    """Return the device whose name is, or else contains, `wanted`; the one called default for an empty name.

    Raises:
        NoSoundError: there is none; names those that there are.
    """
    able = [one for one in seen if (one.inputs if is_input else one.outputs) > 0]
    name = (wanted or "default").casefold()
    exact = [one for one in able if one.name.casefold() == name]
    partly = [one for one in able if name in one.name.casefold()]
    found = exact or partly or ([] if wanted else able)
    if found:
        return found[0]
    kind = "microphone" if is_input else "speaker"
    there = ", ".join(one.name for one in able) or "none"
    fix = f"Name another one in edge.toml as `{'microphone' if is_input else 'speaker'}`." if able else "Plug one in."
    raise NoSoundError(f"There is no {kind} called {wanted or 'default'!r} (there are: {there}).", fix=fix)


class Microphone:
    """An open microphone: `async for block in microphone.blocks()` gives 16 kHz, one channel, until it vanishes."""

    def __init__(
        self, device: DeviceSeen, loop: asyncio.AbstractEventLoop, *, rates: Sequence[int] = RATES_TRIED
    ) -> None:
        """Open the device at the first of these rates, or at its own, that it takes.

        Raises:
            NoSoundError: it refuses.
        """
        self._loop = loop
        self._queue: asyncio.Queue[Samples | None] = asyncio.Queue(QUEUED_BLOCKS_MAX)
        self.rate = 0
        self.dropped = 0
        self._stream = self._opened(device, rates)

    def _opened(self, device: DeviceSeen, rates: Sequence[int]) -> Any:  # noqa: ANN401  sounddevice has no types
        library, problem = portaudio(), ""
        for rate in dict.fromkeys((*rates, device.rate)):
            if rate not in RATES:
                continue
            try:
                stream = library.InputStream(
                    samplerate=rate,
                    device=device.index,
                    channels=1,
                    dtype="float32",
                    blocksize=int(rate * BLOCK_S),
                    callback=self._take,
                    finished_callback=self._gone,
                )
                self.rate = rate
                stream.start()
            except library.PortAudioError as error:
                problem = str(error)
            else:
                return stream
        raise NoSoundError(
            f"The microphone {device.name} cannot be opened: {problem}.", fix="Is another program using it?"
        )

    def _take(self, block: Any, _frames: int, _time: object, _status: object) -> None:  # noqa: ANN401  a buffer of PortAudio's
        self._hand_over(from_floats(block[:, 0]))

    def _gone(self) -> None:
        self._hand_over(None)

    def _hand_over(self, block: Samples | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(self._put, block)

    def _put(self, block: Samples | None) -> None:
        if self._queue.full():
            self._queue.get_nowait()
            self.dropped += 1
        self._queue.put_nowait(block)

    async def blocks(self) -> AsyncIterator[Samples]:
        """Yield what it hears; ends when the device has vanished."""
        converter = Converter(self.rate, RATE)
        while True:
            try:
                async with asyncio.timeout(SILENT_DEVICE_S):  # wait_for can lose a cancellation, before Python 3.12
                    block = await self._queue.get()
            except TimeoutError:
                return
            if block is None:
                return
            yield converter.take(block)

    def close(self) -> None:
        """Let the device go."""
        with contextlib.suppress(portaudio().PortAudioError):
            self._stream.close(ignore_errors=True)


class Speaker:
    """A speaker that plays what it is given, one thing after the other, and can be silenced at once.

    Before it is open, and once its device has vanished, nothing is audible and nothing waits.
    """

    def __init__(self, rate: int) -> None:
        """Take the rate that is wished for: that of the mouth."""
        self._lock = threading.Lock()
        self._parts: deque[Samples] = deque()
        self._held = 0
        self.volume = 1.0
        self.rate = rate
        self._wanted = rate
        self._converter: tuple[int, Converter] | None = None
        self._stream: Any = None  # sounddevice has no types

    def open(self, device: DeviceSeen) -> None:
        """Open it, or open it again, at the rate that is wished for or at one of its own; what waited is lost.

        Raises:
            NoSoundError: it refuses.
        """
        self.close()
        self._stream = self._opened(device, self._wanted)

    def _opened(self, device: DeviceSeen, wanted: int) -> Any:  # noqa: ANN401  sounddevice has no types
        library, problem = portaudio(), ""
        for rate in dict.fromkeys((wanted, *RATES_TRIED, device.rate)):
            if rate not in RATES:
                continue
            try:
                stream = library.OutputStream(
                    samplerate=rate,
                    device=device.index,
                    channels=1,
                    dtype="int16",
                    blocksize=int(rate * BLOCK_S),
                    latency=OUTPUT_DELAY_S,
                    callback=self._give,
                )
                stream.start()
            except library.PortAudioError as error:
                problem = str(error)
            else:
                self.rate = rate
                return stream
        raise NoSoundError(
            f"The speaker {device.name} cannot be opened: {problem}.", fix="Is another program using it?"
        )

    def play(self, samples: Samples, rate: int) -> None:
        """Queue sound, which goes on where the last of the same rate ended; more than five minutes of it is dropped."""
        if not self.is_open:
            return
        sound = self._converted(samples, rate)
        with self._lock:
            if self._held + len(sound) <= PLAYED_SAMPLES_MAX:
                self._parts.append(sound)
                self._held += len(sound)

    def _converted(self, samples: Samples, rate: int) -> Samples:
        if rate == self.rate:
            return samples
        if self._converter is None or self._converter[0] != rate:
            self._converter = rate, Converter(rate, self.rate)
        return self._converter[1].take(samples)

    def hush(self) -> None:
        """Forget everything that has not been heard yet, but for the moment in which it fades."""
        self._converter = None
        last = np.zeros((int(self.rate * HUSH_FADE_S), 1), np.int16)
        with self._lock:
            count = self._move(last)
            fading: Samples = (last[:count, 0] * np.linspace(1.0, 0.0, count)).astype(np.int16)
            self._parts.clear()
            self._parts.append(fading)
            self._held = count

    @property
    def left_s(self) -> float:
        """How much is still to be heard, the speaker's own delay included."""
        with self._lock:
            held = self._held
        return held / self.rate + (float(self._stream.latency) if held and self.is_open else 0.0)

    @property
    def is_open(self) -> bool:
        """Whether the device is still there."""
        return self._stream is not None and bool(self._stream.active)

    def _give(self, block: Any, _frames: int, _time: object, _status: object) -> None:  # noqa: ANN401  a buffer of PortAudio's
        with self._lock:
            at = self._move(block)
            self._held -= at
        block[:at] = block[:at] * self.volume
        block[at:] = QUIET

    def _move(self, block: Any) -> int:  # noqa: ANN401  a buffer of PortAudio's, or one of ours
        """Move what is to be heard next into a block of frames; return how many there were."""
        at = 0
        while at < len(block) and self._parts:
            part = self._parts[0]
            take = min(len(block) - at, len(part))
            block[at : at + take, 0] = part[:take]
            at += take
            if take == len(part):
                self._parts.popleft()
            else:
                self._parts[0] = part[take:]
        return at

    def close(self) -> None:
        """Let the device go; what has not been heard is forgotten."""
        self._converter = None
        with self._lock:
            self._parts.clear()
            self._held = 0
        if self._stream is not None:
            with contextlib.suppress(portaudio().PortAudioError):
                self._stream.close(ignore_errors=True)
            self._stream = None
