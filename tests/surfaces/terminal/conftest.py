"""A real hub on a small repository, for the journeys of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.real_hub import RealHub, running_hub


@pytest.fixture
def real_hub(tmp_path: Path) -> Iterator[RealHub]:
    with running_hub(tmp_path) as hub:
        yield hub
