"""What does not arrive on a device that a person has set up, and why: the other side of the matrix. Pure."""

from hub.contract.base import Value
from hub.contract.profile import DeviceProfile
from hub.contract.words import Risk

AWAY = "What waits is handed over when it is back."
QUIET = "`pulse dnd off` ends do-not-disturb; quiet hours are `[quiet]` in your settings (`pulse config path`)"


class Gap(Value):
    """What a device does not get now. `is_all`: nothing at all, until the person begins it again there."""

    what: str
    fix: str = ""
    is_all: bool = False


def gaps(profile: DeviceProfile, *, online: bool, reachable: bool, quiet: bool) -> tuple[Gap, ...]:
    """Say what does not arrive on a device of this kind as it is, the worst first."""
    if profile.needs_address and not reachable and not (profile.live_while_present and online):
        return (Gap(what="nothing arrives while it is closed: it has no notifications yet", is_all=True),)
    if profile.only_while_present and not online:
        return (Gap(what=f"nothing arrives: it is not there now. {AWAY}", is_all=True),)
    found = []
    if quiet:
        found.append(Gap(what="everything arrives silently now: quiet hours, or do-not-disturb", fix=QUIET))
    if profile.approve_up_to is not Risk.HIGH:
        found.append(Gap(what=f"approves up to {profile.approve_up_to.value} risk; the rest is approved elsewhere"))
    if "cost" not in profile.matrix:
        found.append(Gap(what="is not told when spending nears a cap"))
    return tuple(found)
