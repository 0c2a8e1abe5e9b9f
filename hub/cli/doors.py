"""What `pulse doctor --security` looks at: every door of this Pulse, what it asks for, and who has a key to it."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from hub.app.surfaces import SURFACES, settings_at
from hub.cli.api import HubClient, open_api
from hub.cli.checkup import State
from hub.contract.access import DeviceList, DeviceView, OutsideView, PasskeyList, TerminalList, TokenList, TokenView
from hub.contract.api import CrossPollStatus
from hub.contract.base import Value
from hub.contract.errors import PulseError
from hub.domain.policy import Agent as AgentPolicy
from hub.io.agents.containment import described
from hub.io.home.armed import ArmedFile
from hub.io.home.folder import Home, RunRecord
from hub.io.home.profiles import read_profiles
from hub.io.server.listening import unheld
from hub.kit.hub_api import NotRunningError
from hub.kit.naming import UNLESS_PERMITTED
from hub.kit.private_address import is_loopback
from hub.settings import Settings, policy_of

OTHERS = stat.S_IRWXG | stat.S_IRWXO
FILES_MAX = 20_000
"""So many files of the home are looked at; a store, a broker and their logs are a few dozen."""
NAMED_MAX = 5


class Door(Value):
    """One way in or out. `asks` is what has to be shown there; empty for what is no door but belongs to the picture."""

    name: str
    state: State
    where: str
    asks: str = ""
    fix: str = ""


def doors(home: Path) -> list[Door]:
    """Look at everything that could let somebody in; nothing is changed."""
    try:
        settings = settings_at(Home(home).config)
    except PulseError as error:
        return [Door(name="settings", state="broken", where=error.detail, fix=error.fix)]
    record = Home(home).record()
    return [
        *_hub(home, settings, record),
        _broker(settings, record),
        *_approving(settings),
        *_ways_out(settings),
        *(_agent(agent) for agent in policy_of(settings, "UTC").agents),
        *_files(home),
        _stop(home),
    ]


def _hub(home: Path, settings: Settings, record: RunRecord | None) -> Iterator[Door]:
    try:
        api = open_api(home)
        tokens = api.get("/tokens", TokenList).tokens
        devices = api.get("/devices", DeviceList).devices
        yield Door(
            name="commands",
            state="ok",
            where=record.socket if record else "",
            asks="your user account, in a program that no agent started; an agent's run may only ask",
        )
        yield from _terminals(api)
        yield _page(settings, api, devices, is_held=record is not None and record.is_port_held)
        yield from _phones(api)
        yield from _programs(settings, tokens)
        yield from _devices(devices)
        yield _alone(api)
    except NotRunningError as error:
        yield Door(name="hub", state="note", where="is not running, so nothing is open", fix=error.fix)
    except PulseError as error:
        yield Door(name="hub", state="broken", where=error.detail, fix=error.fix)


def _terminals(api: HubClient) -> Iterator[Door]:
    known = api.get("/terminals", TerminalList)
    if known.needed:
        where = ", ".join(f"{one.title} ({one.id})" for one in known.terminals) or "none is let in"
        asks = "a command typed at the prompt of one of these shells; anything else can only look, ask and stop"
        fix = "To shut one out: pulse devices shut-out ID." if known.count else ""
        yield Door(name="terminals", state="ok", where=where, asks=asks, fix=fix)


def _page(settings: Settings, api: HubClient, devices: tuple[DeviceView, ...], *, is_held: bool) -> Door:
    browsers = sum(device.surface == "browser" for device in devices)
    passkeys = api.get("/passkeys", PasskeyList).count
    again = "your passkey" if passkeys else "a code from `pulse confirm`"
    asks = f"a one-time code, then a key that only that browser has ({browsers} signed in); to loosen anything, {again}"
    where = ", ".join(filter(None, (api.address, settings.api.public_url)))
    port = urlsplit(api.address).port or 0
    if _is_local(settings.api.host) and (free := unheld(port)):
        where += f"; but a program that listens at {free[0]} on port {port} is http://localhost:{port} to your browser"
        return Door(name="page", state="warning", where=where, asks=asks, fix="Restart Pulse: it takes both addresses.")
    if _is_local(settings.api.host) and not is_held:
        where += "; while Pulse is not running, another program can take this address and be the page"
        fix = "As a service (`pulse install`, with systemd) Pulse keeps it from sign-in to sign-out."
        return Door(name="page", state="note", where=where, asks=asks, fix=fix)
    return Door(name="page", state="ok", where=where, asks=asks)


def _phones(api: HubClient) -> Iterator[Door]:
    outside = api.get("/outside", OutsideView)
    if outside.own_certificate:
        asks = "TLS with our certificate, then everything the page requires; without TLS only the certificate is served"
        fix = "Everyone on that network can reach it. `pulse phone --off` closes it."
        yield Door(name="phones", state="note", where=outside.public_url, asks=asks, fix=fix)


def _programs(settings: Settings, tokens: tuple[TokenView, ...]) -> Iterator[Door]:
    exposed = not _is_local(settings.api.host)
    yield Door(
        name="API",
        state="warning" if exposed else "ok",
        where=settings.api.host,
        asks="a separate token for each program; unknown callers get few requests and a deadline",
        fix="Other machines can reach it. Put TLS in front, or set api.host back to 127.0.0.1." if exposed else "",
    )
    for token in tokens:
        powerful = "admin" in token.scopes
        yield Door(
            name="token",
            state="warning" if powerful else "note",
            where=f"{token.name!r} may: {', '.join(token.scopes)}",
            fix=f"It may change settings and let others in. If it does not need to: DELETE /api/v1/tokens/{token.id}."
            if powerful
            else "",
        )


def _devices(devices: tuple[DeviceView, ...]) -> Iterator[Door]:
    pushed = {profile.surface for profile in read_profiles().values() if profile.needs_address}
    for surface in sorted({device.surface for device in devices}):
        count = sum(device.surface == surface for device in devices)
        asks = "a separate login, a card's signed token, and the card as it was shown"
        how = "pushed, answers over HTTP" if surface in pushed else "over MQTT"
        yield Door(name=surface, state="ok", where=f"{count} paired, {how}", asks=asks)


def _alone(api: HubClient) -> Door:
    status = api.get("/crosspoll/status", CrossPollStatus)
    asks = "work that Pulse worded itself, that you approved before unchanged, and a confidence above your threshold"
    if status.autonomous:
        return Door(name="acting alone", state="note", where="is on", asks=asks)
    covered = UNLESS_PERMITTED if status.grants else ""
    return Door(name="acting alone", state="ok", where=f"is off: Pulse asks about everything{covered}")


def _broker(settings: Settings, record: RunRecord | None) -> Door:
    asks = "a separate login and client id for each device, limited to its own topics"
    if not settings.mqtt.url:
        where = record.broker if record else "starts with Pulse, on 127.0.0.1"
        return Door(name="broker", state="ok", where=where, asks=asks)
    url = urlsplit(settings.mqtt.url)
    open_air = url.scheme != "mqtts" and not _is_local(url.hostname or "")
    shown = f"{url.scheme}://{url.hostname}:{url.port or ''}".rstrip(":")
    fix = "What devices send is not encrypted: use mqtts://." if open_air else ""
    return Door(name="broker", state="warning" if open_air else "ok", where=f"yours, {shown}", asks=asks, fix=fix)


def _approving(settings: Settings) -> Iterator[Door]:
    """Name where the person lets a yes count that a connected agent could give itself."""
    for spec in SURFACES:
        if spec.is_used(config := spec.of(settings)) and spec.approves(config):
            asks = "a login in a file that your coding agents can read; with it they can approve what they ask"
            fix = f"Take `approves` out of `[{spec.table}]`, unless no agent runs as you."
            yield Door(
                name=f"approves: {spec.service[0]}", state="warning", where="by your settings", asks=asks, fix=fix
            )


def _ways_out(settings: Settings) -> Iterator[Door]:
    out = {
        "twin": settings.twin.url if settings.twin.enabled else "",
        "calendar": settings.sensors.calendar if "://" in settings.sensors.calendar else "",
        "caldav": settings.sensors.caldav.url,
        **{spec.service[0]: spec.service[1] for spec in SURFACES if spec.is_used(spec.of(settings))},
        **{f"agent {name}": agent.url for name, agent in settings.agents.items()},
    }
    for name, where in out.items():
        if where:
            url = urlsplit(where)
            shown = url.hostname or where
            clear = url.scheme == "http" and not _is_local(url.hostname or "")
            yield Door(
                name=f"out: {name}",
                state="warning" if clear else "note",
                where=shown,
                fix="The connection is not encrypted: use https." if clear else "",
            )


def _agent(agent: AgentPolicy) -> Door:
    line = described(agent).text
    held = not line.startswith("not sandboxed")
    fix = (
        "" if held else "It runs with your full rights. Install bubblewrap, or run Pulse as another user (docs/howto)."
    )
    return Door(name=f"agent {agent.name}", state="ok" if held else "warning", where=line, fix=fix)


def _files(home: Path) -> Iterator[Door]:
    if not home.is_dir():
        return
    if not stat.S_IMODE(home.stat().st_mode) & OTHERS:
        yield Door(name="files", state="ok", where=str(home), asks="to be you")
        return
    found = (Path(folder) / name for folder, _, names in os.walk(home) for name in names)
    unlocked = [path for path in islice(found, FILES_MAX) if _is_open(path)]
    if not unlocked:
        yield Door(
            name="files",
            state="ok",
            where=f"other users can enter {home}, but can open no file in it",
            asks="to be you",
        )
        return
    some = ", ".join(str(path.relative_to(home)) for path in unlocked[:NAMED_MAX])
    more = f" and {len(unlocked) - NAMED_MAX} more" if len(unlocked) > NAMED_MAX else ""
    yield Door(name="files", state="broken", where=f"others can open {some}{more}", fix=f"chmod -R go= {home}")


def _is_open(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.lstat().st_mode) & OTHERS) and not path.is_symlink()
    except OSError:  # it went away meanwhile
        return False


def _stop(home: Path) -> Door:
    place = Home(home)
    if not os.path.lexists(place.format):
        return Door(name="stop", state="note", where="Pulse has not been started here yet")
    if ArmedFile(place).is_armed():
        return Door(name="stop", state="ok", where="`pulse kill` ends all runs, even without API, broker or disk")
    fix = "`pulse resume --emergency` lifts it."
    return Door(name="stop", state="note", where="Pulse is stopped: nothing starts", fix=fix)


def _is_local(host: str) -> bool:
    return not host or is_loopback(host)
