"""`pulse ntfy setup`: two topics that nobody can guess, and what to type on the phone."""

import secrets
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from hub.app.surfaces import SURFACES
from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import begin_surface, forget_surface
from hub.contract.errors import UserError
from hub.io.home.folder import Home
from hub.io.home.set_up import keep_secret, kept_secret, set_up
from hub.kit.surface import SurfaceSpec

SPEC: SurfaceSpec[Any] = next(spec for spec in SURFACES if spec.table == "ntfy")
TOPIC, REPLY_TOPIC, TOKEN = SPEC.secrets
TOPIC_BYTES = 20


class NtfySetupError(UserError):
    """ntfy cannot be set up so. The message says what does not fit."""

    code = "ntfy-setup"


@group()
def ntfy() -> None:
    """Set up ntfy: notifications with buttons on Android, by ntfy.sh or a server of yours."""


@ntfy.command("setup")
@click.option("--server", default="https://ntfy.sh", show_default=True, help="The server's address.")
@click.option("--new-topics", is_flag=True, help="Make new topics, where somebody may know the old ones.")
@click.option("--token", "wants_token", is_flag=True, help="Ask for an access token of that server.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def ntfy_setup(context: CommandContext, server: str, *, new_topics: bool, wants_token: bool, remove: bool) -> None:
    """Make two topics, keep them where only you can read them, and say what to do on the phone.

    The topic's name is shown this once more each time, for you to type it into the app. docs/howto/ntfy.md tells more.
    """
    home = Home(context.home)
    if remove:
        forget_surface(context, SPEC, "Remove the topic in the app, too.")
        return
    values = {"server": server.rstrip("/")}
    try:
        wrong = SPEC.lines(msgspec.convert(values, SPEC.config))
    except msgspec.ValidationError as error:
        raise NtfySetupError(
            f"{server!r} is no server's address.", fix="Write it as https://ntfy.example.org."
        ) from error
    if wrong:
        raise NtfySetupError("\n".join(wrong), fix=f"See {SPEC.howto}.")
    for name in (TOPIC, REPLY_TOPIC):
        if new_topics or not kept_secret(home, name):
            keep_secret(home, name, f"pulse_{secrets.token_hex(TOPIC_BYTES)}")
    if wants_token:
        keep_secret(home, TOKEN, click.prompt("An access token of that server", hide_input=True))
    set_up(home.set_up, SPEC.table, values)
    topic, reply_topic = kept_secret(home, TOPIC), kept_secret(home, REPLY_TOPIC)
    context.say(f"✓ Kept in {home.set_up}; the topics in files that only you can read.", "green")
    context.say(f"In the app: subscribe to {topic} on {urlsplit(server).netloc}. Tell nobody.")
    context.say("On a server of yours keep strangers out, then cards show their text and can be approved:")
    context.say(f"  ntfy access everyone {topic} deny")
    context.say(f"  ntfy access everyone {reply_topic} write-only")
    begin_surface(context, SPEC, "phone")
