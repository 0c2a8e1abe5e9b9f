"""The morning's plan, the one template that is left: only where open tasks give it something to plan. Urgency: 0."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import counted, say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours, part_of_day, turn_of_day
from hub.what.reasons import state
from hub.what.sighting import TITLE_CHARS_MAX
from hub.what.signals.stale_tasks import open_tasks
from hub.what.text import DAY, clean

KIND = "plan-day"
SENSOR = "tasks"
DRIVE = "goals"
FITS: Hours = {"morning": 1.0, "afternoon": 0.2, "evening": 0.0, "night": 0.0}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield at most one idea each morning, and none without an open task."""
    tasks = open_tasks(situation)
    if not tasks or part_of_day(situation.local) != "morning":
        return
    stale = sum(situation.at - task.updated_at > DAY for task in tasks)
    oldest = min(tasks, key=lambda task: (task.updated_at, task.id))
    number = counted(len(tasks), "open task")
    yield Candidate(
        kind=KIND,
        reason_key=KIND,
        signature=state(situation.local.date()),
        prompt=say("Plan today: put {tasks} in order", tasks=number),
        reasoning=say(
            '{tasks}, {stale} without an update for a day; the oldest is "{oldest}".',
            tasks=number,
            stale=stale,
            oldest=clean(oldest.title, TITLE_CHARS_MAX),
        ),
        urgency=0.0,
        affinity=None,
        need=Need(text="An order for today is written (the agent reports no error)."),
        last_resort=True,
    )


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when the morning begins and ends."""
    yield from turn_of_day(situation.local)
