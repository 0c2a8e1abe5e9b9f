"""`pulse open`: a link that lets one more browser in."""

import os
import sys

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.cli.letting_in import require_own_eyes
from hub.cli.person_clock import here
from hub.contract.access import PairingAnswer, PairingRequest
from hub.contract.errors import UserError
from hub.io.home.redirect_file import write_redirect_file
from hub.kit.qr import painted


class OnlyHereError(UserError):
    """Pulse can only be reached from this machine, so a QR code would not help a phone."""

    code = "only-on-this-machine"


@command(name="open")
@click.option("--name", help="The browser's name.")
@click.option("--print", "only_print", is_flag=True, help="Only print the link; open no browser.")
@click.option("--qr", is_flag=True, help="Show the link as a QR code, for a phone.")
@click.pass_obj
def open_page(context: CommandContext, name: str | None, *, only_print: bool, qr: bool) -> None:
    """Open Pulse in a browser, with a link that signs it in.

    The link lets one browser in, once, within ten minutes. Example: pulse open --qr

    The browser is handed a private file that leads on to the link, for everybody on this machine can see what a program
    is started with. It is removed once the link was used, after ten minutes, and when Pulse starts. A browser that may
    not read it (snap, flatpak) says that there is no such file: open the link that is printed. Once agents are
    connected there is no such file, as they could read it, and no link in tmux or screen: open what is printed.
    """
    api = open_api(context.home)
    are_agents_here = require_own_eyes(context, api)
    document = api.call("POST", "/pairing", PairingRequest(title=name, here=not qr))
    if context.printed(document):
        return
    invitation = read(document, PairingAnswer)
    if qr:
        if not invitation.qr:
            raise OnlyHereError(fix="`pulse phone` sets up an address that a phone can reach.")
        click.echo(painted(invitation.qr), color=context.colours)
    click.echo(invitation.url)
    until = here(invitation.expires_at)
    context.say(f"For one browser, until {until:%H:%M}. Code, if asked: {invitation.code}")
    if are_agents_here:  # a file would be read by them, too
        return
    if not (only_print or qr) and sys.stdout.isatty() and _has_a_screen():
        click.launch(str(write_redirect_file(context.home, invitation.url)))


@command(name="confirm")
@click.pass_obj
def confirm(context: CommandContext) -> None:
    """Show a code to confirm a change on the page.

    The page asks for it before it changes what Pulse may do. The code signs nobody in, and works once, for ten minutes.
    If you have a passkey, the page asks for that instead. Example: pulse confirm
    """
    document = open_api(context.home).call("POST", "/pairing", PairingRequest(purpose="confirm"))
    if context.printed(document):
        return
    invitation = read(document, PairingAnswer)
    click.echo(invitation.code)
    context.say(f"Type it into the page that asks for it, by {here(invitation.expires_at):%H:%M}.")


def _has_a_screen() -> bool:
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
