"""From changes to operations; one function per kind of change.

Order counts inside a transaction: a step, an execution or a log line needs its card to be there by then.
"""

from functools import singledispatch

import msgspec

from hub.contract.words import RunState, Status
from hub.domain.canonical import visible
from hub.domain.delivery import LedgerEntry
from hub.domain.drives import AddDriveSample, DropOldWakes, PutWake
from hub.domain.episode import Line, Step
from hub.domain.execution import Execution
from hub.domain.lessons import AddPair, DropPairs, MarkExported
from hub.domain.mutations import AddMutation
from hub.domain.permission_grant import AddGrantEvent
from hub.domain.policy import USD
from hub.domain.storage import (
    AddCard,
    AddExecution,
    Change,
    DeleteSent,
    DropTask,
    LogEntry,
    MoveCard,
    MoveExecution,
    PutClient,
    PutDevice,
    PutTask,
    ReleaseLeases,
    Remember,
    SaveMind,
    Send,
)
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught
from hub.io.store.check import check
from hub.io.store.codec import body_of, maybe_text_of, text_of
from hub.io.store.known_rows import known_message, known_row
from hub.io.store.limits import DRIVE_SAMPLES_MAX, GRANT_EVENTS_MAX, LINES_PER_CARD_MAX
from hub.io.store.operations import Operation
from hub.io.store.session import SqlValue
from hub.io.store.world import OPERATIONS

RAN = frozenset({RunState.VERIFIED, RunState.FINISHED})
"""How an execution ends that carried a card out, proven or not."""
CONFIRMED = frozenset({Status.CONFIRMED, Status.EXECUTED, Status.FAILED})
"""Statuses that a card has only after a yes."""


def operations_of(transaction: tuple[Change, ...]) -> tuple[Operation, ...]:
    """Return what a transaction does, in order.

    Raises:
        BrokenChangeError: a change could not be read back, or breaks its own rule.
    """
    for change in transaction:
        check(change)
    return tuple(operation for change in transaction for operation in _operations(change))


@singledispatch
def _operations(change: Change) -> tuple[Operation, ...]:
    raise TypeError(f"the store knows no change {type(change).__name__}")


def _card_values(card: Card) -> dict[str, SqlValue]:
    proposal = card.proposal
    pending = card.status is Status.PENDING
    settled_at = maybe_text_of(card.settled_at)
    return {
        "id": card.id,
        "user_id": card.user,
        "prompt": visible(card.prompt),
        "target_agent": proposal.agent,
        "target_channel": proposal.channel,
        "confidence": proposal.confidence,
        "reasoning": proposal.reasoning,
        "status": card.status.value,
        "status_reason": card.status_reason and card.status_reason.value,
        "source": proposal.source.value,
        "created_at": text_of(card.created_at),
        "confirmed_at": settled_at if card.status in CONFIRMED else None,
        "executed_at": settled_at if card.status is Status.EXECUTED else None,
        "version": card.version,
        "expires_at": text_of(card.expires_at),
        "snoozed_until": maybe_text_of(card.snoozed_until),
        "next_due_at": text_of(min(card.expires_at, card.snoozed_until or card.expires_at)) if pending else None,
        "card_hash": card.card_hash,
        "reason_key": proposal.reason_key,
        "signature": proposal.signature,
        "autonomous": card.autonomous,
        "settled_at": None if pending else text_of(card.stands_since),
        "held": card.held.until if card.held is not None and pending else None,
        "body": body_of(card),
    }


def _execution_values(execution: Execution) -> dict[str, SqlValue]:
    return {
        "id": execution.id,
        "user_id": execution.user,
        "prediction_id": execution.card_id,
        "attempt": execution.attempt,
        "state": execution.state.value,
        "ended_at": maybe_text_of(execution.ended_at),
        "cost_microusd": execution.cost_microusd,
        "tokens": execution.result.tokens if execution.result else None,
        "channel": execution.channel,
        "body": body_of(execution),
    }


@_operations.register
def _(change: AddCard) -> tuple[Operation, ...]:
    return (_card("add_card", change.card, {}, lost=f"add-card {change.card.id}"),)


@_operations.register
def _(change: MoveCard) -> tuple[Operation, ...]:
    expected: dict[str, SqlValue] = {
        "expect_version": change.expect_version,
        "expect_status": change.expect_status.value,
    }
    return (_card("move_card", change.card, expected, lost=f"move-card {change.card.id}", current="card_by_id"),)


