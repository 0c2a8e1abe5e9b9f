"""`pulse grants`: what may run without asking, and taking it back."""

import click

from hub.cli.api import read
from hub.cli.command import CommandContext, command
from hub.cli.listed import ListEntry, ListWords, show_list
from hub.contract.grants import GrantList
from hub.domain.lookalikes import reveal

PATH = "/grants"
WORDS = ListWords(empty="Nothing runs without asking.", undone="It asks again from now on.")


@command()
@click.option("--undo", "grant_id", metavar="ID", help="Let one of them ask again.")
@click.pass_obj
def grants(here: CommandContext, grant_id: str | None) -> None:
    """List what may run without asking, and take it back.

    It does so while you are away. Pulse asks for it on a card once you have approved the same often enough; nothing
    gets here by itself.

    Example: pulse grants --undo yes_7f3a1
    """
    show_list(here, PATH, grant_id, _entries, WORDS)


def _entries(document: bytes) -> list[ListEntry]:
    return [
        ListEntry(
            id=grant.id,
            summary=grant.summary,
            line=f"{grant.effect}  (you said so on {grant.since.astimezone():%Y-%m-%d %H:%M}, {reveal(grant.by)})",
        )
        for grant in read(document, GrantList).grants
    ]
