"""The benchmark of the world log measures what it says, on a log that is short."""

import pytest

from tests.bench import bench_world


@pytest.mark.slow
def test_every_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_world, "CALLS", 3)
    monkeypatch.setattr(bench_world, "APPENDS", 10)
    figures = bench_world.run(21_000)
    assert all(figure.value > 0 for figure in figures)
    assert {figure.reference for figure in figures} == {"", "grep", "open, write, close"}
