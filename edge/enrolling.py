"""Takes the wearer's sentences, from the microphone or from recordings, and makes the template of their voice."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from edge.app import only_one
from edge.audio.samples import level_db
from edge.audio.sound import Microphone, choose, devices
from edge.engines.ear import RATE, Samples
from edge.hearing import FRAME, Cutter, stretches
from edge.phrase_files import phrasebook
from edge.recordings import read_sound
from edge.settings import EdgeSettings
from edge.speaker.measures import Unfit, measure
from edge.speaker.template import Template, enrol
from edge.speaker_files import background
from edge.speech.enrolment import enrolment_lines
from edge.speech.segmenter import Ways
from hub.contract.errors import UserError

SILENCE_S_MAX = 15.0
TRIES_MAX = 3
WHY = {
    "no-sound": "there was no speech",
    "too-short": "it was too short",
    "clipped": "it was too loud: turn the microphone's level down",
    "too-few": "there were too few sentences",
    "unclear": "it is too similar to other voices: speak evenly, in a quiet room",
}


class NotEnrolledError(UserError):
    """Your voice could not be learned; the message says why. Nothing was changed."""

    code = "not-enrolled"


def template_of(sentences: Sequence[Samples]) -> Template:
    """Return the template of whoever spoke these sentences.

    Raises:
        NotEnrolledError: they are too few, too short, overdriven, or tell too little.
    """
    found = enrol(sentences, background())
    if isinstance(found, Unfit):
        raise _refusal(found)
    return found


def recorded(waves: Iterable[Path]) -> list[Samples]:
    """Return the longest stretch of speech of each recording.

    Raises:
        BadRecordingsError: one cannot be read.
    """
    return [max(stretches(read_sound(path)), key=len, default=np.zeros(0, np.int16)) for path in waves]


async def spoken(settings: EdgeSettings, folder: Path, tell: Callable[[str], None]) -> list[Samples]:
    """Ask for each sentence, and return what was said; one that is unfit is asked for again.

    Raises:
        NoSoundError, RunningError: the microphone is missing or busy, or the glasses run.
        NotEnrolledError: a sentence was not said well enough, or not at all.
    """
    with only_one(folder):
        microphone = Microphone(choose(devices(), settings.microphone, is_input=True), asyncio.get_running_loop())
        try:
            heard = _stretches(microphone.blocks())
            return [await _sentence(line, heard, tell) for line in enrolment_lines(phrasebook(settings.language))]
        finally:
            microphone.close()


async def _sentence(line: str, heard: AsyncIterator[Samples], tell: Callable[[str], None]) -> Samples:
    why = Unfit("no-sound")
    for _ in range(TRIES_MAX):
        tell(f"Say: {line}")
        speech = await anext(heard, np.zeros(0, np.int16))
        measured = measure(speech)
        if not isinstance(measured, Unfit):
            return speech
        why = measured
        tell(f"That was not clear: {WHY[why.why]}.")
    raise _refusal(why)


async def _stretches(blocks: AsyncIterator[Samples]) -> AsyncIterator[Samples]:
    """Yield each stretch of speech, and nothing at all after too much silence."""
    cutter, rest, quiet_s = Cutter(Ways()), np.zeros(0, np.int16), 0.0
    async for block in blocks:
        sound = np.concatenate([rest, block])
        whole = len(sound) // FRAME * FRAME
        rest = sound[whole:]
        for at in range(0, whole, FRAME):
            frame = sound[at : at + FRAME]
            speech = cutter.take(frame, level_db(frame))[1]
            quiet_s = 0.0 if cutter.speaking else quiet_s + FRAME / RATE
            if speech is not None:
                yield speech
        if quiet_s > SILENCE_S_MAX:
            return


def _refusal(unfit: Unfit) -> NotEnrolledError:
    return NotEnrolledError(f"Your voice was not learned: {WHY[unfit.why]}.", fix="`pulse edge enrol` tries again.")


def advice(path: Path, *, on: bool) -> str:
    """Return what is said after enrolment: where it is, how it is switched on, and how little it is."""
    switch = "It counts from the next start." if on else "Switch it on with `speaker_lock = true` in edge.toml."
    return (
        f"Your voice is known now: numbers, no sound, in {path}. {switch}\n"
        "It is a weak lock. Some bystanders cannot approve any more. Others still can (of people's recordings a third\n"
        "passed for someone else), and so can anyone who imitates you or plays a recording of you. A button or a wear\n"
        "sensor is the strong lock. Figures: docs/voice.md."
    )
