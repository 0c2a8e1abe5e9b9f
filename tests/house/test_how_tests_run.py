"""Where the tests put their files."""

import tempfile
from pathlib import Path

import pytest

from tests.in_memory import can_hold_them, keep_temporary_files_in_memory


def test_a_place_that_somebody_named_stays(tmp_path: Path) -> None:
    environ = {"TMPDIR": "/elsewhere"}
    keep_temporary_files_in_memory(environ, tmp_path)
    assert environ == {"TMPDIR": "/elsewhere"}


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    keep_temporary_files_in_memory(environ, tmp_path / "none")
    assert environ == {}
    assert not can_hold_them(tmp_path / "none")


def test_the_folder_is_used_from_then_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.in_memory.FREE_BYTES_MIN", 0)
    monkeypatch.setattr(tempfile, "tempdir", "/before")
    environ: dict[str, str] = {}
    keep_temporary_files_in_memory(environ, tmp_path)
    assert environ == {"TMPDIR": str(tmp_path)}
    assert tempfile.tempdir is None
