"""What a trial is: a program that attacks a hub of its own so many times and counts what got through."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a trial. `got_through` counts the attempts that did what they should not have been able to do.

    `figures` are what was measured on the way, by name, as a person reads them ("p99 12 ms").
    """

    attempts: int
    got_through: int
    figures: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One program. `run` is given how often to attack; `short` is for every run of the suite, `long` for by hand."""

    name: str
    promise: str
    run: Callable[[int], Outcome]
    short: int
    long: int
