"""`pulse edge …` and `pulse bench voice`: glasses are a process of their own, with packages of their own."""

import os
import sys

import click

from hub.app.surfaces import settings_at
from hub.cli.api import open_api
from hub.cli.command import CommandContext, command, group
from hub.cli.surface_setup import python_of
from hub.io.home.clock import local_zone
from hub.io.home.folder import Home
from hub.kit.hub_api import NotRunningError

PASSED_ON = {"ignore_unknown_options": True, "allow_interspersed_args": False}
"""What stands behind the first word belongs to the glasses' own command."""


@command(context_settings=PASSED_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[run|sim|doctor|setup|bench] …")
@click.pass_obj
def edge(context: CommandContext, arguments: tuple[str, ...]) -> None:
    r"""Glasses: suggestions read aloud, answers understood on the device.

    Experimental: docs/howto/glasses.md. Nothing starts on its own.

    \b
    pulse edge run      read aloud and listen; pairs with the hub on this machine
    pulse edge doctor   check microphone, speaker, ear, mouth and the way to the hub
    pulse edge sim      hold a conversation about a made-up card, typed
    pulse edge setup    fetch a model for the ear
    pulse edge bench    measure the ears on a folder of recordings
    """
    if not arguments:
        click.echo(click.get_current_context().get_help())
        return
    word, *rest = arguments
    _become((word, *(("--json",) if context.as_json else ()), *rest), _door(context) if word == "run" else {})


@group()
def bench() -> None:
    """Measure parts of Pulse on your own recordings."""


@bench.command("voice", context_settings=PASSED_ON)
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED, metavar="DIR [OPTIONS]")
@click.pass_obj
def bench_voice(context: CommandContext, arguments: tuple[str, ...]) -> None:
    """Measure what the glasses' ears make of a folder of recordings with labels.json.

    Example: pulse bench voice DIR --json --engine pocketsphinx --noise clean
    """
    _become(("bench", *(("--json",) if context.as_json else ()), *arguments), {})


def _door(context: CommandContext) -> dict[str, str]:
    """Return how to pair with the hub on this machine; nothing where none runs, for then they are paired already."""
    if os.environ.get("PULSE_API"):
        return {}
    try:
        api = open_api(context.home)
    except NotRunningError:
        return {}
    zone = local_zone(settings_at(Home(context.home).config).person.zone)
    return {"PULSE_API": f"unix:{api.record.socket}", "PULSE_ZONE": zone}


def _become(arguments: tuple[str, ...], told: dict[str, str]) -> None:
    """Replace this process by the glasses'."""
    os.execve(sys.executable, [*python_of("edge"), *arguments], {**os.environ, **told})  # noqa: S606  our own interpreter, no shell
