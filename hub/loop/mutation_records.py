"""Makes a change of the drives and writes it into the audit, or answers why it is not made."""

from msgspec.structs import replace

from hub.contract.drives import MutationStatus
from hub.domain.canonical import visible
from hub.domain.drives import DriveRules
from hub.domain.mutations import AddMutation, MutationRecord
from hub.domain.requests import MutationOutcome, Refused
from hub.loop.draft import Draft
from hub.may import MutationRuling, linked, remembered
from hub.when.drives import CannotUndo, MutationUndone, applied, undone, with_built_in

STATUS_OF = {
    "mutations-too-many": 429,
    "mutations-off": 403,
    "drive-protected": 403,
    "mutation-not-undone": 409,
    "mutation-asked-already": 409,
}
"""The HTTP status of a refusal; of all others 422."""
UNPROCESSABLE = 422


def persons_rules(draft: Draft) -> DriveRules:
    """Return the person's rules, without what mutations changed of them."""
    return draft.state.policy.drives


def begin(draft: Draft) -> None:
    """Have every drive there that the settings know, also before the first look."""
    draft.set_drives(with_built_in(draft.mind.drives, persons_rules(draft)))


def make(draft: Draft, ruling: MutationRuling, by: str, note: str = "") -> MutationOutcome:
    """Make a change that is allowed."""
    drives, rules = draft.mind.drives, persons_rules(draft)
    after_it, before, after = applied(drives, ruling.mutation, rules, draft.now, by=visible(by))
    draft.set_drives(after_it)
    record = replace(record_of(draft, ruling, by, "applied"), before=before, after=after)
    return MutationOutcome(record=add(draft, replace(record, note=f"{ruling.note} {note}".strip())))


def undone_by(draft: Draft, record_id: str) -> MutationUndone | CannotUndo:
    """Return what taking a change back comes to; nothing is changed yet."""
    return undone(draft.mind.drives, draft.facts.mutations, record_id, persons_rules(draft), draft.now)


def take_back(draft: Draft, record_id: str, by: str, note: str = "") -> MutationOutcome | Refused:
    """Take a change back, if that can still be done."""
    back = undone_by(draft, record_id)
    if isinstance(back, CannotUndo):
        return not_undone(back)
    draft.set_drives(back.drives)
    ruling = MutationRuling(outcome="applied", mutation=back.mutation, note=note)
    record = replace(record_of(draft, ruling, by, "applied"), before=back.before, after=back.after, undoes=record_id)
    return MutationOutcome(record=add(draft, record))


def not_undone(back: CannotUndo) -> Refused:
    """Say why a change cannot be taken back."""
    return Refused(code=back.code, status=STATUS_OF.get(back.code, UNPROCESSABLE), detail=back.reason, fix=back.fix)


def refused(draft: Draft, ruling: MutationRuling, by: str) -> MutationOutcome:
    """Say that a change is not made; whether it stands in the audit is for the caller."""
    record = replace(record_of(draft, ruling, by, "refused"), note=ruling.reason)
    return MutationOutcome(record=record, code=ruling.code, fix=ruling.fix)


def refusal_of(outcome: MutationOutcome) -> Refused:
    """Return a change that was not made as the answer to the whole request."""
    status = STATUS_OF.get(outcome.code, UNPROCESSABLE)
    return Refused(code=outcome.code, status=status, detail=outcome.record.note, fix=outcome.fix)


def record_of(draft: Draft, ruling: MutationRuling, by: str, status: MutationStatus) -> MutationRecord:
    """Return the record of a change as it was ruled on; it stands in no chain yet."""
    return MutationRecord(
        id=draft.new_id("mut"),
        at=draft.now,
        by=by,
        mutation=ruling.mutation,
        status=status,
        asked_value=ruling.asked_value,
        note=ruling.note,
    )


def add(draft: Draft, record: MutationRecord) -> MutationRecord:
    """Write a record into the audit, as the next of the chain."""
    chained = linked(record, draft.mind.drives.audit_hash)
    draft.changes.append(AddMutation(user=draft.state.user, record=chained))
    draft.set_drives(remembered(draft.mind.drives, chained))
    return chained
