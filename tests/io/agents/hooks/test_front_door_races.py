"""An answer here and one in the agent's own dialog at nearly the same time, by the real program of its hook."""

from pathlib import Path

import pytest

from tests.bench.agent_at_the_door import opened_door
from tests.bench.bench_front_door import UNLIMITED, races
from tests.web.live_hub import live_hub

pytestmark = pytest.mark.slow
FEW = 24


async def test_a_race_has_one_winner_and_nothing_runs_after_a_no(tmp_path: Path) -> None:
    with live_hub(tmp_path, starts=UNLIMITED) as hub:
        async with opened_door(hub) as door:
            figures = await races(door, FEW)
    assert sum(one.value for one in figures[:2]) == FEW
    assert [one.value for one in figures[2:]] == [0, 0, 0]
