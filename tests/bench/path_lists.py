"""The judge's lists (tests/bench/paths) as values, and what they say of a card; `paths/README.md` has the rules."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from hub.contract.base import Message, Value

LISTS: Final = Path(__file__).parent / "paths"
Verdict = Literal["useful", "useless", "false", "not on the list"]
Answer = Literal["yes", "no", "leave"]
TOKEN: Final = re.compile(r"@(date|time|long)([+-]\d+)?m?@")


class Written(Message, rename=None):
    """What stands in a list: an unknown field is a mistake, and refused."""


class Entry(Written):
    """A card that would be useful, useless or false at a moment, and how it is recognised."""

    id: str
    card: str
    because: str
    about: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    command: str = ""
    note: bool = False
    until: str = ""
    answer: Answer | None = None
    asked: bool = False
    again: bool = False
    red: bool = False


class Standing(Written):
    """What holds at every moment of a path."""

    useful: tuple[Entry, ...] = ()
    useless: tuple[Entry, ...] = ()
    false: tuple[Entry, ...] = ()

    def entries(self) -> Iterable[tuple[Verdict, Entry]]:
        """Yield each entry with its verdict, in the order in which a card is held against them."""
        yield from (("false", entry) for entry in self.false)
        yield from (("useless", entry) for entry in self.useless)
        yield from (("useful", entry) for entry in self.useful)


class CalendarEntry(Written):
    """An entry of the person's calendar: from and to in minutes from now, or all of the day so many days from now."""

    summary: str
    starts: str = ""
    ends: str = ""
    day: int | None = None
    place: str = ""
    free: bool = False


class Moment(Standing, kw_only=True):
    """What happens, and what is so then."""

    id: str
    minutes: float
    does: str
    so: str
    repository: str = ""
    folder: str = ""
    shell: str = ""
    elsewhere: str = ""
    then: str = ""
    typed: tuple[str, ...] = ()
    calendar: tuple[CalendarEntry, ...] = ()
    says: tuple[str, ...] = ()
    asks: str = ""
    mark: str = ""
    away: bool = False
    back: bool = False
    digest: bool = False
    gone: tuple[str, ...] = ()


class Place(Written):
    """A repository that is made of a published package, or a folder that is made by a script."""

    id: str
    what: str
    pypi: str = ""
    npm: str = ""
    history: str = ""
    shell: str = ""
    calendar: tuple[CalendarEntry, ...] = ()


class PathList(Written):
    """One path."""

    name: str
    goal_useful: int
    goal_false: int
    moment: tuple[Moment, ...]
    goal_useful_share: float | None = None
    repository: tuple[Place, ...] = ()
    folder: tuple[Place, ...] = ()
    always: Standing = Standing()

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it leads, in this order."""
        return self.repository or self.folder

    def moments_of(self, place: str) -> tuple[Moment, ...]:
        """Return the moments in one place."""
        return tuple(moment for moment in self.moment if place in (moment.repository, moment.folder))


class CardSeen(Value):
    """What of a card the lists are held against; `command` is empty where it would run nothing of the person's."""

    text: str
    command: str


class Ruling(NamedTuple):
    """What a list says of a card, and by which of its entries."""

    verdict: Verdict
    entry: Entry | None

    @property
    def answer(self) -> Answer:
        """What the person says to it."""
        if self.entry is None or self.verdict != "useful":
            return (self.entry and self.entry.answer) or "no"
        return self.entry.answer or ("leave" if self.entry.note or not self.entry.command else "yes")


def read(name: str) -> PathList:
    """Read one list."""
    return msgspec.toml.decode((LISTS / f"{name}.toml").read_bytes(), type=PathList)


def ruling(path: PathList, moment: Moment, card: CardSeen, now: datetime, shown: Mapping[str, str]) -> Ruling:
    """Return what the path's list says of a card that is shown at this moment.

    Args:
        path: the list.
        moment: the moment at which it is shown.
        card: what it says and would run.
        now: the person's local time.
        shown: the entries of cards that were shown already in this place.
    """
    for verdict, entry in _in_order(path, moment):
        if _matches(entry, card, now):
            is_repeated = verdict == "useful" and entry.id in shown and not entry.again
            return Ruling("useless" if is_repeated else verdict, entry)
    return Ruling("not on the list", None)


def written_out(text: str, now: datetime, long_s: float) -> str:
    """Return a command, sentence or text with its times filled in."""

    def one(found: re.Match[str]) -> str:
        kind, ahead = found[1], int(found[2] or 0)
        if kind == "long":
            return f"{long_s:.0f}"
        if kind == "date":
            return (now + timedelta(days=ahead)).date().isoformat()
        return f"{now + timedelta(minutes=ahead):%H:%M}"

    return TOKEN.sub(one, text)


def _in_order(path: PathList, moment: Moment) -> Iterable[tuple[Verdict, Entry]]:
    """The moment's own entries, then what still holds of earlier ones, the nearest first, then what always holds."""
    yield from moment.entries()
    ids = [one.id for one in path.moment]
    here = ids.index(moment.id)
    for earlier in path.moment[:here][::-1]:
        for verdict, entry in earlier.entries():
            if entry.until and ids.index(entry.until) >= here:
                yield verdict, entry
    yield from path.always.entries()


def _matches(entry: Entry, card: CardSeen, now: datetime) -> bool:
    if entry.note and card.command:
        return False
    if entry.command and not _found(entry.command, card.command, now):
        return False
    return all(_found(one, card.text, now) for one in entry.about) and not any(
        _found(one, card.text, now) for one in entry.never
    )


def _found(expression: str, text: str, now: datetime) -> bool:
    return re.search(TOKEN.sub(lambda found: _ways(found, now), expression), text, re.IGNORECASE) is not None


def _ways(found: re.Match[str], now: datetime) -> str:
    """Every usual way of writing a date or time, as an expression."""
    ahead = int(found[2] or 0)
    if found[1] != "date":
        return f"{now + timedelta(minutes=ahead):%H:%M}"
    day = now + timedelta(days=ahead)
    number = str(day.day)
    ways = (
        day.date().isoformat(),
        *(f"{name}\\.? 0?{number}\\b" for name in (f"{day:%B}", f"{day:%b}")),
        *(f"\\b0?{number}\\.? {name}" for name in (f"{day:%B}", f"{day:%b}")),
        f"0?{number}\\.{day:%m}\\.",
        f"{day:%m}/{day:%d}",
        f"{day:%A}",
    )
    return f"(?:{'|'.join(ways)})"
