"""Open tasks without news for a day. Urgency: 0.4 at 24 h, rising to 0.8 at 7 days."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import Situation, Task
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import TITLE_CHARS_MAX, at_time
from hub.what.text import DAY, clean

KIND = "stale-task"
SENSOR = "tasks"
DRIVE = "goals"
FITS: Hours = {"morning": 0.9, "afternoon": 0.7, "evening": 0.4, "night": 0.2}
AGE_DAYS_MIN = 1.0
AGE_DAYS_HIGH = 7.0


def open_tasks(situation: Situation) -> tuple[Task, ...]:
    """Return the tasks that are neither finished nor given up, in a stable order."""
    return tuple(sorted((task for task in situation.tasks or () if task.is_open), key=lambda task: task.id))


def status_said(task: Task) -> Wording:
    """Return how an open task stands."""
    return say("running") if task.status == "running" else say("queued")


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per task that has had no update for more than 24 h; an update ends the matter."""
    for task in open_tasks(situation):
        age = situation.at - task.updated_at
        if age <= AGE_DAYS_MIN * DAY:
            continue
        title = clean(task.title, TITLE_CHARS_MAX)
        yield Candidate(
            kind=KIND,
            reason_key=f"{KIND}:{digest(task.id)}",
            signature=state(task.updated_at),
            prompt=say(
                "Move the task {title} forward: find what it is waiting for and do the next step", title=quoted(title)
            ),
            reasoning=say(
                'The task "{title}" is {status}; its last update was {when}.',
                title=title,
                status=status_said(task),
                when=at_time(situation, task.updated_at),
            ),
            urgency=ramp(age / DAY, AGE_DAYS_MIN, AGE_DAYS_HIGH, 0.4, 0.8),
            affinity=task.channel,
            own_words=task.own_words,
            need=Need(text="The next step of the task is done (the agent reports no error)."),
        )


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when a task has had no update for a day."""
    yield from (task.updated_at - situation.at + AGE_DAYS_MIN * DAY for task in open_tasks(situation))
