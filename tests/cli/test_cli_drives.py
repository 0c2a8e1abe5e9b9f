"""`pulse drives`, against a real HTTP server with answers laid out."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.cli.drive_lines import bar, curve, pressure_then
from hub.contract.drives import (
    AuditBreak,
    AuditView,
    DriveDecay,
    DriveLineView,
    DriveSampleView,
    DrivesHistory,
    DrivesView,
    DriveVerdictView,
    DriveView,
    FeedbackAnswer,
    MutationsAnswer,
    MutationView,
    WakeView,
    WantView,
)
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DRIVES = "GET /api/v1/drives"
AUDIT = "GET /api/v1/drives/mutations"
WAKE = WakeView(
    id="w1",
    at=NOON,
    rule="single",
    drive="goals",
    pressure=4.6,
    total=4.6,
    threshold=4.5,
    says="Pulse woke up because goals alone had reached 4.6 of 4.5.",
    ended="card",
)
GOALS = DriveView(
    name="goals",
    weight=1.0,
    pressure=4.2,
    pressure_max=10.0,
    load=4.2,
    grows_per_min=0.01,
    counts=True,
    open=3,
    wants=(WantView(says="Begin “Launch InvoiceFlow\u202e”", strength=0.6, since=NOON),),
)
VIEW = DrivesView(
    enabled=True,
    at=NOON,
    drives=(GOALS, replace(GOALS, name="system", pressure=0.0, load=0.0, open=0, wants=())),
    total=4.2,
    threshold=5.0,
    single_threshold=4.5,
    verdict=DriveVerdictView(wakes=False, rule="below", says="The total pressure is 4.2 of 5.0."),
    last_wake=WAKE,
)
CHANGE = MutationView(
    id="mut_1",
    at=NOON,
    by="openclaw",
    type="adjust_weight",
    drive="curiosity",
    status="applied",
    before=0.6,
    after=0.4,
    reason="Enough explored\u202e",
)


def test_bars_reasons_and_the_verdict(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(DRIVES, VIEW)
    said = pulse("drives")
    assert said.code == 0
    goals, system = said.out.splitlines()[1:3]
    assert goals.split()[:3] == ["goals", "████░░░░░░", "4.2"]
    assert "Begin “Launch InvoiceFlow" in goals
    assert "(+2)" in goals
    assert system.split() == ["system", "░░░░░░░░░░", "0.0", "-"]
    assert said.out.splitlines()[3].split() == ["total", "████████░░", "4.2", "wakes", "at", "5.0"]
    assert "The total pressure is 4.2 of 5.0." in said.out
    assert "Pulse woke up because goals alone had reached 4.6 of 4.5." in said.out
    assert "\u202e" not in said.out


def test_what_was_brought_up_says_so(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(DRIVES, replace(VIEW, drives=(replace(GOALS, counts=False),), last_wake=None))
    assert "suggested recently" in pulse("drives").out


@pytest.mark.parametrize("command", [("drives",), ("drives", "history"), ("drives", "audit")])
def test_json_is_the_document_of_the_api(pulse: Pulse, hub: SmallHub, command: tuple[str, ...]) -> None:
    hub.answer(DRIVES, VIEW)
    hub.answer("GET /api/v1/drives/history", a_history())
    hub.answer(AUDIT, AuditView(mutations=(), count=0, intact=True))
    assert json.loads(pulse(*command, "--json").out)


def a_history(*wakes: WakeView) -> DrivesHistory:
    line = DriveLineView(name="goals", pressure=0.0, grows_per_min=10.0 / (24 * 60), weight=1.0)
    samples = (DriveSampleView(at=NOON, drives=(line,)), DriveSampleView(at=NOON + timedelta(days=1), drives=()))
    until = NOON + timedelta(days=2)
    return DrivesHistory(since=NOON, until=until, samples=samples, wakes=wakes, pressure_max=10.0, threshold=5.0)


def test_a_curve_goes_along_the_lines_between_the_samples() -> None:
    found = a_history()
    assert pressure_then(found, "goals", NOON - timedelta(minutes=1)) is None
    assert pressure_then(found, "goals", NOON + timedelta(hours=12)) == pytest.approx(5.0)
    assert pressure_then(found, "goals", NOON + timedelta(hours=30)) == 0.0
    drawn = curve(found, "goals")
    assert len(drawn) == 48
    assert drawn[0] == "▁"
    assert drawn[22] == "█"
    assert set(drawn[23:]) == {"▁"}
    assert set(curve(replace(found, samples=()), "goals")) == {"·"}


def test_a_bar_stays_within_its_room() -> None:
    assert [bar(5.0, 10.0), bar(99.0, 10.0), bar(1.0, 0.0)] == ["█████░░░░░", "█" * 10, "░" * 10]


def test_the_history_has_each_wake(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/drives/history", a_history(WAKE))
    said = pulse("drives", "history", "--days", "2")
    assert hub.asked[-1][1] == "/api/v1/drives/history?days=2"
    assert "Pulse woke up because goals alone had reached 4.6 of 4.5.  → card" in said.out
    hub.answer("GET /api/v1/drives/history", replace(a_history(), samples=()))
    said = pulse("drives", "history")
    assert "There was no pressure" in said.out
    assert "Pulse did not wake." in said.out


def test_a_weight_is_changed_and_told(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("POST /api/v1/drives/weights", MutationsAnswer(mutations=(CHANGE,)))
    said = pulse("drives", "weight", "curiosity", "0.4")
    assert json.loads(hub.asked[-1][2]) == {"name": "curiosity", "weight": 0.4}
    assert "adjust_weight curiosity 0.6 → 0.4  applied" in said.out
    assert "\u202e" not in said.out
    assert pulse("drives", "weight", "curiosity", "nan").code == 2
    assert pulse("drives", "weight", "curiosity", "9").code == 2


def test_a_report_has_a_key_and_says_what_it_did(pulse: Pulse, hub: SmallHub) -> None:
    moved = {"goals": DriveDecay(before=6.0, after=1.8, decay_amount=4.2)}
    hub.answer("POST /api/v1/drives/feedback", FeedbackAnswer(decayed=moved))
    said = pulse("drives", "feedback", "--drive", "goals", "--outcome", "success", "--summary", "Shipped it")
    sent = json.loads(hub.asked[-1][2])
    assert (sent["drives_addressed"], sent["outcome"], sent["summary"]) == (["goals"], "success", "Shipped it")
    assert sent["idempotency_key"]
    assert "goals: 6.0 → 1.8" in said.out
    hub.answer("POST /api/v1/drives/feedback", FeedbackAnswer(decayed={}, repeated=True))
    said = pulse("drives", "feedback", "--drive", "goals", "--outcome", "success", "--key", "turn-7")
    assert json.loads(hub.asked[-1][2])["idempotency_key"] == "turn-7"
    assert "already reported" in said.out


def test_the_audit_says_whether_it_holds(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(AUDIT, AuditView(mutations=(CHANGE,), count=12, intact=True))
    said = pulse("drives", "audit", "--limit", "5")
    assert (said.code, hub.asked[-1][1]) == (0, "/api/v1/drives/mutations?limit=5")
    assert "mut_1  openclaw  adjust_weight curiosity 0.6 → 0.4  applied" in said.out
    assert "Enough explored" in said.out
    assert "12 changes, none altered" in said.out
    broken = AuditBreak(index=3, id="mut_4", kind="changed", says="This record was changed after it was made.")
    hub.answer(AUDIT, AuditView(mutations=(CHANGE,), count=12, intact=False, broken=broken))
    said = pulse("drives", "audit")
    assert said.code == 1
    assert "Record 4: This record was changed after it was made." in said.out
    assert pulse("drives", "audit", "--json").code == 1


def test_a_change_is_taken_back_by_its_id(pulse: Pulse, hub: SmallHub) -> None:
    undone = replace(CHANGE, id="mut_2", undoes="mut_1")
    hub.answer("POST /api/v1/drives/mutations/mut_1/undo", MutationsAnswer(mutations=(undone,)))
    assert "undoes mut_1" in pulse("drives", "undo", "mut_1").out
    hub.refuse("POST /api/v1/drives/mutations/no/undo", 409, "mutation-not-undone", "No change has the id no.")
    said = pulse("drives", "undo", "no")
    assert said.code == 1
    assert "No change has the id no." in said.err


FILES = {"pulse-state.json": "{}\n", "audit-log.jsonl": "", "../evil": "x", "unknown.json": "x"}
EXPORT = "GET /api/v1/drives/export"


def test_what_is_remembered_is_written_to_a_private_folder(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.answer(EXPORT, json.dumps(FILES).encode())
    target = tmp_path / "moved"
    said = pulse("drives", "export", str(target))
    assert said.code == 0
    assert sorted(one.name for one in target.iterdir()) == ["audit-log.jsonl", "pulse-state.json"]
    assert (target / "pulse-state.json").read_text() == "{}\n"
    assert [one.stat().st_mode & 0o077 for one in (target, *target.iterdir())] == [0, 0, 0]
    assert not (tmp_path / "evil").exists()
    again = pulse("drives", "export", str(target))
    assert (again.code, "already exists" in again.err) == (1, True)
    assert pulse("drives", "export", str(target), "--force").code == 0


def test_no_link_is_followed_when_writing(pulse: Pulse, hub: SmallHub, tmp_path: Path) -> None:
    hub.answer(EXPORT, json.dumps(FILES).encode())
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    assert "is a link" in pulse("drives", "export", str(tmp_path / "link"), "--force").err
    (real / "pulse-state.json").symlink_to(tmp_path / "elsewhere")
    assert "is a link" in pulse("drives", "export", str(real), "--force").err
    assert not (tmp_path / "elsewhere").exists()
