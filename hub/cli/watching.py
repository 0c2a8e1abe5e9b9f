"""`pulse watch` and `pulse surface NAME`: a surface is its own process, told by its environment where the hub is."""

import os
import sys

import click

from hub.cli.api import open_api
from hub.cli.command import Here, command
from hub.io.clock import local_zone
from hub.io.home import Home
from hub.settings import read_settings

SURFACES = ("terminal",)


@command()
@click.option("--name", default="local", show_default=True, help="What this terminal is called as a device.")
@click.pass_obj
def watch(here: Here, name: str) -> None:
    """See suggestions live and answer with single keys.

    a approve, d dismiss, s snooze, e edit, u undo, x stop, i details, ? help, q quit. Into a pipe it prints one line
    for each thing that happens.
    """
    _become(here, "terminal", name)


@command()
@click.argument("surface", type=click.Choice(SURFACES))
@click.option("--name", default="local", show_default=True, help="What the device is called.")
@click.pass_obj
def surface(here: Here, surface: str, name: str) -> None:
    """Run one surface as a process of its own.

    Example: pulse surface terminal --name desk
    """
    _become(here, surface, name)


def _become(here: Here, surface: str, name: str) -> None:
    """Replace this process by the surface's."""
    api = open_api(here.home)
    settings = read_settings(Home(here.home).config)
    told = {"PULSE_API": api.address, "PULSE_TOKEN": api.token, "PULSE_ZONE": local_zone(settings.person.zone)}
    if settings.mqtt.ca_file:
        told["SSL_CERT_FILE"] = settings.mqtt.ca_file
    if not here.colour:
        told["NO_COLOR"] = "1"
    isolated = ["-I"] if sys.flags.isolated else []
    program = [sys.executable, *isolated, "-m", f"surfaces.{surface}", "--name", name]
    os.execve(sys.executable, program, {**os.environ, **told})  # noqa: S606  our own interpreter, no shell
