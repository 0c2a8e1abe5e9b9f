"""Where a card goes that reached nobody on the devices it was sent to: the best of those that live. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from hub.contract.words import GRANTING
from hub.domain.delivery import Device, Routed
from hub.where.routing import LOUDER


def next_best(routed: Sequence[Routed], devices: Mapping[tuple[str, str], Device]) -> Routed | None:
    """Return the way on which the person is likeliest to notice and answer; None where there is none.

    First where a yes can be given, then where it is heard, then where the person was active last.
    """

    def worth(one: Routed) -> tuple[bool, int, bool, float]:
        device = devices[one.surface, one.device]
        return (
            not GRANTING.isdisjoint(one.verbs),
            LOUDER.index(one.loudness),
            device.online,
            _seconds(device.person_active_at),
        )

    return max(routed, key=worth, default=None)


def _seconds(moment: datetime | None) -> float:
    return 0.0 if moment is None else moment.timestamp()
