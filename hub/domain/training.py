"""Models that learnt from training pairs, and which of them is used."""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value

Trainer = Literal["together", "local"]
MODELS_KEPT_MAX = 20
"""Trained models that are remembered; the oldest is forgotten first."""


class TrainedModel(Value):
    """A model that has learnt from `pairs` pairs; `name` is what a service knows it by, or its folder."""

    name: str
    by: Trainer
    at: datetime
    pairs: int


class TrainingOffer(Value):
    """A training at a service that a person can agree to: of which model, on which file, for how much at most.

    `sha256` is that of the file, which is all that leaves the machine; `through` is the number of its last pair.
    """

    url: str
    model: str
    epochs: int
    pairs: int
    through: int
    size_bytes: int
    sha256: str
    price_microusd: int


class Training(Value):
    """Trained models, the latest last; `active` is the one that is to be asked, empty for that of the settings.

    `offered_at` is when a card last asked about a training, and `offered_pairs` how many pairs there were then.
    """

    models: tuple[TrainedModel, ...] = ()
    active: str = ""
    offered_at: datetime | None = None
    offered_pairs: int = 0

    @property
    def last(self) -> TrainedModel | None:
        """The model that was trained last."""
        return self.models[-1] if self.models else None
