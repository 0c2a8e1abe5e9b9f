"""Measures ears on a folder of recordings with labels: accuracy, misses, false approvals, time and memory.

The folder holds WAV, FLAC or OGG files and `labels.json`, a list of `file`, `label` (approve, skip, later, repeat,
details, stop, yes or none), `text`, `kind` and `voice`. Each recording goes through the same segmenter, ear and judge
as in the loop, as it is and with white noise of a fixed seed. Where the glasses would ask "Approve?", a "yes" of the
same kind answers for whoever approved, and the folder's next recording of that kind for whoever said something else.
"""

import functools
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
from edge.two_turns import Replies, Spoke, Understood, converse, is_yes
from hub.contract.base import Value

SEED = 20_260_101
KB_PER_MB = 1_024


class Row(Value):
    """What came of one recording."""

    kind: str
    label: str
    heard: str
    spoke: Spoke
    decode_s: float
    sound_s: float


class Result(Value, rename="camel"):
    """The figures of one ear at one level of noise; shares are 0 to 1, those of nothing are None.

    `approve_within_two_turns` is the share of spoken approvals after which a card of low risk is approved, at once or
    after "Approve?" and a yes. `asked_needlessly` and `false_approve_within_two_turns` count what is no approval: how
    often it is asked about, and how often it ends approved all the same.
    """

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
    approve_at_once: float | None
    approve_within_two_turns: float | None
    approve_within_two_turns_by_kind: dict[str, float]
    asked_needlessly_by_kind: dict[str, float]
    false_approve_within_two_turns_by_kind: dict[str, float]
    false_after_confirming: int
    false_commands: float | None
    decode_ms_p50: float
    decode_ms_p95: float
    real_time_factor: float
    memory_mb: float
    confusion: dict[str, dict[str, int]]


def hear(ear: Ear, sound: Samples, book: Phrasebook) -> tuple[list[Understood], list[float]]:
    """Return what is understood of a recording, and the seconds of processor that each stretch of speech took."""
    found, times = [], []
    for stretch in stretches(sound):
        began = time.process_time()
        found.append(judge(ear.hear(stretch), book, ear.bars))
        times.append(time.process_time() - began)
    return found, times


def measure(
    ear: Ear, book: Phrasebook, folder: Path, recordings: Sequence[Recording], noise: Noise
) -> tuple[Result, list[Row]]:
    """Return the figures of one ear at one level of noise."""
    chance, chance_of_replies = np.random.default_rng(SEED), np.random.default_rng(SEED + 1)
    replies = Replies(folder, recordings, book)

    def reply(at: int) -> list[Understood]:
        said = recordings[at]
        sound = replies.to(said) if said.label == Word.APPROVE else _next_sound(folder, recordings, at, book)
        return [] if sound is None else hear(ear, with_noise(sound, noise, chance_of_replies), book)[0]

    rows, times, confirmed = [], [], 0
    for at, recording in enumerate(recordings):
        sound = with_noise(read_sound(folder / recording.file), noise, chance)
        understood, took = hear(ear, sound, book)
        times += took
        commands = [one for one in understood if isinstance(one, Command)]
        confirmed += _grants_after_confirming(commands) and recording.label != Word.APPROVE
        rows.append(
            Row(
                kind=recording.kind,
                label=NONE if is_yes(recording, book) else recording.label,
                heard=_heard(commands),
                spoke=converse(understood, functools.partial(reply, at), book),
                decode_s=sum(took),
                sound_s=len(sound) / RATE,
            )
        )
    return _result(ear.name, noise, rows, times, confirmed), rows


def _next_sound(folder: Path, recordings: Sequence[Recording], at: int, book: Phrasebook) -> Samples | None:
    """Return what is said after a recording that is no approval: the next of its kind that is none, and no yes."""
    following = [*recordings[at + 1 :], *recordings[:at]]
    fits = (one for one in following if one.kind == recordings[at].kind and one.label != Word.APPROVE)
    one = next((one for one in fits if not is_yes(one, book)), None)
    return None if one is None else read_sound(folder / one.file)


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
    approvals = [row for row in rows if row.label == Word.APPROVE]
    ordered = sorted(times) or [0.0]
    return Result(
        engine=engine,
        noise=noise,
        recordings=len(rows),
        commands=len(asked),
        accuracy=_share([_is_right(row) for row in asked]),
        miss=_share([row.heard == NONE and not _is_right(row) for row in asked]),
        wrong=_share([row.heard not in {row.label, NONE} for row in asked]),
        accuracy_by_kind=_by_kind(asked, _is_right),
        false_approve_by_kind=_by_kind(others, lambda row: row.heard == Word.APPROVE),
        false_approvals=sum(row.heard == Word.APPROVE for row in others),
        approve_at_once=_share([row.spoke.approved and row.spoke.turns == 1 for row in approvals]),
        approve_within_two_turns=_share([row.spoke.approved for row in approvals]),
        approve_within_two_turns_by_kind=_by_kind(approvals, lambda row: row.spoke.approved),
        asked_needlessly_by_kind=_by_kind(others, lambda row: row.spoke.asked),
        false_approve_within_two_turns_by_kind=_by_kind(others, lambda row: row.spoke.approved),
        false_after_confirming=confirmed,
        false_commands=_share([row.heard != NONE for row in side]),
        decode_ms_p50=1_000 * ordered[len(ordered) // 2],
        decode_ms_p95=1_000 * ordered[int(0.95 * (len(ordered) - 1))],
        real_time_factor=sum(times) / max(sum(row.sound_s for row in rows), 1e-9),
        memory_mb=_memory_mb(),
        confusion=_confusion(rows),
    )


def _is_right(row: Row) -> bool:
    """Say whether a command was understood; an approval also where it took a question and a yes."""
    return row.heard == row.label or (row.label == Word.APPROVE and row.spoke.approved)


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
    share = result.approve_within_two_turns
    approved = "" if share is None else f"{share:.1%} of approvals within two turns, "
    return (
        f"{result.engine}, {result.noise}: {right}, {approved}"
        f" {result.false_approvals} false approvals in {result.recordings}, "
        f"{result.false_after_confirming} after confirming; real-time factor {result.real_time_factor:.3f}, "
        f"{result.memory_mb:.0f} MB"
    )
