"""`pulse world report`: who did what on one day."""

import urllib.parse
from datetime import datetime

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command

PATH = "/world/day"


@command("report")
@click.option(
    "--day", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="Which day, such as 2026-01-09; default: today."
)
@click.option("--search", default="", metavar="TEXT", help="Only entries that contain this text.")
@click.pass_obj
def report(context: CommandContext, day: datetime | None, search: str) -> None:
    """Show who did what on a day, and how long it took.

    Each session with what it waited for, where nothing was heard of it, and what checked it; then the events. With
    --json: the answer of GET /api/v1/world/day. Example: pulse world report --day 2026-01-09 --search flight
    """
    from hub.cli.world_day import show_day  # noqa: PLC0415  only here
    from hub.contract.world_day import SEARCH_CHARS_MAX, WorldDayAnswer  # noqa: PLC0415  only here

    if len(search) > SEARCH_CHARS_MAX:
        raise click.UsageError(f"A search has at most {SEARCH_CHARS_MAX} characters.")
    asked = {"day": f"{day:%Y-%m-%d}" if day else "", "search": search}
    query = urllib.parse.urlencode({name: value for name, value in asked.items() if value})
    document = open_api(context.home).call("GET", f"{PATH}?{query}" if query else PATH)
    if not context.printed(document):
        show_day(context, read(document, WorldDayAnswer), search)
