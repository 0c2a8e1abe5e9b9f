"""`pulse telegram setup`, `pulse matrix setup`, `pulse slack setup`: from tokens to a chat where only you answer."""

from collections.abc import Mapping
from types import MappingProxyType

import click

from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import (
    SPECS,
    Found,
    Values,
    ask_surface,
    begin_surface,
    forget_surface,
    kept_table,
    parted,
    set_up_surface,
)


@group()
def telegram() -> None:
    """Set up Telegram: suggestions in a private chat with a bot of yours."""


@telegram.command("setup")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def telegram_setup(context: CommandContext, *, remove: bool) -> None:
    """From a bot's token to a chat in which only you can answer.

    It asks for the token (or takes PULSE_TELEGRAM_TOKEN), shows a code, and waits until you send that to the bot from
    your own account, whose number it keeps, and the token in a file that only you can read. See
    docs/howto/telegram.md.
    """
    if remove:
        forget_surface(context, SPECS["telegram"])
        return
    set_up_chat(context, "telegram")


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

    It asks for the server, for you and for the token (or takes PULSE_MATRIX_TOKEN), makes a room, invites you, and
    waits until you have joined. The token is kept in a file that only you can read. See docs/howto/matrix.md.
    """
    if remove:
        forget_surface(context, SPECS["matrix"])
        return
    known = kept_table(context, SPECS["matrix"])
    set_up_chat(
        context, "matrix", {"server": (server or known["server"]).rstrip("/"), "person": person or known["person"]}
    )


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
    set_up_chat(context, "slack")


def set_up_chat(context: CommandContext, table: str, given: Mapping[str, str] = MappingProxyType({})) -> None:
    """Ask for the secrets, find out who is at the other end, keep both, and begin at once where Pulse runs.

    Raises:
        SetupError: a token does not work, as often as it was tried.
        NotBegunError: all is kept, but it does not come up, or the test was not shown.
    """
    spec = SPECS[table]

    def find(values: Values) -> Found:
        named, secrets = parted(spec, values)
        return ask_surface(spec, "discover", table={**kept_table(context, spec), **named}, secrets=secrets)

    set_up_surface(context, spec, given, find)
    begin_surface(context, spec)
