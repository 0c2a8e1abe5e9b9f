"""The audit of mutations as a chain: each record carries a hash of itself and of the one before.

Theory: whoever changes, removes, inserts or moves a record breaks the chain there, unless they make all that follow
anew; then the last hash is another one than the hub remembers with its own state. So does cutting the end off. It
proves that something was changed, not what stood there before.
"""

import hashlib
import json
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from hub.contract.drives import AuditBreak
from hub.domain.drives import Drives
from hub.domain.mutations import MutationRecord

_FORM = "pulse-mutation-1"


def linked(record: MutationRecord, previous: str) -> MutationRecord:
    """Return the record as the next of the chain whose last hash is `previous` (empty: it is the first)."""
    there = _as_read_back(replace(record, previous=previous, hash=""))
    return replace(there, hash=_hash_of(there))


def remembered(drives: Drives, record: MutationRecord) -> Drives:
    """Return the drives that remember this record as the last of the chain."""
    return replace(drives, audit_hash=record.hash, audit_count=drives.audit_count + 1)


def verify(
    records: Iterable[MutationRecord],
    *,
    head: str | None = None,
    count: int | None = None,
    after: str = "",
    first: int = 0,
) -> AuditBreak | None:
    """Return the first break of the chain, or None where it holds.

    Args:
        records: all of them, oldest first; they are looked at one by one.
        head: the last hash, as the hub remembers it (`Drives.audit_hash`); without it a cut end is not seen.
        count: how many there are, as the hub remembers it (`Drives.audit_count`).
        after: the hash before the first of these, where a long chain is looked at piece by piece; `head` and `count`
            go with the last piece.
        first: the number of the first of these.
    """
    previous, index, last = after, first - 1, ""
    for index, record in enumerate(records, start=first):
        found = _break_at(index, record, previous)
        if found is not None:
            return found
        previous, last = record.hash, record.id
    return _break_at_end(index + 1, last, previous, head, count)


def _break_at(index: int, record: MutationRecord, previous: str) -> AuditBreak | None:
    if _hash_of(_as_read_back(record)) != record.hash:
        return AuditBreak(index=index, id=record.id, kind="changed", says="This record was changed after it was made.")
    if record.previous == previous:
        return None
    if index == 0:
        says = "The beginning is missing: this record follows another one."
        return AuditBreak(index=index, id=record.id, kind="beginning", says=says)
    says = "This record does not follow the one before it: one was removed, put in, or moved here."
    return AuditBreak(index=index, id=record.id, kind="out-of-line", says=says)


def _break_at_end(found: int, last: str, tail: str, head: str | None, count: int | None) -> AuditBreak | None:
    if count is not None and found < count:
        says = f"The end is missing: {found} of {count} records are there."
        return AuditBreak(index=found, id=last, kind="end", says=says)
    if count is not None and found > count:
        says = f"There are {found} records, but {count} were made."
        return AuditBreak(index=count, id=last, kind="unknown", says=says)
    if head is not None and tail != head:
        says = "The records follow each other, but are not those that were made: all of them may have been rewritten."
        return AuditBreak(index=max(found - 1, 0), id=last, kind="rewritten", says=says)
    return None


def _as_read_back(record: MutationRecord) -> MutationRecord:
    """Return the record as it is once it was stored: 5 in a field of floats is 5.0."""
    return msgspec.json.decode(msgspec.json.encode(record), type=MutationRecord)


def _hash_of(record: MutationRecord) -> str:
    """Return the SHA-256 of the record's content with the hash before it, over canonical JSON.

    What is empty is left out, so that a field added by a later version changes no hash.
    """
    content = _without_empty(msgspec.to_builtins(replace(record, hash="")))
    text = json.dumps([_FORM, content], ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _without_empty(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {key: _without_empty(one) for key, one in value.items() if one is not None and one != ""}
