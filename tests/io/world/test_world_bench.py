"""The benchmarks of the world log measure what they say, on a log that is short."""

import pytest

from tests.bench import bench_world, bench_world_intake


@pytest.mark.slow
def test_every_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_world, "CALLS", 3)
    monkeypatch.setattr(bench_world, "APPENDS", 10)
    figures = bench_world.run(21_000)
    assert all(figure.value > 0 for figure in figures)
    assert {figure.reference for figure in figures} == {"", "grep", "open, write, close"}


@pytest.mark.slow
def test_of_a_long_log_the_end_is_taken_in_and_the_rest_counts_as_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_world, "CALLS", 3)
    monkeypatch.setattr(bench_world, "APPENDS", 10)
    whats = [figure.what for figure in bench_world.run(40_000, 4_000)]
    assert "taken in, 4,000 lines" in whats
    assert "query failed, 40,000 lines, p99" in whats


@pytest.mark.slow
def test_of_a_hundred_writers_that_are_all_killed_no_line_is_lost_or_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_world_intake, "ROTATE_BYTES", 200_000)
    figures = {figure.what: figure for figure in bench_world_intake.run(10_000)}
    assert figures["all writers killed, times"].value > 0
    assert figures["promised lines that were lost"].value == 0
    assert figures["lines that were taken in twice"].value == 0
    assert [one.what for one in figures.values() if one.met is False and one.unit != "lines/s"] == []
