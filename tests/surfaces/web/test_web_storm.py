"""Two thousand subscriptions while their push service breaks down in every way: only what it ended is deleted."""

from collections import Counter
from datetime import timedelta

import pytest

from hub.contract.address import fingerprint
from hub.contract.words import DeliveryState
from tests.surfaces.web.carrying import carrying, parcel, sending
from tests.surfaces.web.push_service import PushService
from tests.surfaces.web.receiver import Browser

COUNT = 2_000
KEYS = 50
PLANS = {
    "live": ("ok",),
    "busy": ("503", "ok"),
    "limited": ("429:0", "ok"),
    "cut": ("reset", "ok"),
    "ill": ("500", "502", "504", "ok"),
    "slow": ("hang", "ok"),
    "down": ("503:3600",),
    "refused": ("403",),
    "odd": ("400",),
    "ended": ("410",),
    "unknown": ("404",),
    "ended-later": ("503", "reset", "410"),
}
SHARES = {"live": 30, "busy": 15, "limited": 10, "cut": 10, "ill": 5, "down": 8, "refused": 2, "odd": 2}
SHARES |= {"slow": 2, "ended": 8, "unknown": 4, "ended-later": 4}
DEAD = {"ended", "unknown", "ended-later"}
KEPT_UNKNOWN = {"down", "refused", "odd"}


def kinds() -> list[str]:
    """One kind for each subscription, mixed."""
    hundred = [kind for kind, share in SHARES.items() for _ in range(share)]
    assert len(hundred) == 100
    return [hundred[number * 37 % 100] for number in range(COUNT)]


@pytest.mark.slow
async def test_a_storm_deletes_the_dead_and_nobody_else() -> None:
    browsers = [Browser() for _ in range(KEYS)]
    async with PushService() as service, sending(service.origin, send_s_max=1.0) as sender:
        plan = kinds()
        addresses = {
            f"d{n}": service.subscribe(f"{kind}-{n}", *PLANS[kind], browser=browsers[n % KEYS])
            for n, kind in enumerate(plan)
        }
        async with carrying(sender, addresses) as (carrier, reports):
            for number in range(COUNT):
                assert carrier.take(parcel(f"d{number}", f"dlv_{number}", lasts=timedelta(minutes=10)))
            receipts = await reports.until(COUNT, wait_s=300)
    told = {int(name.removeprefix("dlv_")): receipt for name, receipt in receipts.items()}
    deleted = {number for number, receipt in told.items() if receipt.gone}
    assert deleted == {number for number, kind in enumerate(plan) if kind in DEAD}
    assert {told[number].gone for number in deleted} == {fingerprint(addresses[f"d{number}"]) for number in deleted}
    states = Counter((plan[number] in KEPT_UNKNOWN, receipt.state) for number, receipt in told.items())
    assert states == {
        (True, DeliveryState.UNKNOWN): sum(kind in KEPT_UNKNOWN for kind in plan),
        (False, DeliveryState.DEAD): len(deleted),
        (False, DeliveryState.ACCEPTED): COUNT - len(deleted) - sum(kind in KEPT_UNKNOWN for kind in plan),
    }
    assert {len(set(topics)) for topics in service.seen.values()} == {1}, "a message that is sent again replaces itself"
