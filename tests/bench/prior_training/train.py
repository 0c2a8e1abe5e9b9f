"""Learns the shipped prior from public rows, and says how well it does on rows that it has not seen.

`python -m tests.bench.prior_training.train WHEEL` writes the table; with `--figures` it only prints. WHEEL is the file
that `pip download --no-deps wordllama==0.4.0.post1` fetches; it is read as data, nothing of it is installed. Rows are
left out twice: a tenth of them at a time, and all rows of two of the sixteen situations at a time. Whatever is fitted
(words, weights, thresholds) is fitted within what is left. About four minutes on two cores.
"""

import gzip
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from hub.lab.marks import MarkedRow, marks_of
from hub.learn.prior import LOGIT_MAX, traits_of
from hub.lexicon import DIMENSIONS, SCALARS, TRAITS, Table, key_of, words_of
from hub.lexicon.table import FILE
from tests.bench.prior_training.learning import Numbers, learn
from tests.bench.prior_training.vectors import WordVectors

HERE = Path(__file__).resolve().parent
ROWS = HERE / "rows.jsonl.gz"
TARGET = HERE.parents[2] / "hub" / "lexicon" / FILE
HELP_COST, YES_COST, WEIGHTS_COST = 1.0, 0.5, 1.0
HELP_SCALE, WORD_SCALE = 12.0, 0.25
"""How freely the words of an event speak for help, and the rare and frequent words of both for a yes."""
FOLDS, INNER_FOLDS, SITUATIONS_LEFT_OUT = 10, 5, 2
SEED = 7
Members = NDArray[np.int64]
BYTE_MAX, SHORT_MAX = 127, 32_767
PLACE_CLIPPED_SHARE = 0.001
"""So few numbers of all places are cut, for the steps of the others to be finer."""


class Event(msgspec.Struct):
    """One event of a row."""

    event: str


class Row(msgspec.Struct):
    """What happened, what was offered, whether the judges took it, and whether any help was wanted."""

    obs: list[Event]
    pred_task: str | None
    valid: bool
    help_needed: bool
    annotation: list[bool]

    @property
    def happened(self) -> str:
        return "\n".join(" ".join(one.event.split()) for one in self.obs)


class Data:
    """The rows as numbers."""

    def __init__(self, vectors: WordVectors) -> None:
        decode = msgspec.json.Decoder(Row).decode
        self.rows = [decode(line) for line in gzip.decompress(ROWS.read_bytes()).splitlines()]
        self.offered = np.array([row.pred_task is not None for row in self.rows])
        self.valid = np.array([float(row.valid) for row in self.rows])
        self.help = np.array([float(row.help_needed) for row in self.rows])
        agreed = np.array([sum(row.annotation) / len(row.annotation) for row in self.rows])
        self.yes = (agreed + self.valid) / 2
        self.situation = np.unique([row.obs[0].event for row in self.rows], return_inverse=True)[1]
        offers = [words_of(row.pred_task or "") for row in self.rows]
        events = [words_of(row.obs[-1].event) for row in self.rows]
        every = (word for row in self.rows for one in row.obs for word in words_of(one.event))
        self.own = {word: at for at, word in enumerate(sorted({*every, *(w for one in offers for w in one)}))}
        self.words = sorted({*self.own, *vectors.words()}, key=key_of)
        plain = np.array([vectors.of_word(word) for word in self.words])
        self.vectors = (plain - plain.mean(axis=0)) / np.linalg.norm(plain - plain.mean(axis=0), axis=1).mean()
        spread = np.linalg.svd(plain[[word in self.own for word in self.words]], full_matrices=False)[2]
        self.places = plain @ spread[:DIMENSIONS].T
        at = {word: number for number, word in enumerate(self.words)}
        self.helping = HELP_SCALE * np.hstack([self._means(events, at), self._own_shares(events)])
        self.rarity = np.stack([self._rarity(found) for found in (offers, events)])
        self.yessing = np.hstack([self._own_words(offers, self.rarity[0]), self._own_words(events, self.rarity[1])])
        bare = self.table(np.zeros((len(SCALARS), len(self.words))), (0.0, 0.0, 0.0), np.zeros(len(TRAITS)), (0.0, 0.0))
        self.traits = np.array([traits_of(row.happened, row.pred_task or "", bare) for row in self.rows])

    def _means(self, texts: list[list[str]], at: dict[str, int]) -> Numbers:
        return np.array(
            [
                self.vectors[[at[word] for word in text]].mean(axis=0) if text else self.vectors[0] * 0.0
                for text in texts
            ]
        )

    def _own_shares(self, texts: list[list[str]]) -> Numbers:
        shares = np.zeros((len(texts), len(self.own)))
        for number, text in enumerate(texts):
            for word in text:
                shares[number, self.own[word]] += 1 / len(text)
        return shares

    def _rarity(self, texts: list[list[str]]) -> Numbers:
        """Return what each word of the rows weighs: a rare one more (inverse document frequency, Jones 1972)."""
        found = np.zeros(len(self.own))
        for text in texts:
            found[[self.own[word] for word in set(text)]] += 1
        return WORD_SCALE * (np.log((1 + len(texts)) / (1 + found)) + 1)

    def _own_words(self, texts: list[list[str]], rarity: Numbers) -> Numbers:
        """Return the words of each text by themselves: each once, and less in a long one."""
        words = np.zeros((len(texts), len(self.own)))
        for number, text in enumerate(texts):
            at = [self.own[word] for word in sorted(set(text))]
            words[number, at] = rarity[at] / np.sqrt(max(1, len(at)))
        return words

    def table(
        self, scalars: Numbers, biases: tuple[float, float, float], weights: Numbers, above: tuple[float, float]
    ) -> Table:
        place_step = float(np.quantile(np.abs(self.places), 1 - PLACE_CLIPPED_SHARE)) / BYTE_MAX
        steps = [float(np.abs(one).max()) / SHORT_MAX or 1.0 for one in scalars]
        return Table(
            keys=array("I", [key_of(word) for word in self.words]),
            places=memoryview(
                np.clip(np.round(self.places / place_step), -BYTE_MAX, BYTE_MAX).astype(np.int8).tobytes()
            ).cast("b"),
            scalars=tuple(
                array("h", np.round(one / step).astype(int).tolist()) for one, step in zip(scalars, steps, strict=True)
            ),
            steps=(place_step, *steps),
            biases=biases,
            weights=tuple(weights.tolist()),
            offer_above=above[0],
            help_above=above[1],
        )


