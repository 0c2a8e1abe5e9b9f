"""Changes of the drives that agents and the person hand in: ruled on, made or asked about, and kept in the audit.

Theory: what a person changes is made at once, within the limits. What an agent changes is made at once where it makes
Pulse quieter; what loosens is a card. Every change of an agent's that was looked at stands in the audit, a chain whose
last hash is remembered with the drives. What there was no room to look at, and what a person could not make, is
answered and leaves no row, so that nobody fills the audit.
"""

from msgspec.structs import replace

from hub.domain.mutations import Mutation
from hub.domain.requests import HandInMutations, MutationOutcome, MutationsMade, Refused, Reply, UndoMutation
from hub.loop.draft import Draft
from hub.loop.drive_verdict import rules_in
from hub.loop.drives import wake_up
from hub.loop.mutation_cards import ask
from hub.loop.mutation_records import (
    add,
    begin,
    make,
    not_undone,
    refusal_of,
    refused,
    take_back,
    undone_by,
)
from hub.may import MutationRuling, after_mutation, judge_mutation, taken
from hub.when.drives import CannotUndo, heard_with

NOT_YOURS = Refused(
    code="mutation-not-undone",
    status=409,
    detail="You did not set this weight.",
    fix="`pulse drives audit` lists all changes; `pulse drives undo` undoes any of them.",
)


def on_hand_in(draft: Draft, request: HandInMutations, reply_to: str) -> None:
    """Look at each change in its turn; where nothing was taken of all of them, the answer is a refusal."""
    begin(draft)
    if request.key and request.key in draft.mind.drives.heard:
        draft.reply(reply_to, MutationsMade(repeated=True))
        return
    drives, rules = draft.mind.drives, rules_in(draft.state)
    batch = taken(request.mutations, drives, rules, draft.now, is_person=request.is_person)
    outcomes = [_one(draft, each, request) for each in batch.mutations]
    if batch.refusal is not None:
        outcomes.append(refused(draft, batch.refusal, request.by))
    if outcomes and all(one.code for one in outcomes):
        draft.reply(reply_to, refusal_of(outcomes[0]))
        return
    if request.key:
        draft.set_drives(replace(draft.mind.drives, heard=heard_with(draft.mind.drives.heard, request.key)))
    draft.reply(reply_to, MutationsMade(outcomes=tuple(outcomes)))
    wake_up(draft)


def on_undo(draft: Draft, request: UndoMutation, reply_to: str) -> None:
    """Take a change back; what an agent takes back is ruled on like any change of its own."""
    begin(draft)
    if request.is_own_weight and not _is_own_weight(draft, request):
        draft.reply(reply_to, NOT_YOURS)
        return
    reply = _undo(draft, request) if request.is_person else _agents_undo(draft, request)
    draft.reply(reply_to, reply)
    wake_up(draft)


def _is_own_weight(draft: Draft, request: UndoMutation) -> bool:
    record = next((one for one in draft.facts.mutations if one.id == request.record_id), None)
    return record is not None and record.mutation.kind == "adjust_weight" and record.by == request.by


def _one(draft: Draft, asked: Mutation, request: HandInMutations) -> MutationOutcome:
    drives, rules = draft.mind.drives, rules_in(draft.state)
    ruling = judge_mutation(asked, drives, rules, draft.now, is_person=request.is_person)
    if not request.is_person:
        draft.set_drives(after_mutation(drives, draft.now))
    return _ruled(draft, ruling, request.by, is_person=request.is_person)


def _ruled(draft: Draft, ruling: MutationRuling, by: str, *, is_person: bool) -> MutationOutcome:
    if ruling.outcome == "applied":
        return make(draft, ruling, by)
    if ruling.outcome == "asked":
        return ask(draft, ruling, by)
    outcome = refused(draft, ruling, by)
    return outcome if is_person else replace(outcome, record=add(draft, outcome.record))


def _undo(draft: Draft, request: UndoMutation) -> Reply:
    made = take_back(draft, request.record_id, request.by)
    return made if isinstance(made, Refused) else MutationsMade(outcomes=(made,))


def _agents_undo(draft: Draft, request: UndoMutation) -> Reply:
    back = undone_by(draft, request.record_id)
    if isinstance(back, CannotUndo):
        return not_undone(back)
    drives, wanted = draft.mind.drives, back.mutation
    ruling = judge_mutation(wanted, drives, rules_in(draft.state), draft.now, is_person=False)
    if ruling.code in {"mutations-off", "mutations-too-many"}:
        return refusal_of(refused(draft, ruling, request.by))
    draft.set_drives(after_mutation(drives, draft.now))
    if ruling.outcome != "refused" and ruling.mutation.value != wanted.value:
        detail = "The limits for agents do not let it go back to exactly what it was."
        return Refused(code="mutation-not-undone", status=409, detail=detail, fix="Ask the user to undo it.")
    if ruling.outcome == "applied":
        return _undo(draft, request)
    if ruling.outcome == "refused":
        return refusal_of(_ruled(draft, ruling, request.by, is_person=False))
    outcome = ask(draft, ruling, request.by, request.record_id)
    return refusal_of(outcome) if outcome.code else MutationsMade(outcomes=(outcome,))
