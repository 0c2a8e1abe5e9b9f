"""`pulse ntfy setup`: two topics that nobody can guess, and what to type on the phone."""

import secrets
import sys
from urllib.parse import urlsplit

import click
import msgspec
from msgspec.structs import replace

from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import SPECS, Found, Values, ask_surface, begin_surface, forget_surface, set_up_surface
from hub.io.home.folder import Home
from hub.io.home.set_up import kept_at, kept_secret
from hub.kit.setup_faults import SetupMalformedError

SPEC = SPECS["ntfy"]
TOPIC, REPLY_TOPIC, TOKEN = SPEC.secrets
TOPIC_BYTES = 20
FIND_S_MAX = 40.0


@group()
def ntfy() -> None:
    """Set up ntfy: notifications with buttons on Android, by ntfy.sh or a server of yours."""


@ntfy.command("setup")
@click.option("--server", default="", help="The server's address; https://ntfy.sh unless it is asked for.")
@click.option("--new-topics", is_flag=True, help="Make new topics, where somebody may know the old ones.")
@click.option("--token", "wants_token", is_flag=True, help="Ask for an access token of that server.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def ntfy_setup(context: CommandContext, server: str, *, new_topics: bool, wants_token: bool, remove: bool) -> None:
    """Make two topics, keep them where only you can read them, and say what to do on the phone.

    The topic's name is shown this once more each time, for you to type it into the app. See docs/howto/ntfy.md.
    """
    home = Home(context.home)
    if remove:
        forget_surface(context, SPEC, "Remove the topic in the app, too.")
        return
    topics = {
        name: (not new_topics and kept_secret(home, name)) or f"pulse_{secrets.token_hex(TOPIC_BYTES)}"
        for name in (TOPIC, REPLY_TOPIC)
    }

    def find(values: Values) -> Found:
        table = {"server": values["server"].rstrip("/")}
        if wrong := SPEC.lines(msgspec.convert(table, SPEC.config)):
            raise SetupMalformedError("\n".join(wrong), fix=f"See {SPEC.howto}.", field="server")
        values |= topics
        return ask_surface(SPEC, "discover", table=table, secrets=values, wait_s_max=FIND_S_MAX)

    address, token = SPEC.asks
    given = {"server": server or kept_at(home.set_up).get(SPEC.table, {}).get("server", "")}
    if not wants_token:  # one that is kept is tried, and asked for again where the server refuses it
        token = replace(token, optional=True)
        given[TOKEN] = kept_secret(home, TOKEN)
    values = set_up_surface(context, SPEC, given, find, fields=(address, token))
    _say_what_to_do(context, values)
    begin_surface(context, SPEC)


def _say_what_to_do(context: CommandContext, values: Values) -> None:
    context.say(f"In the app: subscribe to {values[TOPIC]} on {urlsplit(values['server']).netloc}. Tell nobody.")
    context.say("On a server of yours keep strangers out, then cards show their text and can be approved:")
    context.say(f"  ntfy access everyone {values[TOPIC]} deny")
    context.say(f"  ntfy access everyone {values[REPLY_TOPIC]} write-only")
    if sys.stdin.isatty() and not context.as_json:
        click.pause("Press any key when the app has subscribed; then a test is sent.")