class Learnt:
    """What was learnt from some rows; both linear models, the weights of all traits, and the thresholds."""

    def __init__(self, data: Data, rows: Members) -> None:
        self.data = data
        self.help, self.help_bias, self.yes, self.yes_bias = self._linear(rows)
        inner = np.zeros((len(data.rows), 2))
        for others, left_out in folds(data, rows, INNER_FOLDS):
            inner[left_out] = self._scores(left_out, *self._linear(others))
        offered = rows[data.offered[rows]]
        seen = self._traits(offered, inner[offered])
        self.weights, self.bias = learn(seen, data.valid[offered], WEIGHTS_COST)
        silent = rows[~data.offered[rows]]
        self.help_above = -best_threshold(data.valid[silent], -inner[silent, 0])
        scores = seen @ self.weights + self.bias
        quiet = inner[silent, 0] <= self.help_above
        self.offer_above = threshold_for_both(data, offered, scores, silent, quiet)

    def table(self) -> Table:
        """Return what ships: the linear models as one scalar a word."""
        data = self.data
        size, own = data.vectors.shape[1], np.zeros((3, len(data.words)))
        at = [data.words.index(word) for word in data.own]
        own[0, at] = HELP_SCALE * self.help[size:]
        own[1, at], own[2, at] = data.rarity * self.yes.reshape(2, -1)
        helping = HELP_SCALE * data.vectors @ self.help[:size] + own[0]
        return data.table(
            np.stack([helping, own[1], own[2]]),
            (self.help_bias, self.yes_bias, self.bias),
            self.weights,
            (self.offer_above, self.help_above),
        )

    def _linear(self, rows: Members) -> tuple[Numbers, float, Numbers, float]:
        data = self.data
        offered = rows[data.offered[rows]]
        return (
            *learn(data.helping[rows], data.help[rows], HELP_COST),
            *learn(data.yessing[offered], data.yes[offered], YES_COST),
        )

    def _scores(self, rows: Members, help_: Numbers, help_bias: float, yes: Numbers, yes_bias: float) -> Numbers:
        return np.stack([self.data.helping[rows] @ help_ + help_bias, self.data.yessing[rows] @ yes + yes_bias], axis=1)

    def _traits(self, rows: Members, scores: Numbers) -> Numbers:
        return np.hstack([np.clip(scores, -LOGIT_MAX, LOGIT_MAX), self.data.traits[rows, 2:]])

    def judge(self, rows: Members) -> tuple[Numbers, Numbers]:
        """Return the logits of yes, and of help."""
        scores = self._scores(rows, self.help, self.help_bias, self.yes, self.yes_bias)
        return self._traits(rows, scores) @ self.weights + self.bias, scores[:, 0]


def folds(data: Data, rows: Members, count: int) -> Iterator[tuple[Members, Members]]:
    """Yield what is learnt from and what is left out, each outcome as often in each fold."""
    chance = np.random.default_rng(SEED)
    kind = data.offered[rows] * 2 + data.valid[rows]
    fold = np.empty(len(rows), dtype=int)
    for one in np.unique(kind):
        members = chance.permutation(np.flatnonzero(kind == one))
        fold[members] = np.arange(len(members)) % count
    for number in range(count):
        yield rows[fold != number], rows[fold == number]