def _card(query: str, card: Card, more: dict[str, SqlValue], *, lost: str, current: str = "") -> Operation:
    values = _card_values(card) | more
    return Operation(query, values, lost=lost, current=current, keeps=known_row(card.user, card, values))


@_operations.register
def _(change: AddExecution) -> tuple[Operation, ...]:
    execution = change.execution
    values = _execution_values(execution) | {"queued_at": text_of(execution.queued_at)}
    return (
        Operation(
            "add_execution",
            values,
            lost=f"add-execution {execution.id}",
            keeps=known_row(execution.user, execution, values),
        ),
    )


@_operations.register
def _(change: MoveExecution) -> tuple[Operation, ...]:
    execution = change.execution
    values = _execution_values(execution) | {"expect_state": change.expect_state.value}
    keeps = known_row(execution.user, execution, values)
    move = Operation("move_execution", values, lost=f"move-execution {execution.id}", keeps=keeps)
    marks = (Operation("mark_executed", values),) if execution.state in RAN else ()
    if execution.ended_at is None:
        return (move, *marks)
    result = msgspec.json.encode({"state": execution.state, "proof": execution.proof}).decode()
    return (move, *marks, Operation("log_result", {**values, "result": result}))


@_operations.register
def _(step: Step) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {"prediction_id": step.card_id, "at": text_of(step.at), "body": body_of(step)}
    lost = f"add-step {step.card_id}"
    if isinstance(step.body, Line):
        return (Operation("add_line", values | {"lines_max": LINES_PER_CARD_MAX}, lost=lost, unless="card_exists"),)
    kind = str(step.body.__struct_config__.tag)
    return (Operation("add_step", values | {"kind": kind}, lost=lost),)


@_operations.register
def _(change: SaveMind) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {"user_id": change.user, "body": body_of(change.mind)}
    return (Operation("save_mind", values, keeps=known_row(change.user, change.mind, values)),)


@_operations.register
def _(change: Remember) -> tuple[Operation, ...]:
    known = change.known
    values: dict[str, SqlValue] = {
        "user_id": change.user,
        "key": known.key,
        "signature": known.signature,
        "at": text_of(known.at),
    }
    return (Operation("remember", values),)


@_operations.register
def _(entry: LogEntry) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {
        "user_id": entry.user,
        "prediction_id": entry.card_id,
        "trigger_type": entry.trigger,
        "target_channel": entry.channel,
        "prompt": entry.prompt,
        "cost_estimate": entry.cost_microusd / USD,
        "cost_microusd": entry.cost_microusd,
        "blocked": entry.blocked,
        "block_reason": entry.block_reason,
        "created_at": text_of(entry.at),
    }
    return (Operation("write_log", values, lost=f"write-log {entry.card_id}"),)


@_operations.register
def _(change: AddGrantEvent) -> tuple[Operation, ...]:
    event = change.event
    values: dict[str, SqlValue] = {
        "user_id": change.user,
        "grant_id": event.grant_id,
        "at": text_of(event.at),
        "body": body_of(event),
    }
    old: dict[str, SqlValue] = {"user_id": change.user, "kept": GRANT_EVENTS_MAX}
    return (Operation("add_grant_event", values), Operation("drop_old_grant_events", old))


@_operations.register
def _(change: PutWake) -> tuple[Operation, ...]:
    wake = change.wake
    values: dict[str, SqlValue] = {"user_id": change.user, "id": wake.id, "at": text_of(wake.at), "body": body_of(wake)}
    return (Operation("put_wake", values, keeps=known_row(change.user, wake, values)),)


@_operations.register
def _(change: DropOldWakes) -> tuple[Operation, ...]:
    old: dict[str, SqlValue] = {"user_id": change.user, "kept": change.kept}
    return (Operation("drop_old_wakes", old),)


@_operations.register
def _(change: AddMutation) -> tuple[Operation, ...]:
    record = change.record
    values: dict[str, SqlValue] = {
        "user_id": change.user,
        "id": record.id,
        "at": text_of(record.at),
        "body": body_of(record),
    }
    return (Operation("add_mutation", values, keeps=known_row(change.user, record, values)),)


@_operations.register
def _(change: AddDriveSample) -> tuple[Operation, ...]:
    sample = change.sample
    values: dict[str, SqlValue] = {"user_id": change.user, "at": text_of(sample.at), "body": body_of(sample)}
    old: dict[str, SqlValue] = {"user_id": change.user, "kept": DRIVE_SAMPLES_MAX}
    return (Operation("add_drive_sample", values), Operation("drop_old_drive_samples", old))


