"""Which suggestion `latest` means, and that nobody answers by it what they have not seen."""

import json
from pathlib import Path

import pytest

from hub.contract.api import AnswerReply, PredictAnswer, Prediction
from hub.contract.control import PredictionList
from hub.contract.story import WhyAnswer
from hub.contract.words import RunState, Status
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.cli.test_cli_calls import laid_out
from tests.kit.test_committing import COMMIT, RUNS
from tests.surfaces.terminal.scenes import NOW, prediction, status


def test_latest_is_the_newest_that_fits_the_verb(pulse: Pulse, hub: SmallHub) -> None:
    running = prediction("run", status=Status.CONFIRMED, run_state=RunState.ACTIVE)
    laid_out(hub, "open1")
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(running, prediction("open1")), count=2))
    hub.answer("POST /api/v1/predictions/pred_run/stop", AnswerReply(prediction=running, message="Stopping."))
    assert "Stopping." in pulse("stop", "latest").out
    seen(pulse, hub, prediction("open1"))
    assert pulse("approve", "latest").code == 0
    assert hub.asked[-1][1] == "/api/v1/predictions/pred_open1/confirm"


def seen(pulse: Pulse, hub: SmallHub, *cards: Prediction) -> None:
    """Let the person look at these."""
    answer = PredictAnswer(predictions=cards, count=len(cards), timestamp=NOW, cross_poll_status=status())
    hub.answer("GET /api/v1/twin/predict", answer)
    assert pulse("cards").code == 0


@pytest.mark.parametrize("verb", ["approve", "reject", "snooze", "retry", "edit"])
def test_latest_is_never_what_came_after_the_look(pulse: Pulse, hub: SmallHub, verb: str) -> None:
    failed = prediction("new", status=Status.FAILED if verb == "retry" else Status.PENDING)
    laid_out(hub, "old")
    seen(pulse, hub, prediction("old"))
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(failed, prediction("old")), count=2))
    more = ("--prompt", "Something else") if verb == "edit" else ()
    said = pulse(verb, "latest", *more)
    assert (said.code, "[not-looked-at]" in said.err, "pred_new" in said.err) == (1, True, True)
    assert all(method == "GET" for method, _, _ in hub.asked)


@pytest.mark.slow
def test_latest_is_what_was_just_explained(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "new", "asked", "old")
    seen(pulse, hub, prediction("old"))
    hub.answer(
        "GET /api/v1/predictions/pred_asked/why", WhyAnswer(prediction=prediction("asked"), status=status(), steps=())
    )
    assert pulse("why", "pred_asked").code == 0
    assert pulse("reject", "latest").code == 0
    assert hub.asked[-1][1] == "/api/v1/predictions/pred_asked/reject"
    settled = prediction("asked", status=Status.REJECTED)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(settled, prediction("old")), count=2))
    assert pulse("reject", "latest").code == 0  # it was seen before that
    assert hub.asked[-1][1] == "/api/v1/predictions/pred_old/reject"


def test_what_has_changed_since_the_look_is_looked_at_again(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "open1")
    seen(pulse, hub, prediction("open1", round=1))
    refused = pulse("approve", "pred_open1").err
    assert ("[not-looked-at]" in refused, "came back, or changed" in refused, "name it" in refused) == (
        True,
        True,
        False,
    )
    seen(pulse, hub, prediction("open1"))
    assert pulse("approve", "pred_open1").code == 0
    assert json.loads(hub.asked[-1][2])["round"] == 0


def test_a_damaged_memory_of_the_look_is_none(pulse: Pulse, hub: SmallHub, home: Path) -> None:
    laid_out(hub, "open1")
    seen(pulse, hub, prediction("open1"))
    (home / "looked.json").write_text("{")
    assert "[not-looked-at]" in pulse("approve", "latest").err


@pytest.mark.slow
def test_a_commits_message_is_changed_by_words_behind_its_id(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "old")
    card = prediction("old", runs=RUNS, edit_text=COMMIT.message)
    hub.answer("GET /api/v1/predictions/pred_old/why", WhyAnswer(prediction=card, status=status(), steps=()))
    told = pulse("why", "pred_old").out
    assert "- hero.png  (deleted, binary, 2.1 MB)" in told
    assert "+new" in told
    assert pulse("edit", "pred_old", "Take the hero out").code == 0
    method, path, body = hub.asked[-1]
    assert (method, path) == ("POST", "/api/v1/predictions/pred_old/edit")
    assert json.loads(body)["prompt"] == "Take the hero out"
    assert pulse("edit", "pred_old", "One", "--prompt", "Two").code != 0
