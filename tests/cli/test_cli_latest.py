"""Which suggestion `latest` means, and that nobody answers by it what they have not seen."""

import json

import pytest

from hub.contract.api import AnswerReply, Prediction, Problem
from hub.contract.control import PredictionList
from hub.contract.story import WhyAnswer
from hub.contract.words import RunState, Status
from tests.cli.conftest import Pulse
from tests.cli.real_hub import RealHub
from tests.cli.small_hub import SmallHub
from tests.cli.test_cli_calls import laid_out
from tests.hostile.person_stand import asked
from tests.kit.test_committing import COMMIT, RUNS
from tests.surfaces.terminal.scenes import prediction, status


def test_latest_is_the_newest_that_fits_the_verb(pulse: Pulse, hub: SmallHub) -> None:
    running = prediction("run", status=Status.CONFIRMED, run_state=RunState.ACTIVE)
    laid_out(hub, "open1")
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(running, prediction("open1")), count=2))
    hub.answer("POST /api/v1/predictions/pred_run/stop", AnswerReply(prediction=running, message="Stopping."))
    assert "Stopping." in pulse("stop", "latest").out
    assert pulse("approve", "latest").code == 0
    assert hub.asked[-1][1] == "/api/v1/predictions/pred_open1/confirm"


def not_looked_at(card: Prediction, detail: str) -> Problem:
    return Problem(
        type="urn:pulse:error:not-looked-at",
        title="Conflict",
        status=409,
        code="not-looked-at",
        detail=detail,
        prediction=card,
        look="l1",
    )


@pytest.mark.parametrize("verb", ["approve", "reject", "snooze", "edit"])
def test_what_the_hub_wants_looked_at_is_not_answered_where_nobody_can_be_asked(
    pulse: Pulse, hub: SmallHub, verb: str
) -> None:
    laid_out(hub, "new")
    way = {"approve": "confirm"}.get(verb, verb)
    hub.answer(f"POST /api/v1/predictions/pred_new/{way}", not_looked_at(prediction("new"), "It came after."), 409)
    said = pulse(verb, "latest", *(("--prompt", "Something else") if verb == "edit" else ()))
    assert (said.code, "[not-looked-at]" in said.err, "It came after." in said.err) == (1, True, True)
    (sent,) = [json.loads(body) for method, _, body in hub.asked if method == "POST"]
    assert (sent["latest"], "look" in sent) == (True, False)


def test_a_card_of_another_id_is_not_taken_for_the_one_that_was_named(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/predictions/pred_mine", prediction("other"))
    assert "[foreign-answer]" in pulse("approve", "pred_mine").err
    assert all(method == "GET" for method, _, _ in hub.asked)


@pytest.mark.slow
def test_latest_is_what_was_just_shown_and_never_what_came_after(real: RealHub) -> None:
    first = asked(real, "First?")
    assert real.pulse("cards").returncode == 0
    third = asked(real, "Third?")
    refused = real.pulse("reject", "latest")
    assert ("[not-looked-at]" in refused.stderr, "came after you last looked" in refused.stderr) == (True, True)
    assert real.pulse("why", first).returncode == 0
    assert first in real.pulse("reject", "latest").stdout
    assert third not in real.pulse("reject", "latest").stdout  # the newest, which nobody looked at


@pytest.mark.slow
def test_what_has_changed_since_the_look_is_looked_at_again(real: RealHub) -> None:
    card = asked(real, "Again?")
    assert real.pulse("cards").returncode == 0
    assert real.pulse("reject", card).returncode == 0
    assert real.pulse("undo", card).returncode == 0
    assert "came back, or changed" in real.pulse("approve", card).stderr
    assert real.pulse("cards").returncode == 0
    assert real.pulse("approve", card).returncode == 0


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
