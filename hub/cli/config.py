"""`pulse config`: check and show the settings."""

import json

import click
import msgspec

from hub.app.surfaces import settings_at
from hub.cli import draw
from hub.cli.api import open_api
from hub.cli.command import CommandContext, group
from hub.contract.control import ConfigAnswer
from hub.io.home.folder import Home
from hub.kit.hub_api import NotRunningError


@group()
def config() -> None:
    """Check and show the settings. docs/settings.md explains each."""


@config.command("check")
@click.pass_obj
def check(here: CommandContext) -> None:
    """Say whether the settings file is right; every mistake in it is named."""
    path = Home(here.home).config
    settings_at(path)
    if here.as_json:
        here.document(msgspec.json.encode({"ok": True, "path": str(path), "exists": path.exists()}))
        return
    here.say(f"✓ {path} is right." if path.exists() else f"✓ There is no {path}, so the defaults hold.", "green")


@config.command("show")
@click.pass_obj
def show(here: CommandContext) -> None:
    """Print every setting as the file and the defaults have it.

    While Pulse runs, what was changed since it started stands below. With --json: all settings.
    """
    settings = settings_at(Home(here.home).config)
    if here.as_json:
        here.document(msgspec.json.encode(settings))
        return
    for line in _lines("", msgspec.to_builtins(settings)):
        here.say(line)
    _show_running(here)


@config.command("path")
@click.pass_obj
def path(here: CommandContext) -> None:
    """Print where the settings file is (it need not exist)."""
    place = str(Home(here.home).config)
    if here.as_json:
        here.document(msgspec.json.encode({"path": place}))
    else:
        here.say(place)


def _lines(prefix: str, value: object) -> list[str]:
    if isinstance(value, dict):
        return [line for name, inner in value.items() for line in _lines(f"{prefix}.{name}".lstrip("."), inner)]
    return [] if value is None else [f"{prefix} = {json.dumps(value, ensure_ascii=False)}"]


def _show_running(here: CommandContext) -> None:
    try:
        running = open_api(here.home).get("/crosspoll/config", ConfigAnswer)
    except NotRunningError:
        return
    here.say("\n# as it runs now", bold=True)
    here.say(f"# {draw.undisturbed(running.dnd_until)}" if running.dnd_until else "# Do-not-disturb is off.")
    builtins = msgspec.to_builtins(running)
    for line in _lines("", {name: builtins[name] for name in builtins if name != "status"}):
        here.say(line)
