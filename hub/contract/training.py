"""Training pairs: how many there are, and what was exported."""

from typing import Annotated

from msgspec import Meta

from hub.contract.api import Aware, Count
from hub.contract.base import Message

PairNumber = Annotated[int, Meta(ge=0, le=2**53)]


class TrainingView(Message):
    """The answer of `GET /api/v1/training`.

    `newPairs` were not exported yet, the oldest of them since `newSince`. `lastPair` is the number of the newest pair,
    0 without one; `pairsNeeded` is how many an export must have. `exportEnabled` is CROSSPOLL's `dpoExportEnabled`.
    """

    pairs: Count
    new_pairs: Count
    new_since: Aware | None
    last_pair: PairNumber
    pairs_needed: Count
    export_enabled: bool


class ExportedRequest(Message):
    """Body of `POST /api/v1/training/exported`: the pairs up to this number are in a file by now."""

    through: PairNumber
