"""Where suggestions reach the person: each device that is set up, what does not arrive there, and why."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hub.app.surfaces import SURFACES, profiles_as_set, settings_at
from hub.cli.api import open_api
from hub.cli.checkup import CheckResult, State
from hub.cli.reached import reason
from hub.contract.access import DeviceList, DeviceView, OutsideView
from hub.contract.control import ConfigAnswer
from hub.contract.errors import PulseError
from hub.contract.profile import DeviceProfile
from hub.io.home.clock import local_zone
from hub.io.home.folder import Home
from hub.io.home.profiles import read_profiles
from hub.kit.surface import SurfaceSpec
from hub.settings import Settings, policy_of
from hub.when.quiet import is_quiet
from hub.where import beside_agents
from hub.where.gaps import gaps

BEGIN = (
    "`pulse open` for a browser, `pulse watch` for a terminal, `pulse phone` for a phone; `pulse setup` lists them all."
)
"""How a person who has no device yet gets one."""


def arriving(home: Path, *, one_by_one: bool = False) -> list[CheckResult]:
    """Say of each device what it gets; nothing where Pulse does not run or its settings cannot be read.

    The line that says which devices do not reach the person comes first. Devices of one kind in the same state are
    told of together, unless `one_by_one`.
    """
    try:
        api = open_api(home)
        devices = api.get("/devices", DeviceList).devices
        outside = api.get("/outside", OutsideView)
        settings, running = settings_at(Home(home).config), api.get("/crosspoll/config", ConfigAnswer)
    except PulseError:  # said by the checks of the hub and of the settings
        return []
    quiet, reach = _is_quiet(running, settings), running.status.reach
    profiles = profiles_as_set(settings, read_profiles())
    if Home(home).agents_connected.exists():
        profiles = beside_agents(profiles)
    found = [*_devices(devices, profiles, quiet=quiet, one_by_one=one_by_one), *_not_there(devices, settings)]
    if outside.trouble:
        fix = "`pulse phone` finds the address again."
        found.append(CheckResult(name="phones", state="warning", detail=outside.trouble, fix=fix))
    if reach is None or not reach.line or (found and not devices):
        return found
    return [CheckResult(name="reach", state="warning", detail=reach.line, fix="" if devices else BEGIN), *found]


def about(device: DeviceView, profile: DeviceProfile | None, *, quiet: bool, more: Sequence[str] = ()) -> CheckResult:
    """Say what arrives on one device, and on `more` of the same kind and state, by their titles."""
    name = f"{device.surface}/{device.device}" if not more else f"{1 + len(more)} of {device.surface}"
    titles = [title for title in (device.title, *more) if title]
    called = f"{', '.join(titles)}: " if titles else ""
    if (not_there := device.unreached) is not None:
        state: State = "note" if not_there.absent and profile is not None and profile.only_while_present else "warning"
        detail = f"{called}nothing arrives: {reason(not_there)}"
        return CheckResult(name=name, state=state, detail=detail, fix=not_there.fix)
    found = () if profile is None else gaps(profile, quiet=quiet)
    said = "; ".join((_arrives(device, profile), *(gap.what for gap in found)))
    is_tried = device.arrives_since is not None or _reads_feed(device, profile)
    test = "" if is_tried else f"`pulse devices test {device.surface} {device.device}` sends a test."
    fix = " ".join(filter(None, (test, next((gap.fix for gap in found if gap.fix), ""))))
    return CheckResult(name=name, state="note" if found or not is_tried else "ok", detail=f"{called}{said}", fix=fix)


def _arrives(device: DeviceView, profile: DeviceProfile | None) -> str:
    if device.arrives_since is None and not _reads_feed(device, profile):
        return "nothing has been sent there yet"
    return "suggestions and results arrive"


def _reads_feed(device: DeviceView, profile: DeviceProfile | None) -> bool:
    return device.online and profile is not None and profile.live_while_present


def _devices(
    devices: tuple[DeviceView, ...], profiles: Mapping[str, DeviceProfile], *, quiet: bool, one_by_one: bool
) -> Iterator[CheckResult]:
    alike: dict[tuple[object, ...], list[DeviceView]] = {}
    for device in devices:
        not_there = device.unreached
        why = None if not_there is None else (not_there.why, not_there.fix)
        key = (device.surface, device.profile, device.online, device.arrives_since is None, why)
        alike.setdefault((*key, device.device) if one_by_one else key, []).append(device)
    for first, *more in alike.values():
        titles = [one.title or one.device for one in more]
        yield about(first, profiles.get(first.profile), quiet=quiet, more=titles)


def _not_there(devices: tuple[DeviceView, ...], settings: Settings) -> Iterator[CheckResult]:
    """Name what the settings want and no device stands for yet."""
    there = {device.surface for device in devices}
    for spec in filter(lambda one: not one.is_gateway or one.service[1], SURFACES):
        if _is_wanted(spec, settings) and not there & set(spec.serves):
            detail = "is in the settings, but not paired yet, so nothing arrives there"
            yield CheckResult(name=spec.table, state="warning", detail=detail, fix=f"{spec.howto} says how.")


def _is_wanted(spec: SurfaceSpec[Any], settings: Settings) -> bool:
    config = spec.of(settings)
    return spec.is_used(config) and config != spec.config()


def _is_quiet(running: ConfigAnswer, settings: Settings) -> bool:
    return is_quiet(policy_of(settings, local_zone(settings.person.zone)), running.dnd_until, datetime.now(UTC))
