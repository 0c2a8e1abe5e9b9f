"""What tests fetch is fetched once, and never found half-done."""

from pathlib import Path

import pytest

from tests.fetched import NAMED, fetched


@pytest.fixture(autouse=True)
def _cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAMED, str(tmp_path))


def test_it_is_fetched_once() -> None:
    calls: list[Path] = []

    def fetch(folder: Path) -> None:
        calls.append(folder)
        (folder / "program").write_text("made")

    first, second = fetched("@scope/tool@1.0", fetch), fetched("@scope/tool@1.0", fetch)
    assert (first, calls) == (second, [first])
    assert (first / "program").read_text() == "made"
    assert fetched("@scope/tool@1.1", fetch) != first
    assert len(calls) == 2


def test_what_was_left_half_done_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)

    def breaks(folder: Path) -> None:
        (folder / "half").write_text("")
        raise OSError("no network")

    with pytest.raises(pytest.skip.Exception, match="tool==1 could not be fetched from npm or PyPI: no network"):
        fetched("tool==1", breaks)
    assert [one.name for one in fetched("tool==1", lambda folder: (folder / "whole").touch()).iterdir()] != ["half"]
    assert not (fetched("tool==1", breaks) / "half").exists()


def test_under_ci_nothing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="could not be fetched"):
        fetched("tool==1", lambda _folder: (_ for _ in ()).throw(KeyError("program")))
