"""How much a text leans towards danger, of which kind, and which of its words said so."""

import math
from collections import defaultdict
from collections.abc import Iterable

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.screening.prose.features import Feature, features
from hub.screening.prose.weights import KIND_COLUMNS, KINDS, Weights, column, shipped

EVIDENCE_MAX = 3
_BYTE_MAX, _BYTE_VALUES = 127, 256


class Leaning(Value):
    """``score`` is 0 where danger is as likely as not; its unit is the logit. ``evidence``: words, weightiest first."""

    score: float
    kind: Effect
    evidence: tuple[str, ...]


def score_of(folded: str, commands: Iterable[str] = (), weights: Weights | None = None) -> float:
    """Return the score alone."""
    known = weights or shipped()
    columns = {column(feature.name) for feature in features(folded, commands)}
    return known.bias + known.step * sum(_signed(known.danger[at]) for at in columns) / math.sqrt(len(columns) or 1)


def read_prose(folded: str, commands: Iterable[str] = ()) -> Leaning:
    """Read a text that was folded; ``commands`` name what commands within it would do."""
    found, weights = tuple(features(folded, commands)), shipped()
    return Leaning(score=score_of(folded, commands), kind=_kind(found, weights), evidence=_evidence(found, weights))


def _kind(found: tuple[Feature, ...], weights: Weights) -> Effect:
    columns = {column(feature.name, KIND_COLUMNS) for feature in found}
    sums = [sum(_signed(table[at]) for at in columns) for table in weights.kinds]
    return KINDS[sums.index(max(sums))]


def _evidence(found: tuple[Feature, ...], weights: Weights) -> tuple[str, ...]:
    """Return the words whose features (their letters among them) weigh most; none is told twice."""
    spoke: defaultdict[str, int] = defaultdict(int)
    for feature in set(found):
        if feature.shown:
            spoke[feature.shown] += _signed(weights.danger[column(feature.name)])
    chosen: list[str] = []
    told: set[str] = set()
    for shown in sorted((one for one in spoke if spoke[one] > 0), key=lambda one: (-spoke[one], one)):
        if not told.issuperset(shown.split()):
            chosen.append(shown)
            told.update(shown.split())
        if len(chosen) == EVIDENCE_MAX:
            break
    return tuple(chosen)


def _signed(byte: int) -> int:
    return byte if byte <= _BYTE_MAX else byte - _BYTE_VALUES
