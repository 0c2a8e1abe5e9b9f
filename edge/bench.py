"""Measures ears on a folder of recordings with labels: accuracy, misses, false approvals, time and memory.

The folder holds WAV, FLAC or OGG files and `labels.json`, a list of `file`, `label` (approve, skip,
later, repeat, details, stop or none), `text` and `kind`. Each recording goes through the same
segmenter, ear and judge as in the loop, as it is and with white noise of a fixed seed.
"""

import itertools
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from edge.engines.ear import RATE, Ear, Samples
from edge.hearing import stretches
from edge.recordings import LABELS, NONE, Noise, Recording, read_sound, with_noise
from edge.speech.commands import Command, Word
from edge.speech.decision import judge
from edge.speech.phrasebook import Phrasebook
from hub.contract.base import Value

SEED = 20_260_101
KB_PER_MB = 1_024


class Row(Value):
    """What came of one recording."""

    kind: str
    label: str
    heard: str
    decode_s: float
    sound_s: float


class Result(Value, rename="camel"):
    """The figures of one ear at one level of noise; shares are 0 to 1, those of nothing are None."""

    engine: str
    noise: str
    recordings: int
    commands: int
    accuracy: float | None
    miss: float | None
    wrong: float | None
    accuracy_by_kind: dict[str, float]
    false_approve_by_kind: dict[str, float]
    false_approvals: int
    false_after_confirming: int
    false_commands: float | None
    decode_ms_p50: float
    decode_ms_p95: float
    real_time_factor: float
    memory_mb: float
    confusion: dict[str, dict[str, int]]


def hear(ear: Ear, sound: Samples, book: Phrasebook) -> tuple[list[Command], list[float]]:
    """Return the commands in a recording, and the seconds of processor that each stretch of speech took."""
    found, times = [], []
    for stretch in stretches(sound):
        began = time.process_time()
        understood = judge(ear.hear(stretch), book, ear.bars)
        times.append(time.process_time() - began)
        if isinstance(understood, Command):
            found.append(understood)
    return found, times


def measure(
    ear: Ear, book: Phrasebook, folder: Path, recordings: Sequence[Recording], noise: Noise
) -> tuple[Result, list[Row]]:
    """Return the figures of one ear at one level of noise."""
    chance = np.random.default_rng(SEED)
    rows, times, confirmed = [], [], 0
    for recording in recordings:
        sound = with_noise(read_sound(folder / recording.file), noise, chance)
        commands, took = hear(ear, sound, book)
        times += took
        heard = _heard(commands)
        confirmed += _grants_after_confirming(commands) and recording.label != Word.APPROVE
        kind, sound_s = recording.kind, len(sound) / RATE
        rows.append(Row(kind=kind, label=recording.label, heard=heard, decode_s=sum(took), sound_s=sound_s))
    return _result(ear.name, noise, rows, times, confirmed), rows


def _heard(commands: list[Command]) -> str:
    """Return what a recording counts as: an approval anywhere in it, else its first command."""
    words = [str(command.word) for command in commands if str(command.word) in LABELS]
    return Word.APPROVE if Word.APPROVE in words else next(iter(words), NONE)


def _grants_after_confirming(commands: list[Command]) -> bool:
    """Say whether an approval was followed by a confirmation and nothing between: what runs a card of medium risk."""
    words = [command.word for command in commands]
    return any(pair == (Word.APPROVE, Word.CONFIRM) for pair in itertools.pairwise(words))


def _result(engine: str, noise: str, rows: list[Row], times: list[float], confirmed: int) -> Result:
    asked = [row for row in rows if row.label != NONE]
    others = [row for row in rows if row.label != Word.APPROVE]
    side = [row for row in rows if row.label == NONE]
    ordered = sorted(times) or [0.0]
    return Result(
        engine=engine,
        noise=noise,
        recordings=len(rows),
        commands=len(asked),
        accuracy=_share([row.heard == row.label for row in asked]),
        miss=_share([row.heard == NONE for row in asked]),
        wrong=_share([row.heard not in {row.label, NONE} for row in asked]),
        accuracy_by_kind=_by_kind(asked, lambda row: row.heard == row.label),
        false_approve_by_kind=_by_kind(others, lambda row: row.heard == Word.APPROVE),
        false_approvals=sum(row.heard == Word.APPROVE for row in others),
        false_after_confirming=confirmed,
        false_commands=_share([row.heard != NONE for row in side]),
        decode_ms_p50=1_000 * ordered[len(ordered) // 2],
        decode_ms_p95=1_000 * ordered[int(0.95 * (len(ordered) - 1))],
        real_time_factor=sum(times) / max(sum(row.sound_s for row in rows), 1e-9),
        memory_mb=_memory_mb(),
        confusion=_confusion(rows),
    )


def _memory_mb() -> float:
    """Return the most memory that this process has held; macOS counts bytes, others kilobytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / KB_PER_MB / (KB_PER_MB if sys.platform == "darwin" else 1)


def _share(marks: list[bool]) -> float | None:
    return sum(marks) / len(marks) if marks else None


def _by_kind(rows: list[Row], mark: Callable[[Row], bool]) -> dict[str, float]:
    kinds = Counter(row.kind for row in rows)
    counted = Counter(row.kind for row in rows if mark(row))
    return {kind: counted[kind] / count for kind, count in sorted(kinds.items())}


def _confusion(rows: list[Row]) -> dict[str, dict[str, int]]:
    table: dict[str, Counter[str]] = {}
    for row in rows:
        table.setdefault(row.label, Counter())[row.heard] += 1
    return {label: dict(heard) for label, heard in table.items()}


def line(result: Result) -> str:
    """Return a result as one readable line."""
    right = "no commands" if result.accuracy is None else f"{result.accuracy:.1%} right"
    return (
        f"{result.engine}, {result.noise}: {right}, {result.false_approvals} false approvals in {result.recordings}, "
        f"{result.false_after_confirming} after confirming; real-time factor {result.real_time_factor:.3f}, "
        f"{result.memory_mb:.0f} MB"
    )
