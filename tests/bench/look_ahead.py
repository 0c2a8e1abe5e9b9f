"""What a look adds to find out when time alone brings or ends something, beside making its ideas."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from hub.domain.mind import Mind
from hub.domain.provenance import NoteText, RepositoryText
from hub.domain.situation import DriveItem, Repository, Situation
from hub.what import ideas, next_turn
from tests.bench.figures import Figure, median

AT: Final = datetime(2026, 3, 2, 13, tzinfo=UTC)
CLOCK: Final = timedelta(minutes=30)
ONES: Final = 200


def figure(bench: str) -> Figure:
    """Measure it."""
    seen = _much_open()
    return Figure(
        bench=bench,
        what="a look at 5 repositories with commits to push and 20 goals: looking ahead, processor time",
        value=_cpu_ms(lambda: next_turn(seen, seen.at + CLOCK)),
        unit="ms",
        reference="making its ideas once",
        reference_value=_cpu_ms(lambda: ideas(seen, Mind())),
    )


def _much_open() -> Situation:
    repositories = tuple(
        Repository(
            path=f"/home/mo/p{number}",
            name=RepositoryText(f"p{number}"),
            branch=RepositoryText("main"),
            head="c0ffee1",
            head_at=AT - timedelta(hours=2),
            unpushed=3,
        )
        for number in range(5)
    )
    goals = tuple(
        DriveItem(
            kind="goals", path="/home/mo/goals.json", id=NoteText(f"g{one}"), text=NoteText(f"Goal {one}"), weight=0.5
        )
        for one in range(20)
    )
    return Situation(at=AT, local=AT, repositories=repositories, drive_items=goals)


def _cpu_ms(what: Callable[[], object]) -> float:
    took = []
    for _ in range(ONES):
        start = time.process_time()
        what()
        took.append(time.process_time() - start)
    return median(took) * 1000
