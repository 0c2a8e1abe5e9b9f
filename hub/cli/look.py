"""`pulse cards`."""

from urllib.parse import urlencode

import click

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.api import COUNT_MAX, PredictAnswer
from hub.contract.control import PredictionList
from hub.contract.words import Status

LISTED_MAX = 200


@command()
@click.option("--count", type=click.IntRange(1, LISTED_MAX), default=COUNT_MAX, show_default=True, help="How many.")
@click.option("--channel", help="Only those of one channel.")
@click.option("--past", is_flag=True, help="Those that were answered, ran or expired, with the result.")
@click.pass_obj
def cards(context: CommandContext, count: int, channel: str | None, *, past: bool) -> None:
    """List the open suggestions, newest first.

    With --json: the answer of GET /api/v1/twin/predict; with --past as well, in the form of GET /api/v1/predictions.
    """
    if past:
        _list_past(context, count, channel)
        return
    if count > COUNT_MAX:
        raise click.UsageError(f"--count goes up to {COUNT_MAX} for open suggestions.")
    query = {"count": str(count)} | ({"channel": channel} if channel else {})
    document = open_api(context.home).call("GET", f"/twin/predict?{urlencode(query)}")
    answer = read(document, PredictAnswer)
    if context.printed(document):
        return
    if not answer.predictions:
        context.hint("Nothing is waiting for you. To ask for a suggestion now: `pulse trigger`.")
        return
    out = draw.console(context)
    draw.show(out, draw.cards_table(out, answer.predictions))
    context.hint("\npulse approve ID · reject ID · snooze ID --for 10m · why ID; the start of an id is enough.")


def _list_past(context: CommandContext, count: int, channel: str | None) -> None:
    """List those of the newest `LISTED_MAX` suggestions that are not open any more."""
    every = open_api(context.home).get(f"/predictions?limit={LISTED_MAX}", PredictionList).predictions
    past = [card for card in every if card.status is not Status.PENDING and channel in {None, card.target_channel}]
    shown = tuple(past[:count])
    if context.printed(PredictionList(predictions=shown, count=len(shown))):
        return
    if not shown:
        context.say("No suggestion has been answered or run yet.")
        return
    out = draw.console(context)
    draw.show(out, draw.past_table(out, shown))
    context.hint("\npulse why ID shows how one came about; the start of an id is enough.")
