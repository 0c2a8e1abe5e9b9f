"""The person's own clock on the command line: in the zone of their settings, where they name one, else the machine's.

A sentence of the hub's is in that zone, so what stands beside it has to be, too.
"""

import tomllib
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from hub.cli.command import CommandContext
from hub.io.home.folder import Home


def here(at: datetime) -> datetime:
    """Return a moment as the person's clock has it."""
    return at.astimezone(_zone())


def now_here() -> datetime:
    """Return the time as the person's clock has it."""
    return here(datetime.now(UTC))


def _zone() -> tzinfo | None:
    context = click.get_current_context(silent=True)
    found = None if context is None else context.find_object(CommandContext)
    return None if found is None else _zone_of(Home(found.home).config)


@cache
def _zone_of(config: Path) -> tzinfo | None:
    """Return the zone that a settings file names; None, which is the machine's, where it names none that there is.

    What is wrong with the file is said where it is read as a whole: by the hub, and by `pulse config check`.
    """
    try:
        person = tomllib.loads(config.read_text(encoding="utf-8")).get("person", {})
        return ZoneInfo(person["zone"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ZoneInfoNotFoundError):
        return None
