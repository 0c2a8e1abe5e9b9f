"""Training pairs: how many there are, and what was exported."""

from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.api import Aware, Count, ModelName
from hub.contract.base import HubMessage, Message

PairNumber = Annotated[int, Meta(ge=0, le=2**53)]


class ModelView(HubMessage):
    """A model that has learnt from training pairs: its name at the service, or its folder."""

    name: ModelName
    by: Literal["together", "local"]
    at: Aware
    pairs: Count


class ModelRequest(Message):
    """Body of `POST /api/v1/training/models`: a model has been trained; with `use` it is asked from now on."""

    name: ModelName
    by: Literal["together", "local"]
    pairs: Count
    use: bool = True


class TrainingView(HubMessage):
    """The answer of `GET /api/v1/training`.

    `newPairs` were not exported yet, the oldest of them since `newSince`. `lastPair` is the number of the newest pair,
    0 without one; `pairsNeeded` is how many an export must have. `exportEnabled` is CROSSPOLL's `dpoExportEnabled`.
    `due` says why a training is due (CROSSPOLL 7.5), empty while none is. `model` is the trained one that was chosen,
    empty while it is that of the settings.
    """

    pairs: Count
    new_pairs: Count
    new_since: Aware | None
    last_pair: PairNumber
    pairs_needed: Count
    export_enabled: bool
    due: Literal["", "first", "new-pairs", "weekly"] = ""
    model: str = ""
    models: tuple[ModelView, ...] = ()
    last_training: Aware | None = None


class ExportedRequest(Message):
    """Body of `POST /api/v1/training/exported`: the pairs up to this number are in a file by now."""

    through: PairNumber
