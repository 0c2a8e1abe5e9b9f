"""`pulse train`, against a real HTTP server with answers laid out."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.cli import training_here
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


@pytest.fixture
def a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a model, where the trainer seems to be installed."""
    monkeypatch.setattr(training_here, "LIBRARIES", ())
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


def test_without_the_trainer_it_says_what_to_install(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(training_here, "LIBRARIES", ("no_such_library",))
    said = pulse("train", "local", str(tmp_path), "--out", str(tmp_path / "new"))
    assert "[no-trainer]" in said.err
    assert "no_such_library" in said.err
    assert hub.asked == []


def test_a_folder_without_a_model_and_one_that_is_there(pulse: Pulse, hub: SmallHub, a_model: Path) -> None:
    nowhere = pulse("train", "local", str(a_model / "x"), "--out", str(a_model / "new"))
    assert "[not-a-model]" in nowhere.err
    assert "[file-there]" in pulse("train", "local", str(a_model), "--out", str(a_model)).err
    assert hub.asked == []


@pytest.mark.slow
def test_a_training_that_fails_exports_nothing_and_leaves_nothing(
    pulse: Pulse, hub: SmallHub, a_model: Path, home: Path
) -> None:
    hub.answer(STATUS, VIEW)
    hub.answer("GET /api/v1/training/pairs", b"no rows\n")
    out = a_model.with_name("new")
    said = pulse("train", "local", str(a_model), "--out", str(out))
    assert "[training-failed]" in said.err
    assert [path for method, path, _ in hub.asked if method == "POST"] == []
    assert not out.exists()
    assert not list(a_model.parent.glob("*.part"))
    assert not list(home.glob("training-*"))
