"""How several workers share the tests: a folder or a file stays whole, and what took longest the last time comes first.

A file shares a hub or a browser among its tests, and the house tests share what they have parsed: torn apart, each
worker would start or parse its own. A long file that is reached late keeps one worker busy while the others have
nothing left. How long each test took is remembered from run to run in pytest's cache; one that was never run counts as
long as its mark says.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import pytest

TOOK = "seconds"
"""The name under which pytest's cache remembers how long each test took."""
REMEMBERED_S_MIN = 0.05
SLOW_S = 2.0
"""What a slow test is taken for that was never run."""
WHOLE_FOLDERS = ("tests/house",)


def unit_of(name: str) -> str:
    """Return what is given to one worker as a whole, for the name of a test."""
    path = name.split("::", 1)[0]
    return next((folder for folder in WHOLE_FOLDERS if path.startswith(f"{folder}/")), path)


def units_of(items: Sequence[pytest.Item]) -> list[list[int]]:
    """Return the places of the tests of each unit, in the order in which the units begin."""
    units: defaultdict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        units[unit_of(item.nodeid)].append(place)
    return list(units.values())


def longest_first(items: list[pytest.Item], took: Mapping[str, float]) -> None:
    """Bring the units that will take longest to the front; within a unit the order stays."""
    lengths: defaultdict[str, float] = defaultdict(float)
    for item in items:
        guess_s = SLOW_S if item.get_closest_marker("slow") else 0.0
        lengths[unit_of(item.nodeid)] += took.get(item.nodeid, guess_s)
    items.sort(key=lambda item: -lengths[unit_of(item.nodeid)])


def seconds_by_test(reports: Iterable[pytest.TestReport]) -> dict[str, float]:
    """Return how long each test took with all that belongs to it; the many that took no time are left out."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        seconds[report.nodeid] += report.duration
    return {name: round(took_s, 2) for name, took_s in seconds.items() if took_s >= REMEMBERED_S_MIN}
