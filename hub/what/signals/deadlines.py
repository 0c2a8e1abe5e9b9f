"""Open tasks that are due within a day or overdue. Urgency: 0.7 at 24 h before, rising to 1 at the deadline.

A task that was given less than two days comes unasked when half of its time is over: who has just written it down
knows it. Without an agent that could work on it there is nothing to do before its moment, and at that moment its
reminder comes (`hub/loop/reminders.py`); what else is to be said of it is said to who asks.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.provenance import quoted, say
from hub.domain.situation import Situation, Task
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import TITLE_CHARS_MAX, at_time, noted
from hub.what.signals.stale_tasks import open_tasks, status_said
from hub.what.text import HOUR, clean

KIND = "deadline"
SENSOR = "tasks"
DRIVE = "goals"
FITS: Hours = {"morning": 1.0, "afternoon": 0.9, "evening": 0.7, "night": 0.4}
NEAR_H_MAX = 24.0
NOTHING = timedelta(0)


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per task; passing the deadline is a new reason, and so is moving it."""
    for task in open_tasks(situation):
        if task.deadline is None or task.deadline - situation.at > NEAR_H_MAX * HOUR:
            continue
        left = task.deadline - situation.at
        at = at_time(situation, task.deadline)
        when = say("due {when}", when=at) if left > NOTHING else say("overdue: it was due {when}", when=at)
        title, status = clean(task.title, TITLE_CHARS_MAX), status_said(task)
        idea = Candidate(
            kind=KIND,
            reason_key=f"{KIND}:{digest(task.id)}",
            signature=state(task.deadline, ("near", "overdue") if left <= NOTHING else ("near",)),
            prompt=say("Work on the task {title} now: it is {when}", title=quoted(title), when=when),
            reasoning=say('The task "{title}" is {status} and {when}.', title=title, status=status, when=when),
            urgency=ramp(NEAR_H_MAX - left / HOUR, 0.0, NEAR_H_MAX, 0.7, 1.0),
            affinity=task.channel,
            own_words=task.own_words,
            comes="unasked" if NOTHING < left <= _near(task, task.deadline) else "when asked",
            need=Need(text="The task is worked on (the agent reports no error)."),
        )
        yield idea
        yield noted(situation, replace(idea, comes="when asked"), say("task"), title)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when a deadline comes near, and when it passes."""
    for task in open_tasks(situation):
        if task.deadline is not None:
            yield task.deadline - situation.at - _near(task, task.deadline)
            yield task.deadline - situation.at


def _near(task: Task, deadline: datetime) -> timedelta:
    """Return how long before its deadline a task is near."""
    return min(NEAR_H_MAX * HOUR, max(deadline - task.created_at, NOTHING) / 2)
