"""`pulse world tail`: the last lines of the file, and with `-f` those that come."""

import contextlib
import time
from pathlib import Path

import click
import msgspec

from hub.cli import world_show
from hub.cli.command import CommandContext
from hub.contract.world_api import WorldLineView
from hub.io.world.reading import end_of, read_on
from hub.io.world.recent import recent
from hub.io.world.shown import line_view

POLL_S = 0.3
PART_LINES = 1_000


def follow_on(context: CommandContext, path: Path, count: int, *, follow: bool) -> None:
    """Print the last `count` lines; with `follow` go on until Ctrl-C.

    Raises:
        WorldLogError: the log cannot be read.
    """
    cursor = end_of(path)
    for line in recent(path, count):
        _print(context, line_view(line))
    with contextlib.suppress(KeyboardInterrupt):
        while follow:
            batch = read_on(path, cursor, lines_max=PART_LINES)
            cursor = batch.cursor
            for each in batch.lines:
                _print(context, line_view(each.line))
            if not batch.has_more:
                time.sleep(POLL_S)


def _print(context: CommandContext, line: WorldLineView) -> None:
    if context.as_json:
        click.echo(msgspec.json.encode(line))
    else:
        world_show.line(context, line)
