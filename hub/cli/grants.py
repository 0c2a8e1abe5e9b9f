"""`pulse grants`: what may run without asking, and taking it back."""

import urllib.parse

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.grants import GrantList, GrantView
from hub.domain.lookalikes import reveal

PATH = "/grants"


@command()
@click.option("--undo", "grant_id", metavar="ID", help="Let one of them ask again.")
@click.pass_obj
def grants(here: CommandContext, grant_id: str | None) -> None:
    """List what may run without asking, and take it back.

    It does so while you are away. Pulse asks for it on a card once you have approved the same often enough; nothing
    gets here by itself.

    Example: pulse grants --undo yes_7f3a1
    """
    api = open_api(here.home)
    if grant_id is None:
        document = api.call("GET", PATH)
    else:
        document = api.call("DELETE", f"{PATH}/{urllib.parse.quote(grant_id, safe='')}")
    if here.as_json:
        here.document(document)
        return
    if grant_id is not None:
        here.say("✓ It asks again from now on.", "green")
    found = read(document, GrantList)
    for grant in found.grants:
        _show(here, grant)
    if not found.grants:
        here.say("Nothing runs without asking.")


def _show(here: CommandContext, grant: GrantView) -> None:
    here.say(f"{grant.id}  {reveal(grant.summary)}", bold=True)
    here.say(f"  {grant.effect}  (you said so on {grant.since.astimezone():%Y-%m-%d %H:%M}, {reveal(grant.by)})")
