"""A small week of the world log: whatever happens to a session, it comes to an end, or to a question that stands."""

from datetime import timedelta

import pytest

from tests.bench.world_week import Week, outcome

HALF_A_DAY = timedelta(hours=12)


async def lived(seed: int, sessions: int) -> Week:
    week = Week(seed, sessions, span=HALF_A_DAY)
    came_to = await week.run(after=timedelta(days=2))
    missing = sessions - came_to.total()
    lost = [one for one in await week.ended() if outcome(one, week.world.now) == "lost"]
    assert (missing, lost) == (0, [])
    assert came_to["verified"] > 0
    assert week.falsely_failed == []
    assert week.restarts > 2
    return week


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_no_session_is_left_without_an_outcome_or_a_question(seed: int) -> None:
    await lived(seed, 60)


@pytest.mark.slow
async def test_the_same_seed_lives_through_the_same_week() -> None:
    first, second = await lived(7, 20), await lived(7, 20)
    assert await first.ended() == await second.ended()
    assert await first.ended() != await (await lived(8, 20)).ended()
