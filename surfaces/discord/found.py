"""Which of our own messages in a channel are what: read back from what they show, after a restart. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from hub.contract.base import Value
from surfaces.discord.ballot import Entry, Sign
from surfaces.discord.buttons import read_custom_id
from surfaces.discord.tally_text import button_marks
from surfaces.discord.votes import Mark

SIGNS: dict[str, Sign] = {"approve": "approve", "reject": "reject", "snooze": "snooze"}
_CARD = re.compile(r"pulse why ([A-Za-z0-9_-]{1,64})\Z")
_RESULT = re.compile(r"run ([A-Za-z0-9_-]{1,64}) · pulse why [A-Za-z0-9_-]{1,64}\Z")
_NOTE = re.compile(r"Pulse note (\S{1,128})\Z")
STATUS_FOOTER = "Pulse status"


class Seen(Value):
    """One message by ourselves, as it was found: its footer, its fields, its buttons and our own reactions."""

    message_id: str
    footer: str
    fields: tuple[tuple[str, str], ...] = ()
    custom_ids: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    threaded: bool = False


class Sorted(Value):
    """What a message is: `name` is a card's id, a run's id or a note's; `hash` that of an open card, else empty."""

    kind: Literal["card", "result", "note", "status"]
    name: str
    seen: Seen
    hash: str = ""
    votes: frozenset[Entry] = frozenset()
    pending: bool = False
    """Whether it looks as if something could be answered or were running."""


def sort(seen: Iterable[Seen]) -> Sequence[Sorted]:
    """Say what each message is, newest first as Discord lists them; what is none of ours is left out."""
    return [found for one in seen if (found := _sorted(one)) is not None]


def _sorted(seen: Seen) -> Sorted | None:
    if seen.footer == STATUS_FOOTER:
        return Sorted(kind="status", name="", seen=seen)
    if note := _NOTE.match(seen.footer):
        return Sorted(kind="note", name=note[1], seen=seen)
    if result := _RESULT.match(seen.footer):
        return Sorted(kind="result", name=result[1], seen=seen)
    card = _CARD.match(seen.footer)
    if card is None:
        return None
    pressed = [one for one in map(read_custom_id, seen.custom_ids) if one is not None]
    is_open = any(one.action == "details" for one in pressed)
    is_running = any(one.action == "stop" for one in pressed)
    return Sorted(
        kind="card",
        name=card[1],
        seen=seen,
        hash=pressed[0].hash if is_open else "",
        votes=frozenset(map(_entry, button_marks(seen.fields))),
        pending=is_open or is_running,
    )


def _entry(mark: Mark) -> Entry:
    return Entry(voter=mark.voter, sign=SIGNS[mark.verb.value], via="button")
