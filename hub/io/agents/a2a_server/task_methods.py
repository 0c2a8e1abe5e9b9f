"""The methods of A2A: a message becomes a question, a task is looked at, waited for, taken back.

A task is the hub's card, so it outlives this process. Only what has no question yet is kept here, and forgotten.
"""

import secrets
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.control import PermissionList, PermissionReply
from hub.contract.topics import is_segment
from hub.io.agents.a2a_server.conversation import (
    as_request,
    has_files,
    is_over,
    moment_of,
    not_let_in,
    question_of,
    task_of,
    waiting_for_words,
)
from hub.io.agents.a2a_server.listing import asked_for, fits, page_of, placed
from hub.io.agents.a2a_server.wire import (
    INTERNAL,
    NO_FILES,
    NO_TASK,
    NOT_CANCELABLE,
    PARAMS,
    UNSUPPORTED,
    ListParams,
    Spoken,
    WireError,
    WireTask,
)
from hub.io.agents.questions.arguments import AskingAgent, HumanQuestion, UnusableArguments, key_of
from hub.io.agents.questions.hub_client import AgentHubClient
from hub.kit.bounded import BoundedMap
from hub.kit.hub_client import HubSaysNo

BEGUN_MAX = 256
ID_BYTES = 12
NOT_FOUND = 404
LET_IN_NO_MORE = {401, 403}
OTHER_CONTEXT = WireError(code=PARAMS, message="This task belongs to another context; send its contextId, or none.")
NO_MORE = WireError(code=UNSUPPORTED, message="This question is closed. Ask a new one.")


class Visitor(Value):
    """Whose call this is, and how the hub is reached for it."""

    link: AgentHubClient
    agent: AskingAgent
    token: str = ""


class BegunTask(Value):
    """A task that began without a question; `card_id` is the question once there is one, `is_over` where none comes."""

    whose: str
    context_id: str
    at: datetime
    card_id: str = ""
    is_over: bool = False


