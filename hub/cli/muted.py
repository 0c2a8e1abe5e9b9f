"""`pulse muted` and `pulse always-ask`: what the person wants less of, never, or always to be asked about."""

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.cli.finding import find
from hub.cli.listed import ListEntry, ListWords, show_entry, show_list
from hub.cli.person_clock import here
from hub.contract.mutes import MuteList, MuteRequest
from hub.contract.words import Verb

PATH = "/mutes"
WORDS = ListWords(command="muted", empty="Nothing is muted.", undone="Undone.")


@command()
@click.option("--undo", "mute_id", metavar="ID", help="Undo one of them.")
@click.pass_obj
def muted(context: CommandContext, mute_id: str | None) -> None:
    """List what you muted or asked for less of, and undo it.

    It also shows what Pulse learned from your dismissals, and what you always want to be asked about.

    `pulse less ID` and `pulse never ID` add to it. Example: pulse muted --undo mute_7f3a1
    """
    show_list(context, PATH, mute_id, _entries, WORDS)


@command()
@click.argument("card_id", metavar="ID")
@click.pass_obj
def always_ask(context: CommandContext, card_id: str) -> None:
    """Always be asked about suggestions of this kind.

    Its kind then never runs without asking, whatever you allowed before, and is never held back for a better moment.
    The suggestion stays as it is. `pulse muted` lists it and can undo it. Example: pulse always-ask latest
    """
    api = open_api(context.home)
    wish = MuteRequest(degree="ask", card_id=find(api, card_id, Verb.NEVER).id)
    document = api.call("POST", PATH, wish)
    if context.printed(document):
        return
    show_entry(context, _entries(document)[0])


def _entries(document: bytes) -> list[ListEntry]:
    return [
        ListEntry(id=mute.id, summary=mute.summary, line=f"{mute.effect}  (since {here(mute.since):%Y-%m-%d %H:%M})")
        for mute in read(document, MuteList).mutes
    ]
