"""`pulse world spawn` against a real HTTP server: what is sent, what is shown, and nothing risky is said yes to."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.api import AnswerReply, Prediction
from hub.contract.runs import PlannedRun
from hub.contract.words import Risk, Status
from hub.contract.world import AgentStatus
from hub.contract.world_api import SAID_CHARS_MAX, WorldAnswer, WorldSessionView
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.fakes.hub_api import a_prediction

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SPAWN, CARD, CONFIRM = (
    "POST /api/v1/world/spawn",
    "GET /api/v1/predictions/pred_1",
    "POST /api/v1/predictions/pred_1/confirm",
)
RUNS = PlannedRun(summary="claude -p in shop", argv=("claude", "-p"), folder="/srv/shop", containment="bubblewrap")
WAITS = replace(a_prediction(prompt="List what is open"), runs=RUNS)
SESSION = WorldSessionView(
    id="trip",
    status=AgentStatus.START,
    task="List what is open",
    need="a file open.md",
    said="",
    asks="",
    started_at=NOON,
    moved_at=NOON,
    heard_at=NOON,
    tries=1,
    retries=0,
    proven=True,
)


def laid_out(hub: SmallHub, card: Prediction = WAITS) -> None:
    hub.answer(SPAWN, WorldAnswer(session=SESSION, card_id="pred_1"))
    hub.answer(CARD, card)
    hub.answer(CONFIRM, AnswerReply(prediction=replace(card, status=Status.CONFIRMED)))


def sent(hub: SmallHub) -> list[tuple[str, dict[str, object]]]:
    return [(path.rpartition("/")[2], json.loads(body)) for method, path, body in hub.asked if method == "POST"]


def test_what_would_run_is_shown_and_waits(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    laid_out(hub)
    order = ("world", "spawn", "List what is open | need: a file open.md", "--agent", "claude", "--session", "trip")
    said = pulse(*order, "--channel", "notes", "--folder", str(tmp_path))
    assert said.code == 0
    ((_, body),) = sent(hub)
    assert body == {
        "task": "List what is open",
        "need": "a file open.md",
        "agent": "claude",
        "session": "trip",
        "channel": "notes",
        "folder": str(tmp_path.resolve()),
    }
    assert "claude -p in shop" in said.out
    assert "- trip is waiting for your yes: pulse approve pred_1" in said.out


def test_yes_is_an_answer_to_what_was_shown(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub)
    said = pulse("world", "spawn", "List what is open", "--agent", "claude", "--yes")
    assert (said.code, "✓ trip runs" in said.out) == (0, True)
    (_, (name, answer)) = sent(hub)
    assert name == "confirm"
    assert (answer["cardHash"], answer["surface"], answer["humanInput"]) == (WAITS.card_hash, "cli", "key")


@pytest.mark.parametrize("risky", [replace(WAITS, risk=Risk.HIGH), replace(WAITS, in_person=True)])
def test_yes_is_none_to_what_is_risky(pulse: Pulse, hub: SmallHub, risky: Prediction) -> None:
    laid_out(hub, risky)
    said = pulse("world", "spawn", "List what is open", "--agent", "claude", "--yes")
    assert "is waiting for your yes" in said.out
    assert [name for name, _ in sent(hub)] == ["spawn"]


@pytest.mark.parametrize(("typed", "names"), [("y\n", ["spawn", "confirm"]), ("n\n", ["spawn"])])
def test_at_a_terminal_one_is_asked(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, typed: str, names: list[str]
) -> None:
    laid_out(hub)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: typed.strip())
    assert pulse("world", "spawn", "List what is open", "--agent", "claude").code == 0
    assert [name for name, _ in sent(hub)] == names


def test_what_runs_at_once_is_said_so_and_nothing_is_asked(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, replace(WAITS, status=Status.CONFIRMED))
    assert "✓ trip runs" in pulse("world", "spawn", "List what is open", "--agent", "claude").out
    assert [name for name, _ in sent(hub)] == ["spawn"]


def test_a_program_is_given_the_document(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub)
    said = pulse("world", "spawn", "List what is open", "--agent", "claude", "--json")
    assert json.loads(said.out)["predictionId"] == "pred_1"


@pytest.mark.parametrize("task", ["", "| need: something", "x" * (SAID_CHARS_MAX + 1)])
def test_without_a_task_nothing_is_sent(pulse: Pulse, hub: SmallHub, task: str) -> None:
    said = pulse("world", "spawn", task, "--agent", "claude")
    assert (said.code, "[bad-task]" in said.err) == (1, True)
    assert hub.asked == []


def test_a_refusal_is_told(pulse: Pulse, hub: SmallHub) -> None:
    hub.refuse(SPAWN, 403, "rail-content", "It would spend or move money.")
    said = pulse("world", "spawn", "Buy a horse", "--agent", "claude", "--yes")
    assert (said.code, "[rail-content]" in said.err) == (1, True)
