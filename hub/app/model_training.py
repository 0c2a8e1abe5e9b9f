"""How a training at a service is put together: the settings' terms, the store's pairs, the rows as a twin is asked."""

import os
from functools import partial
from pathlib import Path

from hub.io.agents.twin_context import INSTRUCTION
from hub.io.training.there import TogetherTrainer, TrainingTerms
from hub.learn.pairs import preference_row
from hub.ports import Clock, Store
from hub.runner import ModelTrainer
from hub.settings.schema import TrainingSettings


def model_trainer(store: Store, clock: Clock, home: Path, wanted: TrainingSettings) -> ModelTrainer:
    """Return what looks whether a training is due, and trains at the service of the settings."""
    terms = TrainingTerms(
        url=wanted.url,
        model=wanted.model,
        epochs=wanted.epochs,
        usd_per_million_tokens=wanted.usd_per_million_tokens,
        key_env=wanted.key_env,
    )
    there = TogetherTrainer(home, terms, os.environ, partial(preference_row, instruction=INSTRUCTION))
    return ModelTrainer(
        store=store,
        clock=clock,
        prepare=there.prepare,
        train=there.train,
        forget=there.forget,
        under_way=there.under_way,
    )
