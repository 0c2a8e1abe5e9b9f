"""Whatever comes out of a microphone, nothing is approved by it, and the next word of a person counts.

The conversation is the soak's (tests/bench/soak_voice.py): somebody is always being asked, of low and of medium risk in
turn, with the real ear. The microphones are real streams on a sound server of the test's own.
"""

import asyncio
import math
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from edge.audio.samples import convert, from_floats
from edge.audio.sound import Microphone, choose, devices
from edge.engines.ear import RATE, Samples
from edge.engines.espeak_mouth import EspeakMouth
from edge.engines.sphinx_ear import SphinxEar
from edge.hearing import Hearer
from edge.phrase_files import phrasebook, sentences
from edge.speech import saying
from edge.speech.commands import Word
from edge.speech.turn import AnyHappened, Heard
from tests.bench.soak_voice import BLOCK, Listener, babble, pool
from tests.edge.cards import OPEN_VERBS, prediction
from tests.edge.sound_card import SoundCard, sound_card

pytestmark = pytest.mark.slow
SECONDS, VOICES, PAUSE_S, TRIES_MAX = 12, 12, 3, 3
WAIT_S_MAX = 60.0
SEED = 4
TIMES: npt.NDArray[np.float64] = np.arange(SECONDS * RATE) / RATE
MELODY = (262, 330, 392, 523, 392, 330)
STRANGE = np.array([[math.nan], [math.inf], [-math.inf], [9e30], [-3.0]], np.float32)


@pytest.fixture(scope="module")
def ear() -> SphinxEar:
    return SphinxEar(phrasebook("en"))


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    """Some seconds of people talking at once."""
    chance, parts, held = np.random.default_rng(SEED), [], 0
    for part in babble(pool(tmp_path_factory.mktemp("voices"), chance, VOICES), chance):
        parts.append(part)
        held += len(part)
        if held > SECONDS * RATE:
            break
    return np.concatenate(parts)


def said(text: str) -> Samples:
    """Return what a person says, as a synthetic voice that the ear is known to understand."""
    mouth = EspeakMouth("en", words_per_minute=150)
    return convert(np.concatenate([np.zeros(0, np.int16), *mouth.speak(text)]), mouth.rate)


def music(_talk: Samples) -> Samples:
    """A melody of two voices with overtones, and a beat."""
    notes = np.repeat(MELODY * SECONDS, len(TIMES) // (len(MELODY) * SECONDS))[: len(TIMES)]
    phase = 2 * np.pi * np.cumsum(np.pad(notes, (0, len(TIMES) - len(notes)), mode="edge")) / RATE
    tune = sum(np.sin(phase * harmony) / harmony for harmony in (0.5, 1, 2, 3, 5))
    beat = np.random.default_rng(SEED).normal(size=len(TIMES)) * np.exp(-20 * (TIMES % 0.5))
    return from_floats(0.15 * tune + 0.1 * beat)


def own_voice(_talk: Samples) -> Samples:
    """What the glasses themselves say about a card, as if nothing closed the ear meanwhile."""
    text = saying.card(prediction(), OPEN_VERBS, sentences("en"), "full").text
    return np.concatenate([said(text), said(sentences("en").say("options"))])


def alternating(_talk: Samples) -> Samples:
    """Blocks of NaN, of infinities and of far too loud sound, as floats from a device."""
    return from_floats(np.resize(STRANGE[:, 0], len(TIMES)))


SOUNDS: dict[str, Callable[[Samples], Samples]] = {
    "silence": lambda _talk: np.zeros(len(TIMES), np.int16),
    "a quiet room": lambda _talk: (np.random.default_rng(SEED).normal(size=len(TIMES)) * 20).astype(np.int16),
    "a loud hum": lambda _talk: from_floats(np.sin(2 * np.pi * 100 * TIMES)),
    "one level": lambda _talk: np.full(len(TIMES), 32_767, np.int16),
    "music": music,
    "babble": lambda talk: talk,
    "the loop's own voice": own_voice,
    "clipping": lambda talk: np.clip(talk.astype(np.int32) * 50, -32_768, 32_767).astype(np.int16),
    "no numbers": alternating,
    "nothing at all": lambda _talk: np.zeros(0, np.int16),
}


@pytest.mark.needs_flite
@pytest.mark.parametrize("sound", SOUNDS)
async def test_no_sound_approves_and_the_next_word_counts(ear: SphinxEar, talk: Samples, sound: str) -> None:
    listener = Listener(ear)
    await fed(listener, SOUNDS[sound](talk))
    assert not any(answer.startswith(("approve", "edit")) for answer in listener.answers)
    before = rejected(listener)
    for _ in range(TRIES_MAX):
        await fed(listener, np.zeros(PAUSE_S * RATE, np.int16))
        await fed(listener, said("skip it"))
        await fed(listener, np.zeros(PAUSE_S * RATE, np.int16))
        if rejected(listener) > before:
            return
    pytest.fail(f"nobody was heard any more: {listener.heard}")


async def fed(listener: Listener, sound: Samples) -> None:
    """Let a sound be heard, and now and then a block without anything in it."""
    for at in range(0, max(1, len(sound)), BLOCK):
        listener.ask()
        listener.hearer.hear(sound[:0])
        listener.hearer.hear(sound[at : at + BLOCK])
        await listener.hearer.settled()


def rejected(listener: Listener) -> int:
    return sum(count for answer, count in listener.answers.items() if answer.startswith("reject"))


@pytest.fixture(scope="module")
def card() -> Iterator[SoundCard]:
    with sound_card() as one:
        yield one


@pytest.mark.needs_pulseaudio
@pytest.mark.parametrize("rate", [8_000, 44_100, 48_000])  # below the ear's own, no multiple of it, and a multiple
async def test_a_microphone_of_any_rate_is_understood_also_after_blocks_of_nothing(
    ear: SphinxEar, card: SoundCard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rate: int
) -> None:
    for name, value in card.own_environment.items():
        monkeypatch.setenv(name, value)
    heard: asyncio.Queue[AnyHappened] = asyncio.Queue()
    hearer = Hearer(ear, phrasebook("en"), heard.put_nowait)
    hearer.listen(on=True)
    found = choose(devices(anew=True), "virtmic", is_input=True)
    microphone = Microphone(found, asyncio.get_running_loop(), rates=(rate,))
    assert microphone.rate == rate
    for block in (STRANGE[:0], STRANGE, STRANGE[:1]):
        microphone._take(block, len(block), None, None)  # noqa: SLF001  called by PortAudio
    listening = asyncio.create_task(listened(microphone, hearer))
    try:
        assert Word.SKIP in await words(card, heard, recorded("skip it", tmp_path))
    finally:
        microphone.close()
        await listening


async def listened(microphone: Microphone, hearer: Hearer) -> None:
    async for block in microphone.blocks():
        hearer.hear(block)


async def words(card: SoundCard, heard: asyncio.Queue[AnyHappened], path: Path) -> list[Word]:
    """Let a person speak until something is understood, some times at most; return the words."""
    for _ in range(TRIES_MAX):
        await asyncio.to_thread(card.speak, path)
        try:
            async with asyncio.timeout(WAIT_S_MAX / TRIES_MAX):
                while not isinstance(event := await heard.get(), Heard):
                    pass
        except TimeoutError:
            continue
        return [event.command.word]
    return []


def recorded(text: str, folder: Path) -> Path:
    """Return a recording of a person."""
    path = folder / "said.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.concatenate([np.zeros(RATE, np.int16), said(text)]).astype("<i2").tobytes())
    return path
