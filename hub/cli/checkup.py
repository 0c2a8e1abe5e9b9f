"""What `pulse doctor` looks at: this machine, the home, the settings, the broker, the agents, and the running hub."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from hub import __version__
from hub.app.surfaces import settings_at
from hub.cli.api import HubClient, health_of, open_api, read
from hub.cli.twin import try_out
from hub.contract.access import TerminalList
from hub.contract.base import Value
from hub.contract.errors import PulseError
from hub.contract.twins import TwinTestAnswer
from hub.io.agents.acp.known import KNOWN
from hub.io.broker import choose
from hub.io.home.folder import Home
from hub.io.http.errors import FromARunError
from hub.kit.hub_api import NotRunningError
from hub.kit.text import counted
from hub.settings import Settings
from hub.settings.read import STARTED

DISK_BYTES_LOW = 200 * 1024 * 1024
DISK_BYTES_MIN = 20 * 1024 * 1024
MIB = 1024 * 1024
MODEL = "model "
"""How the parts of health begin that are models."""
State = Literal["ok", "note", "warning", "broken"]
PART_STATES: dict[str, State] = {"ok": "ok", "degraded": "warning", "down": "broken", "unknown": "note"}


class CheckResult(Value):
    """One thing that was looked at, and what to do about it."""

    name: str
    state: State
    detail: str
    fix: str = ""


def examine(home: Path) -> list[CheckResult]:
    """Look at everything; nothing is changed."""
    settings, about_settings = _settings(home)
    return [
        CheckResult(name="python", state="ok", detail=f"{platform.python_version()} at {sys.executable}"),
        CheckResult(name="pulse", state="ok", detail=f"version {__version__}"),
        _writable(home),
        _disk(home),
        about_settings,
        *(_broker(settings) if settings else ()),
        *(_agents(settings) if settings else ()),
        *_hub(home),
    ]


def _writable(home: Path) -> CheckResult:
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        note = "" if nearest == home else " (created at the first start)"
        return CheckResult(name="home", state="ok", detail=f"{home}{note}")
    fix = "Set $PULSE_HOME to a folder you can write to, or fix that folder's permissions."
    return CheckResult(name="home", state="broken", detail=f"{nearest} is not writable.", fix=fix)


def _disk(home: Path) -> CheckResult:
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(nearest).free
    state: State = "broken" if free < DISK_BYTES_MIN else "warning" if free < DISK_BYTES_LOW else "ok"
    fix = "" if state == "ok" else "Free some disk space; without it nothing can be recorded."
    return CheckResult(name="disk", state=state, detail=f"{free // MIB} MiB free", fix=fix)


def _settings(home: Path) -> tuple[Settings | None, CheckResult]:
    path = Home(home).config
    try:
        settings = settings_at(path)
    except PulseError as error:
        return None, CheckResult(name="settings", state="broken", detail=error.detail, fix=error.fix)
    detail = str(path) if path.exists() else f"no {path}: using the defaults"
    return settings, CheckResult(name="settings", state="ok", detail=detail)


def _broker(settings: Settings) -> Iterator[CheckResult]:
    try:
        choice = choose.choose(choose.external_address(settings.mqtt.url), choose.look_around())
    except PulseError as error:
        yield CheckResult(name="broker program", state="broken", detail=error.detail, fix=error.fix)
        return
    match choice:
        case choose.External(address=address):
            yield CheckResult(name="broker program", state="ok", detail=f"yours, at {address.shown}")
        case choose.Nats(program=program) | choose.Mosquitto(program=program):
            yield CheckResult(name="broker program", state="ok", detail=str(program))
        case choose.NoBroker(why=why):
            yield CheckResult(name="broker program", state="broken", detail="there is none", fix=why)


def _agents(settings: Settings) -> Iterator[CheckResult]:
    for name, agent in settings.agents.items():
        if agent.kind in STARTED and shutil.which(agent.argv[0]) is None:
            fix = f"Install it, or correct `agents.{name}.argv` in the settings file."
            yield CheckResult(name=f"agent {name}", state="broken", detail=f"{agent.argv[0]} is not on PATH", fix=fix)
        else:
            yield CheckResult(name=f"agent {name}", state="ok", detail=agent.kind)
    configured = {Path(agent.argv[0]).name for agent in settings.agents.values() if agent.kind in STARTED}
    programs = [one.argv[0] for one in KNOWN]
    unused = [program for program in programs if program not in configured and shutil.which(program)]
    if unused:
        fix = "`pulse agent setup` puts one of them to work."
        yield CheckResult(name="agents", state="note", detail=f"found but not used: {', '.join(unused)}", fix=fix)


def _hub(home: Path) -> Iterator[CheckResult]:
    try:
        api = open_api(home)
        health = health_of(api.call("GET", "/health"))
    except (NotRunningError, FromARunError) as error:
        yield CheckResult(name="hub", state="note", detail=error.detail, fix=error.fix)
        return
    except PulseError as error:
        yield CheckResult(name="hub", state="broken", detail=error.detail, fix=error.fix)
        return
    yield CheckResult(name="hub", state="ok", detail=f"{api.address}, version {health.version}")
    for part in health.parts:
        if not part.name.startswith(MODEL):
            state = "note" if part.status == "ok" and part.fix else PART_STATES[part.status]
            yield CheckResult(name=part.name, state=state, detail=part.detail or part.status, fix=part.fix)
    yield from _terminals(api)
    if any(part.name.startswith(MODEL) for part in health.parts):
        yield from _models(api)


def _terminals(api: HubClient) -> Iterator[CheckResult]:
    """Report whether this terminal counts as the person's, once one has to be let in."""
    try:
        known = api.get("/terminals", TerminalList)
    except PulseError as error:
        yield CheckResult(name="terminals", state="note", detail=f"not checked: {error.detail}", fix=error.fix)
        return
    if known.needed:
        yield standing_of(known)


def standing_of(known: TerminalList) -> CheckResult:
    """Return whether this terminal counts as the person's, and how many others do, as a check."""
    here = next((one.title for one in known.terminals if one.this), "")
    others = known.count - bool(here)
    if here:
        rest = f", and so {'does' if others == 1 else 'do'} {counted(others, 'other')} (`pulse devices`)"
        detail = f"this one ({here}) counts as yours{rest if others else ''}"
        return CheckResult(name="terminals", state="note", detail=detail)
    rest = f"; {counted(others, 'other is', 'others are')} let in (`pulse devices`)"
    detail = f"this one is not let in, so it can only look, ask and stop{rest if others else ''}"
    return CheckResult(name="terminals", state="note", detail=detail, fix="Let it in, once: `pulse devices let-in`")


def _models(api: HubClient) -> Iterator[CheckResult]:
    """Try each model by a small real call."""
    try:
        found = read(try_out(api), TwinTestAnswer).tests
    except PulseError as error:
        yield CheckResult(name="models", state="note", detail=f"not tested: {error.detail}", fix=error.fix)
        return
    for one in found:
        fix = "" if one.ok else "Correct `[twin]` or `[twins]` in the settings file: `docs/twin.md` says how."
        detail = f"{one.model}: {one.detail}"
        yield CheckResult(name=f"{MODEL}{one.name}", state="ok" if one.ok else "warning", detail=detail, fix=fix)
