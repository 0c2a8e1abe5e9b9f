"""At shipped defaults each dial of the drives moves the next wake, one way and the other."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.domain.drives import DriveRules, Drives
from hub.loop.drive_verdict import next_look
from hub.when.drives import brought
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, a_policy, a_world
from tests.rooms.when.drives.drives_at_hand import drive, want

SHIPPED = DriveRules()


async def next_wake(rules: DriveRules, drives: Drives, *, talked: timedelta | None = None) -> datetime | None:
    """Return when the loop wakes next by needs, as its policy is shipped but for the rules of the drives."""
    world: World = await a_world(a_policy(drives=rules))
    mind = replace(world.state.mind, drives=drives)
    busy_at = None if talked is None else world.now - talked
    changes = replace(world.state.changes, busy_at=busy_at, busy_since=busy_at, shown_at=())
    return next_look(replace(world.state, mind=mind, changes=changes), world.now)


def pressing(now: datetime, pressure: float, *, woken: int = 0, strength: float = 0.5) -> Drives:
    one = replace(drive("goals", want(strength=strength), pressure=pressure), at=now)
    return Drives(drives=(one,), woke_at=tuple(now - (2 + 4 * n) * MINUTE for n in reversed(range(woken))))


@pytest.mark.parametrize(
    ("dial", "lower", "higher", "pressure", "woken", "sooner_when"),
    [
        ("rate_per_min", 0.005, 0.02, 2.0, 0, "higher"),
        ("threshold", 4.5, 6.0, 2.0, 0, "lower"),
        ("single_threshold", 3.0, 4.9, 2.0, 0, "lower"),
        ("cooldown_s", 180.0, 600.0, 9.0, 1, "lower"),
        ("turns_per_hour_max", 5, 12, 9.0, 10, "higher"),
    ],
)
async def test_each_dial_moves_the_next_wake(
    dial: str, *, lower: float, higher: float, pressure: float, woken: int, sooner_when: str
) -> None:
    now = (await a_world()).now
    at_hand = pressing(now, pressure, woken=woken)
    if dial == "threshold":  # what all press together
        other = replace(drive("curiosity", want("two"), pressure=pressure), at=now)
        at_hand = replace(at_hand, drives=(*at_hand.drives, other))
    shipped = await next_wake(SHIPPED, at_hand)
    low, high = [await next_wake(replace(SHIPPED, **{dial: each}), at_hand) for each in (lower, higher)]
    assert low is not None
    assert high is not None
    assert shipped is not None
    if sooner_when == "lower":
        assert low < shipped < high
    else:
        assert high < shipped < low


async def test_what_the_person_does_and_what_was_brought_up_hold_it_for_as_long_as_the_dials_say() -> None:
    now = (await a_world()).now
    at_hand = pressing(now, 9.0)
    assert await next_wake(SHIPPED, at_hand) == now
    talking = await next_wake(SHIPPED, at_hand, talked=MINUTE)
    assert talking == now + timedelta(seconds=SHIPPED.conversation_s) - MINUTE
    assert await next_wake(replace(SHIPPED, conversation_s=50.0), at_hand, talked=MINUTE) == now
    told = Drives(drives=(brought(at_hand.drives[0], now),))
    assert await next_wake(SHIPPED, told) == now + timedelta(seconds=SHIPPED.again_s)
    assert await next_wake(replace(SHIPPED, again_s=3_600.0), told) == now + HOUR
    weak = pressing(now, 0.0, strength=0.85)
    assert await next_wake(SHIPPED, weak) != now
    assert await next_wake(replace(SHIPPED, alert_strength=0.8), weak) == now
