"""How the processes of the surfaces are comes into the loop: only what is news, and since when without a break."""

from datetime import timedelta

from hub.contract.api import HealthPart
from hub.domain.delivery import SurfaceTrouble
from hub.loop.events import SurfacesSeen
from hub.runner import SurfaceWatch
from tests.fakes.clock import VirtualClock
from tests.loop.stage import NOON

SERVES = {"broker": ("",), "surface apns": ("phone", "watch"), "surface discord": ("discord",)}
AWAY = HealthPart(name="surface apns", status="degraded", detail="APNs is away", fix="Wait.")


async def test_only_what_is_news_is_told_and_trouble_lasts_since_it_was_first_seen() -> None:
    clock, told, parts = VirtualClock(NOON), list[SurfacesSeen](), list[HealthPart]()
    watch = SurfaceWatch(lambda: parts, SERVES, clock, told.append)
    parts[:] = [HealthPart(name="broker", status="ok"), HealthPart(name="store", status="down")]
    watch.look()
    assert told == []
    parts.append(AWAY)
    watch.look()
    both = tuple(SurfaceTrouble(surface=one, since=NOON, why="APNs is away", fix="Wait.") for one in ("phone", "watch"))
    assert told == [SurfacesSeen(troubles=both)]
    clock.jump(timedelta(minutes=1))
    watch.look()
    assert len(told) == 1
    parts[:] = [HealthPart(name="surface apns", status="degraded", detail="ended: no key"), parts[0]]
    watch.look()
    assert {(one.why, one.since) for one in told[-1].troubles} == {("ended: no key", NOON)}, "it was never well between"
    parts[:] = [HealthPart(name="surface apns", status="ok")]
    watch.look()
    assert told[-1] == SurfacesSeen()
    parts[:] = [HealthPart(name="broker", status="degraded", detail="refused")]
    watch.look()
    assert [(one.surface, one.since) for one in told[-1].troubles] == [("", clock.now())]
