"""What may run without asking, by the person's word: the list in Controls, and how to end it."""

from msgspec import field

from hub.contract.api import Aware, Count
from hub.contract.base import Message


class GrantView(Message):
    """One thing that may run without asking while the person is away.

    `summary` is what may run, `effect` until when and how often it has; `repository` is a folder with its full path.
    `by` is the device on which it was said, `predictionId` the card by which it was asked for.
    """

    id: str
    summary: str
    effect: str
    kind: str
    since: Aware
    until: Aware
    repository: str | None = None
    runs: Count = 0
    last_run_at: Aware | None = None
    by: str = ""
    card_id: str = field(name="predictionId", default="")


class GrantList(Message):
    """The answer of `GET /api/v1/grants`, newest first."""

    grants: tuple[GrantView, ...]
    count: Count
