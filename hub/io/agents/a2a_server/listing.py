"""`ListTasks`: the tasks of one client, those that changed last first, a page at a time. Pure but for one look.

A place is since when a task stands as it does, and its id: a page ends at one, and the next begins behind it. The hub
has the same order for questions (`GET /api/v1/permissions`), so tasks that have no question yet lie among them.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.control import PermissionList, PermissionReply, question_place
from hub.io.agents.a2a_server.conversation import shortened, task_of
from hub.io.agents.a2a_server.wire import ANY_STATE, ListParams, WireTask

PAGE_DEFAULT = 50
TOOL = "a2a"
ASKED: dict[str, str] = {
    "TASK_STATE_WORKING": "pending",
    "TASK_STATE_COMPLETED": "confirmed",
    "TASK_STATE_REJECTED": "rejected",
    "TASK_STATE_FAILED": "expired",
    "TASK_STATE_CANCELED": "cancelled",
}
"""How the hub calls the states that a question may have; other tasks have no question."""


class PlacedTask(Value):
    """A task with its place among all of its client's."""

    place: str
    task: WireTask


def asked_for(params: ListParams) -> str:
    """Return the query for the questions that may be on this page; empty where no question has that state."""
    if params.status not in {ANY_STATE, *ASKED}:
        return ""
    said = {
        "tool": TOOL,
        "limit": params.page_size or PAGE_DEFAULT,
        "session": params.context_id,
        "after": params.page_token,
        "status": ASKED.get(params.status, ""),
        "since": "" if params.status_timestamp_after is None else params.status_timestamp_after.isoformat(),
    }
    return urlencode({name: value for name, value in said.items() if value})


def placed(at: datetime, order_id: str, task: WireTask) -> PlacedTask:
    """Return a task at its place; `order_id` is its question's id, or its own where it has none."""
    return PlacedTask(place=question_place(at, order_id), task=task)


def placed_question(reply: PermissionReply, name: str) -> PlacedTask:
    """Return a question as a task at its place; `name` is what its client calls it, empty where that is its own id."""
    card = reply.prediction
    return placed(reply.since or card.created_at, card.id, task_of(reply, name))


def fits(task: WireTask, at: datetime, params: ListParams) -> bool:
    """Return True if a task that has no question is one of those that are asked for."""
    return (
        params.context_id in {"", task.context_id}
        and params.status in {ANY_STATE, task.status.state}
        and (params.status_timestamp_after is None or at >= params.status_timestamp_after)
    )


def page_of(
    found: PermissionList, names: dict[str, str], others: Iterable[PlacedTask], params: ListParams
) -> dict[str, Any]:
    """Return one page: what the hub found, and `others` that fit and have no question.

    `names` are the tasks whose name is not their question's id, by that.
    """
    size, own = params.page_size or PAGE_DEFAULT, tuple(others)
    asked = (placed_question(one, names.get(one.prediction.id, "")) for one in found.permissions)
    behind = [one for one in own if not params.page_token or one.place < params.page_token]
    rows = sorted((*asked, *behind), key=lambda one: one.place, reverse=True)
    page = rows[:size]
    is_more = bool(found.next) or len(rows) > len(page)
    return {
        "tasks": [msgspec.to_builtins(_told(one.task, params)) for one in page],
        "nextPageToken": page[-1].place if page and is_more else "",
        "pageSize": size,
        "totalSize": found.count + len(own),
    }


def _told(task: WireTask, params: ListParams) -> WireTask:
    short = shortened(task, params.history_length)
    return short if params.include_artifacts else replace(short, artifacts=())
