"""Changes of the drives that agents hand in, or the person makes, and the audit of them (DRIVES 4)."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.drives import MutationKind, MutationStatus


class Mutation(Value):
    """A change that an agent, or the person, wants: which fields count follows from the kind (DRIVES 4)."""

    kind: MutationKind
    drive: str = ""
    value: float | None = None
    reason: str = ""


class MutationRecord(Value):
    """A mutation that was made, as it stands in the audit: a chain, each with the hash of the one before.

    `by` is who handed it in, `status` whether it holds (`applied`), waits for a card, or was refused; `undoes` is the
    id of the record that it takes back. `asked_value` is what was asked for, where limits changed it.
    """

    id: str
    at: datetime
    by: str
    mutation: Mutation
    status: MutationStatus
    before: float | None = None
    after: float | None = None
    asked_value: float | None = None
    note: str = ""
    undoes: str = ""
    previous: str = ""
    hash: str = ""


class MutationOffer(Value):
    """What a card lets be changed by a yes: asked for by `by`, made in the record `made_id` once it is.

    With `undoes` it takes that record back, and `mutation` is what that comes to.
    """

    mutation: Mutation
    by: str
    undoes: str = ""
    made_id: str = ""


class AddMutation(Value, tag="add-mutation"):
    """Append to the audit of mutations; nothing of it is ever changed or forgotten."""

    user: str
    record: MutationRecord
