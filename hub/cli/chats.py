"""`pulse telegram setup`, `pulse matrix setup`, `pulse slack setup`: from tokens to a chat where only you answer."""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import click
import msgspec

from hub.app.surfaces import SURFACES, settings_at
from hub.cli.beginning import begin, try_out
from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import ask_surface, forget_surface
from hub.io.home.folder import Home
from hub.io.home.set_up import keep_secret, set_up

ASKED_OF_TELEGRAM = ("The bot's token",)
SPECS = {spec.table: spec for spec in SURFACES}


@group()
def telegram() -> None:
    """Set up Telegram: suggestions in a private chat with a bot of yours."""


@telegram.command("setup")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def telegram_setup(context: CommandContext, *, remove: bool) -> None:
    """From a bot's token to a chat in which only you can answer.

    It asks for the token (or takes PULSE_TELEGRAM_TOKEN), shows a code, and waits until you send that to the bot from
    your own account, whose number it keeps, and the token in a file that only you can read. docs/howto/telegram.md
    tells more.
    """
    if remove:
        forget_surface(context, SPECS["telegram"])
        return
    set_up_chat(context, "telegram", ASKED_OF_TELEGRAM)


@group()
def matrix() -> None:
    """Set up Matrix: suggestions in a room with a bot of yours."""


@matrix.command("setup")
@click.option("--server", default="", help="The address of the bot's server, such as https://matrix.example.org")
@click.option("--person", default="", help="Who may answer, such as @you:example.org")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def matrix_setup(context: CommandContext, server: str, person: str, *, remove: bool) -> None:
    """From a bot's access token to a room in which only you can answer.

    It asks for the token (or takes PULSE_MATRIX_TOKEN), makes a room, invites you, and waits until you have joined. The
    token is kept in a file that only you can read. docs/howto/matrix.md tells more.
    """
    if remove:
        forget_surface(context, SPECS["matrix"])
        return
    given = {"server": server.rstrip("/"), "person": person}
    set_up_chat(context, "matrix", ("The bot's access token",), {name: text for name, text in given.items() if text})


@group()
def slack() -> None:
    """Set up Slack: suggestions in a direct message with an app of yours."""


@slack.command("setup")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def slack_setup(context: CommandContext, *, remove: bool) -> None:
    """From an app's two tokens to a direct message in which only you can answer.

    It asks for both tokens (or takes PULSE_SLACK_BOT_TOKEN and PULSE_SLACK_APP_TOKEN), shows a code, and waits until
    you send that to the app from your own account. The tokens are kept in files that only you can read.
    docs/howto/slack.md tells how to make the app.
    """
    if remove:
        forget_surface(context, SPECS["slack"])
        return
    set_up_chat(context, "slack", ("The bot token (xoxb-…)", "The app-level token (xapp-…)"))


def set_up_chat(
    context: CommandContext, table: str, asked: tuple[str, ...], given: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Ask for the secrets, find out who is at the other end, keep both, and begin at once where Pulse runs.

    Raises:
        NotBegunError: all is kept, but it does not come up, or the test was not shown.
    """
    home, spec = Home(context.home), SPECS[table]
    named = zip(spec.secrets, asked, strict=True)
    told = {name: os.environ.get(name, "") or click.prompt(text, hide_input=True) for name, text in named}
    kept = {**msgspec.to_builtins(spec.of(settings_at(home.config))), **given}
    told_all = {**told, f"PULSE_{table.upper()}_CONFIG": msgspec.json.encode(kept).decode()}
    found = msgspec.json.decode(ask_surface(table, "discover", told=told_all), type=dict[str, Any])
    set_up(home.set_up, table, found)
    for name in spec.secrets:
        keep_secret(home, name, told[name])
    context.say(f"✓ Kept in {home.set_up}, what is secret in files that only you can read.", "green")
    device = begin(context, table, spec.service[0])
    if device is not None:
        try_out(context, device)
