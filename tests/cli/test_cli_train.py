"""`pulse train`, against a real HTTP server with answers laid out."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from hub.cli import training_here, training_there
from hub.contract.api import AskReply, AskRequest
from hub.contract.training import ModelView, TrainingView
from hub.contract.words import Status
from hub.io.training.pipeline import RunFiles, TogetherRun, digest_of
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.fakes.hub_api import a_prediction
from tests.fakes.together import KEY, FakeTogether, together

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
    assert "No model has been trained yet." in said.out
    assert json.loads(pulse("train", "status", "--json").out)["due"] == "first"


def test_which_model_was_chosen_and_the_way_back(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(STATUS, replace(VIEW, due="", model="me/twin-1", models=(MODEL,)))
    assert "● me/twin-1  2026-03-01, 60 pairs, together" in pulse("train", "status").out
    hub.answer("POST /api/v1/training/back", replace(VIEW, models=(MODEL,)))
    assert "The model from the settings file is in use." in pulse("train", "back").out
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


CONFIG = """
[training]
export = true
url = "{url}"
model = "meta/small"
usd_per_million_tokens = 2.5
"""
ROWS = b'{"input": {"messages": []}}\n' * 60
ASK = "POST /api/v1/ask"


@pytest.fixture
def there(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTogether]:
    """A service to train at, which the settings name, and whose key is known."""
    monkeypatch.setenv("TOGETHER_API_KEY", KEY)
    monkeypatch.setattr(training_there, "POLL_S", 0.0)
    with together() as fake:
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(CONFIG.format(url=fake.url))
        yield fake


def asked(*, approved: bool) -> AskReply:
    status = Status.CONFIRMED if approved else Status.REJECTED
    return AskReply(prediction=a_prediction("pred_ask_1", status=status), answered=True, approved=approved)


def lay_out(hub: SmallHub, *, approved: bool) -> None:
    hub.answer(STATUS, VIEW)
    hub.answer("GET /api/v1/training/pairs", ROWS)
    hub.answer(ASK, asked(approved=approved))
    hub.answer("POST /api/v1/training/exported", VIEW)
    hub.answer("POST /api/v1/training/models", VIEW)


def posted(hub: SmallHub, path: str) -> list[dict[str, object]]:
    return [json.loads(body) for method, asked_path, body in hub.asked if (method, asked_path) == ("POST", path)]


@pytest.mark.slow
def test_a_yes_on_a_card_trains_there_and_chooses_the_model(
    pulse: Pulse, hub: SmallHub, there: FakeTogether, home: Path
) -> None:
    lay_out(hub, approved=True)
    said = pulse("train", "together")
    assert said.code == 0, said.err
    (question,) = posted(hub, "/api/v1/ask")
    assert question["question"] == f"Send 60 training pairs to {there.url} and train meta/small there?"
    assert "About $0.01." in str(question["details"])
    assert question["risk"] == "high"
    msgspec.convert(question, AskRequest)  # the hub takes it
    assert str(question["asker"]).lower() != "pulse"
    assert there.files["file-1"]["content"] == ROWS
    (model,) = posted(hub, "/api/v1/training/models")
    assert (model["by"], model["pairs"], str(model["name"])[:14]) == ("together", 60, "me/small-pulse")
    assert posted(hub, "/api/v1/training/exported") == [{"through": 61}]
    assert list((home / "training").iterdir()) == []


@pytest.mark.slow
def test_without_a_yes_nothing_is_sent_or_kept(pulse: Pulse, hub: SmallHub, there: FakeTogether, home: Path) -> None:
    lay_out(hub, approved=False)
    assert "[training-not-agreed]" in pulse("train", "together").err
    assert (there.asked, posted(hub, "/api/v1/training/exported")) == ([], [])
    assert list((home / "training").iterdir()) == []


@pytest.mark.slow
def test_what_is_changed_while_you_are_asked_is_not_sent(
    pulse: Pulse, hub: SmallHub, there: FakeTogether, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(hub, approved=True)

    def say_yes(_: Path, __: AskRequest) -> None:
        (home / "training" / "pairs.jsonl").write_bytes(ROWS + ROWS)

    monkeypatch.setattr(training_there, "_ask", say_yes)
    assert "[training-not-agreed]" in pulse("train", "together").err
    assert there.asked == []


@pytest.mark.slow
def test_it_goes_on_where_it_was_and_asks_once(pulse: Pulse, hub: SmallHub, there: FakeTogether, home: Path) -> None:
    lay_out(hub, approved=True)
    there.serving = False
    calls = 0
    while not posted(hub, "/api/v1/training/models"):
        calls += 1
        said = pulse("train", "together", "--no-wait")
        assert said.code == 0
        assert calls < 20
        there.serving |= "does not answer yet" in said.out  # it is told once it is trained and does not answer
    assert calls > 2
    assert there.serving
    assert len(posted(hub, "/api/v1/ask")) == 1
    assert there.asked.count("POST /v1/fine-tunes") == 1
    assert (home / "training").stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
def test_what_is_dearer_than_agreed_is_asked_anew(pulse: Pulse, hub: SmallHub, there: FakeTogether, home: Path) -> None:
    lay_out(hub, approved=True)
    there.price = 3.0
    assert "[training-dearer]" in pulse("train", "together").err
    assert there.jobs == []
    assert list((home / "training").iterdir()) == []


def test_without_a_model_a_price_or_a_key_nobody_is_asked(
    pulse: Pulse, hub: SmallHub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOGETHER_API_KEY", raising=False)
    home.mkdir(exist_ok=True)
    for line in ("", "model = 'm'", "model = 'm'\nusd_per_million_tokens = 1.0"):
        (home / "config.toml").write_text(f"[training]\n{line}\n")
        assert "[training-not-set-up]" in pulse("train", "together").err
    assert hub.asked == []


def test_what_a_card_began_is_left_to_pulse(pulse: Pulse, hub: SmallHub, there: FakeTogether, home: Path) -> None:
    files = RunFiles(home)
    files.prepare().write_bytes(ROWS)
    begun = TogetherRun(
        stage="started",
        sha256=digest_of(files.pairs),
        pairs=60,
        through=61,
        model="m",
        epochs=1,
        price_usd=1,
        card_id="pred_1",
    )
    files.keep(begun)
    said = pulse("train", "together")
    assert "[training-under-way]" in said.err
    assert "learning, after your yes to pred_1" in said.err
    assert (hub.asked, there.asked) == ([], [])
