"""A memory that is nearly full."""

import pytest

from hub.domain.drives import DriveRules
from hub.domain.situation import SystemLoad
from hub.what import ideas
from tests.rooms.what.scenes import AFTERNOON, MIND, situation


def load(memory_used: float) -> SystemLoad:
    return SystemLoad(load_per_core=0.1, memory_used=memory_used, disk_used=0.1)


def test_a_memory_with_room_is_no_reason() -> None:
    assert ideas(situation(AFTERNOON, system=load(0.94)), MIND) == ()


@pytest.mark.parametrize(("used", "urgency"), [(0.95, 0.5), (1.0, 0.85)])
def test_a_full_memory_presses_and_is_said_with_its_number_but_is_no_alert(used: float, urgency: float) -> None:
    idea, note = ideas(situation(AFTERNOON, system=load(used)), MIND)
    assert (note.reason_key, note.work.playbook) == (idea.reason_key, "look-at-machine")
    assert (idea.kind, idea.drive, round(idea.urgency, 4)) == ("free-memory", "system", urgency)
    assert f"{used:.0%}" in idea.prompt.text
    assert idea.urgency < DriveRules().alert_strength


def test_each_step_is_a_new_reason() -> None:
    signatures = {ideas(situation(AFTERNOON, system=load(used)), MIND)[0].signature for used in (0.95, 0.97, 0.98)}
    assert len(signatures) == 2
