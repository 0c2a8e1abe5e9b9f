"""`pulse insight` and `pulse export`, against a real HTTP server with answers laid out."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hub.cli.insight import bar, sparkline
from hub.contract.insight import Cap, ChancePoint, ChancesJudged, ChannelFigures, Day, InsightAnswer, Reliability
from hub.contract.training import TrainingView
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub

INSIGHT = "GET /api/v1/insight"
EXPORT = "GET /api/v1/export"


def day(number: int, **figures: Any) -> Day:  # noqa: ANN401  any figure of a day
    nothing = {"suggestions": 0, "approved": 0, "rejected": 0, "expired": 0, "executed": 0, "failed": 0, "blocked": 0}
    rest = {"interruptions": 0, "cost_usd": 0.0, "approval_rate": None}
    return Day(day=date(2026, 3, number), **{**nothing, **rest, **figures})


FEW = ChancesJudged(answers=12, more=18)


def answer(*days: Day, truncated: bool = False, chances: ChancesJudged = FEW) -> InsightAnswer:
    band = Reliability(low=0.7, high=0.8, suggestions=6, answered=4, mean_confidence=0.75, approval_rate=0.5)
    channel = ChannelFigures(
        channel="koji-core", suggestions=6, approved=3, rejected=1, executed=3, failed=0, cost_usd=1.5
    )
    caps = (Cap(window="hour", spent_usd=0.15, cap_usd=2.0), Cap(window="day", spent_usd=0.4, cap_usd=20.0))
    return InsightAnswer(
        zone="Europe/Berlin",
        days=days,
        channels=(channel,),
        calibration=(band,),
        caps=caps,
        chances=chances,
        truncated=truncated,
    )


BUSY = day(2, suggestions=6, approved=3, rejected=1, interruptions=2, cost_usd=1.5, approval_rate=0.75)


def test_a_picture_of_the_days_and_the_numbers_below(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(INSIGHT, answer(day(1), BUSY))
    said = pulse("insight", "--days", "2")
    assert said.code == 0
    assert hub.asked[-1][1] == "/api/v1/insight?days=2"
    assert "2026-03-01 to 2026-03-02 (Europe/Berlin)" in said.out
    assert "·▇  3 of 4 approved" in said.out
    assert "6 suggestions, 2 interruptions" in said.out
    assert "$0.15 of $2.00 this hour · $0.40 of $20.00 today" in said.out
    assert any(line.split()[:2] == ["Code", "6"] for line in said.out.splitlines())
    assert "70% to 80%" in said.out
    rows = [line.split() for line in said.out.splitlines() if line.startswith("02 Mar")]
    assert rows == [["02", "Mar", "6", "3", "1", "0", "0", "0", "0", "2", "$1.50", "████░", "75%"]]
    assert "oldest days" not in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_what_was_only_handed_over_is_counted_by_itself(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(INSIGHT, answer(BUSY))
    assert "handed over" not in pulse("insight").out.partition("day ")[0]
    hub.answer(INSIGHT, answer(replace(BUSY, handed_over=2)))
    said = pulse("insight").out
    assert "handed over  2 runs, not confirmed" in said
    assert max(map(len, said.splitlines())) <= 80


def test_chances_are_judged_from_enough_answers_on(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(INSIGHT, answer(BUSY))
    assert "18 more answers until this can be judged" in " ".join(pulse("insight").out.split())
    point = ChancePoint(low=0.6, high=0.7, answers=31, said=0.65, came=0.6)
    judged = ChancesJudged(answers=31, more=0, apart=0.05, brier=0.21, sharpness=0.02, points=(point,))
    hub.answer(INSIGHT, answer(BUSY, chances=judged))
    said = " ".join(pulse("insight").out.split())
    assert "(31 answers): 5% apart on average. Brier score 0.21" in said
    assert "60% to 70% 31 ███░░ 65% ███░░ 60%" in said


def test_without_anything_there_is_no_table(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(INSIGHT, answer(day(1)))
    said = pulse("insight")
    assert "nothing answered yet" in said.out
    assert "`pulse trigger`" in said.out
    assert "Code" not in said.out


def test_what_was_cut_short_says_so(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(INSIGHT, answer(BUSY, truncated=True))
    assert "the oldest days are incomplete" in pulse("insight").out


def test_insight_as_json(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(INSIGHT, answer(BUSY))
    assert json.loads(pulse("insight", "--json").out)["days"][0]["interruptions"] == 2


@pytest.mark.parametrize("days", ["0", "366", "x"])
def test_days_that_cannot_be(pulse: Pulse, days: str) -> None:
    assert pulse("insight", "--days", days).code == 2


def test_pictures() -> None:
    assert sparkline([None, 0.0, 0.5, 1.0]) == "·▁▅█"
    assert (bar(None), bar(0.0), bar(1.0)) == ("-", "░░░░░ 0%", "█████ 100%")


@pytest.mark.parametrize(
    ("written", "form"),
    [(("a.csv",), "csv"), (("a.jsonl",), "jsonl"), (("a",), "jsonl"), (("a.csv", "--format", "jsonl"), "jsonl")],
)
def test_an_export_is_written_whole_and_private(
    pulse: Pulse, hub: SmallHub, tmp_path: Path, written: tuple[str, ...], form: str
) -> None:
    content = b"x" * 200_000
    hub.answer(EXPORT, content)
    target = tmp_path / written[0]
    said = pulse("export", str(target), *written[1:])
    assert (said.code, target.read_bytes()) == (0, content)
    assert hub.asked[-1][1] == f"/api/v1/export?format={form}"
    assert f"200,000 bytes of {form}" in said.out
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [target.name]


def test_a_file_that_is_there_is_kept(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.answer(EXPORT, b"new")
    target = tmp_path / "a.csv"
    target.write_text("old")
    said = pulse("export", str(target))
    assert (said.code, target.read_text()) == (1, "old")
    assert "[file-there]" in said.err
    assert pulse("export", str(target), "--force").code == 0
    mine = target.with_name("profile")
    mine.write_text("mine")
    target.with_name(f"{target.name}.part").symlink_to(mine)
    assert pulse("export", str(target), "--force").code == 0
    assert (mine.read_text(), target.is_symlink()) == ("mine", False), "no link of a repository is written through"
    assert target.read_text() == "new"


def test_a_refused_export_leaves_nothing(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.refuse(EXPORT, 403, "out-of-scope", "This token does not allow that.")
    said = pulse("export", str(tmp_path / "a.csv"))
    assert said.code == 1
    assert "[out-of-scope]" in said.err
    assert not list(tmp_path.glob("a.csv*"))


def test_a_place_that_cannot_be_written(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.answer(EXPORT, b"new")
    said = pulse("export", str(tmp_path / "nowhere" / "a.csv"))
    assert said.code == 1
    assert "[cannot-write]" in said.err


def test_an_export_into_a_pipe(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(EXPORT, b'{"prediction": 1}\n')
    assert pulse("export", "-").out == '{"prediction": 1}\n'


def test_an_export_as_json_says_where_it_is(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.answer(EXPORT, b"12345")
    target = tmp_path / "a.jsonl"
    said = json.loads(pulse("export", str(target), "--json").out)
    assert said == {"file": str(target), "format": "jsonl", "bytes": 5}


@pytest.mark.parametrize("command", [("insight",), ("export", "x.csv")])
def test_when_pulse_does_not_run(pulse: Pulse, home: Path, command: tuple[str, ...]) -> None:
    assert pulse(*command).code == 3
    assert not home.exists()
    assert not Path("x.csv").exists()


PAIRS, TRAINING = "GET /api/v1/training/pairs", "GET /api/v1/training"
VIEW = TrainingView(pairs=60, new_pairs=60, new_since=None, last_pair=61, pairs_needed=50, export_enabled=True)


@pytest.mark.parametrize("form", ["dpo", "together"])
def test_training_pairs_count_as_exported_once_they_are_in_the_file(
    pulse: Pulse, hub: SmallHub, tmp_path: Path, form: str
) -> None:
    hub.answer(TRAINING, VIEW)
    hub.answer(PAIRS, b'{"prompt": ""}\n' * 60)
    hub.answer("POST /api/v1/training/exported", VIEW)
    target = tmp_path / "pairs.jsonl"
    said = json.loads(pulse("export", str(target), "--format", form, "--new", "--json").out)
    assert said == {"file": str(target), "format": form, "bytes": 900, "pairs": 60}
    assert target.stat().st_mode & 0o777 == 0o600
    assert hub.asked[1:] == [
        ("GET", f"/api/v1/training/pairs?format={form}&through=61&new=true", b""),
        ("POST", "/api/v1/training/exported", b'{"through":61}'),
    ]


def test_what_was_not_written_was_not_exported(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.answer(TRAINING, VIEW)
    hub.refuse(PAIRS, 409, "too-few-pairs", "There are 12 training pairs, and a model needs at least 50 to learn from.")
    target = tmp_path / "pairs.jsonl"
    assert "[too-few-pairs]" in pulse("export", str(target), "--format", "dpo").err
    hub.answer(PAIRS, b"{}\n")
    target.write_text("mine")
    assert "[file-there]" in pulse("export", str(target), "--format", "dpo").err
    assert target.read_text() == "mine"
    assert [path for method, path, _ in hub.asked if method == "POST"] == []


def test_new_belongs_to_pairs(pulse: Pulse, hub: SmallHub) -> None:
    assert pulse("export", "x.csv", "--new").code == 2
    assert hub.asked == []
