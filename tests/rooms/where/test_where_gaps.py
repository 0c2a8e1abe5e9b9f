"""What does not arrive, and why: it must agree with what is routed."""

from itertools import product

import pytest

from hub.where.gaps import gaps
from tests.rooms.where.test_where_routing import EVENTS, PROFILES, device, routed


@pytest.mark.parametrize("surface", sorted(PROFILES))
def test_a_device_is_said_to_get_nothing_where_nothing_is_routed_to_it(surface: str) -> None:
    profile = PROFILES[surface]
    for online, reachable, quiet in product((True, False), repeat=3):
        there = device(surface, online=online, reachable=reachable)
        found = gaps(profile, online=there.online, reachable=reachable, quiet=quiet)
        told = routed(EVENTS["new-medium"], there, quiet=quiet)
        reads_the_feed = profile.live_while_present and there.online
        assert any(gap.is_all for gap in found) is not (bool(told) or reads_the_feed), (there, quiet)
        if told:
            assert any("silently" in gap.what for gap in found) is (told[0].loudness == "silent"), (there, quiet)


def test_what_may_not_be_approved_there_and_what_is_not_told_is_said() -> None:
    said = [gap.what for gap in gaps(PROFILES["watch"], online=True, reachable=True, quiet=False)]
    assert said == [
        "approves up to medium risk; the rest is approved elsewhere",
        "is not told when spending nears a cap",
    ]
    assert gaps(PROFILES["discord"], online=True, reachable=False, quiet=False) == ()
