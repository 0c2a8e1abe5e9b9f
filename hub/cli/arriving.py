"""Where suggestions reach the person: each device that is set up, what does not arrive there, and why."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hub.app.surfaces import SURFACES, settings_at
from hub.cli.api import HubClient, open_api
from hub.cli.checkup import CheckResult
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
from hub.where.gaps import gaps

NOBODY = "No device is set up: suggestions wait in `pulse cards`."
BEGIN = "`pulse open` for a browser, `pulse watch` for a terminal, `pulse phone` for a phone; `pulse setup` names all."


BEGIN_AGAIN = {
    "terminal": "`pulse watch` opens it.",
    "glasses": "`pulse edge run` starts them.",
    "browser": "On that device: Controls, switch Notifications on.",
}
"""How a kind of device is made to be told again; others have an app."""
APP = "Open its app once."


def arriving(home: Path, *, one_by_one: bool = False) -> list[CheckResult]:
    """Say of each device what it gets; nothing where Pulse does not run or its settings cannot be read.

    Devices of one kind that are in the same state are told of together, unless `one_by_one`.
    """
    try:
        api = open_api(home)
        devices = api.get("/devices", DeviceList).devices
        outside = api.get("/outside", OutsideView)
        quiet = _is_quiet(api, settings := settings_at(Home(home).config))
    except PulseError:  # said by the checks of the hub and of the settings
        return []
    found = [*_devices(devices, quiet=quiet, one_by_one=one_by_one), *_not_there(devices, settings)]
    if outside.trouble:
        fix = "`pulse phone` finds the address again."
        found.append(CheckResult(name="phones", state="warning", detail=outside.trouble, fix=fix))
    return found or [CheckResult(name="arrives", state="warning", detail=NOBODY, fix=BEGIN)]


def about(device: DeviceView, profile: DeviceProfile | None, *, quiet: bool, more: Sequence[str] = ()) -> CheckResult:
    """Say what arrives on one device, and on `more` of the same kind and state, by their titles."""
    name = f"{device.surface}/{device.device}" if not more else f"{1 + len(more)} of {device.surface}"
    if profile is None:
        fix = "Pair it again, with a profile of device_profiles/."
        return CheckResult(name=name, state="broken", detail=f"there is no profile {device.profile!r}", fix=fix)
    found = gaps(profile, online=device.online, reachable=device.reachable, quiet=quiet)
    titles = [title for title in (device.title, *more) if title]
    called = f"{', '.join(titles)}: " if titles else ""
    if not found:
        return CheckResult(name=name, state="ok", detail=f"{called}suggestions and results arrive")
    said = "; ".join(gap.what for gap in found)
    begin = BEGIN_AGAIN.get(device.surface, APP)
    fix = begin if found[0].is_all else next((gap.fix for gap in found if gap.fix), "")
    return CheckResult(
        name=name,
        state="note" if not found[0].is_all or profile.only_while_present else "warning",
        detail=f"{called}{said}" if found[0].is_all else f"{called}suggestions and results arrive; {said}",
        fix=fix,
    )


def _devices(devices: tuple[DeviceView, ...], *, quiet: bool, one_by_one: bool) -> Iterator[CheckResult]:
    profiles = read_profiles()
    alike: dict[tuple[object, ...], list[DeviceView]] = {}
    for device in devices:
        key = (device.surface, device.profile, device.online, device.reachable)
        alike.setdefault((*key, device.device) if one_by_one else key, []).append(device)
    for first, *more in alike.values():
        titles = [one.title or one.device for one in more]
        yield about(first, profiles.get(first.profile), quiet=quiet, more=titles)


def _not_there(devices: tuple[DeviceView, ...], settings: Settings) -> Iterator[CheckResult]:
    """Name what the settings want and no device stands for yet."""
    there = {device.surface for device in devices}
    for spec in filter(lambda one: not one.is_gateway or one.service[1], SURFACES):
        if _is_wanted(spec, settings) and not there & set(spec.serves):
            detail = "is in the settings, but nothing of it is paired yet: nothing arrives there"
            yield CheckResult(name=spec.table, state="warning", detail=detail, fix=f"{spec.howto} says how.")


def _is_wanted(spec: SurfaceSpec[Any], settings: Settings) -> bool:
    config = spec.of(settings)
    return spec.is_used(config) and config != spec.config()


def _is_quiet(api: HubClient, settings: Settings) -> bool:
    running = api.get("/crosspoll/config", ConfigAnswer)
    return is_quiet(policy_of(settings, local_zone(settings.person.zone)), running.dnd_until, datetime.now(UTC))
