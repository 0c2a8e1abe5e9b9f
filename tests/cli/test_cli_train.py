"""`pulse train`, against a real HTTP server with answers laid out."""

import json
from datetime import UTC, datetime

from msgspec.structs import replace

from hub.contract.training import ModelView, TrainingView
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub

STATUS = "GET /api/v1/training"
VIEW = TrainingView(
    pairs=60, new_pairs=12, new_since=None, last_pair=61, pairs_needed=50, export_enabled=True, due="first"
)
MODEL = ModelView(name="me/twin-1", by="together", at=datetime(2026, 3, 1, tzinfo=UTC), pairs=60)


def test_how_things_stand(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(STATUS, VIEW)
    said = pulse("train", "status")
    assert said.code == 0
    assert "60 training pairs, 12 not exported yet; 50 are needed." in said.out
    assert "enough pairs for a first training" in said.out
    assert "No model was trained yet." in said.out
    assert json.loads(pulse("train", "status", "--json").out)["due"] == "first"


def test_which_model_was_chosen_and_the_way_back(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(STATUS, replace(VIEW, due="", model="me/twin-1", models=(MODEL,)))
    assert "● me/twin-1  2026-03-01, 60 pairs, together" in pulse("train", "status").out
    hub.answer("POST /api/v1/training/back", replace(VIEW, models=(MODEL,)))
    assert "The model of the settings is in use." in pulse("train", "back").out
    hub.refuse("POST /api/v1/training/back", 409, "no-model-before", "There is none before it.")
    assert "[no-model-before]" in pulse("train", "back").err
