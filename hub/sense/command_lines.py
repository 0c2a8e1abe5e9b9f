"""The lines that a shell's hook writes down of long commands. Anything may stand in them."""

from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from msgspec import Meta

from hub.contract.base import Value
from hub.domain.provenance import TranscriptText
from hub.domain.readings import ShellReading
from hub.domain.situation import FinishedCommand
from hub.kit.text import one_line
from hub.sense.test_commands import is_test_run

COMMAND_CHARS_MAX = 200
FOLDER_CHARS_MAX = 4_096
KEPT_MAX = 20
BROKEN_OFF = frozenset({126, 127, 130, 131, 137, 143})
"""The status of what could not be started, or somebody ended: no test has said anything."""
FRESH_FOR = timedelta(hours=1)
AHEAD_MAX = timedelta(minutes=1)


class CommandLine(Value):
    """One command that has ended: when, where, with which status (as the shell tells it), and how long it took."""

    at: Annotated[datetime, Meta(tz=True)]
    folder: str
    command: str
    status: int
    seconds: Annotated[int, Meta(ge=0)]


def command_reading(raw: bytes, now: datetime) -> ShellReading:
    """Return the commands of the last hour, the latest last; lines that are none are passed over."""
    found = (_line(line) for line in raw.splitlines() if line.strip())
    lately = [each for each in found if each is not None and now - FRESH_FOR <= each.at <= now + AHEAD_MAX]
    lately.sort(key=lambda each: each.at)
    return ShellReading(commands=tuple(_finished(each) for each in lately[-KEPT_MAX:]))


def last_test_run(raw: bytes, top: str) -> CommandLine | None:
    """Return the latest command that ran tests in a work tree, or below it; one that was broken off is none."""
    found = (_line(line) for line in raw.splitlines() if line.strip())
    here = (
        each
        for each in found
        if each is not None
        and (each.folder == top or each.folder.startswith(f"{top}/"))
        and each.status not in BROKEN_OFF
        and is_test_run(each.command)
    )
    return max(here, key=lambda each: each.at, default=None)


def _line(line: bytes) -> CommandLine | None:
    try:
        return msgspec.json.decode(line, type=CommandLine)
    except (msgspec.DecodeError, RecursionError):
        return None


def _finished(line: CommandLine) -> FinishedCommand:
    return FinishedCommand(
        at=line.at,
        folder=one_line(line.folder, FOLDER_CHARS_MAX),
        command=TranscriptText(one_line(line.command, COMMAND_CHARS_MAX)),
        status=line.status,
        seconds=line.seconds,
        ran_tests=is_test_run(line.command),
    )
