"""`pulse apprise setup`: the addresses of the services that are told, kept where only their owner can read them."""

import os
from typing import Any

import click

from hub.app.surfaces import SURFACES
from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import ask_surface, begin_surface, forget_surface
from hub.io.home.folder import Home
from hub.io.home.set_up import keep_secret, set_up
from hub.kit.surface import SurfaceSpec
from hub.kit.text import counted

SPEC: SurfaceSpec[Any] = next(spec for spec in SURFACES if spec.table == "apprise")
(URLS,) = SPEC.secrets
CHECK_S_MAX = 60.0


@group()
def apprise() -> None:
    """Set up Apprise: mail, SMS and chats are told what waits."""


@apprise.command("setup")
@click.option("--page", default="", help="The page's address as your phone knows it, to be named in messages.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def apprise_setup(context: CommandContext, page: str, *, remove: bool) -> None:
    """Ask for the services' addresses (or take PULSE_APPRISE_URLS_KEY, one a line), and keep them.

    They hold passwords, so they are typed unseen. docs/howto/apprise.md tells more.
    """
    home = Home(context.home)
    if remove:
        forget_surface(context, SPEC)
        return
    text = os.environ.get(URLS, "") or _typed()
    count = int(ask_surface(SPEC.table, "check", told={URLS: text}, wait_s_max=CHECK_S_MAX))
    keep_secret(home, URLS, text)
    set_up(home.set_up, SPEC.table, {"enabled": True, **({"page": page} if page else {})})
    context.say(f"✓ {counted(count, 'service')}, kept in a file that only you can read.", "green")
    begin_surface(context, SPEC, "services")


def _typed() -> str:
    found = [click.prompt("A service's address, such as mailto://…", hide_input=True)]
    while more := click.prompt("One more (empty: no more)", default="", hide_input=True, show_default=False):
        found.append(more)
    return "\n".join(found)
