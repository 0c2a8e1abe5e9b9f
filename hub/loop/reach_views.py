"""Which devices do not reach the person now, as everybody is told. Pure."""

from datetime import datetime

from hub.contract.api import ReachStatus, Unreached
from hub.contract.phrasing import Phrasing
from hub.domain.delivery import Device
from hub.kit.text import listed
from hub.loop.state import State
from hub.where import unreached

NO_DEVICE = "No device is set up: new suggestions wait in `pulse cards`."
NOBODY = "Nothing can reach you right now; new suggestions wait here until something can."


def reach_of(state: State, now: datetime) -> ReachStatus:
    """Return the one line, and each device that is not reached: those that fail first, then those that are absent."""
    devices = [one for one in state.devices if not one.revoked]
    looked = [(one, unreached_on(state, one, now)) for one in devices]
    found = sorted((why for _, why in looked if why is not None), key=lambda one: (one.absent, one.title))
    told = tuple(dict.fromkeys(_title(state, one) for one, why in looked if why is None))
    if not devices:
        return ReachStatus(line=NO_DEVICE, nobody=True, worded=Phrasing(code="reach.no_device"))
    if not told:
        return ReachStatus(line=NOBODY, nobody=True, unreached=tuple(found), worded=Phrasing(code="reach.nobody"))
    failing = tuple(dict.fromkeys(one.title for one in found if not one.absent))
    if not failing:
        return ReachStatus(unreached=tuple(found))
    verb, code = ("is", "reach.lost") if len(failing) == 1 else ("are", "reach.lost_several")
    return ReachStatus(
        line=f"{listed(failing)} {verb} not reaching you right now. New suggestions go to: {', '.join(told)}.",
        unreached=tuple(found),
        worded=Phrasing(code=code, listed=failing, values={"others": ", ".join(told)}),
    )


def unreached_on(state: State, device: Device, now: datetime) -> Unreached | None:
    """Return why nothing reaches the person on a device now; None where nothing is known against it."""
    return unreached(device, state.profiles.get(device.profile), state.surface_troubles, now)


def _title(state: State, device: Device) -> str:
    profile = state.profiles.get(device.profile)
    return device.title or (profile.title if profile else device.device)
