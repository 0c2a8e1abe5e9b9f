"""Where a text lies among others, and how much what happened and what is offered speak for a yes."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from operator import mul
from typing import NamedTuple

from hub.lexicon import DIMENSIONS, Table, shipped, words_of

LINES_MAX = 20
"""Of what happened, so many of the newest lines are read."""
LOGIT_MAX = 4.0
"""The rows are few: nobody is surer than one in fifty-five from them alone."""
_TEN_WORDS = 10
_REMEMBERED = 4
"""What happened is the same for all that may be offered at one moment."""

Place = tuple[float, ...]
NOWHERE: Place = (0.0,) * DIMENSIONS


class Traits(NamedTuple):
    """What is weighed (`TRAITS`, in that order)."""

    help: float
    yes: float
    offer_words: float
    event_words: float
    near_event: float
    near_all: float
    said: float
    lines: float


class Happened(NamedTuple):
    """What is read of what happened: rows of the newest line, of all lines, where both lie, and how many they are."""

    event: tuple[int, ...]
    every: frozenset[int]
    place: Place
    place_of_all: Place
    lines: int


def meaning(text: str, table: Table | None = None) -> Place:
    """Return where a text lies: `DIMENSIONS` numbers of length 1, or all 0 where no word is known."""
    known = table or shipped()
    return _unit(_sum(_rows(text, known), known))


def prior_logit(happened: str, offer: str, table: Table | None = None) -> float:
    """Return how likely a yes to ``offer`` is after ``happened`` (lines, newest last), as a logit in ±`LOGIT_MAX`."""
    known = table or shipped()
    return _bounded(known.biases[-1] + _dot(traits_of(happened, offer, known), known.weights))


def help_logit(happened: str, table: Table | None = None) -> float:
    """Return how likely any help is wanted after ``happened``, as a logit in ±`LOGIT_MAX`."""
    known = table or shipped()
    return _help(read_happened(happened, known).event, known)


def traits_of(happened: str, offer: str, table: Table) -> Traits:
    """Return what is weighed of an offer and of what happened before it."""
    before, offered = read_happened(happened, table), _rows(offer, table)
    place = _unit(_sum(offered, table))
    return Traits(
        help=_help(before.event, table),
        yes=_bounded(table.biases[1] + _spread(offered, table, 1) + _spread(before.event, table, 2)),
        offer_words=len(offered) / _TEN_WORDS,
        event_words=len(before.event) / _TEN_WORDS,
        near_event=_dot(place, before.place),
        near_all=_dot(place, before.place_of_all),
        said=sum(row in before.every for row in offered) / (len(offered) or 1),
        lines=math.log(max(1, before.lines)),
    )


@lru_cache(maxsize=_REMEMBERED)
def read_happened(happened: str, table: Table) -> Happened:
    """Read what happened, once for all that may be offered then."""
    lines = [line for line in happened.splitlines() if line.strip()][-LINES_MAX:]
    rows = [_rows(line, table) for line in lines] or [()]
    sums = [_sum(of_line, table) for of_line in rows]
    return Happened(
        event=rows[-1],
        every=frozenset(chain.from_iterable(rows)),
        place=_unit(sums[-1]),
        place_of_all=_unit(tuple(map(sum, zip(*sums, strict=True)))),
        lines=len(lines),
    )


def _rows(text: str, table: Table) -> tuple[int, ...]:
    """Return the rows of the words that the table knows."""
    return tuple(row for word in words_of(text) if (row := table.row_of(word)) >= 0)


def _help(event: Sequence[int], table: Table) -> float:
    return _bounded(table.biases[0] + _mean(event, table, 0))


def _mean(rows: Sequence[int], table: Table, which: int) -> float:
    scalar = table.scalars[which]
    return table.steps[1 + which] * sum(scalar[row] for row in rows) / (len(rows) or 1)


def _spread(rows: Sequence[int], table: Table, which: int) -> float:
    """Return what the words of a text say together: each once, and each less in a long text."""
    words, scalar = set(rows), table.scalars[which]
    return table.steps[1 + which] * sum(scalar[row] for row in words) / math.sqrt(len(words) or 1)


def _sum(rows: Sequence[int], table: Table) -> Place:
    return tuple(map(sum, zip(*map(table.place_of, rows), strict=True))) if rows else NOWHERE


def _unit(place: Place) -> Place:
    length = math.hypot(*place)
    return tuple(part / length for part in place) if length else NOWHERE


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    total: float = sum(map(mul, one, other))
    return total


def _bounded(logit: float) -> float:
    return max(-LOGIT_MAX, min(LOGIT_MAX, logit))
