"""Scripted persons: each has a habit by which it says yes or no, and now and then answers at odds with it."""

from collections.abc import Callable, Sequence

from hub.contract.base import Value
from hub.domain.likelihood import Features

NOON = 12
CHANGES_AT = 0.5

Habit = Callable[[Features, float], bool]
"""Whether the person says yes to this, when such a share of the time is over."""


class Person(Value):
    """A scripted person. `habit` is told in words by `words`."""

    name: str
    words: str
    habit: Habit


def persons(liked: Sequence[str], others: Sequence[str], spared: str) -> tuple[Person, ...]:
    """Return the persons of a workplace.

    Args:
        liked: the kinds of suggestions that those who go by kind say yes to.
        others: those that the one who changes says yes to later.
        spared: the repository in which one of them wants nothing.
    """
    first, later = frozenset(liked), frozenset(others)
    return (
        Person(name="by kind", words="wants some kinds", habit=lambda about, _: about.kind in first),
        Person(name="by hour", words="wants all, before noon", habit=lambda about, _: about.hour < NOON),
        Person(
            name="by what just happened",
            words="wants all, after a commit or a test run",
            habit=lambda about, _: about.happened in {"git", "tests"},
        ),
        Person(
            name="by repository",
            words="wants all, but in one repository",
            habit=lambda about, _: about.repository != spared,
        ),
        Person(
            name="some kinds early, others late",
            words="wants some kinds before two, the others after",
            habit=lambda about, _: (about.kind in first) == (about.hour < NOON + 2),
        ),
        Person(
            name="changes its mind",
            words="wants some kinds, and from the middle on others",
            habit=lambda about, gone: about.kind in (first if gone < CHANGES_AT else later),
        ),
        Person(
            name="at a pause",
            words="wants all, but not with the hands at work",
            habit=lambda about, _: about.presence != "typing",
        ),
    )
