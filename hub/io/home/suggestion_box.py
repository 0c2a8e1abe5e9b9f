"""The box into which agents put their ideas: how many, how long, and each but once."""

import os
import threading
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from hub.io.home.private_files import write_private
from hub.sense.suggested_lines import FRESH_FOR, SuggestedLine, lines_in

BOX_FILE = "suggested.jsonl"
BOX_BYTES_MAX = 256 * 1024
WITHIN = timedelta(hours=1)
PER_AGENT_MAX, PER_CLIENT_MAX, IN_ALL_MAX = 6, 12, 30
"""So many ideas an agent, a client and all of them may hand in within that time: a person looks at few a day."""
ONE_AT_A_TIME = threading.Lock()
Handed = Literal["taken", "known", "too-often"]


def hand_in(home: Path, line: SuggestedLine) -> Handed:
    """Put an idea into the box; one with the same id is the same. What is of yesterday goes.

    Raises:
        OSError: the box cannot be read or written; nothing was taken.
    """
    with ONE_AT_A_TIME:
        return _hand_in(home / BOX_FILE, line)


def _hand_in(path: Path, line: SuggestedLine) -> Handed:
    kept = tuple(one for one in lines_in(_content(path)) if line.at - one.at <= FRESH_FOR)
    if any(one.id == line.id for one in kept):
        return "known"
    if _is_too_often(kept, line, line.at):
        return "too-often"
    rows = [msgspec.json.encode(one).decode() for one in (*kept, line)]
    write_private(path, "".join(f"{row}\n" for row in rows))
    return "taken"


def _is_too_often(kept: tuple[SuggestedLine, ...], line: SuggestedLine, now: datetime) -> bool:
    lately = [one for one in kept if now - one.at <= WITHIN]
    mine = [one for one in lately if one.client == line.client]
    same = [one for one in mine if one.agent == line.agent]
    return len(lately) >= IN_ALL_MAX or len(mine) >= PER_CLIENT_MAX or len(same) >= PER_AGENT_MAX


def _content(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read(BOX_BYTES_MAX)
