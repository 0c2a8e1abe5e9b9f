"""`pulse why`: the short form of a story, all of it with `--all`, and whole what a yes still needs."""

from datetime import timedelta

import pytest

from hub.contract.api import Prediction
from hub.contract.runs import PlannedRun
from hub.contract.story import StepView, VerdictView, WhyAnswer
from hub.contract.words import Status
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.kit.test_committing import RUNS
from tests.surfaces.terminal.scenes import NOW, prediction, status

LINES_MAX = 15
LONG = "word " * 60
VERDICTS = (
    VerdictView(stage="gate", outcome="pass", rule="gate.rate", reason="2 of 16 interruptions."),
    VerdictView(stage="gate", outcome="ask", rule="gate.permission", reason=LONG),
    VerdictView(stage="gate", outcome="ask", rule="gate.plan", reason="Never run before."),
    VerdictView(stage="gate", outcome="ask", rule="gate.more", reason="More."),
)
TOLD = tuple(
    StepView(at=NOW + timedelta(seconds=place), kind=kind, text=text, verdicts=verdicts, lines=lines)
    for place, (kind, text, verdicts, lines) in enumerate(
        [
            ("sensed", "This was seen.", (), ("shop: 2 files changed",)),
            ("judged", "You are asked.", VERDICTS, ()),
            ("delivery", "the card to phone/mine: shown.", (), ()),
            ("decided", "You snoozed it.", (), ()),
            ("decided", "You snoozed it again.", (), ()),
            ("decided", "You approved it on the page.", (), ()),
            ("progress", "40 lines.", (), ("collected 2 items",) * 40),
            ("result", "Run 1: completed, $0.00. 2 passed.", (), ("....", "2 passed in 0.1 s\nover two lines")),
        ]
    )
)


def told(pulse: Pulse, hub: SmallHub, card: Prediction, *arguments: str) -> list[str]:
    hub.answer(f"GET /api/v1/predictions/{card.id}", card)
    hub.answer(f"GET /api/v1/predictions/{card.id}/why", WhyAnswer(prediction=card, status=status(), steps=TOLD))
    said = pulse("why", card.id, *arguments)
    assert said.code == 0, said.err
    return said.out.splitlines()


def test_what_is_over_is_told_in_fifteen_lines(pulse: Pulse, hub: SmallHub) -> None:
    runs = PlannedRun(summary="pytest in shop", argv=("pytest", "-q"), folder="/home/me/shop")
    card = prediction("a", status=Status.EXECUTED, reasoning=LONG, runs=runs, details="many\n" * 30, asked=LONG)
    lines = told(pulse, hub, card)
    assert len(lines) <= LINES_MAX
    said = "\n".join(lines)
    for part in ("pytest -q", "gate.permission", "gate.plan: Never run before.", "You snoozed it again."):
        assert part in said
    assert "answered  You approved it on the page." in said
    assert "Run 1: completed, $0.00. 2 passed." in said
    assert "2 passed in 0.1 s over two lines" in said
    assert "`pulse why pred_a --all`" in said
    for part in ("gate.rate", "phone/mine", "collected 2 items", "shop: 2 files changed"):
        assert part not in said


def test_all_of_it_is_told_where_it_is_wanted(pulse: Pulse, hub: SmallHub) -> None:
    said = "\n".join(told(pulse, hub, prediction("a", status=Status.EXECUTED), "--all"))
    for part in ("gate.rate", "gate.more", "phone/mine", "collected 2 items", "shop: 2 files changed"):
        assert part in said
    assert "--all" not in said


@pytest.mark.parametrize("state", [Status.PENDING, Status.FAILED])
def test_nothing_is_left_out_that_a_yes_needs(pulse: Pulse, hub: SmallHub, state: Status) -> None:
    card = prediction("a", status=state, reasoning=LONG, runs=RUNS, details="one\nlast detail")
    lines = told(pulse, hub, card)
    said = "\n".join(lines)
    assert said.count("word") == LONG.count("word") + said.split("gate.permission")[1].split("gate.plan")[0].count(
        "word"
    )
    for part in ("hero.png", "+new", "last detail", "gate.permission"):
        assert part in said
    assert "gate.rate" not in said
