"""What does not arrive on a device that a person has set up, and why: the other side of the matrix. Pure.

Whether anything arrives rests on what became of the last messages (`Device.trouble`), on the process that carries them,
and on whether the device is there; being paired proves nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from hub.contract.api import Unreached
from hub.contract.base import Value
from hub.contract.phrasing import Phrasing
from hub.contract.profile import DeviceProfile
from hub.contract.words import Risk
from hub.domain.delivery import Device, DeviceTrouble, SurfaceTrouble
from hub.domain.lookalikes import reveal
from hub.domain.provenance import in_quotes
from hub.domain.worded import Worded
from hub.kit.text import one_line

QUIET = "`pulse dnd off` ends do not disturb; quiet hours are `[quiet]` in your settings (`pulse config path`)"
IN_PULSE = "Approve the rest in Pulse; docs/security.md says why."
SAID_CHARS_MAX = 300
LASTS = timedelta(seconds=15)
"""What is over within this is a reconnection, and nothing to tell anybody."""


def _w(text: str, code: str) -> Worded:
    return Worded(text=text, wording=Phrasing(code=code))


BROKER = _w("the broker is not reachable", "unreached.broker")
GONE = _w("its push service no longer accepts its address", "unreached.gone")
SILENT = _w("it does not confirm what is sent to it", "unreached.silent")
UNSEEN = _w("its push service accepted the last message, but it was not shown there", "unreached.unseen")
NO_ADDRESS = _w("it is closed, and notifications are off there", "unreached.no_address")
CLOSED = _w("it is closed; it catches up when it is opened again", "unreached.closed")
OFFLINE = _w("it is not connected to Pulse", "unreached.offline")
NO_PROFILE = _w("it has no profile in device_profiles", "unreached.no_profile")

FIX_BROKER = _w("`pulse doctor` shows what is wrong with the broker.", "unreached_fix.broker")
FIX_APP = _w("Open its app once.", "unreached_fix.app")
FIX_OFFLINE = _w("`pulse doctor` shows why. To remove it: `pulse devices revoke`.", "unreached_fix.offline")
FIX_SILENT = _w("Restart it, then try `pulse devices test`.", "unreached_fix.silent")
FIX_SAID = _w("Once that is fixed, try `pulse devices test`.", "unreached_fix.said")
FIX_UNSEEN = _w("Is it off, offline or on Do Not Disturb? Open it once.", "unreached_fix.unseen")
FIX_PROFILE = _w("Pair it again, using a profile from device_profiles.", "unreached_fix.profile")


class Gap(Value):
    """What a device does not get now of what else arrives there."""

    what: str
    fix: str = ""


def gaps(profile: DeviceProfile, *, quiet: bool) -> tuple[Gap, ...]:
    """Return what a device of this kind does not get, where something arrives there."""
    found = []
    if quiet:
        found.append(Gap(what="everything arrives silently now: quiet hours, or do not disturb", fix=QUIET))
    if profile.own_ideas_only:
        found.append(
            Gap(what="with a coding agent connected, approves only Pulse's own ideas of low risk", fix=IN_PULSE)
        )
    elif profile.approve_up_to is not Risk.HIGH:
        found.append(Gap(what=f"approves up to {profile.approve_up_to.value} risk; approve the rest elsewhere"))
    if "cost" not in profile.matrix:
        found.append(Gap(what="is not notified when spending nears a cap"))
    return tuple(found)


def unreached(
    device: Device, profile: DeviceProfile | None, troubles: Sequence[SurfaceTrouble], now: datetime
) -> Unreached | None:
    """Return why nothing reaches the person on a device now, the worst reason first; None where nothing is known."""
    if profile is None:
        return _unreached(device, device.title, NO_PROFILE, FIX_PROFILE)
    if profile.live_while_present and device.online:  # it reads the live feed, over HTTP
        return None
    title, again = device.title or profile.title, _again(profile)
    lasting = {one.surface: one for one in troubles if now - one.since >= LASTS}
    if (broker := lasting.get("")) is not None:
        return _unreached(device, title, BROKER, FIX_BROKER, since=broker.since)
    if profile.needs_address and device.address is None:
        return _without_address(device, title, again)
    if (own := lasting.get(device.surface)) is not None:
        return _of_process(device, title, own)
    if profile.only_while_present and not device.online:
        return _unreached(device, title, CLOSED, again, since=device.left_at, absent=True)
    if not profile.needs_address and not device.online and _has_left(device, now):
        return _unreached(device, title, OFFLINE, FIX_OFFLINE, since=device.left_at)
    return None if device.trouble is None else _of_trouble(device, title, device.trouble, again)


def _again(profile: DeviceProfile) -> Worded:
    """Return how a person makes a device of this kind be told again, as its profile has it; else it has an app."""
    return _w(profile.begun_by, f"unreached_fix.{profile.name}") if profile.begun_by else FIX_APP


def _without_address(device: Device, title: str, again: Worded) -> Unreached:
    trouble = device.trouble
    if trouble is not None and trouble.kind == "gone":
        return _unreached(device, title, GONE, again, since=trouble.since)
    return _unreached(device, title, NO_ADDRESS, again, absent=True)


def _has_left(device: Device, now: datetime) -> bool:
    since = device.left_at or device.paired_at
    return since is None or now - since >= LASTS


def _of_trouble(device: Device, title: str, trouble: DeviceTrouble, again: Worded) -> Unreached:
    match trouble.kind:
        case "said":
            return _said(device, title, trouble)
        case "gone":
            return _unreached(device, title, GONE, again, since=trouble.since)
        case "silent":
            return _unreached(device, title, SILENT, FIX_SILENT, since=trouble.since)
        case "unseen":
            return _unreached(device, title, UNSEEN, FIX_UNSEEN, since=trouble.since)


def _said(device: Device, title: str, trouble: DeviceTrouble) -> Unreached:
    """Return what came over the broker as the words of the device: they may be anybody's, so they are no advice."""
    words = in_quotes(one_line(reveal(trouble.why), SAID_CHARS_MAX).rstrip("."))
    why = Worded(text=f"it reports {words}", wording=Phrasing(code="unreached.says", values={"words": words}))
    return _unreached(device, title, why, FIX_SAID, since=trouble.since)


def _of_process(device: Device, title: str, trouble: SurfaceTrouble) -> Unreached:
    """Return what the process of a surface, which the hub started, says over its own pipe; no phrasebook has it."""
    return Unreached(
        surface=device.surface,
        device=device.device,
        title=title,
        why=one_line(reveal(trouble.why), SAID_CHARS_MAX).rstrip("."),
        fix=one_line(reveal(trouble.fix), SAID_CHARS_MAX) or FIX_SAID.text,
        fix_worded=None if trouble.fix else FIX_SAID.wording,
        since=trouble.since,
    )


def _unreached(
    device: Device, title: str, why: Worded, fix: Worded, *, since: datetime | None = None, absent: bool = False
) -> Unreached:
    return Unreached(
        surface=device.surface,
        device=device.device,
        title=title or device.title or device.device,
        why=why.text,
        worded=why.wording,
        fix=fix.text,
        fix_worded=fix.wording,
        since=since,
        absent=absent,
    )
