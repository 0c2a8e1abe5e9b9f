"""`pulse apprise setup`: the addresses of the services that are told, kept where only their owner can read them."""

import click

from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import SPECS, Found, Values, ask_surface, begin_surface, forget_surface, set_up_surface

SPEC = SPECS["apprise"]
(URLS,) = SPEC.secrets
FIND_S_MAX = 360.0
"""Ten services, each as long as it may take."""


@group()
def apprise() -> None:
    """Set up Apprise: mail, SMS and chats are told what waits."""


@apprise.command("setup")
@click.option("--page", default="", help="The page's address as your phone knows it, to be named in messages.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def apprise_setup(context: CommandContext, page: str, *, remove: bool) -> None:
    """Ask for the services' addresses (or take PULSE_APPRISE_URLS_KEY, one a line), tell each, and keep them.

    They hold passwords, so they are typed unseen. See docs/howto/apprise.md.
    """
    if remove:
        forget_surface(context, SPEC)
        return

    def find(values: Values) -> Found:
        table = {"enabled": True, **({"page": page} if page else {})}
        return ask_surface(SPEC, "discover", table=table, secrets=values, wait_s_max=FIND_S_MAX)

    values = set_up_surface(context, SPEC, {}, find)
    count = len(values[URLS].splitlines())
    context.say(f"✓ {'The service' if count == 1 else f'All {count} services'} took a message.", "green")
    begin_surface(context, SPEC)
