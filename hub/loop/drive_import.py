"""Takes on what the drives remembered on another machine, or in the public implementation.

Theory: what presses is replaced; what is only ever added to (wakes, the audit) is added to, each id once, so that the
same files can be taken again. A limit is never got around: what counts against it here goes on counting.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec.structs import replace

from hub.contract.topics import is_segment
from hub.domain.canonical import visible
from hub.domain.drive_requests import DrivesTaken, ImportDrives
from hub.domain.drives import Drives, PutWake, Wake
from hub.domain.mutations import AddMutation, MutationRecord
from hub.loop.draft import Draft
from hub.loop.drives import HOUR, wake_up
from hub.loop.mutation_records import begin
from hub.loop.refusals import import_of_your_own
from hub.may import linked, remembered, verify
from hub.when.drives import heard_with

LATELY_MAX = 1_000
"""So many moments of the last hour are remembered."""
NOTE = "Imported."


def on_import(draft: Draft, request: ImportDrives, reply_to: str) -> None:
    """Replace what presses, and add the wakes and records that are not there yet."""
    if not request.is_person:
        draft.reply(reply_to, import_of_your_own())
        return
    if request.drives is not None:
        draft.set_drives(_replaced(draft.mind.drives, request.drives, draft.now))
    begin(draft)
    wakes = _new_wakes(request.wakes, draft.facts.wakes_there)
    draft.changes.extend(PutWake(user=draft.state.user, wake=wake) for wake in wakes)
    records = _new_records(request.records, draft.facts.mutations_there)
    anew = _add(draft, records)
    taken = DrivesTaken(
        wakes=len(wakes),
        records=len(records),
        linked_anew=len(records) if anew else 0,
        left_out=sum(not is_segment(one) for one in _ids(request)),
    )
    draft.reply(reply_to, taken)
    wake_up(draft)


def _ids(request: ImportDrives) -> Iterator[str]:
    yield from (wake.id for wake in request.wakes)
    yield from (record.id for record in request.records)


def _replaced(here: Drives, read: Drives, now: datetime) -> Drives:
    """Return what was read, with what is of this machine: its audit, and what it handed to an agent outside.

    Whether that agent can be reached is tried anew.
    """
    return replace(
        read,
        audit_hash=here.audit_hash,
        audit_count=here.audit_count,
        outside=here.outside,
        woke_at=_lately((*read.woke_at, *here.woke_at), now),
        mutated_at=_lately((*read.mutated_at, *here.mutated_at), now),
        heard=heard_with(read.heard, *here.heard),
        away_since=None,
        away_tries=0,
        away_at=None,
    )


def _lately(moments: Iterable[datetime], now: datetime) -> tuple[datetime, ...]:
    return tuple(sorted({at for at in moments if now - HOUR < at <= now}))[-LATELY_MAX:]


def _new_wakes(wakes: Iterable[Wake], there: frozenset[str]) -> tuple[Wake, ...]:
    found = {wake.id: wake for wake in wakes if is_segment(wake.id) and wake.id not in there}
    return tuple(replace(wake, drive=visible(wake.drive), place=visible(wake.place)) for wake in found.values())


def _new_records(records: Iterable[MutationRecord], there: frozenset[str]) -> tuple[MutationRecord, ...]:
    return tuple({one.id: one for one in records if is_segment(one.id) and one.id not in there}.values())


def _add(draft: Draft, records: tuple[MutationRecord, ...]) -> bool:
    """Add the records: as they are where they go on this very chain, else linked anew; say whether they were."""
    drives = draft.mind.drives
    anew = verify(records, after=drives.audit_hash, first=drives.audit_count) is not None
    for one in records:
        chained = linked(_marked(one), drives.audit_hash) if anew else one
        draft.changes.append(AddMutation(user=draft.state.user, record=chained))
        drives = remembered(drives, chained)
    draft.set_drives(drives)
    return anew


def _marked(record: MutationRecord) -> MutationRecord:
    return record if record.note.endswith(NOTE) else replace(record, note=f"{record.note} {NOTE}".strip())
