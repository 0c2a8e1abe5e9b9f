"""How a sentence that became a task was understood: its moment in full, and what else it could have meant. Pure."""

from datetime import datetime, timedelta

from hub.contract.api import TaskView
from hub.kit.phrasebook import Phrases
from hub.kit.text import moment_in_full, weekday_said

HALF_A_DAY = 12


def kept_said(task: TaskView, words: Phrases, now: datetime) -> str:
    """Return the answer to the person who wrote a task down; `now` is in their zone."""
    if task.deadline is None:
        return words.title("task.past" if task.doubt == "past" else "task.kept_bare")
    at = task.deadline.astimezone(now.tzinfo)
    kept = words.title("task.kept", moment=moment_in_full(at, now, words.language))
    doubt = _doubt(task, words, at)
    return f"{kept} {doubt}" if doubt else kept


def _doubt(task: TaskView, words: Phrases, at: datetime) -> str:
    """Return what else it could have meant, and how to say so; empty where it is clear."""
    match task.doubt:
        case "hour":
            other = at.replace(hour=(at.hour + HALF_A_DAY) % (2 * HALF_A_DAY))
            return words.title("task.hour", other=f"{other:%H:%M}")
        case "weekday":
            return words.title("task.weekday", weekday=weekday_said(at.date(), words.language))
        case "night":
            meant = at - timedelta(days=1)
            return words.title("task.night", weekday=weekday_said(meant.date(), words.language))
        case _:
            return ""
