"""What the shipped prior makes of labelled rows: offer it, or stay silent.

With an offer, P is the chance that it is taken. Where nothing was offered there is nothing to take: P is the chance
that staying silent was right, which is that no help was wanted. Both are the chance that ``valid`` is true.
"""

import math
from collections.abc import Iterable

from hub.contract.base import Message
from hub.contract.errors import UserError
from hub.lab.marks import BandOfRows, MarkedRow, Marks, curve, marks_of
from hub.lab.rows import LabelledOffer
from hub.learn.prior import help_logit, prior_logit
from hub.lexicon import NO_WORDS, shipped


class ScoreReport(Message):
    """The marks over all labelled rows, then apart: ``offers`` where something was offered, ``silences`` where not.

    ``rows`` were read, ``labelled`` of them have a ``valid`` and are counted. ``curve`` is behind ``ece``.
    """

    rows: int
    labelled: int
    auc: float | None
    f1: float | None
    precision: float | None
    recall: float | None
    ece: float | None
    brier: float | None
    offers: Marks
    silences: Marks
    curve: tuple[BandOfRows, ...]


class DamagedWordsError(UserError):
    """The table of words that came with Pulse is damaged, so nothing can be predicted from words."""

    code = "damaged-words"


def expected(row: LabelledOffer) -> tuple[float, bool]:
    """Return P and the decision of one row, from what happened and what was offered alone.

    Raises:
        DamagedWordsError: the shipped table is damaged.
    """
    table = shipped()
    if table is NO_WORDS:
        raise DamagedWordsError(fix="Install Pulse again.")
    if row.pred_task is None:
        logit = -help_logit(row.happened)
        return _probability(logit), logit >= -table.help_above
    logit = prior_logit(row.happened, row.pred_task)
    return _probability(logit), logit > table.offer_above


def score(rows: Iterable[LabelledOffer]) -> ScoreReport:
    """Judge every row, and say how well."""
    count = 0
    offers: list[MarkedRow] = []
    silences: list[MarkedRow] = []
    for row in rows:
        count += 1
        p, chosen = expected(row)
        if row.valid is not None:
            found = silences if row.pred_task is None else offers
            found.append(MarkedRow(p=p, chosen=chosen, right=row.valid))
    every = [*offers, *silences]
    marks = marks_of(every)
    return ScoreReport(
        rows=count,
        labelled=len(every),
        auc=marks.auc,
        f1=marks.f1,
        precision=marks.precision,
        recall=marks.recall,
        ece=marks.ece,
        brier=marks.brier,
        offers=marks_of(offers),
        silences=marks_of(silences),
        curve=curve(every),
    )


def _probability(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit))
