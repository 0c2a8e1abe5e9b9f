"""`pulse status` and `pulse cards`."""

from datetime import UTC, datetime
from urllib.parse import urlencode

import click
from rich.text import Text

from hub.cli import draw
from hub.cli.api import HubClient, health_of, open_api, read
from hub.cli.command import CommandContext, command
from hub.cli.looked import remember
from hub.cli.reached import reach_lines
from hub.contract.api import COUNT_MAX, PredictAnswer
from hub.contract.control import PredictionList

OPEN_MAX = 200
HEALTH_TONES = {"ok": "green", "degraded": "yellow", "down": "red", "unknown": "bright_black"}


@command()
@click.pass_obj
def status(context: CommandContext) -> None:
    """Show the state of Pulse.

    The state, spending against each cap, and the health of every part. With --json: the answer of
    GET /api/v1/health.
    """
    api = open_api(context.home)
    document = api.call("GET", "/health")
    if context.printed(document):
        return
    health = health_of(document)
    told = health.cross_poll_status
    rows: list[tuple[str | Text, ...]] = [
        ("" if number else "reach", Text(line, "yellow")) for number, line in enumerate(reach_lines(told.reach))
    ]
    rows += list(draw.status_lines(told, snoozed=_snoozed(api) if told.pending else 0))
    rows.append(("api", f"{api.address}  (version {health.version})"))
    out = draw.console(context)
    draw.show(out, draw.table((), rows))
    parts = [
        (
            Text(f"  {part.name}"),
            Text(part.status, HEALTH_TONES[part.status].replace("bright_black", "dim")),
            part.detail,
        )
        for part in health.parts
    ]
    draw.show(out, draw.table((), parts))


def _snoozed(api: HubClient) -> int:
    """Count the open suggestions that were snoozed, of the newest `OPEN_MAX`."""
    now = datetime.now(UTC)
    pending = api.get(f"/predictions?status=pending&limit={OPEN_MAX}", PredictionList).predictions
    return sum(card.snoozed_until is not None and card.snoozed_until > now for card in pending)


@command()
@click.option("--count", type=click.IntRange(1, COUNT_MAX), default=COUNT_MAX, show_default=True, help="How many.")
@click.option("--channel", help="Only those of one channel.")
@click.pass_obj
def cards(context: CommandContext, count: int, channel: str | None) -> None:
    """List the open suggestions, newest first.

    With --json: the answer of GET /api/v1/twin/predict.
    """
    query = {"count": str(count)} | ({"channel": channel} if channel else {})
    document = open_api(context.home).call("GET", f"/twin/predict?{urlencode(query)}")
    answer = read(document, PredictAnswer)
    remember(context, answer.predictions)
    if context.printed(document):
        return
    if not answer.predictions:
        context.hint("Nothing is waiting for you. To ask for a suggestion now: `pulse trigger`.")
        return
    out = draw.console(context)
    draw.show(out, draw.cards_table(out, answer.predictions))
    context.hint("\npulse approve ID · reject ID · snooze ID --for 10m · why ID; the start of an id is enough.")
