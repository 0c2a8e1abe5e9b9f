"""`pulse drives import`: which files are read, what is asked first, and what is said; and from one home to another."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from hub.cli import drive_import
from hub.contract.drives import DrivesImportAnswer
from tests.cli.conftest import Pulse
from tests.cli.real_hub import RealHub, running_hub
from tests.cli.small_hub import SmallHub

IMPORT = "POST /api/v1/drives/import"
TAKEN = DrivesImportAnswer(drives=2, replaced=True, wakes=1, changes=0, changes_linked_anew=0, notes=("Odd\u202e",))
HISTORY = DrivesImportAnswer(drives=0, replaced=False, wakes=1, changes=0, changes_linked_anew=0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "moved"
    found.mkdir()
    (found / "pulse-state.json").write_text('{"_format": "pulse-drives-1", "drives": {}}')
    return found


def sent(hub: SmallHub) -> list[dict[str, Any]]:
    return [json.loads(body) for _, path, body in hub.asked if path == "/api/v1/drives/import"]


def test_it_says_what_was_taken(pulse: Pulse, hub: SmallHub, folder: Path) -> None:
    hub.answer(IMPORT, TAKEN)
    said = pulse("drives", "import", str(folder), "--yes", "--threshold", "0.9")
    assert said.code == 0
    assert "2 drives" in said.out
    assert "1 wake and 0 changes added" in said.out
    assert "Odd" in said.out
    assert "\u202e" not in said.out
    (body,) = sent(hub)
    assert (set(body["files"]), body["threshold"], body["onlyHistory"]) == ({"pulse-state.json"}, 0.9, False)
    assert json.loads(pulse("drives", "import", str(folder), "--yes", "--json").out)["drives"] == 2


def test_it_asks_before_it_replaces(pulse: Pulse, hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click, "confirm", lambda *_, **__: False)
    assert "Nothing was changed." in pulse("drives", "import", str(folder)).out
    said = pulse("drives", "import", str(folder), "--json")
    assert (said.code, "cannot ask for confirmation" in said.out + said.err) == (1, True)
    assert sent(hub) == []


def test_a_long_history_goes_in_pieces_each_with_whose_it_is(
    pulse: Pulse, hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drive_import, "AT_ONCE_LINES_MAX", 4)
    monkeypatch.setattr(drive_import, "PIECE_LINES_MAX", 2)
    (folder / "trigger-history.jsonl").write_text("".join(f'{{"n": {number}}}\n' for number in range(5)))
    hub.answer(IMPORT, HISTORY)
    assert pulse("drives", "import", str(folder), "--yes").code == 0
    state, *pieces = sent(hub)
    assert not state["onlyHistory"]
    assert all(one["onlyHistory"] and "pulse-drives-1" in one["files"]["pulse-state.json"] for one in pieces)
    lines = [line for one in pieces for line in one["files"]["trigger-history.jsonl"].split("\n")]
    assert [json.loads(line)["n"] for line in lines] == list(range(5))
    assert len(pieces) == 3


def test_what_fits_is_handed_in_at_once_so_that_it_is_taken_as_a_whole(
    pulse: Pulse, hub: SmallHub, folder: Path
) -> None:
    (folder / "trigger-history.jsonl").write_text('{"n": 1}\n' * 999)
    (folder / "mutations.json").write_text("[]")
    hub.answer(IMPORT, TAKEN)
    assert pulse("drives", "import", str(folder), "--yes").code == 0
    (body,) = sent(hub)
    assert set(body["files"]) == {"pulse-state.json", "trigger-history.jsonl", "mutations.json"}
    assert not body["onlyHistory"]


def test_an_audit_whose_end_is_missing_is_told(
    pulse: Pulse, hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drive_import, "AT_ONCE_LINES_MAX", 0)
    state = {"_format": "pulse-drives-1", "pulse": {"audit_count": 3, "audit_hash": "c"}}
    (folder / "pulse-state.json").write_text(json.dumps(state))
    hub.answer(IMPORT, HISTORY)
    assert "0 of 3 changes are there" in pulse("drives", "import", str(folder), "--yes").out
    audit = folder / "audit-log.jsonl"
    audit.write_text('{"hash": "a"}\n{"hash": "b"}\n')
    assert "2 of 3 changes are there" in pulse("drives", "import", str(folder), "--yes").out
    audit.write_text('{"hash": "a"}\n{"hash": "b"}\n{"hash": "c"}\n')
    assert "changes are there" not in pulse("drives", "import", str(folder), "--yes").out


def test_only_plain_files_of_a_bounded_size_are_read(pulse: Pulse, hub: SmallHub, folder: Path) -> None:
    state = folder / "pulse-state.json"
    real = folder / "elsewhere"
    state.rename(real)
    state.symlink_to(real)
    assert "cannot be read" in pulse("drives", "import", str(folder), "--yes").err
    state.unlink()
    os.mkfifo(state)
    assert "not a regular file" in pulse("drives", "import", str(folder), "--yes").err
    state.unlink()
    state.write_bytes(b" " * 1_000_001)
    assert "larger than 1 MB" in pulse("drives", "import", str(folder), "--yes").err
    state.write_bytes(b"\xff")
    assert "not UTF-8 text" in pulse("drives", "import", str(folder), "--yes").err
    state.unlink()
    assert "none of the files" in pulse("drives", "import", str(folder), "--yes").err
    (folder.parent / "link").symlink_to(folder)
    assert "is a link" in pulse("drives", "import", str(folder.parent / "link"), "--yes").err
    assert sent(hub) == []


def test_a_refusal_of_the_hub_ends_it(pulse: Pulse, hub: SmallHub, folder: Path) -> None:
    (folder / "trigger-history.jsonl").write_text("{}\n")
    hub.refuse(IMPORT, 422, "import-unreadable", "It is not complete JSON. Nothing was changed.")
    said = pulse("drives", "import", str(folder), "--yes")
    assert (said.code, len(sent(hub))) == (1, 1)
    assert "not complete JSON" in said.err


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealHub, RealHub]]:
    with running_hub(tmp_path_factory.mktemp("one")) as one, running_hub(tmp_path_factory.mktemp("other")) as other:
        yield one, other


def shown(hub: RealHub, *command: str) -> dict[str, Any]:
    said = hub.pulse(*command, "--json")
    assert said.returncode == 0, said.stderr
    return msgspec.json.decode(said.stdout, type=dict[str, Any])


@pytest.mark.slow
def test_from_one_home_to_another(homes: tuple[RealHub, RealHub], tmp_path: Path) -> None:
    one, other = homes
    assert one.pulse("drives", "weight", "curiosity", "1.7").returncode == 0
    assert one.pulse("drives", "weight", "social", "0.9").returncode == 0
    place = str(tmp_path / "moved")
    assert one.pulse("drives", "export", place).returncode == 0
    taken = shown(other, "drives", "import", place, "--yes")
    assert (taken["replaced"], taken["changes"], taken["changesLinkedAnew"], taken["problems"]) == (True, 2, 0, [])
    weighed = [{each["name"]: each["weight"] for each in shown(hub, "drives")["drives"]} for hub in homes]
    assert weighed[0] == weighed[1]
    audits = [shown(hub, "drives", "audit") for hub in homes]
    assert audits[0] == audits[1]
    assert (audits[1]["intact"], audits[1]["count"]) == (True, 2)
    again = shown(other, "drives", "import", place, "--yes")
    assert (again["wakes"], again["changes"]) == (0, 0)
    assert shown(other, "drives", "audit") == audits[1]


@pytest.mark.slow
def test_files_of_the_public_implementation(homes: tuple[RealHub, RealHub], tmp_path: Path) -> None:
    one, other = homes
    state = {"drives": {"goals": {"pressure": 0.35, "weight": 1.0, "last_addressed": 0}}, "trigger_count": 3}
    (tmp_path / "pulse-state.json").write_text(json.dumps(state))
    wake = {"timestamp": 1_772_000_000.0, "reason": "pressure", "top_drive": "goals", "pressure": 0.8, "success": True}
    (tmp_path / "trigger-history.jsonl").write_text(json.dumps(wake) + "\n")
    change = {"timestamp": 1_772_000_001.0, "mutation_type": "weight", "target": "drives.goals.weight", "after": 1.2}
    (tmp_path / "mutations.jsonl").write_text(json.dumps(change) + "\n")
    for expected in (1, 0):
        taken = shown(other, "drives", "import", str(tmp_path), "--yes")
        assert (taken["wakes"], taken["changes"], taken["changesLinkedAnew"]) == (expected, expected, expected)
    assert pressure(other, "goals") == pytest.approx(2.5)
    assert shown(other, "drives", "audit")["intact"]
    place = str(tmp_path / "moved")
    assert other.pulse("drives", "export", place).returncode == 0
    shown(one, "drives", "import", place, "--yes")
    assert pressure(one, "goals") == pytest.approx(2.5)
    assert shown(one, "drives", "audit")["intact"]


def pressure(hub: RealHub, name: str) -> float:
    return next(float(each["pressure"]) for each in shown(hub, "drives")["drives"] if each["name"] == name)
