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


class Training(Value):
    """Trained models, the latest last; `active` is the one that is to be asked, empty for that of the settings."""

    models: tuple[TrainedModel, ...] = ()
    active: str = ""

    @property
    def last(self) -> TrainedModel | None:
        """The model that was trained last."""
        return self.models[-1] if self.models else None