@_operations.register
def _(taught: Taught) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {
        "user_id": taught.user,
        "prediction_id": taught.card_id,
        "at": text_of(taught.at),
        "body": body_of(taught),
    }
    return (Operation("put_taught", values),)


@_operations.register
def _(change: PutTask) -> tuple[Operation, ...]:
    task = change.task
    values: dict[str, SqlValue] = {
        "user_id": change.user,
        "id": task.id,
        "status": task.status,
        "created_at": text_of(task.created_at),
        "body": body_of(task),
    }
    put = Operation("put_task", values, keeps=known_row(change.user, task, values))
    if task.card_id is None:
        return (put,)
    link: dict[str, SqlValue] = {"user_id": change.user, "task_id": task.id, "prediction_id": task.card_id}
    return (put, Operation("link_task", link))


@_operations.register
def _(change: DropTask) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {"user_id": change.user, "id": change.task_id}
    return (Operation("drop_task", values, lost=f"drop-task {change.task_id}"),)


@_operations.register
def _(change: PutDevice) -> tuple[Operation, ...]:
    device = change.device
    values: dict[str, SqlValue] = {
        "user_id": device.user,
        "surface": device.surface,
        "device": device.device,
        "body": body_of(device),
    }
    return (Operation("put_device", values, keeps=known_row(device.user, device, values)),)


@_operations.register
def _(entry: LedgerEntry) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {
        "user_id": entry.user,
        "id": entry.id,
        "prediction_id": entry.card_id,
        "at": text_of(entry.at),
        "loudness": entry.loudness,
        "state": entry.state.value,
        "body": body_of(entry),
    }
    return (Operation("put_delivery", values, keeps=known_row(entry.user, entry, values)),)


@_operations.register
def _(change: PutClient) -> tuple[Operation, ...]:
    client = change.client
    values: dict[str, SqlValue] = {"user_id": client.user, "id": client.id, "body": body_of(client)}
    return (Operation("put_client", values, keeps=known_row(client.user, client, values)),)


@_operations.register
def _(change: Send) -> tuple[Operation, ...]:
    message = change.message
    values: dict[str, SqlValue] = {
        "id": message.id,
        "user_id": _user_of(message.topic),
        "topic": message.topic,
        "payload": message.payload,
        "retain": message.retain,
        "wants_receipt": message.wants_receipt,
        "expires_at": maybe_text_of(message.expires_at),
        "leased_until": text_of(change.leased_until),
    }
    return (Operation("send", values, lost=f"send {message.id}", keeps=known_message(message)),)


@_operations.register
def _(change: ReleaseLeases) -> tuple[Operation, ...]:
    return (Operation("hasten", {"topic": change.topic, "at": text_of(change.at)}),)


@_operations.register
def _(change: DeleteSent) -> tuple[Operation, ...]:
    return tuple(Operation("retire", {"id": id_}) for id_ in change.ids)


@_operations.register
def _(change: AddPair) -> tuple[Operation, ...]:
    pair = change.pair
    chosen: dict[str, SqlValue] = {"user_id": pair.user, "chosen_id": pair.chosen_id}
    values: dict[str, SqlValue] = {
        **chosen,
        "context": pair.context,
        "chosen": pair.chosen,
        "rejected": pair.rejected,
        "chosen_confidence": pair.chosen_confidence,
        "rejected_confidence": pair.rejected_confidence,
        "created_at": text_of(pair.created_at),
        "rejected_id": pair.rejected_id,
        "weight": pair.weight,
    }
    return (Operation("drop_pair_of", chosen), Operation("add_pair", values))


@_operations.register
def _(change: DropPairs) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {"user_id": change.user, "card_id": change.card_id}
    return (Operation("drop_pairs", values), Operation("drop_pairs_against", values))


@_operations.register
def _(change: MarkExported) -> tuple[Operation, ...]:
    values: dict[str, SqlValue] = {"user_id": change.user, "through": change.through, "at": text_of(change.at)}
    steps = ("mark_chosen_exported", "mark_rejected_exported", "mark_pairs_exported")
    return tuple(Operation(step, values) for step in steps)


def _user_of(topic: str) -> str:
    """Take the user out of `pulse/v1/{user}/…`; empty when the topic is of another kind."""
    parts = topic.split("/", maxsplit=3)
    return parts[2] if len(parts) > 2 else ""  # noqa: PLR2004  the third segment, see hub/contract/topics.py


for _kind, _do in OPERATIONS.items():
    _operations.register(_kind, _do)
