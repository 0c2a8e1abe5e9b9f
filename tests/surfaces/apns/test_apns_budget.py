"""The budget of a watch's face: never over 50 in 24 hours, and the newest state within 20 minutes all day."""

import itertools
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surfaces.apns.budget import PUSHES_MAX, Book, Hours, assumed, plan, spend

ZONE = ZoneInfo("Europe/Berlin")
MIDNIGHT = datetime(2026, 3, 2, tzinfo=ZONE)
FRESH = timedelta(minutes=20)
DAY = timedelta(hours=24)
HOURS = Hours()


def simulate(changes: list[datetime], book: Book | None = None) -> Iterator[tuple[datetime, datetime, str]]:
    """Yield each push with the oldest change that it was the first to show."""
    book, waiting = book or Book(), 0
    while waiting < len(changes):
        oldest = changes[waiting]
        now = oldest
        while (planned := plan(book, HOURS, now)).at > now:  # as the keeper does: plan again when its time has come
            now = planned.at
        book = spend(book, planned, now)
        yield now, oldest, planned.pays
        while waiting < len(changes) and changes[waiting] <= now:
            waiting += 1


def most_in_a_day(moments: list[datetime]) -> int:
    return max((sum(start - DAY < moment <= start for moment in moments) for start in moments), default=0)


def random_changes(seed: int, count: int, start_hour: float, hours: float, days: int = 3) -> list[datetime]:
    dice = random.Random(seed)  # noqa: S311  a simulated day, no secret
    return sorted(
        MIDNIGHT + timedelta(days=day, hours=start_hour + dice.random() * hours)
        for day in range(days)
        for _ in range(count)
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("start_hour", "hours"), [(8, 15), (0, 24), (8, 2), (18, 5)])
def test_500_changes_a_day_stay_within_the_budget_and_fresh(seed: int, start_hour: int, hours: int) -> None:
    pushes = list(simulate(random_changes(seed, 500, start_hour, hours)))
    assert most_in_a_day([at for at, _, pays in pushes if pays == "budget"]) <= PUSHES_MAX
    assert max(at - oldest for at, oldest, _ in pushes) <= FRESH


def test_background_pushes_are_three_an_hour_at_most() -> None:
    pushes = [at for at, _, pays in simulate(random_changes(1, 500, 0, 24)) if pays == "background"]
    assert pushes
    assert min(later - earlier for earlier, later in itertools.pairwise(pushes)) >= FRESH


def test_a_quiet_day_shows_each_change_at_once() -> None:
    changes = [MIDNIGHT + timedelta(hours=9 + hour) for hour in range(12)]
    assert all(at == oldest for at, oldest, _ in simulate(changes))


def test_a_busy_morning_leaves_the_evening_its_share() -> None:
    pushes = list(
        simulate(
            random_changes(3, 480, 8, 3, days=1) + [MIDNIGHT + timedelta(hours=22, minutes=m) for m in range(0, 60, 3)]
        )
    )
    evening = [(at, oldest, pays) for at, oldest, pays in pushes if at >= MIDNIGHT + timedelta(hours=22)]
    assert {pays for at, _, pays in evening if at < MIDNIGHT + timedelta(hours=23)} == {"budget"}


def test_what_is_not_known_is_assumed_to_be_spent() -> None:
    noon = MIDNIGHT + timedelta(hours=12)
    book = assumed(HOURS, noon)
    assert PUSHES_MAX - 5 <= len(book.spent) < PUSHES_MAX
    pushes = list(simulate([noon + timedelta(minutes=n) for n in range(600)], book))
    assert most_in_a_day([*book.spent, *(at for at, _, pays in pushes if pays == "budget")]) <= PUSHES_MAX
    assert max(at - oldest for at, oldest, _ in pushes) <= FRESH


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(min_value=0, max_value=2 * 1_440), min_size=1, max_size=300))
def test_whatever_happens(minutes: list[int]) -> None:
    pushes = list(simulate(sorted(MIDNIGHT + timedelta(minutes=minute) for minute in minutes)))
    assert most_in_a_day([at for at, _, pays in pushes if pays == "budget"]) <= PUSHES_MAX
    assert max(at - oldest for at, oldest, _ in pushes) <= FRESH
