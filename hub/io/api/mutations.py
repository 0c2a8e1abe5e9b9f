"""Changes of the drives: handed in by agents and by the person, undone, and their audit."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from hub.contract.base import Message
from hub.contract.drives import (
    AuditBreak,
    AuditView,
    MutationBody,
    MutationsAnswer,
    MutationsRequest,
    MutationView,
    WeightRequest,
)
from hub.contract.topics import is_segment
from hub.domain.canonical import visible
from hub.domain.drives import Drives
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.reports import DriveMutations
from hub.domain.requests import HandInMutations, MutationOutcome, MutationsMade, Refused, UndoMutation
from hub.domain.storage import Client, MindOf
from hub.io.access.in_person import is_in_person
from hub.io.api.call import Call, Nothing
from hub.io.api.drives import key_of
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.may import verify

YOU = "you"
NAMELESS = "an agent on this machine"
"""Whoever speaks for an agent over the hub's own socket has no token, and so no name."""
PAGE_RECORDS = 1_000
"""So many records are read and looked at in one piece."""
TRIES_MAX = 3
"""So often the audit is read again where a change came meanwhile."""


class AuditQuery(Message):
    """Query of `GET /api/v1/drives/mutations`: how many of the latest changes to show; all are looked at."""

    limit: Annotated[int, Meta(ge=1, le=PAGE_RECORDS)] = 100


async def hand_in(call: Call[MutationsRequest, Nothing]) -> MutationsAnswer | Refused:
    """Take changes of the drives: a person's at once, an agent's within limits, and by a card where they loosen."""
    asked = tuple(map(_mutation, call.body.mutations))
    return await _hand_in(call.parts, call.client, asked, call.key or call.body.idempotency_key)


async def weigh(call: Call[WeightRequest, Nothing]) -> MutationsAnswer | Refused:
    """Let a drive count for more or less, as the sliders do."""
    asked = Mutation(kind="adjust_weight", drive=call.body.name, value=call.body.weight)
    return await _hand_in(call.parts, call.client, (asked,), call.key)


async def weigh_back(call: Call[Nothing, Nothing]) -> MutationsAnswer | Refused:
    """Take a weight back that the same caller set, as the sliders do: whoever may set one may do that."""
    return await _undo(call, is_own_weight=True)


async def undo(call: Call[Nothing, Nothing]) -> MutationsAnswer | Refused:
    """Take a change back, whoever made it."""
    return await _undo(call, is_own_weight=False)


async def _undo(call: Call[Nothing, Nothing], *, is_own_weight: bool) -> MutationsAnswer | Refused:
    record_id = call.path["id"]
    request = UndoMutation(
        record_id=record_id if is_segment(record_id) else "",
        by=by_of(call.client),
        is_person=is_in_person(call.client),
        is_own_weight=is_own_weight,
    )
    return _answer(await ask_loop(call.parts.hub_api, request, MutationsMade))


async def audit(call: Call[Nothing, AuditQuery]) -> AuditView:
    """Return the latest changes, and whether the whole audit is as it was written."""
    for _ in range(TRIES_MAX):
        drives = await _drives(call.parts)
        latest, broken = await _looked_through(call.parts, drives, call.query.limit)
        if broken is None or (await _drives(call.parts)).audit_hash == drives.audit_hash:
            break
    return AuditView(
        mutations=tuple(_view(MutationOutcome(record=one)) for one in reversed(latest)),
        count=drives.audit_count,
        intact=broken is None,
        broken=None if broken is None else replace(broken, id=visible(broken.id)),
    )


async def _hand_in(
    parts: ApiParts, client: Client | None, asked: tuple[Mutation, ...], key: str | None
) -> MutationsAnswer | Refused:
    request = HandInMutations(
        mutations=asked, by=by_of(client), is_person=is_in_person(client), key=key_of(client, key, "mutations")
    )
    return _answer(await ask_loop(parts.hub_api, request, MutationsMade))


def by_of(client: Client | None) -> str:
    """Return who changes the drives, as it stands in the audit."""
    return YOU if client is None or is_in_person(client) else client.name or NAMELESS


def _mutation(body: MutationBody) -> Mutation:
    return Mutation(kind=body.type, drive=body.drive, value=body.value, reason=body.reason)


def _answer(reply: MutationsMade | Refused) -> MutationsAnswer | Refused:
    if isinstance(reply, Refused):
        return reply
    return MutationsAnswer(mutations=tuple(map(_view, reply.outcomes)), repeated=reply.repeated)


def _view(outcome: MutationOutcome) -> MutationView:
    record = outcome.record
    return MutationView(
        id=record.id,
        at=record.at,
        by=visible(record.by),
        type=record.mutation.kind,
        status=record.status,
        drive=visible(record.mutation.drive),
        value=record.mutation.value,
        reason=visible(record.mutation.reason),
        before=record.before,
        after=record.after,
        asked_value=record.asked_value,
        note=visible(record.note),
        undoes=record.undoes,
        card_id=outcome.card_id,
        code=outcome.code,
        fix=outcome.fix,
        previous=record.previous,
        hash=record.hash,
    )


async def _drives(parts: ApiParts) -> Drives:
    mind = await parts.store.read(MindOf(user=parts.user))
    return Drives() if mind is None else mind.drives


async def _looked_through(
    parts: ApiParts, drives: Drives, limit: int
) -> tuple[tuple[MutationRecord, ...], AuditBreak | None]:
    """Return the last records, oldest first, and the first break; read piece by piece, however many there are."""
    latest: tuple[MutationRecord, ...] = ()
    broken: AuditBreak | None = None
    after, first = "", 0
    while True:
        page = await parts.store.read(DriveMutations(user=parts.user, limit=PAGE_RECORDS, first=first))
        is_last = len(page) < PAGE_RECORDS
        head, count = (drives.audit_hash, drives.audit_count) if is_last else (None, None)
        broken = broken or verify(page, head=head, count=count, after=after, first=first)
        latest = (*latest, *page)[-limit:]
        if is_last:
            return latest, broken
        after, first = page[-1].hash, first + len(page)
