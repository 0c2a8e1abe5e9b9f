"""Eight weeks at a scripted workplace, as a trace: three repositories, tests, CI, agents that ask, meetings, breaks."""

from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from hub.lab.replay import TraceEvent

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
WEEKS, WORKDAYS = 8, 5
REPOSITORIES = ("shop", "api", "docs")
FOLDERS = ("core", "web", "tests", "jobs", "mail", "tools")
BLOCKS = ((8, 10), (10, 12), (13, 15), (15, 17), (20, 21))
"""The hours of work; the last is an evening of some days."""
EVENING_CHANCE = 0.3


def weeks(seed: int = 7, count: int = WEEKS) -> tuple[TraceEvent, ...]:
    """Return what happened in so many weeks; the same seed draws the same."""
    draw = Random(seed)  # noqa: S311  a workplace, no secret
    days = (MONDAY + timedelta(weeks=week, days=day) for week in range(count) for day in range(WORKDAYS))
    return tuple(sorted((event for day in days for event in _day(draw, day)), key=lambda event: event.at))


def _day(draw: Random, day: datetime) -> Iterator[TraceEvent]:
    for number, (first, last) in enumerate(BLOCKS):
        if number == len(BLOCKS) - 1 and draw.random() > EVENING_CHANCE:
            continue
        yield from _block(draw, day + timedelta(hours=first), day + timedelta(hours=last))
    if draw.random() < 0.4:
        at = day + timedelta(hours=draw.choice((9, 11, 14, 16)), minutes=20)
        yield TraceEvent(at=at, what="meeting", text=draw.choice(("Planning", "Review", "Call with Kim")), minutes=40)


def _block(draw: Random, at: datetime, until: datetime) -> Iterator[TraceEvent]:
    """Work in one repository: saves with pauses, now and then a test run, a commit, a push; things from elsewhere."""
    repository, folder = draw.choice(REPOSITORIES), draw.choice(FOLDERS)
    if draw.random() < 0.25:
        yield TraceEvent(at=at, what="upstream", repository=repository, commits=draw.randint(1, 5))
        if draw.random() < 0.5:
            yield TraceEvent(at=at + timedelta(minutes=25), what="pull", repository=repository)
    while at < until:
        if draw.random() < 0.2:
            folder = draw.choice(FOLDERS)
        yield TraceEvent(at=at, what="edit", repository=repository, files=(f"{folder}/part{draw.randint(1, 9)}.py",))
        at += timedelta(minutes=draw.expovariate(1 / 6) + 0.5)
        at = yield from _turn(draw, at, repository)
        if draw.random() < 0.12:
            at += timedelta(minutes=draw.uniform(8, 40))


def _turn(draw: Random, at: datetime, repository: str) -> Generator[TraceEvent, None, datetime]:
    """What follows a save, with a chance each; returns when the work goes on."""
    chance = draw.random()
    minute = timedelta(minutes=1)
    if chance < 0.10:
        yield TraceEvent(at=at, what="tests", repository=repository, passed=draw.random() < 0.7)
    elif chance < 0.18:
        yield TraceEvent(at=at, what="commit", repository=repository)
        if draw.random() < 0.4:
            yield TraceEvent(at=at + minute, what="push", repository=repository)
            yield TraceEvent(at=at + 9 * minute, what="ci", repository=repository, passed=draw.random() < 0.75)
    elif chance < 0.24:
        text = draw.choice(("Shall I change the schema as well?", "Which of the two do you prefer?", "May I drop it?"))
        yield TraceEvent(at=at, what="question", repository=repository, text=text)
        if draw.random() < 0.6:
            yield TraceEvent(at=at + draw.randint(3, 40) * minute, what="message", repository=repository)
    return at + minute
