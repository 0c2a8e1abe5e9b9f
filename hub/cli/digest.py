"""`pulse digest`: all that waits, at once."""

import click

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.events import DigestReady
from hub.domain.lookalikes import reveal
from hub.kit.digests import heading, more_words, opening
from hub.kit.phrase_files import phrases

PATH = "/digest"


@command()
@click.argument("when", required=False, type=click.Choice(["now"]), metavar="[now]")
@click.pass_obj
def digest(context: CommandContext, when: str | None) -> None:
    """Show everything that is waiting, or send it to every device now.

    The most valuable comes first.

    With `now`, every device gets it as one message, in which each suggestion can be answered on its own.

    With --json: the answer of GET (or POST) /api/v1/digest. Example: pulse digest now
    """
    document = open_api(context.home).call("GET" if when is None else "POST", PATH)
    found = read(document, DigestReady)
    if context.printed(document):
        return
    _show(context, found)
    if when is not None and found.cards:
        context.say("✓ Sent to your devices.", "green")


def _show(context: CommandContext, found: DigestReady) -> None:
    words = phrases()
    said = opening(found, words)
    if said and not found.cards:
        context.say(f"{words.put(heading(found))}:", bold=True)
    for line in said:
        context.say(reveal(line))
    if not found.cards:
        context.hint("Nothing is waiting for you. To ask for a suggestion now: `pulse trigger`.")
        return
    context.say(f"{words.put(heading(found))}:", bold=True)
    out = draw.console(context)
    draw.show(out, draw.cards_table(out, found.cards))
    if found.more:
        context.say(more_words(found, words))
    context.hint("\npulse approve ID · reject ID · snooze ID --for 10m · undo ID; the start of an id is enough.")
