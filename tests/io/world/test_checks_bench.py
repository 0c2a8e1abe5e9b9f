"""The benchmark of checks measures what it says: a real hub, a real store, real files."""

import pytest

from tests.bench import bench_checks


@pytest.mark.slow
def test_every_figure_is_measured() -> None:
    figures = bench_checks.run(sessions=3)
    assert len(figures) == 2
    assert all(figure.value > 0 and figure.reference_value for figure in figures)
