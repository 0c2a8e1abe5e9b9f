"""The person's clock on the command line: in the time zone of their settings, or the machine's if they name none.

The hub writes its sentences in that zone, so times beside them must be in it, too. `times` reads what a person typed.
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
    """Return the zone that a settings file names; None, for the machine's, if it names none or one that is unknown.

    What is wrong with the file is said where it is read as a whole: by the hub, and by `pulse config check`.
    """
    try:
        person = tomllib.loads(config.read_text(encoding="utf-8")).get("person", {})
        return ZoneInfo(person["zone"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ZoneInfoNotFoundError):
        return None
