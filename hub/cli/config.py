"""`pulse config`: check and show the settings, and take back what was changed on the page."""

import json
import tomllib
import urllib.parse
from typing import Any

import click
import msgspec

from hub.app.surfaces import settings_at
from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, group
from hub.contract.control import ConfigAnswer
from hub.io.home.folder import Home
from hub.kit.called import as_called
from hub.kit.hub_api import NotRunningError


@group()
def config() -> None:
    """Check and show the settings file, and reset what was changed on the page. docs/settings.md lists all settings."""


@config.command("check")
@click.pass_obj
def check(context: CommandContext) -> None:
    """Check the settings file and list every mistake in it."""
    path = Home(context.home).config
    settings_at(path)
    if context.printed({"ok": True, "path": str(path), "exists": path.exists()}):
        return
    context.say(f"✓ {path} is valid." if path.exists() else f"✓ There is no {path}; the defaults apply.", "green")


@config.command("show")
@click.pass_obj
def show(context: CommandContext) -> None:
    """Print every setting and where it comes from: the defaults, the file, or the page.

    Changes made on the page (or through the API) are shown while Pulse runs. With --json: all settings of the file.
    """
    place = Home(context.home).config
    settings = settings_at(place)
    if context.printed(settings):
        return
    running = _running(context)
    changed = {one.setting: one for one in running.overrides} if running else {}
    written = _names(tomllib.loads(place.read_text(encoding="utf-8"))) if place.exists() else frozenset()
    context.say(f"# {place}" if place.exists() else f"# There is no {place}; the defaults apply.", bold=True)
    for name, value in _settings("", msgspec.to_builtins(settings)):
        override = changed.pop(name, None)
        if override is not None:
            took = f"on the page: {override.value}; `pulse config reset {override.name}`"
            context.say(f"{name} = {value}  # {as_called(took)}", "yellow")
        else:
            context.say(f"{name} = {value}{'  # from the file' if name in written else ''}")
    for override in changed.values():
        context.hint(
            f"{override.name} = {override.value}  # on the page; `pulse config reset {override.name}`",
            "yellow",
        )
    if running is not None:
        context.say(f"# {draw.undisturbed(running.dnd_until)}" if running.dnd_until else "# Do not disturb is off.")


@config.command("reset")
@click.argument("name", required=False, default="")
@click.pass_obj
def reset(context: CommandContext, name: str) -> None:
    """Reset what was changed on the page to the settings file.

    NAME is one that `pulse config show` marks; without NAME, all are reset.

    Example: pulse config reset costCapPerDay
    """
    one = f"/{urllib.parse.quote(name, safe='')}" if name else ""
    document = open_api(context.home).call("DELETE", f"/crosspoll/overrides{one}")
    if context.printed(document):
        return
    left = read(document, ConfigAnswer).overrides
    context.say("✓ Reset to the settings file.", "green")
    if left:
        context.say(f"Still changed on the page: {', '.join(one.name for one in left)}.")


@config.command("path")
@click.pass_obj
def path(context: CommandContext) -> None:
    """Print the path of the settings file (it need not exist)."""
    place = str(Home(context.home).config)
    if not context.printed({"path": place}):
        context.say(place)


def _settings(prefix: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for name, inner in value.items() for pair in _settings(f"{prefix}.{name}".lstrip("."), inner)]
    return [] if value is None else [(prefix, json.dumps(value, ensure_ascii=False))]


def _names(table: dict[str, Any]) -> frozenset[str]:
    """Name what a file says."""
    return frozenset(name for name, _ in _settings("", msgspec.to_builtins(table)))


def _running(context: CommandContext) -> ConfigAnswer | None:
    try:
        return open_api(context.home).get("/crosspoll/config", ConfigAnswer)
    except NotRunningError:
        return None
