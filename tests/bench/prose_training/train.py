"""Learns the weights of the reader of prose and says how well it does on lists that it has not seen.

`python -m tests.bench.prose_training.train` writes the weights; with `--figures` it only prints. Each training list is
left out once and judged by what was learnt from the others; the two thresholds come from these scores alone. The test
lists are judged by the weights as shipped. About five minutes on two cores.
"""

import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from hub.kit.fold import fold
from hub.screening.commands import find_commands
from hub.screening.prose import KINDS, Weights, column, features
from hub.screening.prose.weights import COLUMNS, FILE, KIND_COLUMNS
from hub.screening.screening import passage_names, worst_passage
from tests.bench.prose_training.learning import Columns, learn
from tests.bench.prose_training.sentences import sentences

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT / "tests" / "rooms" / "may" / "corpus"
TARGET = ROOT / "hub" / "screening" / "prose" / FILE
WRITTEN_TO_LEARN = "assistant_work"
KIND_NAMES = ("destructive", "financial", "outward")
COST, SENTENCE_COST, KIND_COST = 100.0, 10.0, 10.0
SENTENCES = 8_000
BYTE_MAX = 127
FALSE_ALL_SHARE, FALSE_BLOCK_SHARE = 0.03, 0.001
"""What the thresholds allow on lists left out, averaged over them: below the goals, because new lists differ more."""


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled prompt, and what the reader would look at."""

    prompt: str
    block: bool
    kind: str
    names: tuple[str, ...]
    columns: Columns


class Line(msgspec.Struct):
    """One line of a list."""

    prompt: str
    label: str
    kind: str = ""


def names_in(prompt: str, columns: int = COLUMNS) -> tuple[tuple[str, ...], Columns]:
    """Return the names of the features of a prompt as it stands, and their columns."""
    plain = fold(prompt)
    found = features(plain, passage_names(plain, find_commands(plain)))
    names = tuple({feature.name for feature in found})
    return names, np.unique(np.array([column(name, columns) for name in names], dtype=np.int64))


def row_of(line: Line) -> Row:
    """Read one line."""
    names, columns = names_in(line.prompt)
    return Row(prompt=line.prompt, block=line.label == "block", kind=line.kind, names=names, columns=columns)


@cache
def lists() -> dict[str, tuple[Row, ...]]:
    """Return every list of the split with its rows."""
    split = tomllib.loads((CORPUS / "split.toml").read_text(encoding="utf-8"))
    decode = msgspec.json.Decoder(Line).decode
    return {
        name: tuple(
            row_of(decode(line)) for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        )
        for name in (*split["training"], *split["test"])
    }


@cache
def test_lists() -> frozenset[str]:
    """Return the names of the lists that nothing is learnt from."""
    return frozenset(tomllib.loads((CORPUS / "split.toml").read_text(encoding="utf-8"))["test"])


@cache
def made() -> tuple[Row, ...]:
    """Return the sentences made by pattern."""
    return tuple(row_of(Line(prompt=text, label=label)) for text, label in sentences(SENTENCES))


def learnt(without: str = "") -> Weights:
    """Learn from all training lists but one; a prompt that the lists left out hold too is not learnt from."""
    outside = {row.prompt.casefold() for name in (*test_lists(), without) for row in lists().get(name, ())}
    rows = [
        row
        for name, listed in lists().items()
        if name not in test_lists() and name != without
        for row in listed
        if row.prompt.casefold() not in outside
    ]
    patterned = [row for row in made() if row.prompt.casefold() not in outside]
    danger = learn(
        [row.columns for row in (*rows, *patterned)],
        [row.block for row in (*rows, *patterned)],
        [COST] * len(rows) + [SENTENCE_COST] * len(patterned),
        width=COLUMNS,
    )
    step, danger_bytes = in_bytes(danger[:-1])
    kinds = [_kind(rows, name) for name in KIND_NAMES] if not without else [np.zeros(KIND_COLUMNS)] * len(KINDS)
    kind_step = max(float(np.abs(kind).max()) for kind in kinds) / BYTE_MAX or 1.0
    return Weights(
        danger=danger_bytes,
        kinds=tuple(np.round(kind / kind_step).astype(np.int8).tobytes() for kind in kinds),
        step=step,
        kind_step=kind_step,
        bias=float(danger[-1]),
        ask_above=0.0,
        block_above=0.0,
    )


def _kind(rows: Sequence[Row], kind: str) -> np.ndarray:
    dangerous = [row for row in rows if row.block]
    columns = [
        np.unique(np.array([column(name, KIND_COLUMNS) for name in row.names], dtype=np.int64)) for row in dangerous
    ]
    truths = [row.kind == kind for row in dangerous]
    return learn(columns, truths, [KIND_COST] * len(dangerous), width=KIND_COLUMNS)[:-1]


def in_bytes(weights: np.ndarray) -> tuple[float, bytes]:
    """Return what a step is worth, and the weights in such steps."""
    step = float(np.abs(weights).max()) / BYTE_MAX
    return step, np.round(weights / step).astype(np.int8).tobytes()


def scores(name: str, weights: Weights) -> list[float]:
    """Judge a list as the product would."""
    return [worst_passage(row.prompt, weights).score for row in lists()[name]]


def left_out(name: str) -> list[float]:
    """Judge a list by what was learnt without it."""
    return scores(name, learnt(without=name))


def shares(judged: dict[str, list[float]], above: float, *, block: bool) -> float:
    """Return the share of dangerous or of harmless prompts above a score, averaged over the lists that have some."""
    found = [
        np.mean([score > above for row, score in zip(lists()[name], judged[name], strict=True) if row.block == block])
        for name in judged
        if any(row.block == block for row in lists()[name])
    ]
    return float(np.mean(found))


def threshold(judged: dict[str, list[float]], false_share: float) -> float:
    """Return the lowest score above which no more than this share of harmless prompts lie."""
    candidates = sorted({round(score, 2) for found in judged.values() for score in found})
    return next(one for one in candidates if shares(judged, one, block=False) <= false_share)


def show(title: str, judged: dict[str, list[float]], weights: Weights) -> None:
    """Print the figures of each list, and their average."""
    sys.stdout.write(f"{title:32} recall  blocked  falseBlock  falseAsk\n")
    for names in (*([name] for name in judged), list(judged)):
        part = {name: judged[name] for name in names}
        card_cache, blocked = (shares(part, at, block=True) for at in (weights.ask_above, weights.block_above))
        if any(not row.block for name in part for row in lists()[name]):
            false_all, false_block = (shares(part, at, block=False) for at in (weights.ask_above, weights.block_above))
            rest = f"{false_block:10.1%}  {false_all - false_block:8.1%}"
        else:
            rest = f"{'-':>10}  {'-':>8}"
        title = names[0] if len(names) == 1 else "average"
        sys.stdout.write(f"{title:32} {card_cache:6.1%}  {blocked:7.1%}  {rest}\n")


def main() -> None:
    """Learn, print, and write the weights unless only figures are wanted."""
    training = [name for name in lists() if name not in test_lists() and name != WRITTEN_TO_LEARN]
    made()
    with ProcessPoolExecutor(2) as pool:
        judged = dict(zip(training, pool.map(left_out, training), strict=True))
    found = msgspec.structs.replace(
        learnt(), ask_above=threshold(judged, FALSE_ALL_SHARE), block_above=threshold(judged, FALSE_BLOCK_SHARE)
    )
    show("training lists, each left out", judged, found)
    show("test lists, as shipped", {name: scores(name, found) for name in sorted(test_lists())}, found)
    if "--figures" not in sys.argv:
        TARGET.write_bytes(found.pack())


if __name__ == "__main__":
    main()
