"""The commands that are processes of their own: surfaces, which are told by their environment where the hub is."""

import os
import sys

import click

from hub.app.surfaces import SURFACES, settings_at
from hub.cli import surface_setup
from hub.cli.api import open_api
from hub.cli.command import CommandContext, command, group
from hub.cli.surface_setup import (
    Found,
    Values,
    ask_surface,
    begin_surface,
    forget_surface,
    kept_table,
    set_up_surface,
)
from hub.io.home.clock import local_zone
from hub.io.home.folder import Home
from hub.io.home.set_up import kept_at
from hub.settings import Settings

DISCORD = surface_setup.SPECS["discord"]
BY_HAND = (
    "terminal",
    *(spec.table for spec in SURFACES if spec.by_hand),
)


@command()
@click.option("--name", default="local", show_default=True, help="This terminal's name as a device.")
@click.pass_obj
def watch(context: CommandContext, name: str) -> None:
    """Watch suggestions live, and answer with single keys.

    a approve, d dismiss, s snooze, e edit, u undo, x stop, r try again, i details, ? help, q quit. Into a
    pipe it prints one line for each thing that happens.
    """
    _become(context, "terminal", name)


@command()
@click.argument("surface", type=click.Choice(BY_HAND))
@click.option("--name", default="local", show_default=True, help="The device's name.")
@click.pass_obj
def surface(context: CommandContext, surface: str, name: str) -> None:
    """Run one surface as a separate process.

    Example: pulse surface terminal --name desk
    """
    _become(context, surface, name)


@group()
def discord() -> None:
    """Set up Discord: suggestions where your team talks, votes by reaction."""


@discord.command("setup")
@click.option("--guild", default="", help="Your server, by name or id, if the bot is in several.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def discord_setup(context: CommandContext, guild: str, *, remove: bool) -> None:
    """From a bot's token to a test card: every step is checked, and anything missing is named.

    It asks for the token (or takes PULSE_DISCORD_TOKEN), prints the link that lets the bot in, waits for that, finds
    your server and you, keeps both in the settings, makes the channels and posts a test card. The token is kept in a
    file that only you can read. See docs/howto/discord.md.
    """
    if remove:
        forget_surface(context, DISCORD, "Also remove the bot from your server.")
        return

    def find(secrets: Values) -> Found:
        table = kept_at(Home(context.home).set_up).get(DISCORD.table, {})
        whole = kept_table(context, DISCORD)
        if not whole["guild_id"]:
            table = whole = ask_surface(DISCORD, "discover", "--guild", guild, table={}, secrets=secrets)
        ask_surface(DISCORD, "setup", table=whole, secrets=secrets)
        return table

    set_up_surface(context, DISCORD, {}, find)
    begin_surface(context, DISCORD)


def _become(context: CommandContext, surface: str, name: str) -> None:
    """Replace this process by the surface's."""
    if sys.stdout.isatty():  # a busy hub may take seconds to let it in, and it paints only then
        context.say("Connecting to Pulse …")
    api = open_api(context.home)
    settings = settings_at(Home(context.home).config)
    door = {"PULSE_API": f"unix:{api.record.socket}"}
    replace_by(surface, ("--name", name), {**told_to(context, settings), **door})


def told_to(context: CommandContext, settings: Settings) -> dict[str, str]:
    """Return what a surface's process finds in its environment where a person starts it."""
    told = {"PULSE_ZONE": local_zone(settings.person.zone)}
    for spec in SURFACES:
        if spec.by_hand and spec.is_used(spec.of(settings)):
            told |= spec.told(settings, str(context.home / spec.table))
    if settings.mqtt.ca_file:
        told["SSL_CERT_FILE"] = settings.mqtt.ca_file
    if not context.colour:
        told["NO_COLOR"] = "1"
    return told


def replace_by(surface: str, arguments: tuple[str, ...], told: dict[str, str]) -> None:
    """Replace this process by a surface's program."""
    os.execve(sys.executable, [*surface_setup.program_of(surface), *arguments], {**os.environ, **told})  # noqa: S606  our own interpreter, no shell
