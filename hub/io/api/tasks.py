"""The task store: create, read, change, remove."""

from datetime import datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta
from msgspec.structs import replace

from hub.contract.api import TaskBody, TaskDoubt, TaskView
from hub.contract.base import Message
from hub.contract.control import TaskList
from hub.contract.topics import is_segment
from hub.domain.canonical import visible, wording_for
from hub.domain.provenance import TaskText, untrusted
from hub.domain.requests import Refused, RemoveTask, SaveTask, TaskSaved
from hub.domain.situation import Task
from hub.domain.storage import TaskById, Tasks
from hub.io.access.in_person import is_in_person
from hub.io.access.tokens import NO_MORE, is_surface
from hub.io.api.call import Call, Nothing
from hub.io.http.bodies import sane_time
from hub.io.http.errors import OutOfScopeError, UnknownTaskError
from hub.io.http.loop_requests import ask_loop
from hub.kit.due import due_of, names_the_past

STALE_AFTER = timedelta(hours=24)
"""CROSSPOLL 2.2: an open task without an update for longer than this is stale."""
OPEN = frozenset({"queued", "running"})
PAGE_MAX = 500
NO_DOUBT: TaskDoubt = ""


class TasksQuery(Message):
    """Query of `GET /api/v1/tasks`; `open=true` leaves out what is finished or given up."""

    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100
    open: bool = False


async def tasks(call: Call[Nothing, TasksQuery]) -> TaskList:
    """Return tasks, newest first."""
    parts, query = call.parts, call.query
    found = await parts.store.read(Tasks(user=parts.user, limit=query.limit, open_only=query.open))
    now = parts.clock.now()
    return TaskList(tasks=tuple(view(task, now) for task in found), count=len(found))


async def task(call: Call[Nothing, Nothing]) -> TaskView:
    """Return one task."""
    task_id, found = call.path["id"], None
    if is_segment(task_id):
        found = await call.parts.store.read(TaskById(user=call.parts.user, task_id=task_id))
    if found is None:
        raise _unknown(task_id)
    return view(found, call.parts.clock.now())


async def add_task(call: Call[TaskBody, Nothing]) -> TaskView | Refused:
    """Create a task; only `title` is needed. A moment at its end ("tomorrow at 10") becomes the deadline."""
    return await _save(call, None)


async def change_task(call: Call[TaskBody, Nothing]) -> TaskView | Refused:
    """Change the fields of a task that are given; PUT and PATCH alike."""
    task_id = call.path["id"]
    await _require_own(call, task_id)
    return await _save(call, task_id)


async def remove_task(call: Call[Nothing, Nothing]) -> TaskView | Refused:
    """Remove a task, and return it as it was."""
    task_id = call.path["id"]
    await _require_own(call, task_id)
    reply = await ask_loop(call.parts.hub_api, RemoveTask(task_id=task_id), TaskSaved)
    if isinstance(reply, Refused):
        return reply
    call.to.broadcaster.look_again("tasks")
    return view(reply.task, call.parts.clock.now())


async def _require_own(call: Call[TaskBody, Nothing] | Call[Nothing, Nothing], task_id: str) -> None:
    """Check that the process of a surface changes only what it kept itself; all others may change every task.

    Raises:
        UnknownTaskError: there can be no such task.
        OutOfScopeError: it was kept elsewhere.
    """
    if not is_segment(task_id):
        raise _unknown(task_id)
    if call.client is None or not is_surface(call.client):
        return
    found = await call.parts.store.read(TaskById(user=call.parts.user, task_id=task_id))
    if found is not None and found.kept_by != call.client.surface:
        raise OutOfScopeError("The process of a surface takes back only the tasks that it kept.", fix=NO_MORE)


def view(task: Task, now: datetime) -> TaskView:
    """Return a task as everybody outside sees it."""
    return TaskView(
        id=task.id,
        title=visible(untrusted(task.title)),
        status=task.status,
        channel=task.channel,
        deadline=task.deadline,
        notes=visible(untrusted(task.notes)),
        created_at=task.created_at,
        updated_at=task.updated_at,
        stale=task.status in OPEN and now - task.updated_at > STALE_AFTER,
        card_id=task.card_id,
        title_worded=wording_for(task.title_worded, untrusted(task.title)),
    )


def _unknown(task_id: str) -> UnknownTaskError:
    return UnknownTaskError(f"There is no task {task_id!r}.", fix="`pulse tasks` lists them.")


async def _save(call: Call[TaskBody, Nothing], task_id: str | None) -> TaskView | Refused:
    body, now = call.body, call.parts.clock.now()
    title, deadline, doubt = body.title, sane_time(body.deadline, now), NO_DOUBT
    if task_id is None and title is not None and deadline is None:
        title, deadline, doubt = _read(title, now.astimezone(ZoneInfo(call.parts.hub_api.policy().zone)))
    request = SaveTask(
        task_id=task_id,
        title=None if title is None else TaskText(title),
        status=body.status,
        channel=body.channel,
        deadline=deadline,
        notes=None if body.notes is None else TaskText(body.notes),
        in_person=is_in_person(call.client),
        kept_by=call.client.surface if call.client is not None and is_surface(call.client) else "",
    )
    reply = await ask_loop(call.parts.hub_api, request, TaskSaved)
    if isinstance(reply, Refused):
        return reply
    call.to.broadcaster.look_again("tasks")
    return replace(view(reply.task, now), doubt=doubt)


def _read(sentence: str, now: datetime) -> tuple[str, datetime | None, TaskDoubt]:
    """Return a task's title, its deadline, and what else the sentence could have meant."""
    found = due_of(sentence, now)
    if found is not None:
        return found
    return sentence, None, "past" if names_the_past(sentence, now) else ""
