"""What another agent's message asks, and how a question stands as an A2A task. Pure."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from hub.contract.control import PermissionReply
from hub.contract.permission import PermissionRequest
from hub.io.agents.a2a_server.wire import NAME_CHARS_MAX, Artifact, Part, Spoken, State, TaskStatus, WireTask
from hub.io.agents.questions.arguments import (
    AskingAgent,
    HumanQuestion,
    UnusableArguments,
    read_arguments,
    request_of,
)
from hub.io.agents.questions.outcome import Outcome, Standing, in_words, outcome_of

STATES: dict[Standing, State] = {
    "pending": "TASK_STATE_WORKING",
    "answered": "TASK_STATE_COMPLETED",
    "declined": "TASK_STATE_REJECTED",
    "expired": "TASK_STATE_FAILED",
    "withdrawn": "TASK_STATE_CANCELED",
}
OPEN = {"TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"}
NOT_LET_IN = "Your token is no longer valid, so you cannot follow this question. Ask the user for a new one."
WHAT = "Send your question as text."
ANSWER = "answer"


def question_of(message: Spoken) -> HumanQuestion | UnusableArguments | None:
    """Read what a message asks: its text is the question, its data the rest; None where it asks nothing yet."""
    text = "\n".join(part.text for part in message.parts if part.text.strip()).strip()
    if not text:
        return None
    more: dict[str, Any] = {}
    for part in message.parts:
        if isinstance(part.data, dict):
            more.update(part.data)
    return read_arguments(HumanQuestion, {**more, "question": text})


def as_request(
    asked: HumanQuestion, agent: AskingAgent, message: Spoken, context_id: str
) -> PermissionRequest | UnusableArguments:
    """Return a question as the hub takes it: the context is its session, the message its call, so both come back."""
    if max(len(message.message_id), len(context_id)) > NAME_CHARS_MAX:
        return UnusableArguments(why=f"An id has at most {NAME_CHARS_MAX} characters.")
    request = request_of(asked, agent)
    if isinstance(request, UnusableArguments):
        return request
    return replace(request, tool="a2a", session=context_id, call=message.message_id)


def task_of(reply: PermissionReply, task_id: str) -> WireTask:
    """Return how a question stands as a task."""
    card, outcome = reply.prediction, outcome_of(reply)
    asked = card.permission
    context_id = asked.session if asked is not None and asked.session else card.id
    name = task_id or card.id
    text = asked.questions[0].text if asked is not None and asked.questions else card.prompt
    said = Spoken(
        message_id=asked.call if asked is not None and asked.call else f"{card.id}_question",
        role="ROLE_USER",
        parts=(Part(text=text),),
        context_id=context_id,
        task_id=name,
    )
    return WireTask(
        id=name,
        context_id=context_id,
        status=TaskStatus(
            state=STATES[outcome.status],
            timestamp=moment_of(reply.since or card.created_at),
            message=_told(outcome, name, context_id),
        ),
        artifacts=_artifacts(outcome),
        history=(said,),
    )


def waiting_for_words(task_id: str, context_id: str, at: str, *, is_over: bool) -> WireTask:
    """Return a task that has no question yet, or was canceled before it had one."""
    if is_over:
        status = TaskStatus(state="TASK_STATE_CANCELED", timestamp=at)
        return WireTask(id=task_id, context_id=context_id, status=status)
    told = _agent_says(f"{task_id}_what", WHAT, task_id, context_id)
    status = TaskStatus(state="TASK_STATE_INPUT_REQUIRED", timestamp=at, message=told)
    return WireTask(id=task_id, context_id=context_id, status=status)


def is_over(task: WireTask) -> bool:
    """Return True if nothing more will come of a task."""
    return task.status.state not in OPEN


def has_files(message: Spoken) -> bool:
    """Return True if a message holds what nobody here reads."""
    return any(part.raw or part.url for part in message.parts)


def not_let_in(task: WireTask, at: str) -> WireTask:
    """Return a task whose agent lost its leave while it waited (7.6): what comes of it, it has to be let in to hear."""
    told = _agent_says(f"{task.id}_auth", NOT_LET_IN, task.id, task.context_id)
    return replace(task, status=TaskStatus(state="TASK_STATE_AUTH_REQUIRED", timestamp=at, message=told))


def shortened(task: WireTask, history_length: int | None) -> WireTask:
    """Return a task with so much of what was said as is asked for; all of it where nothing is said."""
    if history_length is None or len(task.history) <= history_length:
        return task
    return replace(task, history=task.history[len(task.history) - history_length :])


def moment_of(at: datetime) -> str:
    """Return a moment as the protocol writes it: in UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def updates(task: WireTask) -> tuple[dict[str, Any], ...]:
    """Return what a stream is told once a task is over: what came of it, and where it is."""
    whose = {"taskId": task.id, "contextId": task.context_id}
    artifacts = tuple(
        {"artifactUpdate": {**whose, "artifact": msgspec.to_builtins(one), "lastChunk": True}} for one in task.artifacts
    )
    return (*artifacts, {"statusUpdate": {**whose, "status": msgspec.to_builtins(task.status)}})


def _told(outcome: Outcome, task_id: str, context_id: str) -> Spoken | None:
    if outcome.status == "pending":
        return None
    return _agent_says(f"{outcome.ask_id}_{outcome.status}", in_words(outcome), task_id, context_id)


def _agent_says(message_id: str, text: str, task_id: str, context_id: str) -> Spoken:
    parts = (Part(text=text),)
    return Spoken(message_id=message_id, role="ROLE_AGENT", parts=parts, context_id=context_id, task_id=task_id)


def _artifacts(outcome: Outcome) -> tuple[Artifact, ...]:
    if not outcome.answer:
        return ()
    return (Artifact(artifact_id=ANSWER, name=ANSWER, parts=tuple(Part(text=one) for one in outcome.answer)),)