class TaskMethods:
    """Answers the methods."""

    def __init__(self) -> None:
        self._begun: BoundedMap[str, BegunTask] = BoundedMap(BEGUN_MAX)

    async def send(self, visitor: Visitor, message: Spoken) -> WireTask | WireError:
        """Put what a message asks before the person; the same message again is the same question."""
        begun = self._own(visitor, message.task_id)
        if message.task_id and (begun is None or begun.card_id or begun.is_over):
            known = await self.get(visitor, message.task_id)
            return known if isinstance(known, WireError) else NO_MORE
        if begun is not None and message.context_id not in {"", begun.context_id}:
            return OTHER_CONTEXT
        if has_files(message):
            return NO_FILES
        asked = question_of(message)
        if isinstance(asked, UnusableArguments):
            return WireError(code=PARAMS, message=asked.why)
        if asked is None:
            return self._begin(visitor, message, begun)
        context_id = begun.context_id if begun is not None else message.context_id
        found = await self._ask(visitor, message, asked, context_id)
        if begun is not None and isinstance(found, PermissionReply):
            self._begun[message.task_id] = replace(begun, card_id=found.prediction.id)
        return found if isinstance(found, WireError) else task_of(found, message.task_id)

    async def get(self, visitor: Visitor, task_id: str) -> WireTask | WireError:
        """Say how a task stands."""
        begun = self._own(visitor, task_id)
        if begun is not None and not begun.card_id:
            return _wordless(task_id, begun)
        card_id = begun.card_id if begun is not None else task_id
        reply = await visitor.link.look(card_id) if is_segment(card_id) else NO_TASK
        return _told(reply, task_id)

    async def settled(self, visitor: Visitor, task: WireTask) -> WireTask | WireError:
        """Wait until a task is over, or until its agent has to say more."""
        if task.status.state != "TASK_STATE_WORKING":
            return task
        reply = await visitor.link.wait(self.card_id(visitor, task.id), withdraws=False)
        if isinstance(reply, HubSaysNo) and reply.status in LET_IN_NO_MORE:
            return not_let_in(task, moment_of(_now()))
        return _told(reply, task.id)

    async def cancel(self, visitor: Visitor, task_id: str) -> WireTask | WireError:
        """Take a question back; it disappears everywhere."""
        found = await self.get(visitor, task_id)
        if isinstance(found, WireError):
            return found
        if is_over(found):
            return NOT_CANCELABLE
        begun = self._own(visitor, task_id)
        if begun is not None and not begun.card_id:
            self._begun[task_id] = replace(begun, is_over=True, at=_now())
            return _wordless(task_id, self._begun[task_id])
        reply = await visitor.link.withdraw(self.card_id(visitor, task_id))
        if isinstance(reply, HubSaysNo) and reply.code == "already-settled":
            return NOT_CANCELABLE
        return _told(reply, task_id)

    async def all_of(self, visitor: Visitor, params: ListParams) -> dict[str, Any] | WireError:
        """Return a page of this client's tasks, those that changed last first."""
        query = asked_for(params)
        found = await visitor.link.listed(query) if query else PermissionList(permissions=(), count=0)
        if isinstance(found, HubSaysNo):
            return _refused(found)
        mine = [(name, one) for name, one in self._begun.items() if one.whose == visitor.agent.whose]
        names = {one.card_id: name for name, one in mine if one.card_id}
        wordless = [(one.at, name, _wordless(name, one)) for name, one in mine if not one.card_id]
        others = [placed(at, name, task) for at, name, task in wordless if fits(task, at, params)]
        return page_of(found, names, others, params)

    async def _ask(
        self, visitor: Visitor, message: Spoken, asked: HumanQuestion, context_id: str
    ) -> PermissionReply | WireError:
        key = key_of(visitor.agent, f"{message.task_id} {message.message_id}")
        request = as_request(asked, visitor.agent, message, context_id or f"context_{key}")
        if isinstance(request, UnusableArguments):
            return WireError(code=PARAMS, message=request.why)
        reply = await visitor.link.ask(request, key)
        return _refused(reply) if isinstance(reply, HubSaysNo) else reply

    def _begin(self, visitor: Visitor, message: Spoken, begun: BegunTask | None) -> WireTask:
        task_id = message.task_id or f"task_{secrets.token_hex(ID_BYTES)}"
        context_id = message.context_id or f"context_{task_id}"
        kept = begun or BegunTask(whose=visitor.agent.whose, context_id=context_id, at=_now())
        self._begun[task_id] = kept
        return _wordless(task_id, kept)

    def _own(self, visitor: Visitor, task_id: str) -> BegunTask | None:
        found = self._begun.get(task_id)
        return found if found is not None and found.whose == visitor.agent.whose else None

    def restore(self, visitor: Visitor, task_id: str, context_id: str, card_id: str) -> None:
        """Know again which card a task of an earlier process is, where it has another name."""
        if task_id != card_id:
            begun = BegunTask(whose=visitor.agent.whose, context_id=context_id, at=_now(), card_id=card_id)
            self._begun[task_id] = begun

    def card_id(self, visitor: Visitor, task_id: str) -> str:
        """Return which card a task is; empty for one that has no question yet."""
        begun = self._own(visitor, task_id)
        return begun.card_id if begun is not None else task_id


def _now() -> datetime:
    return datetime.now(UTC)


def _wordless(task_id: str, begun: BegunTask) -> WireTask:
    return waiting_for_words(task_id, begun.context_id, moment_of(begun.at), is_over=begun.is_over)


def _told(reply: PermissionReply | HubSaysNo | WireError, task_id: str) -> WireTask | WireError:
    match reply:
        case PermissionReply():
            return task_of(reply, task_id)
        case HubSaysNo():
            return _refused(reply)
        case WireError():
            return reply


def _refused(refusal: HubSaysNo) -> WireError:
    if refusal.status == NOT_FOUND:
        return NO_TASK
    return WireError(code=INTERNAL, message=f"{refusal.detail} {refusal.fix}".strip())
