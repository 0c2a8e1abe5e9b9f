"""How soon a card is heard, an answer is on its way and a hush is silent: real glasses, broker and streams of sound.

The sound card is a virtual one (tests/edge/sound_card.py), whose own delays are part of every figure. What is audible
is recorded beside the glasses, and every block is stamped as it arrives.
"""

import asyncio
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from paho.mqtt.client import MQTTMessage

from edge.audio.samples import from_floats
from edge.audio.sound import Speaker, choose, devices
from edge.engines.ear import RATE
from edge.link import Kept
from hub.contract import topics
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import DeliveredCard
from hub.contract.topics import DeviceAddress
from tests.bench.figures import Figure, percentile
from tests.edge.cards import NOW, delivery
from tests.edge.sound_card import SoundCard, person, sound_card
from tests.edge.worn_glasses import running
from tests.fakes.broker import hub_side, plain_broker

BENCH = "voice_path"
ROUNDS, HUSHES = 20, 20
AUDIBLE = 300
BLOCK_BYTES = 320  # 10 ms
WAIT_S_MAX = 60.0
END_OF_SPEECH_MS = 450.0
"""What the segmenter waits for before a word counts as ended (edge/speech/segmenter.py)."""
SAID = "approve it"
"""A lone "approve" of flite's voices is mostly not understood (docs/voice.md), and then there is nothing to time."""
PI = DeviceAddress(surface="glasses", device="pi")


class Recorder:
    """Notes when each loud sample of a source was heard."""

    def __init__(self, card: SoundCard, source: str) -> None:
        program = ["parec", f"--device={source}", f"--rate={RATE}", "--channels=1", "--format=s16le"]
        self._process = subprocess.Popen(
            [*program, "--latency-msec=10"], env=card.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._lock = threading.Lock()
        self._loud_s: list[tuple[float, float]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while block := self._process.stdout.read(BLOCK_BYTES):
            now_s, samples = time.monotonic(), np.frombuffer(block, np.int16)
            loud = np.nonzero(np.abs(samples.astype(np.int32)) > AUDIBLE)[0]
            if len(loud):
                ends = [now_s - (len(samples) - at) / RATE for at in (loud[0], loud[-1])]
                with self._lock:
                    self._loud_s.append((ends[0], ends[1]))

    def first_after(self, moment_s: float) -> float | None:
        """Return when the first loud sample after a moment was heard."""
        with self._lock:
            return next((first for first, _ in self._loud_s if first >= moment_s), None)

    def last_before(self, moment_s: float) -> float | None:
        """Return when the last loud sample before a moment was heard."""
        with self._lock:
            return next((last for _, last in reversed(self._loud_s) if last <= moment_s), None)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(WAIT_S_MAX)


class HubSide:
    """What came from the glasses, with its time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.came: asyncio.Queue[tuple[float, str]] = asyncio.Queue()

    def __call__(self, _client: object, _data: object, message: MQTTMessage) -> None:
        entry = (time.monotonic(), message.topic.split("/")[3] + ("+" if b'"online":true' in message.payload else ""))
        self._loop.call_soon_threadsafe(self.came.put_nowait, entry)

    async def next(self, kind: str) -> float:
        async with asyncio.timeout(WAIT_S_MAX):
            while True:
                at_s, found = await self.came.get()
                if found == kind:
                    return at_s


def run() -> list[Figure]:
    """Measure; needs flite, mosquitto and pulseaudio."""
    with sound_card() as card, tempfile.TemporaryDirectory() as folder:
        first_ms, answer_ms = asyncio.run(_conversations(card, Path(folder)))
        hush_ms = _hushes(card)
    return [
        Figure(bench=BENCH, what="approvals timed", value=len(answer_ms), unit="", goal=ROUNDS, better="higher"),
        _figure("card on the bus → first audible sample, p95", percentile(first_ms, 0.95), 250),
        _figure("card on the bus → first audible sample, p50", percentile(first_ms, 0.5), None),
        _figure("end of the last word → decision published, p95", percentile(answer_ms, 0.95), 700),
        _figure("end of the last word → decision published, p50", percentile(answer_ms, 0.5), None),
        _figure("of which not end-of-speech detection, p95", percentile(answer_ms, 0.95) - END_OF_SPEECH_MS, 150),
        _figure("hush → last audible sample, p95", percentile(hush_ms, 0.95), 100),
    ]


def _figure(what: str, value_ms: float, goal_ms: float | None) -> Figure:
    return Figure(bench=BENCH, what=what, value=round(value_ms, 1), unit="ms", goal=goal_ms)


async def _conversations(card: SoundCard, folder: Path) -> tuple[list[float], list[float]]:
    """Hand out cards and approve them; an approval that is not understood at once is tried on the next card."""
    side, first_ms, answer_ms = HubSide(), [], []
    said = person(SAID, folder / "approve.wav")
    speaker, microphone = Recorder(card, "speaker.monitor"), Recorder(card, "virtmic")
    with plain_broker(folder) as broker, hub_side(broker, side) as hub:
        Kept(folder / "edge").keep_login(broker.login)
        async with running(folder, card, {}) as worn:
            await side.next("presence+")
            for number in range(ROUNDS):
                began_s = time.monotonic()
                hub.publish(*_handed(number), qos=1)
                await worn.until("→ listening")
                first_s = speaker.first_after(began_s)
                assert first_s is not None
                first_ms.append((first_s - began_s) * 1e3)
                await asyncio.to_thread(card.speak, said)
                line = await worn.line()
                while not line.endswith(("sending", "listening", "idle")):
                    line = await worn.line()
                if line.endswith("sending"):
                    sent_s = await side.next("decision")
                    last_s = microphone.last_before(sent_s)
                    assert last_s is not None
                    answer_ms.append((sent_s - last_s) * 1e3)
                if not line.endswith("idle"):
                    await worn.until("→ idle")
    assert answer_ms, f"none of {ROUNDS} approvals was understood"
    for one in (speaker, microphone):
        one.stop()
    return first_ms, answer_ms


def _handed(number: int) -> tuple[str, bytes]:
    body = DeliveredCard(card=delivery(f"card{number}", prompt="Run the tests"))
    envelope = Envelope(id=f"card{number}", source="pulse/hub", type="deliver", time=NOW, data=body)
    return topics.deliver("me", PI), encode(envelope)


def _hushes(card: SoundCard) -> list[float]:
    """Play a tone and hush it; the library finds the virtual card by its environment."""
    os.environ.update(card.own_environment)
    recorder, speaker = Recorder(card, "speaker.monitor"), Speaker(RATE)
    speaker.open(choose(devices(), "speaker", is_input=False))
    tone: npt.NDArray[np.float64] = 0.3 * np.sin(np.arange(RATE * 5) * 440 * 2 * np.pi / RATE)
    times = []
    for _ in range(HUSHES):
        began_s = time.monotonic()
        speaker.play(from_floats(tone), RATE)
        _wait_until(lambda began_s=began_s: recorder.first_after(began_s) is not None)  # type: ignore[misc]  # a default binds it
        time.sleep(0.3)
        hushed_s = time.monotonic()
        speaker.hush()
        time.sleep(1.0)
        last_s = recorder.last_before(time.monotonic())
        assert last_s is not None
        times.append((last_s - hushed_s) * 1e3)
    speaker.close()
    recorder.stop()
    return times


def _wait_until(is_so: Callable[[], bool]) -> None:
    limit_s = time.monotonic() + WAIT_S_MAX
    while not is_so():
        assert time.monotonic() < limit_s
        time.sleep(0.01)