def situations(data: Data) -> Iterator[tuple[Members, Members]]:
    """Yield all rows but those of some situations, and those."""
    order = np.random.default_rng(SEED).permutation(data.situation.max() + 1)
    for start in range(0, len(order), SITUATIONS_LEFT_OUT):
        out = np.isin(data.situation, order[start : start + SITUATIONS_LEFT_OUT])
        yield np.flatnonzero(~out), np.flatnonzero(out)


def f1(truths: Numbers, chosen: Numbers, weigh: Numbers | None = None) -> float:
    weigh = np.ones(len(truths)) if weigh is None else weigh
    hit = float((weigh * truths * chosen).sum())
    return 2 * hit / max(1e-9, float((weigh * truths).sum() + (weigh * chosen).sum()))


def best_threshold(truths: Numbers, scores: Numbers) -> float:
    """Return where F1 is best."""
    candidates = np.quantile(scores, np.linspace(0.02, 0.98, 97))
    return float(max(candidates, key=lambda above: f1(truths, scores > above)))


def threshold_for_both(data: Data, offered: Members, scores: Numbers, silent: Members, quiet: Numbers) -> float:
    """Return where F1 over all is best for offers, `quiet` being decided of the silences.

    It is the mean of two: of the rows as they come, and with each of the four outcomes as often, for nobody knows how
    often they are elsewhere.
    """
    rows = np.concatenate([offered, silent])
    truths, kinds = data.valid[rows], data.offered[rows] * 2 + data.valid[rows]
    even = np.array([1 / (kinds == kind).sum() for kind in kinds])
    candidates = np.quantile(scores, np.linspace(0.02, 0.98, 97))

    def worth(above: float) -> float:
        chosen = np.concatenate([scores > above, quiet])
        return f1(truths, chosen) + f1(truths, chosen, even)

    return float(max(candidates, key=worth))


def auc(truths: Numbers, scores: Numbers, weigh: Numbers | None = None) -> float:
    weigh = np.ones(len(truths)) if weigh is None else weigh
    yes, no = truths > 0.5, truths < 0.5
    above = (scores[yes][:, None] > scores[no][None]) + 0.5 * (scores[yes][:, None] == scores[no][None])
    both = weigh[yes][:, None] * weigh[no][None]
    return float((above * both).sum() / both.sum())


def show(title: str, data: Data, parts: Iterable[tuple[Members, Members]]) -> None:
    """Print the figures of rows left out; a silence is scored by how likely it was right."""
    scores, chosen = np.zeros(len(data.rows)), np.zeros(len(data.rows), dtype=bool)
    for others, left_out in parts:
        learnt = Learnt(data, others)
        yes, helping = learnt.judge(left_out)
        offered = data.offered[left_out]
        scores[left_out] = np.where(offered, yes, -helping)
        chosen[left_out] = np.where(offered, yes > learnt.offer_above, helping <= learnt.help_above)
    kinds = data.offered * 2 + data.valid
    for name, which in (("all rows", kinds >= 0), ("offers", data.offered), ("silences", ~data.offered)):
        even = np.array([1 / (kinds[which] == kind).sum() for kind in kinds[which]])
        truths = data.valid[which]
        chances = 1 / (1 + np.exp(-np.clip(scores[which], -LOGIT_MAX, LOGIT_MAX)))
        judged = [
            MarkedRow(p=float(p), chosen=bool(one), right=bool(truth))
            for p, one, truth in zip(chances, chosen[which], truths, strict=True)
        ]
        marks = marks_of(judged)
        plain = f"AUC {marks.auc:.3f}  F1 {marks.f1:.3f}  ECE {marks.ece:.3f}  Brier {marks.brier:.3f}"
        evenly = f"AUC {auc(truths, scores[which], even):.3f}  F1 {f1(truths, chosen[which], even):.3f}"
        sys.stdout.write(f"{title} left out, {name:9} {plain}; each outcome as often: {evenly}\n")


def show_judges(data: Data) -> None:
    """Print how well one judge of an offer foretells what the others agree on: more cannot be asked of a prior."""
    pairs = [
        (row.annotation[one], sum(others) > len(others) / 2)
        for row in data.rows
        if row.pred_task is not None
        for one in range(len(row.annotation))
        if (others := row.annotation[:one] + row.annotation[one + 1 :]) and sum(others) * 2 != len(others)
    ]
    said, came = (np.array([float(pair[place]) for pair in pairs]) for place in (0, 1))
    sys.stdout.write(f"one judge and the others, offers: F1 {f1(came, said):.3f}, alike {(said == came).mean():.3f}\n")


def main() -> None:
    """Learn from all rows and write the table, or print how well it does on rows left out."""
    data = Data(WordVectors(Path(sys.argv[1])))
    if "--figures" in sys.argv:
        show_judges(data)
        show("rows", data, folds(data, np.arange(len(data.rows)), FOLDS))
        show("situations", data, situations(data))
    else:
        TARGET.write_bytes(Learnt(data, np.arange(len(data.rows))).table().pack())


if __name__ == "__main__":
    main()
