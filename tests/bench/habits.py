"""What the scripted persons of hub/lab are offered, and a history of what they answer."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

from hub.domain.likelihood import Features, Levels
from hub.domain.teaching import Taught
from hub.lab.persons import CHANGES_AT, Person, persons
from hub.loop.likelihood import in_figures

KINDS = (
    "run-tests",
    "commit-work",
    "push-work",
    "list-todos",
    "stale-branches",
    "fix-ci",
    "open-question",
    "catch-up",
)
WORDS = {
    "run-tests": ("Run the tests of {name}: {n} modules changed", "{n} modules changed since the last test run."),
    "commit-work": ("Commit {n} files in {name}", "{n} files are not committed, and the tests passed with them."),
    "push-work": ("Push {n} commits of {name} to origin", "{n} commits are only here, the oldest for 3 hours."),
    "list-todos": ("List {n} new TODOs in {name}", "{n} to-do comments were added by the current work."),
    "stale-branches": ("List {n} stale branches of {name}", "{n} branches had no commit for 30 days."),
    "fix-ci": ("Find out why CI of {name} fails, and fix it", "The last CI result is a failure: {n} checks failed."),
    "open-question": (
        "Show where Claude Code stands in {name}",
        "Claude Code asks in {name}: shall I change {n} files?",
    ),
    "catch-up": ("Pull {n} commits into {name}", "{n} commits upstream, with nothing here in the way."),
}
"""What each kind offers, and what was seen."""
LIKED = frozenset(KINDS[:4])
REPOSITORIES = ("/home/mo/shop", "/home/mo/api", "/home/mo/docs")
HAPPENED = ("git", "edit", "tests", "cron", "presence")
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
BETWEEN = timedelta(minutes=40)
CHANGES_AFTER = 100

Habit = Callable[[Features, int], bool]
"""Whether the person says yes to this, as their so manyeth answer."""


def _told_by_answers(person: Person) -> Habit:
    return lambda about, place: person.habit(about, place * CHANGES_AT / CHANGES_AFTER)


HABITS: dict[str, Habit] = {
    person.name: _told_by_answers(person) for person in persons(KINDS[:4], KINDS[2:6], REPOSITORIES[2])
}


def dice(seed: int) -> Random:
    """Return what draws the same each time."""
    return Random(seed)  # noqa: S311  persons, no secrets


def offered(draw: Random, place: int) -> Features:
    """Draw what a person is offered as the so manyeth time."""
    at = MONDAY + place * BETWEEN
    kind, repository = draw.choice(KINDS), draw.choice(REPOSITORIES)
    name, n = repository.rpartition("/")[2], 2 + place % 7
    meaning, prior = in_figures(*(text.format(name=name, n=n) for text in WORDS[kind]))
    return Features(
        kind=kind,
        reason=f"{kind}:{repository}",
        channel="koji-core" if kind in LIKED else "chronicle-hub",
        at=at,
        hour=draw.uniform(7, 23),
        weekday=at.weekday(),
        repository=repository,
        silence_s=draw.expovariate(1 / 1_200),
        presence=draw.choice(("typing", "here", "away")),
        happened=draw.choice(HAPPENED),
        urgency=draw.random(),
        levels=Levels(time=draw.random(), git=draw.random(), tasks=draw.random()),
        meaning=meaning,
        prior=prior,
    )


def answered(about: Features, *, yes: bool, place: int = 0, weight: float = 1.0) -> Taught:
    """Return what an answer teaches."""
    signal = "approved" if yes else "rejected"
    return Taught(user="mo", card_id=f"pred_{place}", about=about, yes=yes, weight=weight, signal=signal, at=about.at)


def history(habit: Habit, draw: Random, answers: int, noise: float) -> list[Taught]:
    """Return a person's answers, a share of which (`noise`) are at odds with their habit."""
    told = []
    for place in range(answers):
        about = offered(draw, place)
        yes = habit(about, place) != (draw.random() < noise)
        told.append(answered(about, yes=yes, place=place))
    return told
