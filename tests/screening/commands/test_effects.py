"""The words that screening answers in, and what makes a reading dangerous."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands.reading import CommandReading, is_dangerous
from hub.screening.effects import HARMLESS


@pytest.mark.parametrize("effect", Effect)
def test_one_dangerous_effect_is_enough(effect: Effect) -> None:
    assert is_dangerous(CommandReading(effects=(Effect.READS, effect))) == (effect not in HARMLESS)


def test_a_reading_without_effects_is_no_danger() -> None:
    assert not is_dangerous(CommandReading())
