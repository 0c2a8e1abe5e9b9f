"""`pulse muted`: what the person wants less of, or never, and taking it back."""

import urllib.parse

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.mutes import MuteList, MuteView
from hub.domain.lookalikes import reveal

PATH = "/mutes"


@command()
@click.option("--undo", "mute_id", metavar="ID", help="Take one of them back.")
@click.pass_obj
def muted(here: CommandContext, mute_id: str | None) -> None:
    """List what you want less of or never, and take it back.

    What Pulse learnt from your dismissals is there as well.

    `pulse less ID` and `pulse never ID` add to it. Example: pulse muted --undo mute_7f3a1
    """
    api = open_api(here.home)
    if mute_id is None:
        document = api.call("GET", PATH)
    else:
        document = api.call("DELETE", f"{PATH}/{urllib.parse.quote(mute_id, safe='')}")
    if here.as_json:
        here.document(document)
        return
    if mute_id is not None:
        here.say("✓ Taken back.", "green")
    found = read(document, MuteList)
    for mute in found.mutes:
        _show(here, mute)
    if not found.mutes:
        here.say("Nothing is muted.")


def _show(here: CommandContext, mute: MuteView) -> None:
    here.say(f"{mute.id}  {reveal(mute.summary)}", bold=True)
    here.say(f"  {mute.effect}  (since {mute.since.astimezone():%Y-%m-%d %H:%M})")
