"""What health says of learning."""

from collections.abc import Sequence

import pytest

from hub.domain.teaching import Taught, YesModel
from hub.lexicon import NO_WORDS
from hub.runner.habit_trainer import HabitTrainer
from tests.fakes.store import MemoryStore


async def nothing(_: Sequence[Taught]) -> YesModel | str:
    return "never asked"


def test_a_damaged_table_of_words_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = HabitTrainer(MemoryStore(), "mo", nothing)
    assert trainer.health().status == "ok"
    monkeypatch.setattr("hub.runner.habit_trainer.shipped", lambda: NO_WORDS)
    health = trainer.health()
    assert (health.status, "words.bin" in health.detail) == ("degraded", True)
