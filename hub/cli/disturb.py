"""`pulse dnd`: do not disturb, until a time."""

from datetime import datetime

import click

from hub.cli import draw, times
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.cli.person_clock import now_here
from hub.contract.api import ConfigPatch
from hub.contract.control import ConfigAnswer

OFF = "off"
CONFIG = "/crosspoll/config"


@command()
@click.argument("time", required=False, metavar="[TIME|off]")
@click.pass_obj
def dnd(context: CommandContext, time: str | None) -> None:
    """Turn on do not disturb until a given time.

    Devices stay quiet and nothing runs on autopilot. Running work goes on, and suggestions wait silently.

    TIME is a duration or a time at most 30 days away: 2h, tonight (until 8:00), 18:00, tomorrow. `off` ends it.
    Without TIME: shows the current state.

    Example: pulse dnd tonight
    """
    api = open_api(context.home)
    document = api.call("GET", CONFIG) if time is None else api.call("PATCH", CONFIG, _patch(time, now_here()))
    if context.printed(document):
        return
    until = read(document, ConfigAnswer).dnd_until
    off = "Do not disturb is off." if time else "Do not disturb is off. `pulse dnd 2h` switches it on."
    context.hint(draw.undisturbed(until) if until else off)


def _patch(time: str, now: datetime) -> ConfigPatch:
    if time.strip().lower() == OFF:
        return ConfigPatch(dnd_off=True)
    return ConfigPatch(dnd_until=times.until(time, now))
